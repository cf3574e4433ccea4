"""A model's records beside the rules': joined by names, passages and stated relations, and disturbing nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.construct.induced import graph_of, records_of
from tests.construct.story import chinese_story, english_story
from wildtrace.construct.extract.identity import record
from wildtrace.construct.extract.room import without
from wildtrace.construct.joining import MODELS_SHARE, MOST_RECORDS, bounded, fitting, join, making_room
from wildtrace.construct.link.board import edge as make
from wildtrace.construct.link.graph import MOST, link
from wildtrace.text.script import is_cjk
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


def talk(graph: EvidenceGraph, text: str) -> list[Record]:
    """What a talkative model finds: an event at every eighth code point, and a relation of each with the next."""
    touching = {"participants": [], "things": [one.id for one in graph.records if one.kind == "entity"][:3]}
    events = [
        record(graph.source, "event", Span.of(text, at, at + 24), touching if at % 3 else {}, MODEL)
        for at in range(0, len(text) - 24, 8)
    ]
    relations = [
        record(
            graph.source,
            "relation",
            Span.of(text, one.span.start, other.span.end),
            {"type": "causes", "cue": "a model", "first": one.id, "second": other.id},
            MODEL,
        )
        for one, other in zip(events[::2], events[1::2], strict=False)
    ]
    return [*events, *relations]


def rest_of(text: str, found: Sequence[Record]) -> EvidenceGraph:
    """The rules' graph of a text, without what made room for what was found."""
    known = records_of(text)
    gone = making_room(known, found, len(text), chinese=is_cjk(text))
    return link("source", len(text), without(known, gone))


@pytest.mark.parametrize("text", STORIES.values(), ids=STORIES.keys())
def test_a_talkative_model_fills_the_room_and_no_more(text: str) -> None:
    """Records and edges stay within their bounds, and what the rules draw themselves stays, but for what fills room."""
    known = graph_of(text).records
    found = fitting(known, talk(graph_of(text), text), len(text))
    rules = rest_of(text, found)
    new = {one.id for one in found} - {one.id for one in known}
    assert len(new) >= int(MODELS_SHARE * len(text) / 1000)
    joined = join(rules, found)
    assert MOST_RECORDS * len(text) / 1000 >= len(joined.records) > MOST_RECORDS * len(text) / 1000 - 3
    assert MOST * len(text) / 1000 >= len(joined.edges)
    assert len(joined.edges) == len({one.id for one in joined.edges})
    ids = {one.id for one in joined.records}
    assert all({one.fields["first"], one.fields["second"]} <= ids for one in found if one.kind == "relation")
    stay = [one for one in rules.edges if one.confidence >= 0.3 and one.status == "kept"]
    assert set(stay) <= set(joined.edges)


@pytest.mark.parametrize("text", STORIES.values(), ids=STORIES.keys())
def test_the_rules_records_make_room_for_what_comes_and_no_more(text: str) -> None:
    """None where nothing comes; then one for each that the bound has no room for, and never an event or an entity."""
    known = records_of(text)
    free = int(MOST_RECORDS * len(text) / 1000) - len(known)
    share = int(MODELS_SHARE * len(text) / 1000)
    many = [one for one in talk(graph_of(text), text) if one.kind == "event"]
    for count in range(share + 1):
        gone = making_room(known, many[:count], len(text), chinese=is_cjk(text))
        assert max(0, count - free) == len(gone)
        assert {"quotation", "time", "attribute", "relation"} >= {one.kind for one in known if one.id in gone}
        assert gone == making_room(known[::-1], many[:count], len(text), chinese=is_cjk(text))


def test_what_tells_least_makes_room_first() -> None:
    """A time that nothing anchors before a date; what the model has found as well stays."""
    text = "He came on the next day, on May 3, 1861, and then he went away again to sea. " * 3
    time, date = (
        record("s", "time", Span.of(text, start, end), {"edtf": edtf}, "rule:times")
        for start, end, edtf in ((11, 23, None), (28, 39, "1861-05-03"))
    )
    event = record("s", "event", Span.of(text, 0, 40), {}, "rule:events")
    new = record("s", "event", Span.of(text, 3, 23), {}, MODEL)
    assert {time.id} == making_room([event, time, date], [new], 200, chinese=False)
    assert {date.id} == making_room([event, time, date], [new, time], 200, chinese=False)
    assert not making_room([event, time, date], [time, date], 200, chinese=False)
    assert not making_room([event, time, date], [new], 267, chinese=False)


@given(st.integers(0, 40), st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=12))
def test_what_fits_is_whole(room: int, pairs: list[tuple[int, int]]) -> None:
    """Whatever the room and the relations: no more than fits, and no relation without its ends."""
    text = "The miller went to the mill and the mill was shut. " * 4
    events = [record("s", "event", Span.of(text, at, at + 9), {}, MODEL) for at in range(10)]
    relations = [
        record(
            "s",
            "relation",
            Span.of(text, one, 60 + other),
            {"type": "causes", "first": events[one].id, "second": events[other].id},
            MODEL,
        )
        for one, other in pairs
    ]
    whole = {one.id: one for one in [*events, *relations]}
    found = fitting(events[:2], list(whole.values()), 100 * room)
    ids = {one.id for one in found}
    assert len({events[0].id, events[1].id} | ids) <= max(2, int(MOST_RECORDS * room / 10))
    assert {events[0].id, events[1].id} <= ids
    assert all({one.fields["first"], one.fields["second"]} <= ids for one in found if one.kind == "relation")


def test_a_rule_keeps_what_a_model_says_as_well() -> None:
    """An edge of the rules is not made one for review by a model that states the same; one for review gives way."""
    text = STORIES["English"]
    rules = graph_of(text)
    order = next(one for one in rules.edges if one.provenance == "rule:succession")
    ends = [one for one in rules.records if one.id in (order.head, order.tail)]
    span = Span.of(text, ends[0].span.start, ends[1].span.end)
    fields = {"type": "precedes", "cue": "a model", "first": order.head, "second": order.tail}
    said = record(rules.source, "relation", span, fields, MODEL)
    assert order in join(rules, [*ends, said]).edges
    doubtful = replace(
        rules, edges=tuple(one._replace(status="review") if one == order else one for one in rules.edges)
    )
    (found,) = [one for one in join(doubtful, [*ends, said]).edges if one.id == order.id]
    assert (MODEL, "kept") == (found.provenance, found.status)


def test_the_bound_leaves_out_the_least_sure() -> None:
    """What fills room goes first, then what waits for review, then what the rules are least sure of."""
    rules = graph_of(STORIES["English"])
    head = rules.records[0].id
    kinds = [(0.25, "kept"), (0.9, "review"), (0.4, "kept"), (0.6, "kept")]
    edges = tuple(
        make("source", head, f"{at}", "explains", "why", "rule:x", sure, status)
        for sure, status in kinds
        for at in range(int(sure * 1000), int(sure * 1000) + 100)
    )
    for room, left in ((300, kinds[1:]), (200, kinds[2:]), (100, kinds[3:])):
        kept = bounded(replace(rules, chars=int(room * 1000 / MOST) + 1, edges=edges)).edges
        assert dict.fromkeys(left, 100) == Counter((one.confidence, one.status) for one in kept)
