"""One edge for a head, a tail and a type: where rules meet, the surest one stands."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Sequence
from itertools import chain
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.construct.induced import graph_of
from wildtrace.construct.extract.identity import record
from wildtrace.construct.ingest.ingest import ingest
from wildtrace.construct.link.board import edge, lay_out, surest
from wildtrace.construct.link.graph import RULES, link
from wildtrace.types import Record, Span

NAMES = "abcde"
WHO = st.lists(st.sampled_from(NAMES), max_size=5, unique=True)
PERHAPS = st.one_of(st.none(), st.sampled_from(NAMES))
EVENT = st.fixed_dictionaries(
    {"participants": WHO, "resolved": WHO, "things": WHO, "possible": st.lists(st.sampled_from(NAMES), max_size=4)},
    optional={"speaker": PERHAPS, "hearer": PERHAPS, "earlier": st.booleans()},
)


def story(events: Sequence[dict[str, object]]) -> list[Record]:
    """Records of a text whose n-th line is the n-th event; entities stand in fields by their names."""
    text = "".join(f"{name}\n" for name in NAMES) + "".join(f"event {place:4}\n" for place in range(len(events)))
    entities = {
        name: record("s", "entity", Span.of(text, 2 * at, 2 * at + 1), {"name": name, "type": "person"}, "rule:names")
        for at, name in enumerate(NAMES)
    }
    records = list(entities.values())
    for place, fields in enumerate(events):
        start = 2 * len(NAMES) + 11 * place
        told = {key: _ids(entities, value) for key, value in fields.items()}
        records.append(record("s", "event", Span.of(text, start, start + 10), told, "rule:events"))
    return records


def _ids(entities: dict[str, Record], value: object) -> object:
    if isinstance(value, list):
        return [entities[name].id for name in value]
    return entities[value].id if isinstance(value, str) else value


@given(st.lists(EVENT, min_size=1, max_size=8))
def test_where_rules_meet_the_surest_edge_stands_alone(events: list[dict[str, object]]) -> None:
    """Whoever an event names, means and is spoken by: no edge twice, and none less sure than a rule has it."""
    records = story(events)
    board = lay_out("s", records)
    stated = defaultdict(list)
    for one in chain.from_iterable(rule(board) for rule in RULES):
        stated[one.head, one.tail, one.type].append(one.confidence)
    found = link("s", 100_000, records).edges
    assert len(found) == len({(one.head, one.tail, one.type) for one in found})
    sure = {(one.head, one.tail, one.type): one.confidence for one in found}
    assert {ends: max(all_) for ends, all_ in stated.items()} == {ends: sure[ends] for ends in stated}
    assert stated.keys() >= {ends for ends, confidence in sure.items() if confidence >= 0.3}


def test_a_doubtful_pronoun_says_nothing_beside_a_speaker() -> None:
    """Who speaks in an event is joined to it once, kept, though a pronoun of it may mean the same person."""
    records = story([{"participants": [], "resolved": [], "things": [], "possible": ["a", "b"], "speaker": "a"}])
    names = {one.id: one.fields.get("name") for one in records}
    found = [(names[one.tail], one.provenance, one.status) for one in link("s", 100_000, records).edges]
    assert [("a", "rule:speakers", "kept"), ("b", "rule:pronouns", "review")] == found


def test_what_is_kept_is_surer_than_what_waits() -> None:
    """Whatever their figures; of equals the first stays."""
    waiting = edge("s", "a", "b", "causes", "one", "rule:x", 0.9, "review")
    kept, equal = (edge("s", "a", "b", "causes", basis, "rule:x", 0.4) for basis in ("two", "three"))
    other = edge("s", "b", "a", "causes", "four", "rule:x", 0.1)
    assert [kept, other] == list(surest([waiting, other, kept, equal]).values())
    assert [kept, other] == list(surest([kept, equal, waiting, other]).values())


@pytest.mark.corpus
@pytest.mark.skipif("WILDTRACE_CORPUS" not in os.environ, reason="WILDTRACE_CORPUS names no folder")
@pytest.mark.parametrize("file", ["en_griffiths_rome_express_1896.txt", "zh_wu_jianren_jiuming_qiyuan_oneline.txt"])
def test_a_real_documents_edges_are_each_there_once(file: str) -> None:
    """Speakers, pronouns and names of a whole novel, English and Chinese."""
    raw = (Path(os.environ["WILDTRACE_CORPUS"]) / file).read_bytes()
    found = graph_of(ingest(raw, file).text).edges
    assert len(found) > 1000
    assert len(found) == len({one.id for one in found}) == len({(one.head, one.tail, one.type) for one in found})
