"""Access against reasoning: the same items with the document, with the clues alone, and with neither.

    contamination = none              what is answered without the document
    access gap    = evidence - full   what is lost by having to find the evidence
    reasoning gap = 100 - evidence    what is lost with the evidence at hand

Gaps are printed also when they are negative. Cells are zero-filled; only items that every named condition asked count.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from wildtrace.diagnose.base import PERCENT, Cell, Column, Gap, Inputs, Statistic, Table
from wildtrace.scores.table import (
    MISSING,
    POWERED_TIERS,
    BoolArray,
    FloatArray,
    ScoreTable,
    Tasks,
    exact_mean,
    present,
)

CONDITIONS = ("evidence", "none")
_FACETS = (("tier", "tiers", (*POWERED_TIERS, "L7")), ("geometry", "geometries", ()))


def compute(inputs: Inputs) -> Table:
    """One row for each system with another condition, as a whole and by tier and geometry."""
    full, others = inputs.scores, inputs.other_conditions
    systems = [name for name in full.models if any(name in table.models for table in others.values())]
    rows = [row for name in sorted(systems) for row in _rows(name, full, {key: others.get(key) for key in CONDITIONS})]
    strangers = sorted({name for table in others.values() for name in table.models} - set(full.models))
    notes = [f"{name} has no full-document run, so it has no gaps." for name in strangers]
    if not others:
        notes.append("No runs under --condition evidence or none were given.")
    marks = dict.fromkeys(mark for table in others.values() for mark in table.marks)
    return Table(
        name="access",
        title="Access against reasoning",
        columns=(
            Column("model", role="key"),
            Column("slice", role="key"),
            Column("n", "integer", "items", "count"),
            Column("full", "score", "points"),
            Column("evidence", "score", "points"),
            Column("contamination", "score", "points", about="none: neither document nor clues"),
            Column("access_gap", "signed", "points", about="evidence - full"),
            Column("reasoning_gap", "signed", "points", about="100 - evidence"),
        ),
        rows=tuple(rows),
        n=len(full.tasks) if rows else 0,
        notes=(*marks, *notes),
    )


def _rows(name: str, full: ScoreTable, others: dict[str, ScoreTable | None]) -> Iterator[tuple[Cell, ...]]:
    rows = {"full": _scores(name, full), **{key: _scores(name, table) for key, table in others.items()}}
    known = np.ones(len(full.tasks), dtype=np.bool_)
    for values in rows.values():
        if values is not None:
            known &= ~np.isnan(values)
    for label, mask in _slices(full.tasks):
        used = known & mask
        full_mean, evidence, none = (_mean(values, used) for values in rows.values())
        access = evidence - full_mean if isinstance(evidence, float) and isinstance(full_mean, float) else _absent()
        reasoning = PERCENT - evidence if isinstance(evidence, float) else _absent()
        yield name, label, int(used.sum()), full_mean, evidence, none, access, reasoning


def _absent() -> Cell:
    return Gap("no run with the evidence shown, or no common item")


def _scores(name: str, table: ScoreTable | None) -> FloatArray | None:
    """The zero-filled scores of the system, NaN where it was not asked or a judge is missing; None without a run."""
    if table is None or name not in table.models:
        return None
    row = table.models.index(name)
    scores: FloatArray = np.where(table.status[row] == MISSING, np.nan, table.zero_filled()[row])
    return scores


def _mean(values: FloatArray | None, used: BoolArray) -> Cell:
    if values is None:
        return Gap("no run under this condition")
    return PERCENT * exact_mean(values[used]) if used.any() else Gap("no common item")


def _slices(tasks: Tasks) -> Iterator[tuple[str, BoolArray]]:
    yield "All", np.ones(len(tasks), dtype=np.bool_)
    for label, facet, order in _FACETS:
        for value in present(getattr(tasks, facet), order):
            yield f"{label}: {value}", tasks.mask(facet, value)


STATISTIC = Statistic("access", "Access against reasoning", "scores", compute)
