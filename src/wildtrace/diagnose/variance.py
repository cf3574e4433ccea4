"""Additive variance diagnostic: what share of the variance of the cells each factor explains (paper, Table 15).

Every system answers every item, so the systems' dummies are orthogonal to all that describes an item, and the model
over systems x items falls apart exactly: systems explain the variance of the row means, the item factors that of the
column means. The design therefore has one row an item, not one a cell, and costs the same for 18 systems or 200.
It is descriptive, not causal.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from wildtrace.diagnose.base import Cell, Column, Gap, Inputs, Statistic, Table
from wildtrace.diagnose.numeric.agreement import is_flat
from wildtrace.diagnose.numeric.regression import dummies, explained, standardised
from wildtrace.scores.table import BoolArray, FloatArray, ScoreTable, Tasks

MODEL = "model identity"
FULL = "full additive model"
_FACETS = {"context tier": "tiers", "evidence geometry": "geometries"}
_MOSTLY = 0.5
ONE_SYSTEM = Gap("one system: there is no other to tell it from, so its identity explains nothing")


def compute(inputs: Inputs) -> Table:
    """Single-group, incremental and full R2 over the zero-filled cells of complete systems; L7 is a tier like others.

    Incremental R2 is what the full model loses when the group is removed.
    """
    scores = inputs.scores
    columns, dropped = _structure(scores.tasks)
    used = _usable(scores.tasks, columns)
    filled = scores.zero_filled()[scores.complete()][:, used]
    groups = _groups(
        scores.tasks.select(np.flatnonzero(used)), {name: column[used] for name, column in columns.items()}
    )
    return Table(
        name="variance",
        title="Variance explained by factor group",
        columns=(
            Column("factor_group", role="key"),
            Column("single_r2", "coefficient", "R2"),
            Column("incremental_r2", "coefficient", "R2", about="what the full model loses without the group"),
        ),
        rows=_rows(filled, groups),
        drill={"complete": True},
        n=int(filled.size),
        notes=(*_notes(scores, used, columns, dropped), *scores.incomplete_notes()),
    )


def _rows(filled: FloatArray, groups: Mapping[str, FloatArray]) -> tuple[tuple[Cell, ...], ...]:
    names = (MODEL, *groups, FULL)
    if filled.size < 2 or is_flat(filled):
        gap = Gap("the cells do not vary, so there is nothing to explain")
        return tuple((name, gap, gap) for name in names)
    systems, centred = len(filled), filled - filled.mean()
    total = float((centred * centred).sum())
    by_model = filled.shape[1] * float(((filled.mean(axis=1) - filled.mean()) ** 2).sum()) / total
    by_item = filled.mean(axis=0)
    everything = systems * explained(by_item, list(groups.values())) / total
    model: Cell = by_model if systems > 1 else ONE_SYSTEM
    rows: list[tuple[Cell, ...]] = [(MODEL, model, model)]
    for name, group in groups.items():
        if group.shape[1] == 0:
            gap = Gap(f"{name}: one value or none, so it explains nothing by itself")
            rows.append((name, gap, gap))
            continue
        single = systems * explained(by_item, [group]) / total
        rest = systems * explained(by_item, [other for key, other in groups.items() if key != name]) / total
        rows.append((name, single, max(0.0, everything - rest)))
    rows.append((FULL, by_model + everything, Gap("the whole model has nothing to be removed from")))
    return tuple(rows)


def _groups(tasks: Tasks, columns: Mapping[str, FloatArray]) -> dict[str, FloatArray]:
    structure = np.column_stack(list(columns.values())) if columns else np.empty((len(tasks), 0))
    groups = {name: dummies(getattr(tasks, facet)) for name, facet in _FACETS.items()}
    groups["structural metadata"] = standardised(structure) if len(tasks) else structure
    groups["source family"] = dummies(tasks.families)
    return groups


def _structure(tasks: Tasks) -> tuple[dict[str, FloatArray], tuple[str, ...]]:
    known = {name: float(np.mean(~np.isnan(column))) for name, column in tasks.structure.items() if len(tasks)}
    kept = {name: tasks.structure[name] for name, share in known.items() if share > _MOSTLY}
    return kept, tuple(name for name in tasks.structure if name not in kept)


def _usable(tasks: Tasks, columns: Mapping[str, FloatArray]) -> BoolArray:
    used = np.ones(len(tasks), dtype=np.bool_)
    for column in columns.values():
        used &= ~np.isnan(column)
    return used


def _notes(
    scores: ScoreTable, used: BoolArray, columns: Mapping[str, FloatArray], dropped: tuple[str, ...]
) -> list[str]:
    notes = [f"Structural metadata: {', '.join(columns) or 'none'}."]
    if dropped:
        notes.append(f"Left out, because at least half of the items lack it: {', '.join(dropped)}.")
    if not used.all():
        notes.append(f"{int((~used).sum())} of {len(scores.tasks)} items lack a structural column and are left out.")
    return notes


STATISTIC = Statistic("variance", "Variance explained by factor group", "scores", compute)
