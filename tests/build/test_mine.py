"""Dispersion, ranking, variety and reasons."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.build.induced import graph_of
from tests.build.story import english_story
from wildtrace.build.mine import KEPT, LEAST_GAP_SHARE, LEAST_SPREAD, dispersion, mine
from wildtrace.geometries import GEOMETRIES
from wildtrace.types import EvidenceGraph

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
