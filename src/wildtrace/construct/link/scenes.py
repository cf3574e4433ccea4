"""What the units around an event speak of and it does not: a scene's subject is named once and then understood."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, Final

from wildtrace.construct.link.board import Board

REACH: Final = 4
MOST_TOPICS: Final = 5
WIDEST_SHARE: Final = 0.2
_GAP: Final = 1600
_NAME: Final = 1.3
_BESIDE: Final = 1 / 1.3
"""The pull of a unit right beside an event, by how far units lie apart: `1 / (1 + 0.3 * apart)`."""
_FARTHEST: Final = 1 << 2 * REACH
_NEVER: Final = 1 << 40
"""A place behind those of any text."""

Scores = list[Any]
"""Entities, by id, each followed by how strongly the units around an event speak of it.

One flat list for an event: what is added here and there all over a document costs by the objects that it touches.
"""
Picture = int
"""Which of the units around an event speak of an entity, itself among them: a bit for each, the first one's lowest."""


def topics(board: Board) -> Iterator[list[str]]:
    """For every event the entities that the unit beside it or two of those around it speak of; the most telling first.

    How many units speak of an entity, and how near, counts more than how rare it is. What more than `WIDEST_SHARE` of
    all events speak of tells no scene from another.
    """
    for scores in scenes(board):
        yield [take_first(scores) for _ in range(min(MOST_TOPICS, len(scores) // 2))]


def take_first(scores: Scores) -> str:
    """Take out the most telling entity, of equals the first, without ranking the others."""
    strengths = scores[1::2]
    at = 2 * strengths.index(max(strengths))
    entity: str = scores[at]
    del scores[at : at + 2]
    return entity


def scenes(board: Board) -> list[Scores]:
    """For every event what the units around it speak of and it does not, itself or perhaps."""
    found: list[Scores] = [[] for _ in board.events]
    near = _near([event.span.start for event in board.events])
    widest = WIDEST_SHARE * len(board.events)
    for entity in sorted(board.events_of):
        places = board.events_of[entity]
        if len(places) <= widest:
            pull = math.sqrt(board.weight[entity]) * (_NAME if entity in board.named else 1)
            _pull(entity, pull, places, near, found)
    for scores, event in zip(found, board.events, strict=True):
        for entity in event.fields.get("possible", ()):
            if entity in scores:
                at = scores.index(entity)
                del scores[at : at + 2]
    return found


def _near(starts: Sequence[int]) -> list[Picture]:
    """The units around each place that are near enough, itself among them.

    `REACH` places without any are behind the last: Python counts back to them from the first one, too.
    """
    whole, last = 2 * _FARTHEST - 1, len(starts) - 1
    near: list[Picture] = []
    for place, here in enumerate(starts):
        first, end = place - REACH, place + REACH
        if first >= 0 and end <= last and starts[end] - here <= _GAP and here - starts[first] <= _GAP:
            near.append(whole)
            continue
        others = (other for other in range(max(first, 0), min(end, last) + 1) if abs(starts[other] - here) <= _GAP)
        near.append(sum(1 << other - first for other in others))
    return near + [0] * REACH


class _Pulled(dict[Picture, float]):
    """How strongly the units in a picture speak of an entity with this pull, summed up when first asked for."""

    def __init__(self, pull: float) -> None:
        super().__init__()
        self._pull = pull

    def __missing__(self, picture: Picture) -> float:
        score = 0.0
        for one in _PULLS[picture]:
            score += self._pull * one
        self[picture] = score
        return score


_pulled = lru_cache(maxsize=1 << 10)(_Pulled)  # what is told equally often pulls alike


def _pull(entity: str, pull: float, places: Sequence[int], near: Sequence[Picture], found: Sequence[Scores]) -> None:
    """Add the pull of an entity to the events around the `places` that speak of it."""
    pulled, beside = _pulled(pull), pull * _BESIDE
    at, ends = 0, [*places, _NEVER]
    while at < len(places):
        place = ends[at]
        at += 1
        if ends[at] - place > 2 * REACH:  # alone, as nearly half are: the units beside it are all that matters
            if near[place - 1] & _AFTER:
                around = found[place - 1]
                around.append(entity)
                around.append(beside)
            if near[place + 1] & _BEFORE:
                around = found[place + 1]
                around.append(entity)
                around.append(beside)
            continue
        event, picture = place - REACH, _FARTHEST
        coming = ends[at] - REACH
        while picture > 1:
            event += 1
            picture >>= 1
            if event == coming:
                picture |= _FARTHEST
                at += 1
                coming = ends[at] - REACH
            score = pulled[picture & near[event]]
            if score:
                around = found[event]
                around.append(entity)
                around.append(score)


def _pulls(picture: Picture) -> tuple[float, ...]:
    """The pulls in a picture, the units beside first; none in one of a single further unit, or of the event itself."""
    aparts = [apart for step in range(1, REACH + 1) for apart in (-step, step) if picture >> apart + REACH & 1]
    if picture >> REACH & 1 or not aparts or (len(aparts) == 1 and abs(aparts[0]) > 1):
        return ()
    return tuple(1 / (1 + 0.3 * abs(apart)) for apart in aparts)


_BEFORE: Final = 1 << REACH - 1
_AFTER: Final = 1 << REACH + 1
_PULLS: Final = tuple(_pulls(picture) for picture in range(2 * _FARTHEST))
