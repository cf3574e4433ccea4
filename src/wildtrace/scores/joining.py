"""Scores files and a matrix in one table, which is done on request alone: a matrix carries no signature."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from wildtrace.errors import DataError
from wildtrace.scores.table import BoolArray, FloatArray, IndexArray, Points, ScoreTable


def joined(first: ScoreTable, second: ScoreTable) -> ScoreTable:
    """The systems of both tables over the same items; a judge that only one of them has is in its panels alone.

    DataError where both hold a system of one name.
    """
    twice = sorted(set(first.models) & set(second.models))
    if twice:
        raise DataError(f"{twice[0]!r} is in the matrix and in a scores file; leave it out of one of them")
    judges = sorted({*first.judges, *second.judges})
    places = [np.array([judges.index(name) for name in part.judges], dtype=np.intp) for part in (first, second)]
    parts = list(zip((first, second), places, strict=True))
    reasons = tuple(dict.fromkeys((*first.reasons, *second.reasons)))
    return ScoreTable(
        tasks=first.tasks,
        models=(*first.models, *second.models),
        judges=tuple(judges),
        credit=np.concatenate([_widened(part.credit, place, len(judges)) for part, place in parts]),
        status=np.concatenate([first.status, second.status]),
        reason=np.concatenate([_renumbered(part, reasons) for part in (first, second)]),
        reasons=reasons,
        panel=np.concatenate([_widened_panel(part.panel, place, len(judges)) for part, place in parts]),
        cap_source=(*first.cap_source, *second.cap_source),
        answer_chars=np.concatenate([first.answer_chars, second.answer_chars]),
        answer_flags=_flags(
            [part.answer_flags for part in (first, second)], [part.status.shape for part in (first, second)]
        ),
        judge_flags=_judge_flags(parts, len(judges)),
        zeros={**first.zeros, **second.zeros},
        points=_points(first, len(second.models), places[0], len(judges)),
        families={**first.families, **second.families},
        marks=tuple(dict.fromkeys((*first.marks, *second.marks))),
    )


def _widened(values: FloatArray, place: IndexArray, judges: int) -> FloatArray:
    wide = np.full((*values.shape[:2], judges), np.nan)
    wide[:, :, place] = values
    return wide


def _widened_panel(panel: BoolArray, place: IndexArray, judges: int) -> BoolArray:
    wide = np.zeros((len(panel), judges), dtype=np.bool_)
    wide[:, place] = panel
    return wide


def _renumbered(part: ScoreTable, reasons: Sequence[str]) -> np.ndarray[tuple[int, ...], np.dtype[np.int16]]:
    numbers = np.array([*(reasons.index(name) for name in part.reasons), -1], dtype=np.int16)
    return numbers[part.reason]


def _flags(parts: Sequence[Mapping[str, BoolArray]], shapes: Sequence[tuple[int, ...]]) -> dict[str, BoolArray]:
    names = sorted(set().union(*parts))
    return {
        name: np.concatenate(
            [part.get(name, np.zeros(shape, dtype=np.bool_)) for part, shape in zip(parts, shapes, strict=True)]
        )
        for name in names
    }


def _judge_flags(parts: Sequence[tuple[ScoreTable, IndexArray]], judges: int) -> dict[str, BoolArray]:
    wide: list[dict[str, BoolArray]] = []
    for part, place in parts:
        spread = {}
        for name, flags in part.judge_flags.items():
            spread[name] = np.zeros((*flags.shape[:2], judges), dtype=np.bool_)
            spread[name][:, :, place] = flags
        wide.append(spread)
    return _flags(wide, [(*part.status.shape, judges) for part, _ in parts])


def _points(first: ScoreTable, more: int, place: IndexArray, judges: int) -> Points | None:
    """The scores files' points, with none for the systems of the matrix."""
    if first.points is None:
        return None
    awarded = _widened(first.points.awarded, place, judges)
    empty = np.full((more, *awarded.shape[1:]), np.nan)
    return Points(np.concatenate([awarded, empty]), first.points.item, first.points.position, first.points.unusable)
