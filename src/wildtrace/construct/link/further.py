"""What fills the room that the rules leave: scenes, further things, doubtful pronouns, what a relation's ends name.

Candidates come in ranks of one kind each. A rank is taken whole before the next; where there is not room for all of
one, its edges are taken by the ids of their records, which are spread evenly over the text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from operator import itemgetter
from typing import Final

from wildtrace.construct.link.board import Board, edge
from wildtrace.construct.link.continuity import FIRST_THINGS
from wildtrace.construct.link.scenes import MOST_TOPICS, Scores, scenes, take_first
from wildtrace.types import Edge

Pair = tuple[str, str]
"""The ids of a record and of an entity."""
Rank = Callable[[int], list[Pair]]
"""Gives the pairs of a rank that there is room for."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of further edge, from a record to an entity; `basis` is followed by the entity's name."""

    type: str
    basis: str
    provenance: str
    confidence: float
    status: str = "kept"


TOPIC: Final = Kind("part_of", "the units around it speak of ", "rule:scenes", 0.24)
THING: Final = Kind("same_entity", "", "rule:things", 0.25)
PRONOUN: Final = Kind("same_entity", "perhaps, named last: ", "rule:pronouns", 0.22, "review")
END: Final = Kind("same_entity", "an end of it speaks of ", "rule:relations", 0.25)
_ORDER: Final = (TOPIC, THING, PRONOUN, TOPIC, END, TOPIC, END, TOPIC, END, TOPIC, END)
_ENDS_A_RANK: Final = 2


def further(board: Board, room: int) -> Iterator[Edge]:
    """At most `room` edges, the first rank first; what is not reached is not looked for."""
    ranks = {TOPIC: _topics(board), THING: _things(board), PRONOUN: _pronouns(board), END: _ends(board)}
    for kind in _ORDER:
        if room <= 0:
            return
        pairs = next(ranks[kind])(room)
        room -= len(pairs)
        source, joined, basis = board.source, kind.type, kind.basis
        told = kind.provenance, kind.confidence, kind.status
        for record_id, entity in pairs:
            own, name = board.names[entity]
            yield edge(source, record_id, own, joined, basis + name, *told)


def _first(pairs: list[Pair], room: int) -> list[Pair]:
    """All pairs, or where there is not room for all the first by their ids."""
    return pairs if len(pairs) <= room else sorted(pairs)[:room]


def _topics(board: Board) -> Iterator[Rank]:
    found = [(event.id, scores) for event, scores in zip(board.events, scenes(board), strict=True)]
    for _ in range(MOST_TOPICS):
        yield partial(_next_topics, found)


def _next_topics(found: Sequence[tuple[str, Scores]], room: int) -> list[Pair]:
    """The most telling entity that is left around each event, taken out of its scores."""
    having = [pair for pair in found if pair[1]]
    if len(having) > room:
        having = sorted(having, key=itemgetter(0))[:room]
    return [(event_id, take_first(scores)) for event_id, scores in having]


def _things(board: Board) -> Iterator[Rank]:
    """The things of an event after the first ones, where it is not joined to the same already."""
    pairs: list[Pair] = []
    for event in board.events:
        things = event.fields.get("things", ())
        if len(things) > FIRST_THINGS:
            asked = event.fields.get
            joined = {*asked("participants", ()), *asked("resolved", ()), asked("speaker"), asked("hearer")}
            joined.update(things[:FIRST_THINGS])
            pairs += [(event.id, entity) for entity in dict.fromkeys(things[FIRST_THINGS:]) if entity not in joined]
    yield partial(_first, pairs)


def _pronouns(board: Board) -> Iterator[Rank]:
    """Whom a pronoun may mean, where the event does not surely speak of the same already."""
    pairs = [
        (event.id, entity)
        for event, touched in zip(board.events, board.touches, strict=True)
        for entity in dict.fromkeys(event.fields.get("possible", ()))
        if entity not in touched
    ]
    yield partial(_first, pairs)


def _ends(board: Board) -> Iterator[Rank]:
    """What the ends of a relation speak of, rarest first, a few to a rank: the relation speaks of it too."""
    ranks: list[list[Pair]] = [[] for _ in range(_ORDER.count(END))]
    for record in board.of_kind("relation"):
        ends = (board.place_of.get(str(record.fields.get(end))) for end in ("first", "second"))
        touched = {entity for end in ends if end is not None for entity in board.touches[end]}
        ranked = sorted(touched, key=lambda entity: (-board.weight[entity], entity))
        for at, entity in enumerate(ranked[: _ENDS_A_RANK * len(ranks)]):
            ranks[at // _ENDS_A_RANK].append((record.id, entity))
    for pairs in ranks:
        yield partial(_first, pairs)
