"""Rubric-only against evidence-visible judging: does a judge give less once it sees the evidence? (paper, Table 11)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from wildtrace.diagnose.base import PERCENT, Cell, Column, Gap, Statistic, Table
from wildtrace.scores.table import BoolArray, exact_mean

# A drop of exactly 20 points counts; credits are ratios of points, so it may come out a rounding below.
DROP = 0.20
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class EvidenceCell:
    """An answer of the sample: the judge's credit without and with the evidence (None while unknown), and strata."""

    cell_id: str
    rubric_only: float
    evidence_visible: float | None
    score_bin: str
    geometry: str


@dataclass(frozen=True, slots=True)
class EvidenceStudy:
    """The sample and the judge that graded it both ways."""

    judge: str
    cells: tuple[EvidenceCell, ...]


def compute(study: EvidenceStudy) -> Table:
    """Both means, their difference and the share that lost 20 points or more: all, by geometry, by score bin."""
    judged = [cell for cell in study.cells if cell.evidence_visible is not None]
    before = np.array([cell.rubric_only for cell in judged])
    after = np.array([float(cell.evidence_visible or 0.0) for cell in judged])
    rows: list[tuple[Cell, ...]] = []
    for label, mask in _slices(judged):
        difference = after[mask] - before[mask]
        if not len(difference):
            rows.append((label, 0, *(Gap("no answer was judged both ways"),) * 4))
            continue
        down = float(np.mean(difference <= -DROP + _ROUNDING))
        means = [PERCENT * exact_mean(values) for values in (before[mask], after[mask], difference)]
        rows.append((label, len(difference), *means, down))
    missing = len(study.cells) - len(judged)
    notes = [f"Judge: {study.judge}."]
    if missing:
        notes.append(f"{missing} of {len(study.cells)} answers have no evidence-visible judgement yet.")
    return Table(
        name="evidence_visible",
        title="Rubric-only against evidence-visible judging",
        columns=(
            Column("slice", role="key"),
            Column("n", "integer", "answers", "count"),
            Column("rubric_only", "score", "points"),
            Column("evidence_visible", "score", "points"),
            Column("difference", "signed", "points", about="evidence-visible - rubric-only"),
            Column("down_20", "share", "of answers", about="lost 20 points or more"),
        ),
        rows=tuple(rows),
        n=len(judged),
        notes=tuple(notes),
    )


def _slices(judged: list[EvidenceCell]) -> Iterator[tuple[str, BoolArray]]:
    yield "all", np.ones(len(judged), dtype=np.bool_)
    for geometry in sorted({cell.geometry for cell in judged if cell.geometry}):
        yield f"geometry: {geometry}", np.array([cell.geometry == geometry for cell in judged], dtype=np.bool_)
    for name in ("low", "middle", "high"):
        yield f"score bin: {name}", np.array([cell.score_bin == name for cell in judged], dtype=np.bool_)


STATISTIC = Statistic("evidence_visible", "Rubric-only against evidence-visible judging", "study", compute)
