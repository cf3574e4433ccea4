"""Tier curves: the mean of every system in L0 to L6, with L7 apart as a stress probe (paper, Figure 5A).

Cells are zero-filled, so a system whose window ends before a tier falls there, as in All. A task table's tiers may be
written in small letters.
"""

from __future__ import annotations

import numpy as np

from wildtrace.diagnose.base import Cell, Column, Inputs, Statistic, Table, points
from wildtrace.scores.table import POWERED_TIERS, BoolArray, Tasks, exact_mean, ranked_complete
from wildtrace.text.counting import counted

STRESS_TIER = "L7"
_NAMED = 5


def tier_mask(tasks: Tasks, *tiers: str) -> BoolArray:
    """Which items lie in one of `tiers`, in capital or small letters; "" stands for items without a tier."""
    return np.asarray([tier.strip().upper() in tiers for tier in tasks.tiers], dtype=np.bool_)


def unknown_tier_notes(tasks: Tasks) -> tuple[str, ...]:
    """A sentence that counts the items whose tier is none of L0 to L7 and names such tiers, where there are any."""
    named = tier_mask(tasks, *POWERED_TIERS, STRESS_TIER, "")
    unknown = [tier for tier, is_known in zip(tasks.tiers, named, strict=True) if not is_known]
    if not unknown:
        return ()
    names = ", ".join(sorted(set(unknown))[:_NAMED])
    return (f"{len(unknown)} items have a tier that is none of L0 to L7 ({names}) and are left out.",)


def compute(inputs: Inputs) -> Table:
    """One row for each system, best first, and one for the mean over systems; one column for each tier."""
    scores = inputs.scores
    order, filled = ranked_complete(scores)
    tiers = [tier for tier in POWERED_TIERS if tier_mask(scores.tasks, tier).any()]
    stress = int(tier_mask(scores.tasks, STRESS_TIER).sum())
    shown = (*tiers, STRESS_TIER) if stress else tuple(tiers)
    masks = [tier_mask(scores.tasks, tier) for tier in shown]
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
        n=int(tier_mask(scores.tasks, *POWERED_TIERS).sum()),
        notes=(
            *_notes(stress, int(tier_mask(scores.tasks, "").sum())),
            *unknown_tier_notes(scores.tasks),
            *scores.incomplete_notes(),
        ),
    )


def _notes(stress: int, untiered: int) -> tuple[str, ...]:
    notes = [f"L7 ({counted(stress, 'item')}) is a stress probe beside the trend, not a part of it."] if stress else []
    if untiered:
        notes.append(
            counted(untiered, "item has no tier and is in no column.", "items have no tier and are in no column.")
        )
    return tuple(notes)


STATISTIC = Statistic("tiers", "Score by context tier", "scores", compute)
