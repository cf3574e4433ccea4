"""What a scene speaks of, and what fills the room that the rules leave."""

from __future__ import annotations

import pytest

from tests.construct.induced import records_of
from tests.construct.story import chinese_story, english_story
from wildtrace.construct.extract.identity import record
from wildtrace.construct.link.board import Board, lay_out
from wildtrace.construct.link.further import further
from wildtrace.construct.link.scenes import MOST_TOPICS, REACH, WIDEST_SHARE, topics
from wildtrace.types import Record, Span

ENGLISH, CHINESE = english_story(), chinese_story()
STORIES = pytest.mark.parametrize("text", [ENGLISH, CHINESE], ids=["english", "chinese"])


def board_of(text: str) -> Board:
    """A text's records laid out."""
    records = sorted(records_of(text), key=lambda one: (one.span.start, one.span.end, one.id))
    return lay_out("source", records)


def told(board: Board, entity: str, place: int) -> list[int]:
    """How far off the units around a place are that speak of an entity."""
    near = range(max(0, place - REACH), min(len(board.events), place + REACH + 1))
    return [abs(other - place) for other in near if other != place and entity in board.touches[other]]


@STORIES
def test_a_topic_is_spoken_of_around_an_event_and_not_in_it(text: str) -> None:
    """By the unit beside it or by two of those around it, and by no more than a fifth of all events."""
    board = board_of(text)
    found = list(topics(board))
    assert len(board.events) == len(found)
    assert any(found)
    for place, entities in enumerate(found):
        assert len(entities) <= MOST_TOPICS
        for entity in entities:
            assert entity not in board.touches[place]
            assert 1 in told(board, entity, place) or len(told(board, entity, place)) > 1
            assert len(board.events_of[entity]) <= WIDEST_SHARE * len(board.events)


def told_of(things: list[str]) -> Board:
    """A board of an event for each group of letters: `fg` speaks of f and of g; every unit is 100 long."""
    text = "." * 100 * len(things)
    letters = {letter: f"thing {letter}" for letter in dict.fromkeys("".join(things))}
    entities = [
        record("source", "entity", Span.of(text, at, at + 1), {"name": name, "type": "thing"}, "rule:things", name)
        for at, name in enumerate(letters.values())
    ]
    ids = {letter: one.id for letter, one in zip(letters, entities, strict=True)}
    events = [
        record(
            "source",
            "event",
            Span.of(text, 100 * at, 100 * at + 99),
            {"participants": [], "things": [ids[letter] for letter in spoken_of]},
            "rule:events",
        )
        for at, spoken_of in enumerate(things)
    ]
    return lay_out("source", [*entities, *events])


def named(board: Board) -> list[str]:
    """The last letters of the names of every event's topics."""
    return ["".join(str(board.by_id[entity].fields["name"])[-1] for entity in found) for found in topics(board)]


def test_a_scene_s_subject_is_told_from_what_is_named_in_passing() -> None:
    """F is named on both sides of the third unit; g, named once, is a topic of the units beside it alone."""
    board = told_of(["f", "fg", "", "f", *[""] * 20])
    assert ["g", "", "fg", "", "f"] == named(board)[:5]


def test_what_is_spoken_of_everywhere_is_no_scene_s_subject() -> None:
    """T stands in every other unit; the rarer r in one."""
    board = told_of(["t", "", "t", "r", *["t", ""] * 8])
    assert ["", "r", "r"] == [named(board)[place] for place in (1, 2, 4)]


@STORIES
def test_further_edges_fill_the_room_and_no_more(text: str) -> None:
    """As many as there is room for, the first ranks first: what is drawn with less room is drawn with more."""
    board = board_of(text)
    all_of_them = list(further(board, 100_000))
    for room in (0, 1, 7, len(all_of_them) // 2):
        some = list(further(board, room))
        assert min(room, len(all_of_them)) == len(some)
    rank = {edge.id: place for place, edge in enumerate(all_of_them)}
    half = [rank[edge.id] for edge in further(board, len(all_of_them) // 2)]
    assert max(half) < len(all_of_them)
    assert {"rule:scenes"} == {edge.provenance for edge in further(board, 1)}


@STORIES
def test_further_edges_say_what_they_are(text: str) -> None:
    """A scene's edge is a part of what is told of a thing, and a doubtful pronoun waits for a person."""
    board = board_of(text)
    entities = {one.id for one in board.of_kind("entity")}
    for edge in further(board, 100_000):
        assert edge.tail in entities
        assert ("part_of" if edge.provenance == "rule:scenes" else "same_entity") == edge.type
        assert ("review" if edge.provenance == "rule:pronouns" else "kept") == edge.status
        assert str(board.by_id[edge.tail].fields["name"]) in edge.basis


def test_what_a_relation_s_ends_speak_of_it_speaks_of_too() -> None:
    """The relation that `because` states is joined to the letter that one of its ends names."""
    board = board_of(ENGLISH)
    names = {one.id: one.fields["name"] for one in board.of_kind("entity")}

    def ends(relation: Record) -> set[str]:
        places = [board.place_of[relation.fields[end]] for end in ("first", "second")]
        return {entity for place in places for entity in board.touches[place]}

    joined = [edge for edge in further(board, 100_000) if edge.provenance == "rule:relations"]
    assert "letter" in {names[edge.tail] for edge in joined}
    assert all(edge.tail in ends(board.by_id[edge.head]) for edge in joined)
