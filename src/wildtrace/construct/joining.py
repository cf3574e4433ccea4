"""A model's records joined to the rules' graph of a document, which stays as the rules made it.

A model quotes passages that the rules quote too, in other cuts. Linked all together, a sentence would precede its own
clause; so the model's records are linked among themselves, and to the rules' by the entities they name, by the passages
that hold them, and by the relations that they state. The bounds on volume hold for both together: what a model adds
takes the room that the rules leave, and beyond that the place of what tells least of theirs, up to a share of its own,
whatever it talks. A model that finds nothing takes nothing away.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace
from typing import Final

from wildtrace.construct.extract.room import TOLD, ranked
from wildtrace.construct.link.board import edge, surest
from wildtrace.construct.link.graph import MOST, link
from wildtrace.construct.roles import CONFIDENCE
from wildtrace.types import Edge, EvidenceGraph, Record

BY_MODEL: Final = "extractor:"
MOST_RECORDS: Final = 15.0
"""Records for 1,000 code points of text, the rules' and the models' together."""
MODELS_SHARE: Final = 1.8
"""Of these a model's may be so many however much the rules find: a little more than one reply on a window holds."""
_YIELDING: Final = TOLD | {"relation"}
"""What of the rules' records makes room; an event tells what made room in it, and what joins events goes last."""
_LONGEST: Final = 4000
_FILL: Final = 0.3
"""Edges less sure than this only fill the room that is left."""
_TELLING: Final = {"relation": 0, "event": 1, "entity": 1, "time": 2, "attribute": 2, "quotation": 3, "summary": 4}


def fitting(known: Sequence[Record], found: Sequence[Record], chars: int) -> list[Record]:
    """What a model found, as far as the bound on volume has room for it: what the rules leave free, or its share.

    Relations come first, each with its ends, then what tells most and names something; of equals some by their ids,
    which are spread over the text. What the rules have as well takes no room.
    """
    taken = {record.id for record in known}
    free = int(MOST_RECORDS * chars / 1000) - len(taken)
    room = max(free, min(int(MODELS_SHARE * chars / 1000), free + len(_yielding(known, found))))
    for record in sorted(found, key=_rank):
        ends = (record.fields["first"], record.fields["second"]) if record.kind == "relation" else ()
        needed = {record.id, *ends} - taken
        if len(needed) <= room:
            taken |= needed
            room -= len(needed)
    return [record for record in found if record.id in taken]


def making_room(known: Sequence[Record], fitted: Sequence[Record], chars: int, *, chinese: bool) -> Set[str]:
    """The ids of the rules' records that make room for those of a model that fit: no more than it needs.

    Those that tell least go first, of equals some by their ids; none that the model has found as well.
    """
    ids = {record.id for record in known}
    new = sum(record.id not in ids for record in fitted)
    wanted = min(new, len(ids) + new - int(MOST_RECORDS * chars / 1000))
    if wanted <= 0:
        return frozenset()
    ordered = sorted(_yielding(known, fitted), key=lambda record: record.id)
    return {record.id for record in ranked(ordered, chinese=chinese)[-wanted:]}


def _yielding(known: Sequence[Record], found: Sequence[Record]) -> list[Record]:
    shared = {record.id for record in found}
    return [record for record in known if record.kind in _YIELDING and record.id not in shared]


def _rank(record: Record) -> tuple[int, bool, str]:
    named = record.fields.get("participants") or record.fields.get("things") or record.fields.get("entity")
    return _TELLING[record.kind], not named, record.id


def join(graph: EvidenceGraph, found: Sequence[Record]) -> EvidenceGraph:
    """The rules' graph of a source with the records that a model found in it, and the edges that join them.

    A record that the rules have at the same place is theirs. The surest edges stay where there are too many.
    """
    known = {record.id: record for record in graph.records}
    new = [record for record in found if record.id not in known]
    shared = [known[record.id] for record in found if record.id in known]
    entities = [record for record in graph.records if record.kind == "entity"]
    others = {record.id: record for record in (*entities, *shared, *new)}
    records = sorted((*graph.records, *new), key=lambda record: (record.span.start, record.span.end, record.id))
    among = [one for one in link(graph.source, graph.chars, list(others.values())).edges if _tells(one, known)]
    kept = {one.id for one in graph.edges if one.status == "kept"}
    # A model's word is for review until it is verified: it takes the place of no edge that a rule has drawn.
    news = [one for one in _attributed(among, records) if one.id not in kept]
    edges = surest((*graph.edges, *news, *_same(new), *_held(graph, new)))
    return bounded(EvidenceGraph(graph.source, graph.chars, tuple(records), tuple(edges.values())))


def _tells(one: Edge, known: Mapping[str, Record]) -> bool:
    """Whether an edge is news: no order of neighbours, since the rules have others between, and not the rules' own."""
    if one.provenance == "rule:succession":
        return False
    return one.provenance == "rule:cues" or not (one.head in known and one.tail in known)


def _same(new: Sequence[Record]) -> Iterator[Edge]:
    """From an entity record to the document's entity of that name, else to the first one that the model called so."""
    first: dict[str, str] = {}
    for record in new:
        if record.kind == "entity":
            name = str(record.fields["name"])
            target = record.fields.get("same_as") or first.setdefault(name, record.id)
            if target != record.id:
                yield edge(record.source, record.id, target, "same_entity", name, "rule:names", CONFIDENCE)


def _held(graph: EvidenceGraph, new: Sequence[Record]) -> Iterator[Edge]:
    """From an event to the event whose quote holds its own, or from what it holds to it."""
    events = [record for record in graph.records if record.kind == "event"]
    starts = [event.span.start for event in events]
    for record in new:
        if record.kind != "event":
            continue
        span = record.span
        for other in events[bisect_left(starts, span.start - _LONGEST) : bisect_left(starts, span.end)]:
            if other.span.start <= span.start and span.end <= other.span.end:
                yield edge(graph.source, record.id, other.id, "part_of", "it stands in it", "rule:containment", 1.0)
            elif span.start <= other.span.start and other.span.end <= span.end:
                yield edge(graph.source, other.id, record.id, "part_of", "it stands in it", "rule:containment", 1.0)


def _attributed(edges: Sequence[Edge], records: Sequence[Record]) -> list[Edge]:
    """These edges, those of relations that only a model states under its name, no surer than its other edges."""
    stated = [
        ((record.fields["first"], record.fields["second"], record.fields["type"]), record.provenance)
        for record in records
        if record.kind == "relation" and "second" in record.fields
    ]
    by_rules = {ends for ends, provenance in stated if not provenance.startswith(BY_MODEL)}
    by_model = {ends: provenance for ends, provenance in stated if ends not in by_rules}
    return [
        one._replace(provenance=by_model[one.head, one.tail, one.type], confidence=CONFIDENCE)
        if one.provenance == "rule:cues" and (one.head, one.tail, one.type) in by_model
        else one
        for one in edges
    ]


def bounded(graph: EvidenceGraph) -> EvidenceGraph:
    """The graph with no more edges than the bound allows, the least sure left out first.

    What the rules draw between their own records and what a verifier kept comes first, then what joins a model's
    records or waits for review, then what only fills room; within each the surest.
    """
    most = max(1, int(MOST * graph.chars / 1000))
    if len(graph.edges) <= most:
        return graph
    added = {record.id for record in graph.records if record.provenance.startswith(BY_MODEL)}
    ranked = sorted(graph.edges, key=lambda one: (_group(one, added), -one.confidence))
    kept = {one.id for one in ranked[:most]}
    return replace(graph, edges=tuple(one for one in graph.edges if one.id in kept))


def _group(one: Edge, added: Set[str]) -> int:
    if one.confidence < _FILL:
        return 2
    by_model = one.provenance.startswith(BY_MODEL) or one.head in added or one.tail in added
    return 1 if by_model or one.status != "kept" else 0
