"""Source-family slices: the mean of every system in each family of sources (paper, Table 14). L7 counts."""

from __future__ import annotations

from wildtrace.diagnose.base import Cell, Column, Drill, Inputs, Statistic, Table, points, with_systems
from wildtrace.diagnose.slices import slices
from wildtrace.scores.table import exact_mean, ranked_complete


def compute(inputs: Inputs) -> Table:
    """One row for each source family, one column for each system (best first) after the mean over systems."""
    scores = inputs.scores
    order, filled = ranked_complete(scores)
    rows: list[tuple[Cell, ...]] = []
    drills: list[Drill] = []
    for family, mask, drill in slices(scores.tasks, "source family"):
        drills.append(drill)
        systems = (points(exact_mean(row[mask])) for row in filled)
        rows.append((family, int(mask.sum()), points(exact_mean(filled[:, mask])), *systems))
    return Table(
        name="families",
        title="Score by source family",
        columns=with_systems(
            (
                Column("source_family", role="key"),
                Column("n", "integer", "items", "count"),
                Column("mean", "score", "points", about="mean over systems"),
            ),
            (scores.models[model] for model in order),
            "score",
            "points",
        ),
        rows=tuple(rows),
        drill={"complete": True},
        row_drills=tuple(drills),
        n=len(scores.tasks),
        notes=scores.incomplete_notes(),
    )


STATISTIC = Statistic("families", "Score by source family", "scores", compute)
