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

from wildtrace.build.link.board import Board, edge
from wildtrace.build.link.continuity import FIRST_THINGS
from wildtrace.build.link.scenes import MOST_TOPICS, Scores, first_topic, ranked, scenes
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
    names = {record.id: str(record.fields["name"]) for record in board.of_kind("entity")}
    for kind in _ORDER:
        if room <= 0:
            return
        pairs = next(ranks[kind])(room)
        room -= len(pairs)
        for record_id, entity in pairs:
            basis = kind.basis + names[entity]
            yield edge(board.source, record_id, entity, kind.type, basis, kind.provenance, kind.confidence, kind.status)


def _first(pairs: list[Pair], room: int) -> list[Pair]:
    """All pairs, or where there is not room for all the first by their ids."""
    return pairs if len(pairs) <= room else sorted(pairs)[:room]


def _topics(board: Board) -> Iterator[Rank]:
    found = list(zip([event.id for event in board.events], scenes(board), strict=True))
    yield partial(_first_topics, found)
    rankings: dict[str, list[str]] = {}
    for rank in range(1, MOST_TOPICS):
        yield partial(_topics_of, found, rankings, rank)


def _first_topics(found: Sequence[tuple[str, Scores]], room: int) -> list[Pair]:
    return [(event_id, first_topic(scores)) for event_id, scores in _having(found, 0, room)]


def _topics_of(found: Sequence[tuple[str, Scores]], rankings: dict[str, list[str]], rank: int, room: int) -> list[Pair]:
    pairs: list[Pair] = []
    for event_id, scores in _having(found, rank, room):
        if event_id not in rankings:
            rankings[event_id] = ranked(scores)
        pairs.append((event_id, rankings[event_id][rank]))
    return pairs


def _having(found: Sequence[tuple[str, Scores]], rank: int, room: int) -> Sequence[tuple[str, Scores]]:
    """The events that have an entity at a rank; where there is not room for all the first by their ids."""
    having = [pair for pair in found if len(pair[1]) > rank]
    return having if len(having) <= room else sorted(having, key=itemgetter(0))[:room]


def _things(board: Board) -> Iterator[Rank]:
    yield partial(
        _first,
        [(event.id, entity) for event in board.events for entity in event.fields.get("things", ())[FIRST_THINGS:]],
    )


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
