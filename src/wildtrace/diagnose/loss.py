"""Loss view, criterion by criterion: the credit each system got and how far the judges agreed.

Credits are shares of the criterion's points, by the mean of the system's full panel. Replies whose points do not fit
the rubric or add up to another total are left out and counted (protocol, rule 23).
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from wildtrace.diagnose.base import PERCENT, Cell, Column, Drill, Gap, Inputs, Statistic, Table, with_systems
from wildtrace.diagnose.criteria import NO_POINTS, criterion_credit, usable_points
from wildtrace.scores.table import FloatArray, Points, ScoreTable, every_system
from wildtrace.text.counting import counted


def compute(inputs: Inputs) -> Table:
    """One row for each criterion, in the order of the data: points, clues, mean credit, disagreement, each system."""
    scores, points = inputs.scores, usable_points(inputs)
    if points is None:
        return _table(scores, [], [], [], (NO_POINTS,))
    order = every_system(scores)
    by_system = PERCENT * criterion_credit(scores, points)[order]
    apart = PERCENT * _disagreement(points)
    means = _column_means(by_system)
    rows: list[tuple[Cell, ...]] = []
    drills: list[Drill] = []
    for at, (item, place) in enumerate(zip(points.item, points.position, strict=True)):
        criterion = inputs.items[int(item)].rubric.criteria[int(place)]
        question_id = inputs.items[int(item)].question_id
        head = (f"{question_id} {criterion.id}", criterion.points, len(criterion.spans))
        rows.append((*head, *_cells(means[at], apart[at], by_system[:, at])))
        drills.append({"item": [question_id], "criterion": criterion.id})
    note = counted(
        points.unusable,
        "reply gives points that do not fit the rubric or their total, and is left out.",
        "replies give points that do not fit the rubric or their total, and are left out.",
    )
    return _table(scores, order, rows, drills, (note,) if points.unusable else ())


def _disagreement(points: Points) -> FloatArray:
    """For each criterion the mean absolute difference between two judges over systems, NaN where no two judged."""
    judges = points.awarded.shape[2]
    pairs = [np.abs(points.awarded[:, :, a] - points.awarded[:, :, b]) for a, b in combinations(range(judges), 2)]
    if not pairs:
        return np.full(points.awarded.shape[1], np.nan)
    return _column_means(np.concatenate(pairs))


def _column_means(values: FloatArray) -> FloatArray:
    known = ~np.isnan(values)
    counts = known.sum(axis=0)
    total = np.sort(np.where(known, values, 0.0), axis=0).sum(axis=0)
    means: FloatArray = np.where(counts > 0, total / np.maximum(counts, 1), np.nan)
    return means


def _cells(mean: float, apart: float, by_system: FloatArray) -> tuple[Cell, ...]:
    gap = Gap("no judged answer")
    shown = (gap if np.isnan(value) else float(value) for value in by_system)
    return (
        gap if np.isnan(mean) else float(mean),
        Gap("fewer than two judges") if np.isnan(apart) else float(apart),
        int(np.count_nonzero(~np.isnan(by_system))),
        *shown,
    )


def _table(
    scores: ScoreTable, order: list[int], rows: list[tuple[Cell, ...]], drills: list[Drill], notes: tuple[str, ...]
) -> Table:
    return Table(
        name="loss",
        title="Credit by rubric criterion",
        columns=with_systems(
            (
                Column("criterion", role="key"),
                Column("points", "number", "points"),
                Column("clues", "integer", "clues", "count"),
                Column("mean", "score", "% of the points", about="mean over systems"),
                Column("judges_apart", "score", "% of the points", about="mean difference between two judges"),
                Column("n", "integer", "answers", "count"),
            ),
            (scores.models[model] for model in order),
            "score",
            "% of the points",
        ),
        rows=tuple(rows),
        row_drills=tuple(drills),
        n=len(rows),
        notes=notes,
    )


STATISTIC = Statistic("loss", "Credit by rubric criterion", "scores", compute)
