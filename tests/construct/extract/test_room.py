"""What is kept where a stretch has more records than room, and where the rest is told."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.construct.induced import records_of
from wildtrace.construct.extract.identity import record
from wildtrace.construct.extract.room import fitted, without
from wildtrace.types import Record, Span

TEXT = "She said she would come on the next day, and so he waited at the old mill by the river until it was night."


def made(kind: str, start: int, end: int, **fields: Any) -> Record:
    """A record of some words of the text."""
    return record("source", kind, Span.of(TEXT, start, end), fields, "rule:made", str(fields))


EVENTS = [made("event", 0, 39, participants=[]), made("event", 41, 106, participants=[])]
SPEECH = [
    made("quotation", 9, 39, speaker=None, basis="unknown"),
    made("quotation", 50, 60, speaker="r1", basis="turn"),
]
TIME = made("time", 28, 39, type="relative", edtf=None, shift=1)
DATE = made("time", 99, 106, type="date", edtf="1870-06-21")


def test_what_fits_is_left_alone() -> None:
    """Nothing is changed where there is room; records stand in text order."""
    assert [EVENTS[0], TIME, EVENTS[1]] == fitted([*EVENTS, TIME], 3, chinese=False)


def test_an_event_tells_what_had_no_room() -> None:
    """With its kind, its place and its fields; a record that begins in no event is gone."""
    first, second = fitted([*EVENTS, *SPEECH], 2, chinese=False)
    assert first.fields["also"] == [{"kind": "quotation", "start": 9, "end": 39, "speaker": None, "basis": "unknown"}]
    assert [(50, 60, "r1")] == [(one["start"], one["end"], one["speaker"]) for one in second.fields["also"]]
    assert EVENTS[0].id == first.id


def test_an_event_tells_what_goes_later_besides_what_had_no_room() -> None:
    """In text order, as if both had gone at once; where nothing goes, nothing changes."""
    kept = fitted([*EVENTS, *SPEECH, TIME, DATE], 4, chinese=False)
    assert fitted([*EVENTS, *SPEECH, TIME, DATE], 2, chinese=False) == list(
        without(kept, {one.id for one in kept if one.kind != "event"})
    )
    assert kept is without(kept, {TIME.id, "r0"} - {one.id for one in kept})


def test_dates_are_kept_before_relative_times() -> None:
    """An unresolved relative time is told by its event first."""
    kept = fitted([*EVENTS, TIME, DATE], 3, chinese=False)
    assert DATE in kept
    assert TIME not in kept


def test_a_speech_with_a_speaker_comes_first() -> None:
    """Of two brief ones."""
    kept = fitted([*EVENTS, *SPEECH], 3, chinese=False)
    assert ["r1"] == [one.fields["speaker"] for one in kept if one.kind == "quotation"]


@given(st.lists(st.sampled_from([*EVENTS, *SPEECH, TIME, DATE])), st.integers(1, 6))
def test_the_bound_holds(records: list[Record], most: int) -> None:
    """Whatever comes, no more than the bound, each once."""
    kept = fitted(records, most, chinese=True)
    assert len({one.id for one in kept}) == len(kept) == min(most, len({one.id for one in records}))


def test_every_speech_is_told_in_crowded_dialogue() -> None:
    """Chinese talk with a speech in every ten characters: each is a record, or told by an event."""
    said = [f"{name}道：“{number}日再来。”" for number in "一二三四五六七八九十" * 4 for name in ("王安", "李成")]
    text = "".join(said)
    records = records_of(text)
    starts = {one.span.start for one in records if one.kind == "quotation"}
    starts |= {
        entry["start"] for one in records for entry in one.fields.get("also", ()) if entry["kind"] == "quotation"
    }
    assert {place + 1 for place, mark in enumerate(text) if mark == "“"} == starts
    assert 15 * len(text) / 1000 >= len(records)
