"""The edges that rules draw, their direction, basis and volume."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.construct.induced import graph_of, names_of, records_of
from tests.construct.story import chinese_story, english_story
from wildtrace.construct.extract.identity import record
from wildtrace.construct.link import distant
from wildtrace.construct.link.board import edge as joined
from wildtrace.construct.link.board import lay_out, one_way, surest
from wildtrace.construct.link.graph import MOST, link
from wildtrace.types import EDGE_TYPES, Edge, EvidenceGraph, Span

ENGLISH, CHINESE = english_story(), chinese_story()
STORIES = pytest.mark.parametrize("text", [ENGLISH, CHINESE], ids=["english", "chinese"])


def quotes(graph: EvidenceGraph, edge: Edge) -> tuple[str, str]:
    """The quotes of an edge's ends, head first."""
    by_id = {record.id: " ".join(record.span.quote.split()) for record in graph.records}
    return by_id[edge.head], by_id[edge.tail]


@STORIES
def test_every_edge_is_grounded_at_both_ends(text: str) -> None:
    """Ends are records, types are known, and basis, provenance and confidence are there."""
    graph = graph_of(text)
    ids = {record.id for record in graph.records}
    for edge in graph.edges:
        assert {edge.head, edge.tail} <= ids
        assert edge.type in EDGE_TYPES
        assert edge.basis
        assert edge.provenance
        assert 0 < edge.confidence <= 1


@STORIES
def test_volume_is_bounded(text: str) -> None:
    """At most 60 edges for 1,000 code points, each once."""
    graph = graph_of(text)
    assert 60 * len(text) / 1000 >= len(graph.edges)
    assert len(graph.edges) == len({edge.id for edge in graph.edges})


def test_the_least_sure_edges_go_first() -> None:
    """Where there are too many, what is kept is at least as sure as what is not."""
    text = "Jack Tanner saw Mary Lee. He left Mary Lee with Jack Tanner and Henry Orme and Walter Orme. " * 60
    records = records_of(text)
    whole = link("source", 10 * len(text), records).edges
    few = link("source", len(text) // 4, records).edges
    assert int(MOST * (len(text) // 4) / 1000) == len(few)
    kept = {edge.id for edge in few}
    assert min(edge.confidence for edge in few) >= max(edge.confidence for edge in whole if edge.id not in kept)


def test_a_cause_leads_to_its_effect() -> None:
    """The edge of `because` comes from the clause behind it, that of `therefore` from the clause before it."""
    graph = graph_of(ENGLISH)
    ends = [quotes(graph, edge) for edge in graph.edges if edge.type == "causes"]
    assert any(one.startswith("because she wanted") and other.endswith("burnt the letter") for one, other in ends)
    assert any(other.startswith("therefore nobody asked") for _, other in ends)


def test_chinese_causes_have_their_direction() -> None:
    """所以: what stands before it is the cause."""
    graph = graph_of(CHINESE)
    ends = [quotes(graph, edge) for edge in graph.edges if edge.type == "causes"]
    assert any("账本失落" in one and other.startswith("所以") for one, other in ends)


def test_dates_order_what_they_date() -> None:
    """1858 precedes 1861, though it is told later."""
    graph = graph_of(ENGLISH)
    dated = [quotes(graph, edge) for edge in graph.edges if edge.provenance == "rule:dates"]
    assert any("1858" in one and "1861" in other for one, other in dated)


VALID = """The manual of the vessel was audited on 14 September 2008 by two inspectors of the office and was
valid until 13 September 2013 for every voyage of the company.

In May 2011 the office of the harbour in the capital published a long warning about such manuals and sent it to
every owner in the country and to all masters.

The mate joined the vessel on 3 June 2014 at the northern wharf after two years on another vessel of the same
company and its many owners. He had read the warning in the office.
"""


def test_an_event_with_two_dates_is_before_what_follows_both() -> None:
    """Nor after what lies between them: what is valid until 2013 was not told to come after 2011."""
    graph = graph_of(VALID + "\nThe yard stayed quiet, and nobody moved.\n" * 60)
    dated = [edge for edge in graph.edges if edge.provenance == "rule:dates"]
    assert {"2011-05 is before 2014-06-03", "../2013-09-13 is before 2014-06-03"} == {edge.basis for edge in dated}


def test_dates_against_the_text_leave_no_order_of_telling() -> None:
    """Neither to what is told next nor to what is told next of the same thing."""
    graph = graph_of(
        "The old lantern over the door of the mill was lit by Jack Tanner himself on 4 May 1871, when the river rose "
        "over the lower fields.\n\nThe old lantern over the door of the mill was bought by Mary Lee on 3 May 1870, as "
        "the fair was held on the green.\n" + "\nThe yard stayed quiet, and nobody moved.\n" * 60
    )
    order = [quotes(graph, edge) for edge in graph.edges if edge.type == "precedes" and edge.provenance == "rule:dates"]
    told = [quotes(graph, edge) for edge in graph.edges if edge.type == "precedes"]
    ((first, second),) = order
    assert ("1870" in first, "1871" in second) == (True, True)
    assert (second, first) not in told


def test_an_order_gives_way_to_a_stated_cause_and_to_a_surer_order() -> None:
    """Of two edges that put two events the other way round one is left; what waits for review puts nothing aside."""
    next_one = joined("s", "a", "b", "precedes", "told next", "rule:succession", 0.4)
    tense = joined("s", "b", "a", "precedes", "told as past", "rule:tense", 0.7)
    cause = joined("s", "a", "b", "causes", "because", "rule:cues", 0.9)
    assert [tense] == list(one_way(surest([next_one, tense])).values())
    assert [cause] == list(one_way(surest([tense, cause])).values())
    waiting = cause._replace(status="review")
    assert [tense, waiting] == list(one_way(surest([tense, waiting])).values())


REPORT = """On 17 September 2021 the train was shunted. At 1905 the driver left the mess room.

From 1740 to 1805, the operator inspected the wagons. Between 1600 and 1700 the crew rested in the mess room.

The wagon was built in 1965 by the workshop. It was rebuilt in 1990, and from 2015 until 2021 it was stored.
"""


def test_hours_of_a_report_put_nothing_in_order() -> None:
    """`From 1740 to 1805` in a report that tells the hour so is no year before 1965."""
    graph = graph_of(REPORT + "\nThe yard stayed quiet, and nobody moved.\n" * 60)
    dated = [edge.basis for edge in graph.edges if edge.provenance == "rule:dates"]
    assert ["1990 is before 2021-09-17"] == dated
    hours = [record.fields["edtf"] for record in graph.records if record.fields.get("type") == "clock"]
    assert ["T19:05", "T17:40", "T18:05", "T16:00", "T17:00"] == hours


def test_an_explanation_reaches_back_to_what_puzzled() -> None:
    """`She confessed ... that the letter` explains what was strange about the letter, scenes before."""
    graph = graph_of(ENGLISH)
    explained = [quotes(graph, edge) for edge in graph.edges if edge.provenance == "rule:explanations"]
    assert any("She confessed" in one and "strange" in other for one, other in explained)


def test_names_that_share_a_word_are_one_thing_in_common() -> None:
    """吊膀 and 膀子 are two halves of one word, Astrolabe Reef and reef are one rock."""
    names = ("吊膀", "膀子", "Astrolabe Reef", "reef", "公馆")
    text = "".join(names)
    records = [
        record(
            "s", "entity", Span.of(text, text.index(name), text.index(name) + len(name)), {"name": name}, "rule:things"
        )
        for name in names
    ]
    board = lay_out("s", records)
    board = replace(board, weight={one.id: float(9 - place) for place, one in enumerate(records)})
    distinct = distant._distinct(board, [one.id for one in records])
    assert ["吊膀", "Astrolabe Reef", "公馆"] == [board.by_id[one].fields["name"] for one in distinct]


@STORIES
def test_far_claims_rest_on_what_is_seldom_told(text: str) -> None:
    """An explanation, a parallel or a far branch joins two events that both speak of two things at least."""
    graph = graph_of(text)
    far = [edge for edge in graph.edges if edge.provenance in ("rule:explanations", "rule:parallels")]
    assert all(edge.basis.startswith("both speak of ") and ", " in edge.basis for edge in far)


def test_a_branch_is_an_alternative_of_what_happened() -> None:
    """`If Mr. Lewis had received the letter` stands against an event that is told as real."""
    graph = graph_of(ENGLISH)
    branches = [quotes(graph, edge) for edge in graph.edges if edge.type == "alternative_of"]
    assert any("would have stopped" in one and "would have" not in other for one, other in branches)


def test_an_ambiguous_pronoun_is_for_review() -> None:
    """`He` after two men is not decided: the edge to the one named last waits for a person."""
    text = "When Mr. Orme met Mr. Lewis at noon he was angry with him, and his brother too. " * 4
    text += (
        "Then at last he spoke of the bridge and of the price of barley, and of nothing else for an hour, "
        "until everybody in the room had gone to bed. "
    )
    graph = graph_of(text)
    unsure = [edge for edge in graph.edges if edge.status == "review"]
    names = names_of(list(graph.records))
    assert {"Mr Lewis"} == {names[edge.tail] for edge in unsure}
    assert all(edge.provenance == "rule:pronouns" for edge in unsure)
