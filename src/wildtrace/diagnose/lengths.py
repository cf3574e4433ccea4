"""Answer length: do longer answers to the same item score higher? The prompt invites verbosity.

Within item: score and length are centred on the item's mean over systems, so that long-answer items and able systems'
choice of items do not count; what remains is pooled. Only fully judged answers of known length enter.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from wildtrace.diagnose.base import PERCENT, Cell, Column, Drill, Gap, Inputs, Statistic, Table
from wildtrace.diagnose.numeric.agreement import is_flat, pearson
from wildtrace.diagnose.slices import slices
from wildtrace.scores.table import BoolArray, FloatArray, ScoreTable

_PER = 1000.0


def compute(inputs: Inputs) -> Table:
    """One row for the panel, each judge and each geometry: within-item r and points gained per 1,000 characters."""
    scores = inputs.scores
    used = scores.answered() & ~np.isnan(scores.answer_chars)
    views = list(_views(scores, used))
    rows = tuple((label, *_cells(label, credit, scores.answer_chars, mask)) for label, credit, mask, _ in views)
    notes = [] if used.any() else ["No answer's length is known: give the responses files."]
    return Table(
        name="lengths",
        title="Score against answer length, within item",
        columns=(
            Column("view", role="key"),
            Column("r", "coefficient", "within-item Pearson"),
            Column("points_per_1000", "signed", "points per 1,000 characters"),
            Column("mean_length", "integer", "code points"),
            Column("n", "integer", "answers", "count"),
            Column("items", "integer", "items with two answers or more", "count"),
        ),
        rows=rows,
        drill={"scored": True},
        row_drills=tuple(drill for _, _, _, drill in views),
        n=int(used.sum()),
        notes=tuple(notes),
    )


def _views(scores: ScoreTable, used: BoolArray) -> Iterator[tuple[str, FloatArray, BoolArray, Drill]]:
    mean = scores.panel_mean()
    yield "panel", mean, used, {}
    if len(scores.judges) > 1:
        for at, judge in enumerate(scores.judges):
            credit = scores.credit[:, :, at]
            yield f"judge: {judge}", credit, used & ~np.isnan(credit), {"judge": judge}
    for geometry, mask, drill in slices(scores.tasks, "geometry"):
        yield f"geometry: {geometry}", mean, used & mask[None, :], drill


def _cells(label: str, credit: FloatArray, chars: FloatArray, used: BoolArray) -> tuple[Cell, ...]:
    shared = used & (used.sum(axis=0) >= 2)[None, :]
    n, items = int(shared.sum()), int(shared.any(axis=0).sum())
    if not n:
        gap = Gap(f"{label}: no item has two answers of known length")
        return gap, gap, gap, 0, 0
    x, y = _centred(chars, shared), _centred(credit, shared)
    r = pearson(x, y)
    length = float(chars[shared].mean())
    if r is None:
        gap = Gap(f"{label}: no variance within items")
        return gap, gap, length, n, items
    slope: Cell = (
        Gap(f"{label}: no variance within items") if is_flat(x) else PERCENT * _PER * float(x @ y) / float(x @ x)
    )
    return r, slope, length, n, items


def _centred(values: FloatArray, used: BoolArray) -> FloatArray:
    counts = np.maximum(used.sum(axis=0), 1)
    means = np.where(used, values, 0.0).sum(axis=0) / counts
    centred: FloatArray = (values - means[None, :])[used]
    return centred


STATISTIC = Statistic("lengths", "Score against answer length, within item", "scores", compute)
