"""Tier curves: the mean of every system in L0 to L6, with L7 apart as a stress probe (paper, Figure 5A).

Cells are zero-filled, so a system whose window ends before a tier falls there, as in All.
"""

from __future__ import annotations

import numpy as np

from wildtrace.diagnose.base import Cell, Column, Inputs, Statistic, Table, points
from wildtrace.diagnose.scores import POWERED_TIERS, exact_mean, present, ranked_complete

STRESS_TIER = "L7"


def compute(inputs: Inputs) -> Table:
    """One row for each system, best first, and one for the mean over systems; one column for each tier."""
    scores = inputs.scores
    order, filled = ranked_complete(scores)
    tiers = [tier for tier in present(scores.tasks.tiers, POWERED_TIERS) if tier in POWERED_TIERS]
    stress = int(scores.tasks.mask("tiers", STRESS_TIER).sum())
    shown = (*tiers, STRESS_TIER) if stress else tuple(tiers)
    masks = [scores.tasks.mask("tiers", tier) for tier in shown]
    rows: list[tuple[Cell, ...]] = [
        (scores.models[model], *(points(exact_mean(row[mask])) for mask in masks))
        for model, row in zip(order, filled, strict=True)
    ]
    if rows:
        rows.append(("mean over systems", *(points(exact_mean(filled[:, mask])) for mask in masks)))
    columns = [Column(tier, "score", "points", n=int(mask.sum())) for tier, mask in zip(shown, masks, strict=True)]
    return Table(
        name="tiers",
        title="Score by context tier",
        columns=(Column("model", role="key"), *columns),
        rows=tuple(rows),
        n=int(scores.tasks.powered().sum()),
        notes=(
            *_notes(stress, int(np.sum([not tier for tier in scores.tasks.tiers]))),
            *scores.incomplete_notes(),
        ),
    )


def _notes(stress: int, untiered: int) -> tuple[str, ...]:
    notes = [f"L7 ({stress} items) is a stress probe beside the trend, not a part of it."] if stress else []
    if untiered:
        notes.append(f"{untiered} items have no tier and are in no column.")
    return tuple(notes)


STATISTIC = Statistic("tiers", "Score by context tier", "scores", compute)
