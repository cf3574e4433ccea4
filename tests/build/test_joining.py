"""A model's records beside the rules': joined by names, passages and stated relations, and disturbing nothing."""

from __future__ import annotations

import pytest

from tests.build.induced import graph_of
from tests.build.story import chinese_story, english_story
from wildtrace.build.extract.identity import record
from wildtrace.build.joining import join
from wildtrace.build.link.graph import MOST
from wildtrace.types import EvidenceGraph, Record, Span

MODEL = "extractor:m"
STORIES = {"English": english_story(6), "Chinese": chinese_story(12)}


def clauses(graph: EvidenceGraph, text: str) -> list[Record]:
    """A model's event within every third event of the rules, without its last characters."""
    events = [one for one in graph.records if one.kind == "event" and one.span.end - one.span.start > 12]
    spans = [Span.of(text, one.span.start, one.span.end - 4) for one in events[::3]]
    return [record(graph.source, "event", span, {"participants": [], "things": []}, MODEL) for span in spans]


@pytest.mark.parametrize("text", STORIES.values(), ids=STORIES.keys())
def test_the_rules_graph_stays_and_no_passage_precedes_its_own_part(text: str) -> None:
    """All but the least sure of the rules' edges are there still; the new events are part of the old ones."""
    rules = graph_of(text)
    new = clauses(rules, text)
    joined = join(rules, new)
    by_id = {one.id: one for one in joined.records}
    assert len(rules.records) + len(new) == len(joined.records)
    assert list(joined.records) == sorted(joined.records, key=lambda one: (one.span.start, one.span.end, one.id))
    assert len(joined.edges) <= MOST * len(text) / 1000
    lost = {edge.id for edge in rules.edges} - {edge.id for edge in joined.edges}
    assert all(edge.confidence < 0.3 for edge in rules.edges if edge.id in lost)
    held = {edge.head for edge in joined.edges if edge.type == "part_of"}
    assert {one.id for one in new} <= held
    for edge in joined.edges:
        head, tail = by_id[edge.head].span, by_id[edge.tail].span
        apart = head.end <= tail.start or tail.end <= head.start
        assert apart or edge.type != "precedes" or edge in rules.edges


def test_nothing_found_changes_nothing() -> None:
    """Without a model's records the graph is the rules' own."""
    rules = graph_of(STORIES["English"])
    assert rules == join(rules, [])


def test_a_models_relation_stands_under_its_name() -> None:
    """Also where its ends are events of the rules; one that the rules state as well is theirs."""
    text = STORIES["English"]
    rules = graph_of(text)
    first, _, third = [one for one in rules.records if one.kind == "event"][:3]
    span = Span.of(text, first.span.start, third.span.end)
    fields = {"type": "enables", "cue": "a model", "first": first.id, "second": third.id}
    said = record(rules.source, "relation", span, fields, MODEL)
    (edge,) = [one for one in join(rules, [first, third, said]).edges if (one.head, one.tail) == (first.id, third.id)]
    assert ("enables", MODEL, 0.75) == (edge.type, edge.provenance, edge.confidence)
    stated = next(one for one in rules.edges if one.provenance == "rule:cues")
    same = {"type": stated.type, "cue": "a model", "first": stated.head, "second": stated.tail}
    ends = [one for one in rules.records if one.id in (stated.head, stated.tail)]
    found = join(rules, [*ends, record(rules.source, "relation", span, same, MODEL)])
    assert "rule:cues" == next(one.provenance for one in found.edges if one.id == stated.id)


def test_entity_records_join_the_entity_that_they_name() -> None:
    """The document's where it is known, else the first that the model called so."""
    text = STORIES["English"]
    rules = graph_of(text)
    dean = next(one for one in rules.records if one.kind == "entity" and one.fields["name"].endswith("Dean"))
    places = [at for at in range(len(text)) if text.startswith("certificate", at)][:3]
    new = [
        record(rules.source, "entity", Span.of(text, at, at + 11), {"name": "certificate", "type": "thing"}, MODEL, "c")
        for at in places
    ]
    at = text.rindex("Mrs. Dean")
    again = {"name": "Mrs. Dean", "type": "person", "same_as": dean.id}
    new.append(record(rules.source, "entity", Span.of(text, at, at + 9), again, MODEL, "Mrs. Dean"))
    edges = {(one.head, one.tail) for one in join(rules, new).edges if one.type == "same_entity"}
    assert {(new[1].id, new[0].id), (new[2].id, new[0].id), (new[3].id, dean.id)} <= edges
