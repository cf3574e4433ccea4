"""Loss view by kind: a dropped side or a collapsed relation (paper, Figure 1's failures).

A criterion that rests on one clue is a side; one that rests on several is a relation. A criterion is lost below half of
its points. An answer that lost a side dropped it; an answer that kept every side and lost a relation collapsed it.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from wildtrace.diagnose.base import Cell, Column, Gap, Inputs, Statistic, Table, with_systems
from wildtrace.diagnose.criteria import NO_POINTS, criterion_credit, usable_points
from wildtrace.scores.table import FloatArray, ScoreTable, every_system

HALF = 0.5
PATTERNS = ("kept everything", "dropped a side", "collapsed the relation")


def compute(inputs: Inputs) -> Table:
    """One row for each pattern: the share of answers, over all systems and for each; only items with both kinds."""
    scores, points = inputs.scores, usable_points(inputs)
    if points is None:
        return _table(scores, [], (), 0, NO_POINTS)
    order = every_system(scores)
    credit = criterion_credit(scores, points)[order]
    kinds = list(_kinds(inputs))
    if not kinds:
        note = "No item has a criterion on one clue and another on several: sides and relations cannot be told apart."
        return _table(scores, order, (), 0, note)
    found = np.array([_patterns(credit[:, sides], credit[:, relations]) for sides, relations in kinds]).T
    rows = tuple(
        (name, int((found == at).sum()), _share(found, at), *(_share(row, at) for row in found))
        for at, name in enumerate(PATTERNS)
    )
    note = f"{len(kinds)} of {len(inputs.items)} items have criteria on one clue and criteria on several."
    return _table(scores, order, rows, int((found >= 0).sum()), note)


def _kinds(inputs: Inputs) -> Iterator[tuple[list[int], list[int]]]:
    first = 0
    for item in inputs.items:
        numbered = list(enumerate(item.rubric.criteria, first))
        sides = [at for at, criterion in numbered if len(criterion.spans) == 1]
        relations = [at for at, criterion in numbered if len(criterion.spans) > 1]
        if sides and relations:
            yield sides, relations
        first += len(numbered)


def _patterns(sides: FloatArray, relations: FloatArray) -> FloatArray:
    """For each system the position in `PATTERNS`, -1 where a criterion is not judged."""
    known = ~np.isnan(sides).any(axis=1) & ~np.isnan(relations).any(axis=1)
    dropped, collapsed = (sides < HALF).any(axis=1), (relations < HALF).any(axis=1)
    pattern: FloatArray = np.where(known, np.where(dropped, 1.0, np.where(collapsed, 2.0, 0.0)), -1.0)
    return pattern


def _share(found: FloatArray, pattern: int) -> Cell:
    known = found >= 0
    return float((found == pattern).sum() / known.sum()) if known.any() else Gap("no judged answer")


def _table(scores: ScoreTable, order: list[int], rows: tuple[tuple[Cell, ...], ...], n: int, note: str) -> Table:
    return Table(
        name="loss_patterns",
        title="Dropped sides and collapsed relations",
        columns=with_systems(
            (
                Column("pattern", role="key"),
                Column("answers", "integer", "answers", "count"),
                Column("share", "share", "of answers"),
            ),
            (scores.models[model] for model in order),
            "share",
            "of answers",
        ),
        rows=rows,
        n=n,
        notes=(note, "A criterion is lost below half of its points."),
    )


STATISTIC = Statistic("loss_patterns", "Dropped sides and collapsed relations", "scores", compute)
