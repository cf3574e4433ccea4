"""The seven geometries: their list, and that every trail keeps its definition."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

import wildtrace.geometries
from tests.build.induced import graph_of
from tests.build.story import english_story
from wildtrace.build.link.board import edge
from wildtrace.build.mine import mine
from wildtrace.geometries import GEOMETRIES
from wildtrace.geometries.base import Found, View, lay_out
from wildtrace.types import Edge, EvidenceGraph, Record, Span

NAMES = ("forward", "intersection", "comparative", "temporal", "causal", "abductive", "counterfactual")
GAP = 10_000
ONWARD = {"causes", "enables", "explains", "precedes"}


def made_graph(
    events: int, edges: list[tuple[int, int, str]], marks: dict[int, list[str]] | None = None
) -> EvidenceGraph:
    """Events far apart that all touch one person and one thing, joined by `edges` given by place."""
    text = "".join(f"event {place:06}" + " " * (GAP - 12) for place in range(events))
    person = Record("r-person", "s", "entity", Span(0, 5, "event"), {"name": "Ann", "type": "person"}, "rule:names")
    other = Record("r-other", "s", "entity", Span(1, 5, "vent"), {"name": "Bob", "type": "person"}, "rule:names")
    thing = Record("r-thing", "s", "entity", Span(2, 5, "ent"), {"name": "key", "type": "thing"}, "rule:things")
    told = [
        Record(
            f"r{place}",
            "s",
            "event",
            Span.of(text, place * GAP, place * GAP + 12),
            {"marks": (marks or {}).get(place, [])},
            "rule:events",
        )
        for place in range(events)
    ]
    touching = [
        edge("s", one.id, "r-person" if place % 2 else "r-other", "same_entity", "x", "rule:names", 1.0)
        for place, one in enumerate(told)
    ]
    touching += [edge("s", one.id, "r-thing", "same_entity", "x", "rule:things", 0.8) for one in told]
    joined = [
        edge("s", f"r{one}", f"r{two}", kind, "stated", "rule:dates" if kind == "precedes" else "rule:cues", 0.9)
        for one, two, kind in edges
    ]
    return EvidenceGraph("s", events * GAP, (person, other, thing, *told), (*touching, *joined))


def found_by(name: str, graph: EvidenceGraph) -> list[Found]:
    """What one geometry finds in a graph."""
    (geometry,) = [geometry for geometry in GEOMETRIES if geometry.name == name]
    return list(geometry.find(lay_out(graph)))


@cache
def story_view() -> View:
    """The view of the made English story."""
    return lay_out(graph_of(english_story(40)))


def test_folder_tuple_and_names_agree() -> None:
    """A geometry is one file and one line in the tuple that shows the order."""
    files = {path.stem for path in Path(wildtrace.geometries.__path__[0]).glob("*.py")} - {"__init__", "base"}
    assert NAMES == tuple(geometry.name for geometry in GEOMETRIES)
    assert set(NAMES) == files


@pytest.mark.parametrize("name", NAMES)
def test_every_geometry_states_its_constraints(name: str) -> None:
    """What holds for its trails can be read."""
    (geometry,) = [geometry for geometry in GEOMETRIES if geometry.name == name]
    assert geometry.definition.endswith(".")
    assert geometry.constraints


@pytest.mark.parametrize("name", NAMES)
def test_no_edges_no_trails(name: str) -> None:
    """Nothing is made up where the graph states nothing."""
    assert [] == found_by(name, made_graph(6, []))


def test_a_chain_goes_one_way() -> None:
    """Each edge begins where the one before it ends, three at least, one of them a stated cause."""
    (found,) = found_by("forward", made_graph(5, [(0, 1, "causes"), (1, 2, "precedes"), (2, 3, "precedes")]))
    assert ["r0", "r1", "r2", "r3"] == [part.record.id for part in found.parts]
    assert all(one.tail == other.head for one, other in _pairs(found.edges))


def test_a_chain_grows_at_either_end() -> None:
    """Where nothing follows the stated cause, what led to it does."""
    (found,) = found_by("forward", made_graph(5, [(2, 3, "causes"), (0, 2, "precedes"), (1, 0, "precedes")]))
    assert ["r1", "r0", "r2", "r3"] == [part.record.id for part in found.parts]


def test_two_edges_are_no_chain() -> None:
    """A chain that turns back on itself, or ends after two edges, is none."""
    assert [] == found_by("forward", made_graph(5, [(0, 1, "causes"), (1, 2, "precedes"), (2, 0, "precedes")]))


def test_a_time_line_runs_against_the_text() -> None:
    """Only an edge of order whose head stands behind its tail makes a temporal trail."""
    assert [] == found_by("temporal", made_graph(4, [(0, 1, "precedes"), (1, 2, "precedes")]))
    (found, *_) = found_by("temporal", made_graph(4, [(2, 1, "precedes"), (0, 2, "precedes")]))
    story = [int(place) for place in found.why["story order"]]
    assert sorted(story) != story


def test_an_outcome_has_two_contributors() -> None:
    """One cause is no attribution, two that stand far apart are."""
    assert [] == found_by("causal", made_graph(4, [(0, 2, "causes")]))
    (found,) = found_by("causal", made_graph(4, [(0, 2, "causes"), (1, 2, "causes")]))
    assert ["contributor", "contributor", "outcome"] == [part.role for part in found.parts]


def test_an_outcome_told_twice_is_one() -> None:
    """Causes of two tellings of one outcome contribute to it together."""
    (found,) = found_by("causal", made_graph(5, [(0, 1, "causes"), (3, 4, "causes"), (1, 4, "same_entity")]))
    assert {"contributor", "outcome"} == {part.role for part in found.parts}


def test_an_explanation_accounts_for_two_observations() -> None:
    """One is not enough, and one that is explained where it is told is none."""
    assert [] == found_by("abductive", made_graph(6, [(5, 0, "explains")]))
    edges = [(5, 0, "explains"), (5, 2, "explains")]
    (found,) = found_by("abductive", made_graph(6, edges))
    assert ["observation", "observation", "latent explanation"] == [part.role for part in found.parts]


def test_a_time_line_keeps_every_edge_s_order() -> None:
    """With two clues beside the pair that runs against the text, the story's order still agrees with all edges."""
    edges = [(4, 2, "precedes"), (0, 2, "precedes"), (4, 7, "precedes"), (6, 4, "precedes")]
    for found in found_by("temporal", made_graph(9, edges)):
        told = [part.record.id for part in sorted(found.parts, key=lambda part: part.record.span.start)]
        story = [told[place - 1] for place in found.why["story order"]]
        assert all(story.index(one.head) < story.index(one.tail) for one in found.edges)
        assert len(found.edges) + 1 == len(found.parts)


def test_an_outcome_told_twice_has_two_sides() -> None:
    """Each telling stands with its own contributor."""
    (found,) = found_by("causal", made_graph(5, [(0, 1, "causes"), (3, 4, "causes"), (1, 4, "same_entity")]))
    assert [1, 1, 2, 2] == [part.group for part in sorted(found.parts, key=lambda part: part.record.id)]


def test_what_is_part_of_a_scene_is_not_named_in_it() -> None:
    """An edge that says what the units around an event speak of is no mention."""
    graph = made_graph(3, [])
    around = edge("s", "r1", "r-other", "part_of", "the units around it speak of Bob", "rule:scenes", 0.24)
    view = lay_out(replace(graph, edges=(*graph.edges, around)))
    assert {"r-person", "r-thing"} == set(view.touches["r1"])


def test_every_geometry_says_what_is_missing_in_its_own_words() -> None:
    """No two reasons for finding nothing are the same."""
    assert len(GEOMETRIES) == len({geometry.missing for geometry in GEOMETRIES})


def test_a_branch_stands_against_what_happened() -> None:
    """The alternative is far from its actual path, and the path is not itself unreal."""
    edges = [(4, 0, "alternative_of"), (0, 1, "precedes")]
    (found,) = found_by("counterfactual", made_graph(5, edges, {4: ["counterfactual"]}))
    assert {1, 2} == {part.group for part in found.parts}
    assert [] == found_by("counterfactual", made_graph(5, edges, {4: ["counterfactual"], 0: ["counterfactual"]}))


def test_a_comparison_shares_a_thing_and_differs_in_persons() -> None:
    """Cases of the same person are no comparison."""
    (found,) = found_by("comparative", made_graph(6, [(0, 3, "compares_with")]))
    assert ["key"] == found.why["dimension"]
    assert [["Bob"], ["Ann"]] == found.why["cases"]
    assert [] == found_by("comparative", made_graph(6, [(0, 4, "compares_with")]))


def test_an_intersection_is_unique() -> None:
    """No other entity satisfies all the conditions, checked here by looking at every event again."""
    view = story_view()
    for found in _trails(view, "intersection"):
        entity = found.about[0]
        chosen = {edge.tail for edge in found.edges} - {entity}
        named = [
            record.id for record in view.graph.records if record.kind == "entity" and record.provenance == "rule:names"
        ]
        holders = [
            other
            for other in named
            if other not in chosen
            and all(any({other, thing} <= view.touches[event].keys() for event in view.touches) for thing in chosen)
        ]
        assert [entity] == holders


def test_trails_of_a_story_keep_their_definitions() -> None:
    """Mined chains, causes and branches of a made document, checked against its graph."""
    graph = story_view().graph
    edges = {one.id: one for one in graph.edges}
    trails = mine(graph).trails
    assert {"forward", "counterfactual"} <= {trail.geometry for trail in trails}
    for trail in trails:
        used = [edges[edge_id] for edge_id in trail.edges]
        assert all(one.status == "kept" for one in used)
        places = [clue.start for clue in trail.clues]
        assert sorted(places, key=lambda start: start or 0) == places
        if trail.geometry == "forward":
            assert len(used) >= 3
            assert {one.type for one in used} <= ONWARD
            assert all(one.tail == other.head for one, other in _pairs(tuple(used)))


def _pairs(edges: tuple[Edge, ...]) -> Iterator[tuple[Edge, Edge]]:
    return pairwise(edges)


def _trails(view: View, name: str) -> list[Found]:
    (geometry,) = [geometry for geometry in GEOMETRIES if geometry.name == name]
    return list(geometry.find(view))
