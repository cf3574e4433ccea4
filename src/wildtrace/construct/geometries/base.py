"""What every geometry is asked with and answers with: a view of the graph, and clues that satisfy its constraints.

A geometry is one file with one class; `GEOMETRIES` in the package shows their order. It only finds what its definition
(paper, Table 7) holds for; how far apart the clues must stand, ranking and variety are the same for all (`build.mine`).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from types import MappingProxyType
from typing import Any, Final, NamedTuple, Protocol

from wildtrace.construct.geometries.when import When, dated
from wildtrace.types import Edge, EvidenceGraph, Record


class Part(NamedTuple):
    """A clue in the making: a record, its role in the trail, its group (a side, a branch), 0 where there is none."""

    record: Record
    role: str
    group: int = 0


_NOTHING: Final[Mapping[str, Any]] = MappingProxyType({})


class Found(NamedTuple):
    """A candidate trail: its parts, the edges that join them, what it turns on, and why it fits."""

    parts: tuple[Part, ...]
    edges: tuple[Edge, ...]
    about: tuple[str, ...] = ()
    why: Mapping[str, Any] = _NOTHING


class Geometry(Protocol):
    """One evidence geometry."""

    @property
    def name(self) -> str:
        """Its name, as in an item."""
        ...

    @property
    def definition(self) -> str:
        """What it is, in one sentence."""
        ...

    @property
    def constraints(self) -> tuple[str, ...]:
        """What holds for each of its trails."""
        ...

    @property
    def missing(self) -> str:
        """What a document without any of its candidates lacks."""
        ...

    def find(self, view: View) -> Iterator[Found]:
        """Candidates, most promising first as far as that is cheap; the caller stops when it has enough."""
        ...


@dataclass(frozen=True, slots=True)
class View:
    """A graph laid out for queries. Places are positions in `events`; `rarity` is an entity's among the events.

    `stated` has the relation record that states an edge between two events, by its head, tail and type; `telling` is
    how rare all is that an event speaks of, by place. `when` tells when the events with dates happened.
    """

    graph: EvidenceGraph
    by_id: Mapping[str, Record]
    events: Sequence[Record]
    place_of: Mapping[str, int]
    by_type: Mapping[str, Sequence[Edge]]
    out: Mapping[str, Sequence[Edge]]
    into: Mapping[str, Sequence[Edge]]
    touches: Mapping[str, Mapping[str, Edge]]
    events_of: Mapping[str, Sequence[str]]
    persons: frozenset[str]
    named: frozenset[str]
    rarity: Mapping[str, float]
    stated: Mapping[tuple[str, str, str], Record]
    telling: Sequence[float]
    starts: Mapping[str, int]
    when: Mapping[str, When]

    def leaving(self, record_id: str, types: frozenset[str]) -> list[Edge]:
        """The edges of these types from a record to an event."""
        return [edge for edge in self.out.get(record_id, ()) if edge.type in types]

    def entering(self, record_id: str, types: frozenset[str]) -> list[Edge]:
        """The edges of these types from an event to a record."""
        return [edge for edge in self.into.get(record_id, ()) if edge.type in types]

    def of_type(self, kind: str) -> list[Edge]:
        """All edges of a type between events, surest first, then in text order."""
        return sorted(
            self.by_type.get(kind, ()), key=lambda edge: (-edge.confidence, self.place_of[edge.head], edge.id)
        )

    def shared(self, one: str, other: str) -> list[str]:
        """The entities that two events both touch, rarest first."""
        both = self.touches.get(one, {}).keys() & self.touches.get(other, {}).keys()
        return sorted(both, key=lambda entity: (-self.rarity[entity], entity)) if len(both) > 1 else list(both)

    def weight(self, record_id: str) -> float:
        """How rare all is that a record speaks of, taken together; a relation speaks of what its two ends do."""
        place = self.place_of.get(record_id)
        if place is not None:
            return self.telling[place]
        fields = self.by_id[record_id].fields
        ends = [end for end in (fields.get("first"), fields.get("second")) if isinstance(end, str)]
        touched = {entity for at in (record_id, *ends) for entity in self.touches.get(at, ())}
        return math.fsum(self.rarity[entity] for entity in touched)

    def marks(self, record_id: str) -> frozenset[str]:
        """What the cues of an event state."""
        return frozenset(self.by_id[record_id].fields.get("marks", ()))

    def happened(self, record_id: str) -> bool:
        """Whether an event is told as what did or did not happen: not asked, supposed, wished or said in general."""
        fields = self.by_id[record_id].fields
        return fields.get("modality") in _TOLD and _UNREAL.isdisjoint(fields.get("marks", ()))

    def supposed(self, record_id: str) -> bool:
        """Whether nothing in an event is told as happened, and it asks, or tells a condition or an unreal branch."""
        fields = self.by_id[record_id].fields
        modality = fields.get("modality")
        if modality in ("asked", "conditional"):
            return True
        return modality is not None and not _UNREAL.isdisjoint(fields.get("marks", ()))

    def name(self, entity: str) -> str:
        """An entity's name."""
        return str(self.by_id[entity].fields.get("name", entity))

    def in_order(self, told: Sequence[str]) -> bool:
        """Whether no date says that one of these events happened after one that stands behind it."""
        known = [when for when in map(self.when.get, told) if when is not None]
        return not any(later.before(one) for one, later in combinations(known, 2))

    def apart(self, one: str, other: str) -> int:
        """Code points between the starts of two events."""
        return abs(self.starts[one] - self.starts[other])


_UNREAL: Final = frozenset({"counterfactual", "conditional"})
_TOLD: Final = frozenset({None, "negated"})
NEAR: Final = 2000
"""Code points within which two clues stand at one place."""
FAR_SHARE: Final = 0.05
FAR_LEAST: Final = 1500


def far(view: View) -> int:
    """How many code points apart two clues must stand to count as dispersed in this document."""
    return max(FAR_LEAST, int(FAR_SHARE * view.graph.chars))


def spoken_of(fields: Mapping[str, Any]) -> list[str]:
    """The entities that an event's record speaks of, by name, pronoun or as things, and who speaks to whom in it."""
    asked = fields.get
    found = [*asked("participants", ()), *asked("resolved", ()), *asked("things", ())]
    for other in (asked("speaker"), asked("hearer")):
        if other is not None and other not in found:
            found.append(other)
    return found


def lay_out(graph: EvidenceGraph) -> View:
    """Lay out the kept edges of a graph; edges between events, and from events to entities, are told apart."""
    by_id = {record.id: record for record in graph.records}
    events = [record for record in graph.records if record.kind == "event"]
    place_of = {record.id: place for place, record in enumerate(events)}
    entities = {record.id for record in graph.records if record.kind == "entity"}
    by_type: defaultdict[str, list[Edge]] = defaultdict(list)
    out: defaultdict[str, list[Edge]] = defaultdict(list)
    into: defaultdict[str, list[Edge]] = defaultdict(list)
    touches: defaultdict[str, dict[str, Edge]] = defaultdict(dict)
    events_of: defaultdict[str, list[str]] = defaultdict(list)
    last, touched = "", touches[""]
    for edge in graph.edges:
        _, head, tail, kind, _, rule, _, status = edge
        if status != "kept" or rule == "rule:scenes" or head not in place_of:
            continue
        if tail in entities:
            if head is not last:  # what an event speaks of is told in a row
                last, touched = head, touches[head]
            touched[tail] = edge
            events_of[tail].append(head)
        elif tail in place_of:
            by_type[kind].append(edge)
            out[head].append(edge)
            into[tail].append(edge)
    persons = frozenset(entity for entity in entities if by_id[entity].fields.get("type") == "person")
    named = frozenset(entity for entity in entities if by_id[entity].provenance != "rule:things")
    rarity = {entity: math.log((len(events) + 1) / len(held)) for entity, held in events_of.items()}
    stated = {
        (record.fields["first"], record.fields["second"], record.fields["type"]): record
        for record in graph.records
        if record.kind == "relation" and "first" in record.fields
    }
    telling = [math.fsum(map(rarity.__getitem__, touches.get(event.id, ()))) for event in events]
    starts = {record.id: record.span.start for record in events}
    return View(
        graph=graph,
        by_id=by_id,
        events=events,
        place_of=place_of,
        by_type=by_type,
        out=out,
        into=into,
        touches=touches,
        events_of=events_of,
        persons=persons,
        named=named,
        rarity=rarity,
        stated=stated,
        telling=telling,
        starts=starts,
        when=dated(events, [record for record in graph.records if record.kind == "time"]),
    )
