"""Geometry by tier for the best systems: means with item counts (paper, Table 13). L7 is left out."""

from __future__ import annotations

from wildtrace.diagnose.base import Cell, Column, Drill, Inputs, Statistic, Table, points
from wildtrace.diagnose.slices import slices
from wildtrace.scores.table import POWERED_TIERS, exact_mean, ranked_complete


def compute(inputs: Inputs) -> Table:
    """One row for each geometry; for each tier the zero-filled mean of the `top` systems and the item count."""
    scores = inputs.scores
    order, filled = ranked_complete(scores)
    top = order[: inputs.settings.top]
    best = filled[: len(top)]
    tiers = [(tier, mask, drill) for tier, mask, drill in slices(scores.tasks, "tier") if tier in POWERED_TIERS]
    rows: list[tuple[Cell, ...]] = []
    drills: list[Drill] = []
    for name, in_geometry, drill in slices(scores.tasks, "geometry"):
        cells: list[Cell] = [name]
        for _, in_tier, _ in tiers:
            mask = in_geometry & in_tier
            cells += [points(exact_mean(best[:, mask])), int(mask.sum())]
        rows.append(tuple(cells))
        drills.append(drill)
    columns = [Column("geometry", role="key")]
    for tier, _, drill in tiers:
        columns.append(Column(tier, "score", "points", drill=drill))
        columns.append(Column(f"{tier} n", "integer", "items", "count", drill=drill))
    systems = ", ".join(scores.models[model] for model in top)
    return Table(
        name="geometry_tiers",
        title=f"Geometry by tier, mean of the top {len(top)} systems",
        columns=tuple(columns),
        rows=tuple(rows),
        drill={"tier": list(POWERED_TIERS), "top": len(top)},
        row_drills=tuple(drills),
        n=int(scores.tasks.in_tiers(*POWERED_TIERS).sum()),
        notes=(f"Systems: {systems}.", "L7 is a stress probe and is left out.", *scores.incomplete_notes()),
    )


STATISTIC = Statistic("geometry_tiers", "Geometry by tier", "scores", compute)
