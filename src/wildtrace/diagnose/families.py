"""Source-family slices: the mean of every system in each family of sources (paper, Table 14). L7 counts."""

from __future__ import annotations

from wildtrace.diagnose.base import Column, Inputs, Statistic, Table, points
from wildtrace.scores.table import exact_mean, present, ranked_complete
from wildtrace.vocabulary import FAMILIES


def compute(inputs: Inputs) -> Table:
    """One row for each source family, one column for each system (best first) after the mean over systems."""
    scores = inputs.scores
    order, filled = ranked_complete(scores)
    rows = []
    for family in present(scores.tasks.families, FAMILIES.names):
        mask = scores.tasks.mask("families", family)
        systems = (points(exact_mean(row[mask])) for row in filled)
        rows.append((family, int(mask.sum()), points(exact_mean(filled[:, mask])), *systems))
    return Table(
        name="families",
        title="Score by source family",
        columns=(
            Column("source_family", role="key"),
            Column("n", "integer", "items", "count"),
            Column("mean", "score", "points", about="mean over systems"),
            *(Column(scores.models[model], "score", "points") for model in order),
        ),
        rows=tuple(rows),
        n=len(scores.tasks),
        notes=scores.incomplete_notes(),
    )


STATISTIC = Statistic("families", "Score by source family", "scores", compute)
