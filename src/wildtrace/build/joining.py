"""A model's records joined to the rules' graph of a document, which stays as the rules made it.

A model quotes passages that the rules quote too, in other cuts. Linked all together, a sentence would precede its own
clause; so the model's records are linked among themselves, and to the rules' by the entities they name, by the passages
that hold them, and by the relations that they state.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from wildtrace.build.link.board import edge
from wildtrace.build.link.graph import MOST, link
from wildtrace.build.roles import CONFIDENCE
from wildtrace.types import Edge, EvidenceGraph, Record

BY_MODEL: Final = "extractor:"
_LONGEST: Final = 4000


def join(graph: EvidenceGraph, found: Sequence[Record]) -> EvidenceGraph:
    """The rules' graph of a source with the records that a model found in it, and the edges that join them.

    A record that the rules have at the same place is theirs. The surest edges stay where there are too many.
    """
    known = {record.id: record for record in graph.records}
    new = [record for record in found if record.id not in known]
    shared = [known[record.id] for record in found if record.id in known]
    entities = [record for record in graph.records if record.kind == "entity"]
    others = {record.id: record for record in (*entities, *shared, *new)}
    among = [one for one in link(graph.source, graph.chars, list(others.values())).edges if _tells(one, known)]
    edges = {one.id: one for one in (*graph.edges, *among, *_same(new), *_held(graph, new))}
    records = sorted((*graph.records, *new), key=lambda record: (record.span.start, record.span.end, record.id))
    made = EvidenceGraph(graph.source, graph.chars, tuple(records), tuple(edges.values()))
    return _bounded(_attributed(made))


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


def _attributed(graph: EvidenceGraph) -> EvidenceGraph:
    """The graph with relations that only a model states under the model's name, no surer than its other edges."""
    stated = [
        ((record.fields["first"], record.fields["second"], record.fields["type"]), record.provenance)
        for record in graph.records
        if record.kind == "relation" and "second" in record.fields
    ]
    by_rules = {ends for ends, provenance in stated if not provenance.startswith(BY_MODEL)}
    by_model = {ends: provenance for ends, provenance in stated if ends not in by_rules}
    edges = [
        one._replace(provenance=by_model[one.head, one.tail, one.type], confidence=CONFIDENCE)
        if one.provenance == "rule:cues" and (one.head, one.tail, one.type) in by_model
        else one
        for one in graph.edges
    ]
    return replace(graph, edges=tuple(edges))


def _bounded(graph: EvidenceGraph) -> EvidenceGraph:
    most = max(1, int(MOST * graph.chars / 1000))
    if len(graph.edges) <= most:
        return graph
    surest = sorted(graph.edges, key=lambda one: -one.confidence)[:most]
    kept = {one.id for one in surest}
    return replace(graph, edges=tuple(one for one in graph.edges if one.id in kept))
