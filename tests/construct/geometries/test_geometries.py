"""The seven geometries: their list, and that every trail keeps its definition."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

import wildtrace.construct.geometries
from tests.construct.induced import graph_of
from tests.construct.story import english_story
from wildtrace.construct.geometries import GEOMETRIES
from wildtrace.construct.geometries.base import Found, View, lay_out
from wildtrace.construct.link.board import edge
from wildtrace.construct.mine import mine
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
    files = {path.stem for path in Path(wildtrace.construct.geometries.__path__[0]).glob("*.py")} - {
        "__init__",
        "base",
        "when",
    }
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


def test_what_no_edge_puts_in_order_stands_as_it_is_told() -> None:
    """A time line says no more of the story's order than its edges do."""
    found = found_by("temporal", made_graph(9, [(4, 2, "precedes"), (0, 2, "precedes"), (4, 7, "precedes")]))
    for one in found:
        told = [part.record.id for part in sorted(one.parts, key=lambda part: part.record.span.start)]
        story = [told[place - 1] for place in one.why["story order"]]
        ways = {(edge.head, edge.tail) for edge in one.edges}
        for first, second in pairwise(story):
            assert (first, second) in ways or told.index(first) < told.index(second), (story, ways)
    assert found


def test_nothing_only_supposed_turns_a_time_line() -> None:
    """What a condition or a question tells did not happen before anything."""
    graph = made_graph(4, [(2, 1, "precedes"), (0, 2, "precedes")])
    assert found_by("temporal", graph)
    assert [] == found_by("temporal", told_as(graph, 2, modality="conditional"))


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


def told_as(graph: EvidenceGraph, place: int, **fields: object) -> EvidenceGraph:
    """The same graph with these fields in one of its events."""
    records = (
        record._replace(fields={**record.fields, **fields}) if record.id == f"r{place}" else record
        for record in graph.records
    )
    return replace(graph, records=tuple(records))


@pytest.mark.parametrize(
    "fields",
    [
        {"marks": ["counterfactual"]},
        {"marks": ["conditional"]},
        {"modality": "asked"},
        {"modality": "conditional"},
        {"modality": "general"},
    ],
)
def test_neither_end_of_the_actual_path_is_unreal(fields: dict[str, object]) -> None:
    """What is asked, supposed, wished or said in general did not happen, whichever end of the path it is."""
    edges = [(4, 0, "alternative_of"), (0, 1, "precedes")]
    graph = made_graph(30, edges, {4: ["counterfactual"]})
    assert [["r0", "r1"]] == [_actual(found) for found in found_by("counterfactual", graph)]
    assert [["r0"]] == [_actual(found) for found in found_by("counterfactual", told_as(graph, 1, **fields))]
    assert [] == found_by("counterfactual", told_as(graph, 0, **fields))


def test_what_did_not_happen_may_be_the_actual_path() -> None:
    """A denial is told as real."""
    graph = made_graph(30, [(4, 0, "alternative_of"), (0, 1, "precedes")], {4: ["counterfactual"]})
    denied = told_as(told_as(graph, 0, modality="negated"), 1, modality="negated")
    assert [["r0", "r1"]] == [_actual(found) for found in found_by("counterfactual", denied)]


def _actual(found: Found) -> list[str]:
    return [part.record.id for part in found.parts if part.group == 1]


@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_question_contributes_nothing(place: int) -> None:
    """Neither to an outcome nor as one."""
    graph = made_graph(4, [(0, 2, "causes"), (1, 2, "causes")])
    assert [] == found_by("causal", told_as(graph, place, modality="asked"))


@pytest.mark.parametrize("place", [0, 2, 5])
def test_nothing_asked_or_only_supposed_is_observed_or_explains(place: int) -> None:
    """A condition in which something is told as happened may."""
    graph = made_graph(6, [(5, 0, "explains"), (5, 2, "explains")])
    assert [] == found_by("abductive", told_as(graph, place, modality="asked"))
    assert [] == found_by("abductive", told_as(graph, place, modality="general", marks=["counterfactual"]))
    assert 1 == len(found_by("abductive", told_as(graph, place, marks=["conditional"])))


def test_what_is_explained_where_it_stands_is_no_observation() -> None:
    """An explanation stated beside it leaves nothing latent, however many events lie between."""
    edges = [(5, 0, "explains"), (5, 2, "explains")]
    graph = made_graph(6, edges)
    beside = Record("r-beside", "s", "event", Span(1_900, 1_905, "event"), {"marks": []}, "rule:events")
    stated = edge("s", "r-beside", "r0", "explains", "for", "rule:cues", 0.9)
    records = [*graph.records, beside]
    records.sort(key=lambda record: (record.kind == "event", record.span.start))
    told = replace(graph, records=tuple(records), edges=(*graph.edges, stated))
    assert [] == found_by("abductive", told)


def test_what_is_told_with_its_cause_is_no_observation() -> None:
    """One that says why it happened leaves nothing to infer."""
    graph = made_graph(6, [(5, 0, "explains"), (5, 2, "explains")])
    fields = {"type": "causes", "cue": "lest", "event": "r2"}
    stated = Record("x1", "s", "relation", Span(2 * GAP, 2 * GAP + 5, "event"), fields, "rule:cues")
    assert found_by("abductive", graph)
    assert [] == found_by("abductive", replace(graph, records=(*graph.records, stated)))


def test_a_story_told_twice_in_two_orders_is_no_time_line() -> None:
    """Where an edge as sure puts two of the clues the other way round, their order is not recovered."""
    edges = [(2, 1, "precedes"), (0, 2, "precedes")]
    assert found_by("temporal", made_graph(4, edges))
    assert [] == found_by("temporal", made_graph(4, [*edges, (1, 0, "precedes")]))


def dated_as(graph: EvidenceGraph, dates: dict[int, str]) -> EvidenceGraph:
    """The same graph with a date in some of its events."""
    for place, edtf in dates.items():
        graph = told_as(
            graph, place, also=[{"kind": "time", "start": place * GAP, "end": place * GAP + 4, "edtf": edtf}]
        )
    return graph


@pytest.mark.parametrize(
    ("name", "edges", "early", "late"),
    [
        ("temporal", [(2, 1, "precedes"), (0, 2, "precedes")], 0, 1),
        ("forward", [(0, 1, "causes"), (1, 2, "precedes"), (2, 3, "precedes")], 0, 3),
        ("causal", [(0, 2, "causes"), (1, 2, "causes")], 1, 2),
    ],
)
def test_no_date_refutes_the_order_of_a_trail(
    name: str, edges: list[tuple[int, int, str]], early: int, late: int
) -> None:
    """However its edges join them: of any two clues the one that comes first has no later date."""
    graph = made_graph(5, edges)
    assert found_by(name, dated_as(graph, {early: "1899", late: "1911-07"}))
    assert found_by(name, dated_as(graph, {early: "1911", late: "1911-07"}))
    assert [] == found_by(name, dated_as(graph, {early: "1911-07", late: "1899"}))


def conditions(gap: int, others: list[tuple[str, str]]) -> EvidenceGraph:
    """Ann shares each of three things with Bob, shown `gap` apart, and `others` are more pairs that events touch."""
    pairs = [("Ann", "key"), ("Ann", "lamp"), ("Ann", "rope"), ("Bob", "key"), ("Cy", "lamp"), ("Bob", "rope"), *others]
    names = dict.fromkeys(name for pair in pairs for name in pair)
    entities = [
        Record(
            f"r-{name}",
            "s",
            "entity",
            Span(0, 1, "."),
            {"name": name, "type": "person" if name.istitle() else "thing"},
            "rule:names" if name.istitle() else "rule:things",
        )
        for name in names
    ]
    starts = [place * gap if place < 3 else 50_000 + place * 3_000 for place in range(len(pairs))]
    told = [
        Record(f"r{place}", "s", "event", Span(start, start + 1, "."), {"marks": []}, "rule:events")
        for place, start in enumerate(starts)
    ]
    touching = [
        edge("s", event.id, f"r-{name}", "same_entity", "x", "rule:names", 1.0)
        for event, pair in zip(told, pairs, strict=True)
        for name in pair
    ]
    return EvidenceGraph("s", 100_000, (*entities, *told), tuple(touching))


def test_a_thing_that_satisfies_all_conditions_too_leaves_none_unique() -> None:
    """Every other entity counts, whether it has a name or is a thing; one that satisfies two of three does not."""
    assert [("r-Ann",)] == [found.about for found in found_by("intersection", conditions(4_000, []))]
    two, three = ([(word, "door") for word in words] for words in (("key", "lamp"), ("key", "lamp", "rope")))
    assert [("r-Ann",)] == [found.about for found in found_by("intersection", conditions(4_000, two))]
    assert [] == found_by("intersection", conditions(4_000, three))


def test_what_a_record_tells_counts_though_no_edge_is_kept_of_it() -> None:
    """Bob has the lamp in a record whose edge the bound on volume, or on things an event, left out."""
    graph = conditions(4_000, [])
    bob = Record(
        "r9", "s", "event", Span(90_000, 90_001, "."), {"things": ["r-lamp"], "resolved": ["r-Bob"]}, "rule:events"
    )
    assert [] == found_by("intersection", replace(graph, records=(*graph.records, bob)))
    door = bob._replace(fields={"things": ["r-lamp"], "resolved": ["r-Cy"]})
    assert 1 == len(found_by("intersection", replace(graph, records=(*graph.records, door))))


def test_conditions_that_are_named_alike_are_one() -> None:
    """A key and a key ring may be the same."""
    graph = conditions(4_000, [])
    alike = [
        record._replace(fields={**record.fields, "name": "Key ring"}) if record.id == "r-rope" else record
        for record in graph.records
    ]
    assert [] == found_by("intersection", replace(graph, records=tuple(alike)))


def test_conditions_stand_at_places_of_their_own() -> None:
    """Two of them told at one place are none, unless another event shows one of them elsewhere."""
    assert [] == found_by("intersection", conditions(1_900, []))
    assert 1 == len(found_by("intersection", conditions(1_900, [("Ann", "lamp"), ("Ann", "rope")])))


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
        everyone = [record.id for record in view.graph.records if record.kind == "entity"]
        holders = [
            other
            for other in everyone
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
