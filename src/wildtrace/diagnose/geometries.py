"""Geometry profile: the mean over systems of each evidence geometry in L0 to L6 (paper, Figure 5B).

L7 stands apart as a stress probe; items without a tier count, those of a tier that is none of L0 to L7 do not. Cells
are zero-filled.
"""

from __future__ import annotations

from wildtrace.diagnose.base import Cell, Column, Gap, Inputs, Statistic, Table, points
from wildtrace.diagnose.tiers import STRESS_TIER, tier_mask, unknown_tier_notes
from wildtrace.scores.table import (
    POWERED_TIERS,
    BoolArray,
    FloatArray,
    ScoreTable,
    exact_mean,
    present,
    ranked_complete,
)

SPREAD = "best - worst"


def compute(inputs: Inputs) -> Table:
    """One row for each geometry, the best first, and one for the spread between the best and the worst."""
    scores = inputs.scores
    order, filled = ranked_complete(scores)
    trend, stress = tier_mask(scores.tasks, *POWERED_TIERS, ""), tier_mask(scores.tasks, STRESS_TIER)
    rows = []
    for name in present(scores.tasks.geometries):
        mask = scores.tasks.mask("geometries", name)
        rows.append(_row(name, filled, mask & trend, mask & stress))
    rows.sort(
        key=lambda row: (isinstance(row[1], Gap), -round(row[1], 10) if isinstance(row[1], float) else 0.0, row[0])
    )
    if rows:
        rows.append(_spread(rows))
    return Table(
        name="geometries",
        title="Score by evidence geometry",
        columns=_columns(scores, order),
        rows=tuple(rows),
        n=int(trend.sum()),
        notes=(
            "Means over all items but those of L7, which is a stress probe and stands apart.",
            *unknown_tier_notes(scores.tasks),
            *scores.incomplete_notes(),
        ),
    )


def _columns(scores: ScoreTable, order: list[int]) -> tuple[Column, ...]:
    return (
        Column("geometry", role="key"),
        Column("mean", "score", "points", about="mean over systems"),
        Column("n", "integer", "items", "count"),
        Column("L7", "score", "points", about="mean over systems, stress probe"),
        Column("L7 n", "integer", "items", "count"),
        *(Column(scores.models[model], "score", "points") for model in order),
    )


def _row(name: str, filled: FloatArray, trend: BoolArray, probe: BoolArray) -> tuple[Cell, ...]:
    systems = (points(exact_mean(row[trend])) for row in filled)
    return (
        name,
        points(exact_mean(filled[:, trend])),
        int(trend.sum()),
        points(exact_mean(filled[:, probe])),
        int(probe.sum()),
        *systems,
    )


def _spread(rows: list[tuple[Cell, ...]]) -> tuple[Cell, ...]:
    counts = (2, 4)
    return (
        SPREAD,
        *(_total(rows, at) if at in counts else _range(rows, at) for at in range(1, len(rows[0]))),
    )


def _total(rows: list[tuple[Cell, ...]], at: int) -> int:
    return sum(cell for cell in (row[at] for row in rows) if isinstance(cell, int))


def _range(rows: list[tuple[Cell, ...]], at: int) -> Cell:
    numbers = [cell for cell in (row[at] for row in rows) if isinstance(cell, float)]
    return max(numbers) - min(numbers) if len(numbers) > 1 else Gap("fewer than two geometries, no spread")


STATISTIC = Statistic("geometries", "Score by evidence geometry", "scores", compute)
