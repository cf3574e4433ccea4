"""Access against reasoning: the same items with the document, with the clues alone, and with neither.

    contamination = none              what is answered without the document
    access gap    = evidence - full   what is lost by having to find the evidence
    reasoning gap = 100 - evidence    what is lost with the evidence at hand

Gaps are printed also when they are negative. Cells are zero-filled; only items that every named condition asked count.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from wildtrace.diagnose.base import PERCENT, Cell, Column, Drill, Gap, Inputs, Statistic, Table
from wildtrace.diagnose.slices import slices
from wildtrace.scores.table import MISSING, BoolArray, FloatArray, ScoreTable, Tasks, exact_mean

CONDITIONS = ("evidence", "none")


def compute(inputs: Inputs) -> Table:
    """One row for each system with another condition, as a whole and by tier and geometry."""
    full, others = inputs.scores, inputs.other_conditions
    systems = [name for name in full.models if any(name in table.models for table in others.values())]
    shown = {key: others.get(key) for key in CONDITIONS}
    rows = [row for name in sorted(systems) for row in _rows(name, full, shown)]
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
            # The answers of a report are those to the question with its document.
            Column("evidence", "score", "points", drill=None),
            Column("contamination", "score", "points", about="none: neither document nor clues", drill=None),
            Column("access_gap", "signed", "points", about="evidence - full", drill=None),
            Column("reasoning_gap", "signed", "points", about="100 - evidence", drill=None),
        ),
        rows=tuple(cells for cells, _ in rows),
        row_drills=tuple(drill for _, drill in rows),
        n=len(full.tasks) if rows else 0,
        notes=(*marks, *notes),
    )


def _rows(
    name: str, full: ScoreTable, others: dict[str, ScoreTable | None]
) -> Iterator[tuple[tuple[Cell, ...], Drill]]:
    rows = {"full": _scores(name, full), **{key: _scores(name, table) for key, table in others.items()}}
    known = np.ones(len(full.tasks), dtype=np.bool_)
    for values in rows.values():
        if values is not None:
            known &= ~np.isnan(values)
    for label, mask, drill in _slices(full.tasks):
        used = known & mask
        full_mean, evidence, none = (_mean(values, used) for values in rows.values())
        access = evidence - full_mean if isinstance(evidence, float) and isinstance(full_mean, float) else _absent()
        reasoning = PERCENT - evidence if isinstance(evidence, float) else _absent()
        cells = (name, label, int(used.sum()), full_mean, evidence, none, access, reasoning)
        yield cells, {"model": [name], **drill}


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


def _slices(tasks: Tasks) -> Iterator[tuple[str, BoolArray, Drill]]:
    yield "All", np.ones(len(tasks), dtype=np.bool_), {}
    for facet in ("tier", "geometry"):
        for value, mask, drill in slices(tasks, facet):
            yield f"{facet}: {value}", mask, drill


STATISTIC = Statistic("access", "Access against reasoning", "scores", compute)
