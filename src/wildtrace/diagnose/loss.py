"""Loss view, criterion by criterion: the credit each system got and how far the judges agreed.

Credits are shares of the criterion's points, by the mean of the system's full panel. Replies whose points do not fit
the rubric or add up to another total are left out and counted (decisions.md, rule 23).
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from wildtrace.diagnose.base import PERCENT, Cell, Column, Gap, Inputs, Statistic, Table
from wildtrace.scores.table import FloatArray, Points, ScoreTable, ranked_complete
from wildtrace.text.counting import counted

NO_POINTS = "No judge's reply gives usable points by criterion, or the data holds no rubrics."


def compute(inputs: Inputs) -> Table:
    """One row for each criterion, in the order of the data: points, clues, mean credit, disagreement, each system."""
    scores, points = inputs.scores, inputs.scores.points
    if points is None or not inputs.items or bool(np.isnan(points.awarded).all()):
        return _table(scores, [], [], (NO_POINTS,))
    order = systems(scores)
    by_system = PERCENT * criterion_credit(scores, points)[order]
    apart = PERCENT * _disagreement(points)
    means = _column_means(by_system)
    rows: list[tuple[Cell, ...]] = []
    for at, (item, place) in enumerate(zip(points.item, points.position, strict=True)):
        criterion = inputs.items[int(item)].rubric.criteria[int(place)]
        head = (f"{inputs.items[int(item)].question_id} {criterion.id}", criterion.points, len(criterion.spans))
        rows.append((*head, *_cells(means[at], apart[at], by_system[:, at])))
    note = counted(
        points.unusable,
        "reply gives points that do not fit the rubric or their total, and is left out.",
        "replies give points that do not fit the rubric or their total, and are left out.",
    )
    return _table(scores, order, rows, (note,) if points.unusable else ())


def systems(scores: ScoreTable) -> list[int]:
    """The positions of all systems: those that have an All best first, the others by name."""
    order, _ = ranked_complete(scores)
    return [*order, *sorted(set(range(len(scores.models))).difference(order), key=lambda at: scores.models[at])]


def criterion_credit(scores: ScoreTable, points: Points) -> FloatArray:
    """Systems x criteria: the mean credit by the full panel, 0 to 1, NaN where a judge's points are not usable."""
    member = scores.panel[:, None, :]
    total = np.where(member, points.awarded, 0.0).sum(axis=2)
    credit: FloatArray = total / np.maximum(scores.panel.sum(axis=1), 1)[:, None]
    return credit


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


def _table(scores: ScoreTable, order: list[int], rows: list[tuple[Cell, ...]], notes: tuple[str, ...]) -> Table:
    return Table(
        name="loss",
        title="Credit by rubric criterion",
        columns=(
            Column("criterion", role="key"),
            Column("points", "number", "points"),
            Column("clues", "integer", "clues", "count"),
            Column("mean", "score", "% of the points", about="mean over systems"),
            Column("judges_apart", "score", "% of the points", about="mean difference between two judges"),
            Column("n", "integer", "answers", "count"),
            *(Column(scores.models[model], "score", "% of the points") for model in order),
        ),
        rows=tuple(rows),
        n=len(rows),
        notes=notes,
    )


STATISTIC = Statistic("loss", "Credit by rubric criterion", "scores", compute)
