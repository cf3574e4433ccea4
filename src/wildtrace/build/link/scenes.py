"""What the units around an event speak of and it does not: a scene's subject is named once and then understood."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence, Set
from typing import Final

from wildtrace.build.link.board import Board

REACH: Final = 4
MOST_TOPICS: Final = 5
WIDEST_SHARE: Final = 0.2
_GAP: Final = 1600
_NAME: Final = 1.3
_PULLS: Final = tuple(
    (side * apart, 1 / (1 + 0.3 * apart)) for apart in range(1, REACH + 1) for side in (-1, 1)
)  # the units beside an event come first

Scores = dict[str, float]
"""How strongly the units around an event speak of each entity."""
Told = Sequence[tuple[str, float]]
"""What a unit speaks of, with the pull of each: the square root of its rarity, more for a name than for a word."""


def topics(board: Board) -> Iterator[list[str]]:
    """For every event the entities that the unit beside it or two of those around it speak of; the most telling first.

    How many units speak of an entity, and how near, counts more than how rare it is. What more than `WIDEST_SHARE` of
    all events speak of tells no scene from another.
    """
    for scores in scenes(board):
        yield ranked(scores)


def first_topic(scores: Scores) -> str:
    """The most telling entity, without ranking the others."""
    best = max(scores.values())
    return min([entity for entity, score in scores.items() if score == best])


def ranked(scores: Scores) -> list[str]:
    """The most telling entities, the first one first."""
    return [entity for _, entity in sorted([(-score, entity) for entity, score in scores.items()])[:MOST_TOPICS]]


def scenes(board: Board) -> Iterator[Scores]:
    """For every event what the units around it speak of and it does not, itself or perhaps."""
    widest = WIDEST_SHARE * len(board.events)
    pulls = {
        entity: math.sqrt(board.weight[entity]) * (_NAME if entity in board.named else 1)
        for entity, places in board.events_of.items()
        if len(places) <= widest
    }
    told = [[(entity, pulls[entity]) for entity in touched if entity in pulls] for touched in board.touches]
    starts = [event.span.start for event in board.events]
    for place, event in enumerate(board.events):
        own = {*board.touches[place], *event.fields.get("possible", ())}
        yield _around(place, starts, told, own)


def _around(place: int, starts: Sequence[int], told: Sequence[Told], own: Set[str]) -> Scores:
    """How strongly the units around a place speak of what is not its own, without what one further unit alone names."""
    here, last = starts[place], len(told) - 1
    scores: Scores = {}
    once: Scores = {}
    for apart, pull in _PULLS:
        other = place + apart
        if not 0 <= other <= last or not -_GAP <= starts[other] - here <= _GAP:
            continue
        new = scores if -1 <= apart <= 1 else once
        for entity, weight in told[other]:
            if entity in scores:
                scores[entity] += weight * pull
            elif entity in own:
                continue
            elif entity in once:
                scores[entity] = once.pop(entity) + weight * pull
            else:
                new[entity] = weight * pull
    return scores
