"""Dispersion, ranking, variety and reasons."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.construct.induced import graph_of
from tests.construct.story import chinese_story, english_story
from wildtrace.construct.geometries import GEOMETRIES
from wildtrace.construct.link.board import edge
from wildtrace.construct.mine import KEPT, LEAST_GAP_SHARE, LEAST_SPREAD, dispersion, mine
from wildtrace.types import EvidenceGraph, Record, Span

CASE_CARD = [
    (263873, 263962, 1), (264599, 264657, 1), (265052, 265134, 1),
    (2287050, 2287149, 2), (2324514, 2324597, 2), (2325266, 2325438, 2),
]  # fmt: skip


def test_the_case_card_is_dispersed() -> None:
    """The paper's worked example: its sides are two million characters apart, whatever stands close within one."""
    found = dispersion(CASE_CARD, 2_850_000)
    assert 0.7233 == pytest.approx(found.spread, abs=1e-4)
    assert 2287050 - 265134 == found.gap
    assert found.spread >= LEAST_SPREAD
    assert found.gap >= LEAST_GAP_SHARE * 2_850_000


@given(st.lists(st.tuples(st.integers(0, 10**6), st.integers(1, 200), st.integers(1, 2)), min_size=2, max_size=8))
def test_the_gap_lies_between_groups_only(clues: list[tuple[int, int, int]]) -> None:
    """The smallest distance between clues of two groups, by trying every pair; clues of one group never count."""
    spans = [(start, start + length, group) for start, length, group in clues]
    found = dispersion(spans, 2 * 10**6)
    between = [max(0, b[0] - a[1], a[0] - b[1]) for a in spans for b in spans if a[2] != b[2]]
    if between:
        assert min(between) == found.gap
    starts = [start for start, _, _ in spans]
    assert (max(starts) - min(starts)) / (2 * 10**6) == found.spread


def test_without_groups_the_two_clusters_furthest_apart_count() -> None:
    """The largest hole between neighbouring clues."""
    assert 890 == dispersion([(0, 10, 0), (40, 60, 0), (950, 990, 0)], 1000).gap


def test_one_clue_has_no_dispersion() -> None:
    """A trail has two clues at least."""
    with pytest.raises(ValueError, match="two clues"):
        dispersion([(0, 1, 0)], 10)


def test_nothing_found_is_said_with_the_reason() -> None:
    """Every geometry reports, also on an empty graph."""
    mined = mine(EvidenceGraph("source", 1000, (), ()))
    assert () == mined.trails
    assert [geometry.name for geometry in GEOMETRIES] == [report.geometry for report in mined.reports]
    assert all(report.reason for report in mined.reports)


def words(chars: int) -> str:
    """So many code points of a text that says nothing twice."""
    return " ".join(map(str, range(chars // 2)))[:chars]


def chain(far: int) -> EvidenceGraph:
    """A stated cause, its effect right behind it, and two events `far` behind each other that it leads to."""
    text = words(4 * far)
    places = (0, 100, far, 2 * far)
    thing = Record("r-thing", "s", "entity", Span(0, 1, "."), {"name": "key", "type": "thing"}, "rule:things")
    told = [
        Record(f"r{place}", "s", "event", Span.of(text, place, place + 90), {"marks": ()}, "rule:events")
        for place in places
    ]
    ends = {"type": "causes", "first": "r0", "second": "r100"}
    stated = Record("r-stated", "s", "relation", Span.of(text, 0, 190), ends, "rule:cues")
    touching = [edge("s", one.id, "r-thing", "same_entity", "key", "rule:things", 0.8) for one in told]
    joined = [
        edge("s", one.id, other.id, kind, "told", rule, 0.9)
        for (one, other), kind, rule in zip(
            pairwise(told),
            ("causes", "precedes", "precedes"),
            ("rule:cues", "rule:threads", "rule:threads"),
            strict=True,
        )
    ]
    return EvidenceGraph("s", len(text), (thing, *told, stated), (*touching, *joined))


def test_a_cause_and_its_effect_told_in_one_breath_are_one_clue() -> None:
    """The relation that states them is quoted, and all edges of the chain stay."""
    (trail,) = [trail for trail in mine(chain(20_000)).trails if trail.geometry == "forward"]
    assert ["r-stated", "r20000", "r40000"] == [clue.span_id for clue in trail.clues]
    assert 3 == len(trail.edges)


@pytest.mark.parametrize(
    ("about", "speaking"),
    [
        (["key"], {"key": ["r100", "r20000", "r40000"]}),
        (["key"], {"key": ["r20000", "r40000"], "lamp": ["r40000"]}),
        (["lamp"], {"key": ["r20000", "rx"], "lamp": ["r40000"]}),
        (["key", "lamp"], {"key": ["r0", "r20000", "r40000"], "lamp": ["r20000", "r40000"], "sea": ["r0", "r40000"]}),
        (["灯", "钥匙"], {"钥匙": ["r100", "r40000", "rx"], "灯": ["r100", "r40000"], "海": ["r40000"]}),
        ([], {}),
    ],
)
def test_a_trail_says_what_it_is_about(about: list[str], speaking: dict[str, list[str]]) -> None:
    """What most of its clues share, of equals the rarest; else the rarest of one of them; a relation as its ends."""
    graph = chain(20_000)
    things = [
        Record(f"e-{name}", "s", "entity", Span(0, 1, "."), {"name": name, "type": "thing"}, "rule:things")
        for name in speaking
    ]
    elsewhere = Record("rx", "s", "event", Span(70_000, 70_001, "."), {"marks": ()}, "rule:events")
    touching = [
        edge("s", at, f"e-{name}", "same_entity", name, "rule:things", 0.8)
        for name, places in speaking.items()
        for at in places
    ]
    joined = [one for one in graph.edges if one.tail != "r-thing"]
    changed = replace(
        graph, records=(*things, *graph.records[1:-1], elsewhere, graph.records[-1]), edges=(*touching, *joined)
    )
    (trail,) = [trail for trail in mine(changed).trails if trail.geometry == "forward"]
    (plain,) = [trail for trail in mine(graph).trails if trail.geometry == "forward"]
    assert about == trail.why["about"]
    assert (plain.id, plain.edges) == (trail.id, trail.edges)


def test_no_clue_stands_in_another() -> None:
    """A statement that spans what lies between its two ends does not take their place when a clue lies there."""
    graph = chain(20_000)
    text = words(80_000)
    wide = graph.records[-1]._replace(span=Span.of(text, 0, 20_010))
    trails = mine(replace(graph, records=(*graph.records[:-1], wide))).trails
    (trail,) = [trail for trail in trails if trail.geometry == "forward"]
    assert ["r0", "r100", "r20000", "r40000"] == [clue.span_id for clue in trail.clues]


def test_a_clue_inside_another_ends_a_candidate() -> None:
    """It is said why nothing was kept."""
    graph = chain(20_000)
    text = words(80_000)
    records = [
        record._replace(span=Span.of(text, 0, 20_010)) if record.id == "r0" else record for record in graph.records[:-1]
    ]
    mined = mine(replace(graph, records=tuple(records)))
    assert () == mined.trails
    assert "a clue stands in another" in str(mined.reports[0].reason)


_SCORES = """
from tests.construct.induced import graph_of
from tests.construct.story import english_story
from wildtrace.construct.mine import mine
print([(trail.id, trail.score) for trail in mine(graph_of(english_story(40))).trails])
"""


def test_mining_does_not_depend_on_the_seed_of_hashes() -> None:
    """Two processes with seeds of their own mine the same trails with the same scores."""
    told = {
        subprocess.run(
            [sys.executable, "-c", _SCORES],
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert 1 == len(told)
    assert "t" in told.pop()


@pytest.mark.parametrize("text", [english_story(40), chinese_story(40)], ids=["english", "chinese"])
def test_clues_stand_in_text_order(text: str) -> None:
    """Whatever their order in the story."""
    trails = mine(graph_of(text)).trails
    assert trails
    for trail in trails:
        starts = [clue.start or 0 for clue in trail.clues]
        assert sorted(starts) == starts


def test_a_sentence_told_again_is_no_second_clue() -> None:
    """Word for word, however its lines break."""
    graph = chain(20_000)
    first, again = (record for record in graph.records if record.id in ("r20000", "r40000"))
    quote = first.span.quote.replace(" ", "\n", 1)
    repeated = again._replace(span=Span(again.span.start, again.span.end, quote))
    records = tuple(repeated if record is again else record for record in graph.records)
    assert "forward" in {trail.geometry for trail in mine(graph).trails}
    mined = mine(replace(graph, records=records))
    assert "forward" not in {trail.geometry for trail in mined.trails}
    assert any("a clue says again what another says" in report.dropped for report in mined.reports)


def test_scattered_clues_rank_before_clues_at_one_place() -> None:
    """The same chain told in one place scores less than told in three."""
    near, wide = (
        next(trail for trail in mine(chain(far)).trails if trail.geometry == "forward") for far in (1_500, 20_000)
    )
    assert near.score < wide.score


def test_trails_are_dispersed_ranked_and_varied() -> None:
    """Best first within a geometry, far apart, and no two that share more than one clue."""
    graph = graph_of(english_story(40))
    mined = mine(graph)
    assert mined.trails
    for geometry in {trail.geometry for trail in mined.trails}:
        trails = [trail for trail in mined.trails if trail.geometry == geometry]
        assert sorted((trail.score for trail in trails), reverse=True) == [trail.score for trail in trails]
        assert len(trails) <= KEPT
        for trail in trails:
            assert trail.why["spread"] >= LEAST_SPREAD
        ids = [{clue.span_id for clue in trail.clues} for trail in trails]
        assert all(len(one & other) < 2 for place, one in enumerate(ids) for other in ids[:place])


def test_the_cap_is_reported() -> None:
    """A search that its cap ends says so."""
    (report, *_) = [report for report in mine(graph_of(english_story()), most=1).reports if report.candidates]
    assert (1, True) == (report.candidates, report.capped)
