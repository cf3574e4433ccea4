"""A document's records laid out for linking: events in order, what each one touches, and which events touch a thing."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from wildtrace.construct.geometries.base import spoken_of
from wildtrace.construct.geometries.when import When, dated
from wildtrace.types import Edge, Record

LONGEST_BASIS: Final = 160
_SOON: Final = 12
_CLEARLY: Final = 0.1
_EVERYWHERE: Final = 0.95

Joined = tuple[str, str, str]
"""The head, tail and type of an edge."""


@dataclass(frozen=True, slots=True)
class Board:
    """Records by kind, in text order; `touches` are the entities of each event, `events_of` the reverse, by place.

    `names` are the id and the name of each entity: an id in a record's fields is an object of its own, which every
    look-up would have to fetch from another place in memory. `weight` is the rarity of an entity: the logarithm of the
    events over those that touch it. `at_length` are the entities that some places tell of at length, and not all places
    now and then. `when` tells when the events with dates happened.
    """

    source: str
    by_id: Mapping[str, Record]
    kinds: Mapping[str, Sequence[Record]]
    names: Mapping[str, tuple[str, str]]
    events: Sequence[Record]
    touches: Sequence[tuple[str, ...]]
    events_of: Mapping[str, Sequence[int]]
    weight: Mapping[str, float]
    place_of: Mapping[str, int]
    persons: frozenset[str]
    named: frozenset[str]
    at_length: frozenset[str]
    when: Mapping[str, When]

    def of_kind(self, kind: str) -> Sequence[Record]:
        """The records of a kind, in text order."""
        return self.kinds.get(kind, ())


def lay_out(source: str, records: Sequence[Record]) -> Board:
    """Lay out the records of one source, which stand in text order."""
    kinds: defaultdict[str, list[Record]] = defaultdict(list)
    for record in records:
        kinds[record.kind].append(record)
    events = kinds["event"]
    by_id = {record.id: record for record in records}
    names = {record.id: (record.id, str(record.fields["name"])) for record in kinds["entity"]}
    own = {entity: entity for entity in names}
    touches = [tuple([own.setdefault(entity, entity) for entity in spoken_of(record.fields)]) for record in events]
    events_of: defaultdict[str, list[int]] = defaultdict(list)
    for place, entities in enumerate(touches):
        for entity in entities:
            events_of[entity].append(place)
    weight = {entity: math.log((len(events) + 1) / len(places)) for entity, places in events_of.items()}
    persons = frozenset(r.id for r in kinds["entity"] if r.fields.get("type") == "person")
    named = frozenset(r.id for r in kinds["entity"] if r.provenance != "rule:things")
    place_of = {record.id: place for place, record in enumerate(events)}
    at_length = frozenset(entity for entity, places in events_of.items() if _clumped(places, len(events)))
    when = dated(events, kinds["time"])
    return Board(
        source, by_id, kinds, names, events, touches, dict(events_of), weight, place_of, persons, named, at_length, when
    )


def _clumped(places: Sequence[int], events: int) -> bool:
    """Whether an entity comes back soon clearly more often than it would if its places were drawn by lot."""
    if len(places) < 2:
        return False
    soon = len([one for one, other in pairwise(places) if other - one <= _SOON]) / (len(places) - 1)
    by_lot = 1 - math.exp(-_SOON * len(places) / events)
    return by_lot < _EVERYWHERE and soon - by_lot >= _CLEARLY * (1 - by_lot)


def edge(
    source: str, head: str, tail: str, kind: str, basis: str, provenance: str, confidence: float, status: str = "kept"
) -> Edge:
    """An edge; a long basis is cut at `LONGEST_BASIS`."""
    # Edge(...) goes through a function of Python's own, which takes twice as long.
    return tuple.__new__(Edge, (source, head, tail, kind, basis[:LONGEST_BASIS], provenance, confidence, status))


def surest(edges: Iterable[Edge]) -> dict[Joined, Edge]:
    """Each edge once; of those that join the same in the same way the surest, in the first one's place.

    What is kept is surer than what waits for review; of equals the first stays.
    """
    found: dict[Joined, Edge] = {}
    for one in edges:
        joined = one.head, one.tail, one.type
        known = found.setdefault(joined, one)
        if known is not one and _sureness(one) > _sureness(known):
            found[joined] = one
    return found


def one_way(edges: dict[Joined, Edge]) -> dict[Joined, Edge]:
    """These edges without the order that a stated cause, or a surer order, puts the other way round."""
    for (head, tail, kind), one in list(edges.items()):
        if one.status != "kept" or kind not in _ORDERED:
            continue
        other = edges.get((tail, head, "precedes"))
        if other is not None and (kind != "precedes" or _sureness(other) < _sureness(one)):
            del edges[tail, head, "precedes"]
    return edges


_ORDERED: Final = frozenset({"precedes", "causes", "enables"})


def _sureness(one: Edge) -> tuple[bool, float]:
    return one.status == "kept", one.confidence


class Among(dict[str, frozenset[int]]):
    """The places of some events, by the entities that they touch, made for an entity when asked for."""

    def __init__(self, board: Board, places: Iterable[int]) -> None:
        super().__init__()
        self._events_of, self._places = board.events_of, frozenset(places)

    def __missing__(self, entity: str) -> frozenset[int]:
        self[entity] = found = self._places.intersection(self._events_of[entity])
        return found


def nearest_in_meaning(board: Board, place: int, among: Among, gap: int) -> list[tuple[float, int]]:
    """Other events of `among`, at least `gap` events away, with the rarity of what they share.

    Best first, `MOST_RANKED` at most; an entity that touches more than `WIDEST` events says too little to be looked at.
    """
    touched = [(entity, among[entity]) for entity in board.touches[place]]
    held = [(entity, places) for entity, places in touched if 0 < len(places) <= WIDEST]
    seen: set[int] = set()
    several: set[int] = set()
    for _, places in held:
        several |= seen & places
        seen |= places
    far = {other for other in several if not -gap < other - place < gap}
    scores = dict.fromkeys(far, 0.0)
    for entity, places in held:
        weight = board.weight[entity]
        for other in places & far:
            scores[other] += weight
    ranked = sorted(sorted(far, reverse=True), key=scores.__getitem__, reverse=True)  # quicker than to sort pairs
    return [(scores[other], other) for other in ranked[:MOST_RANKED]]


WIDEST: Final = 200
MOST_RANKED: Final = 24
