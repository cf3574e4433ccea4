"""What fills the room that the rules leave: scenes, further things, doubtful pronouns, what a relation's ends name.

Candidates come in ranks of one kind each. A rank is taken whole before the next; where there is not room for all of
one, its edges are taken by the ids of their records, which are spread evenly over the text.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from wildtrace.build.link.board import Board, edge
from wildtrace.build.link.continuity import FIRST_THINGS
from wildtrace.build.link.scenes import MOST_TOPICS, topics
from wildtrace.types import Edge

Pair = tuple[str, str]
"""The ids of a record and of an entity."""


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
    """At most `room` edges, the first rank first."""
    ranks = {TOPIC: _topics(board), THING: _things(board), PRONOUN: _pronouns(board), END: _ends(board)}
    taken: dict[Kind, int] = dict.fromkeys(ranks, 0)
    for kind in _ORDER:
        pairs = ranks[kind][taken[kind]]
        taken[kind] += 1
        for record_id, entity in pairs if len(pairs) <= room else sorted(pairs)[:room]:
            basis = f"{kind.basis}{board.by_id[entity].fields['name']}"
            yield edge(board.source, record_id, entity, kind.type, basis, kind.provenance, kind.confidence, kind.status)
        room = max(0, room - len(pairs))


def _topics(board: Board) -> list[list[Pair]]:
    ranks: list[list[Pair]] = [[] for _ in range(MOST_TOPICS)]
    for event, found in zip(board.events, topics(board), strict=True):
        for rank, entity in enumerate(found):
            ranks[rank].append((event.id, entity))
    return ranks


def _things(board: Board) -> list[list[Pair]]:
    return [[(event.id, entity) for event in board.events for entity in event.fields.get("things", ())[FIRST_THINGS:]]]


def _pronouns(board: Board) -> list[list[Pair]]:
    return [[(event.id, entity) for event in board.events for entity in event.fields.get("possible", ())]]


def _ends(board: Board) -> list[list[Pair]]:
    """What the ends of a relation speak of, rarest first, a few to a rank: the relation speaks of it too."""
    ranks: list[list[Pair]] = [[] for _ in range(_ORDER.count(END))]
    for record in board.of_kind("relation"):
        ends = (board.place_of.get(str(record.fields.get(end))) for end in ("first", "second"))
        touched = {entity for end in ends if end is not None for entity in board.touches[end]}
        ranked = sorted(touched, key=lambda entity: (-board.weight[entity], entity))
        for at, entity in enumerate(ranked[: _ENDS_A_RANK * len(ranks)]):
            ranks[at // _ENDS_A_RANK].append((record.id, entity))
    return ranks
