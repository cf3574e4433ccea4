"""Loss view by place: which clue positions lose credit (relative location, distance to the nearest other clue).

Only criteria that rest on exactly one clue with offsets count, so that a credit belongs to one place. Where the length
of the document is not known, it is estimated from the token estimate (protocol, rule 30).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from wildtrace.diagnose.base import PERCENT, Cell, Column, Gap, Inputs, Statistic, Table, with_systems
from wildtrace.diagnose.criteria import NO_POINTS, criterion_credit, usable_points
from wildtrace.scores.table import FloatArray, ScoreTable, every_system
from wildtrace.text.tokens import CJK_CHARS_PER_TOKEN, EN_CHARS_PER_TOKEN
from wildtrace.types import Clue, Criterion, Item

LOCATIONS = ((0.0, 0.2), (0.2, 0.4), (0.4, 0.6), (0.6, 0.8), (0.8, 1.0))
DISTANCES = ((0, 5_000), (5_000, 25_000), (25_000, 100_000), (100_000, 500_000), (500_000, None))


@dataclass(frozen=True, slots=True)
class Place:
    """Where a criterion's clue stands.

    `location` is a share of the document, None if unknown; `distance` that to the nearest other clue in code points,
    None for an only clue.
    """

    criterion: int
    location: float | None
    distance: int | None


def compute(inputs: Inputs) -> Table:
    """One row for each fifth of the document and each class of distance: criteria and mean credit, by system too."""
    scores, points = inputs.scores, usable_points(inputs)
    if points is None:
        return _table(scores, [], (), (NO_POINTS,))
    places = list(_places(inputs))
    if not places:
        return _table(scores, [], (), ("No criterion names a single clue with offsets, so no loss has a place.",))
    order = every_system(scores)
    credit = PERCENT * criterion_credit(scores, points)[order]
    rows = tuple(_row(view, label, credit[:, chosen]) for view, label, chosen in _classes(places))
    named = sum(bool(c.spans) for item in inputs.items for c in item.rubric.criteria)
    note = f"{len(places)} criteria rest on one clue with offsets, of {named} that name clues, of {len(points.item)}."
    return _table(scores, order, rows, (note,))


def document_chars(item: Item, known: Mapping[str, int]) -> float | None:
    """The length of an item's document in code points: known, else estimated from its tokens, else None."""
    if item.question.corpus_file in known:
        return float(known[item.question.corpus_file])
    if item.doc_token_estimate is None:
        return None
    rate = CJK_CHARS_PER_TOKEN if item.source_family == "chinese_literature" else EN_CHARS_PER_TOKEN
    return item.doc_token_estimate * rate


def _places(inputs: Inputs) -> Iterator[Place]:
    at = 0
    for item in inputs.items:
        by_id = {clue.span_id: clue for clue in item.clues}
        length = document_chars(item, inputs.document_chars)
        for criterion in item.rubric.criteria:
            clue = _single(criterion, by_id)
            if clue is not None and clue.start is not None:
                yield Place(at, _location(clue.start, length), _nearest(clue, item))
            at += 1


def _single(criterion: Criterion, by_id: Mapping[str, Clue]) -> Clue | None:
    return by_id.get(criterion.spans[0]) if len(criterion.spans) == 1 else None


def _location(start: int, length: float | None) -> float | None:
    return None if not length else min(start / length, 1.0)


def _nearest(clue: Clue, item: Item) -> int | None:
    others = [other.start for other in item.clues if other.span_id != clue.span_id and other.start is not None]
    return min((abs(start - (clue.start or 0)) for start in others), default=None)


def _classes(places: list[Place]) -> Iterator[tuple[str, str, list[int]]]:
    for low, high in LOCATIONS:
        inside = [
            place.criterion
            for place in places
            if place.location is not None and (low <= place.location < high or (high == 1.0 and place.location == 1.0))
        ]
        yield "location", f"{PERCENT * low:.0f} to {PERCENT * high:.0f} %", inside
    for start, end in DISTANCES:
        label = f"{start:,} or more" if end is None else f"{start:,} to {end - 1:,}"
        inside = [
            place.criterion
            for place in places
            if place.distance is not None and place.distance >= start and (end is None or place.distance < end)
        ]
        yield "distance to the nearest other clue", label, inside


def _row(view: str, label: str, credit: FloatArray) -> tuple[Cell, ...]:
    return (view, label, credit.shape[1], _mean(credit), *(_mean(row) for row in credit))


def _mean(values: FloatArray) -> Cell:
    known = np.sort(values[~np.isnan(values)])
    return float(known.mean()) if len(known) else Gap("no judged answer")


def _table(scores: ScoreTable, order: list[int], rows: tuple[tuple[Cell, ...], ...], notes: tuple[str, ...]) -> Table:
    return Table(
        name="loss_positions",
        title="Credit by the place of the clue",
        columns=with_systems(
            (
                Column("view", role="key"),
                Column("class", role="key"),
                Column("criteria", "integer", "criteria", "count"),
                Column("mean", "score", "% of the points", about="mean over systems"),
            ),
            (scores.models[model] for model in order),
            "score",
            "% of the points",
        ),
        rows=rows,
        n=sum(row[2] for row in rows if row[0] == "location" and isinstance(row[2], int)),
        notes=notes,
    )


STATISTIC = Statistic("loss_positions", "Credit by the place of the clue", "scores", compute)
