"""Edges of time: what happens next to the same persons, what a pluperfect puts before, what dates put in order."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from wildtrace.build.link.board import Board, edge
from wildtrace.text.dates import sort_key
from wildtrace.types import Edge

AHEAD: Final = 8
_NEXT: Final = (0.4, 0.3, 0.3)
_WIDEST: Final = 1600
_THREAD: Final = 80
_THREAD_GAP: Final = 12


def succession(board: Board) -> Iterator[Edge]:
    """From an event to the next, and to the next of its entities; backwards where the later is told as earlier.

    A speaker's words reach one further event of the same speaker, past the answers between.
    """
    earlier = [bool(event.fields.get("earlier")) for event in board.events]
    for place, event in enumerate(board.events):
        for rank, other in enumerate(_next(board, place)):
            following = board.events[other]
            if earlier[other] and not earlier[place]:
                yield edge(board.source, following.id, event.id, "precedes", "told as past already", "rule:tense", 0.7)
            else:
                yield edge(
                    board.source, event.id, following.id, "precedes", "told next", "rule:succession", _NEXT[rank]
                )


def _next(board: Board, place: int) -> list[int]:
    """The events that follow one: the next, the next of its entities, the next but one of its speaker."""
    touched = set(board.touches[place])
    event = board.events[place]
    speaker = event.fields.get("speaker")
    chosen: list[int] = []
    for other in range(place + 1, min(place + 1 + AHEAD, len(board.events))):
        following = board.events[other]
        if following.span.start - event.span.end > _WIDEST or len(chosen) == len(_NEXT):
            break
        same_speaker = speaker is not None and following.fields.get("speaker") == speaker
        if not chosen or (len(chosen) == 1 and not touched.isdisjoint(board.touches[other])) or same_speaker:
            chosen.append(other)
    return chosen


def threads(board: Board) -> Iterator[Edge]:
    """Along the far events of a rare entity, from each to the next one, unless that is told as past."""
    for entity, places in board.events_of.items():
        if not 1 < len(places) <= _THREAD:
            continue
        name = board.by_id[entity].fields["name"]
        for place, other in pairwise(places):
            following = board.events[other]
            if other - place < _THREAD_GAP or following.fields.get("earlier"):
                continue
            yield edge(
                board.source,
                board.events[place].id,
                following.id,
                "precedes",
                f"next told of {name}",
                "rule:threads",
                0.42,
            )


def dates(board: Board) -> Iterator[Edge]:
    """Along the dated events in the order of their dates, each to the next one with a later date."""
    dated: list[tuple[tuple[int, int, int], int, str, str]] = []
    events = board.events
    place = 0
    for record in board.of_kind("time"):
        key = sort_key(record.fields.get("edtf"))
        if key is None:
            continue
        while place + 1 < len(events) and events[place + 1].span.start <= record.span.start:
            place += 1
        if events and events[place].span.start <= record.span.start < events[place].span.end:
            dated.append((key, place, events[place].id, str(record.fields["edtf"])))
    dated.sort()
    for (key, _, head, one), (later, _, tail, other) in pairwise(dated):
        if later > key and head != tail and _tells(key, later):
            yield edge(board.source, head, tail, "precedes", f"{one} is before {other}", "rule:dates", 0.9)


def _tells(one: tuple[int, int, int], other: tuple[int, int, int]) -> bool:
    """Whether two dates are surely in order: one does not lie inside the other's open part (2011 and 2011-10)."""
    return not any(
        a != b and 0 in (a, b) and one[:at] == other[:at] for at, (a, b) in enumerate(zip(one, other, strict=True))
    )
