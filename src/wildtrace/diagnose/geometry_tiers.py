"""Geometry by tier for the best systems: means with item counts (paper, Table 13). L7 is left out."""

from __future__ import annotations

from wildtrace.diagnose.base import Cell, Column, Inputs, Statistic, Table, points
from wildtrace.scores.table import POWERED_TIERS, exact_mean, present, ranked_complete


def compute(inputs: Inputs) -> Table:
    """One row for each geometry; for each tier the zero-filled mean of the `top` systems and the item count."""
    scores = inputs.scores
    order, filled = ranked_complete(scores)
    top = order[: inputs.settings.top]
    best = filled[: len(top)]
    tiers = [tier for tier in present(scores.tasks.tiers, POWERED_TIERS) if tier in POWERED_TIERS]
    rows = []
    for name in present(scores.tasks.geometries):
        cells: list[Cell] = [name]
        for tier in tiers:
            mask = scores.tasks.mask("geometries", name) & scores.tasks.mask("tiers", tier)
            cells += [points(exact_mean(best[:, mask])), int(mask.sum())]
        rows.append(tuple(cells))
    columns = [Column("geometry", role="key")]
    for tier in tiers:
        columns += [Column(tier, "score", "points"), Column(f"{tier} n", "integer", "items", "count")]
    systems = ", ".join(scores.models[model] for model in top)
    return Table(
        name="geometry_tiers",
        title=f"Geometry by tier, mean of the top {len(top)} systems",
        columns=tuple(columns),
        rows=tuple(rows),
        n=int(scores.tasks.powered().sum()),
        notes=(f"Systems: {systems}.", "L7 is a stress probe and is left out.", *scores.incomplete_notes()),
    )


STATISTIC = Statistic("geometry_tiers", "Geometry by tier", "scores", compute)
