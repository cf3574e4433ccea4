"""Edges of time: what happens next to the same persons, what a pluperfect puts before, what dates put in order."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from wildtrace.build.link.board import Board, edge
from wildtrace.text.dates import sort_key
from wildtrace.types import Edge

_NEXT: Final = 0.4
_WIDEST: Final = 1600
_RARE: Final = 15
_THREAD: Final = 80
_THREAD_GAP: Final = 12


def succession(board: Board) -> Iterator[Edge]:
    """From an event to the next; backwards where the later is told as earlier."""
    for event, following in pairwise(board.events):
        if following.span.start - event.span.end > _WIDEST:
            continue
        if following.fields.get("earlier") and not event.fields.get("earlier"):
            yield edge(board.source, following.id, event.id, "precedes", "told as past already", "rule:tense", 0.7)
        else:
            yield edge(board.source, event.id, following.id, "precedes", "told next", "rule:succession", _NEXT)


def threads(board: Board) -> Iterator[Edge]:
    """To every event from the last one that spoke of the same rare thing, where that is far off and not told as past.

    One for an event, along the rarest of what it speaks of: what is named often joins its mentions by itself. An end of
    a stated relation, and what is told before its past, may follow more common things.
    """
    last: dict[str, int] = {}
    turning = _turning(board)
    for place, following in enumerate(board.events):
        widest = _THREAD if place in turning else _RARE
        held = [entity for entity in board.touches[place] if len(board.events_of[entity]) <= _THREAD]
        far = [
            entity
            for entity in held
            if place - last.get(entity, place) >= _THREAD_GAP and len(board.events_of[entity]) <= widest
        ]
        if far and not following.fields.get("earlier"):
            rarest = max(far, key=lambda entity: (board.weight[entity], entity))
            earlier, basis = board.events[last[rarest]], f"next told of {board.by_id[rarest].fields['name']}"
            yield edge(board.source, earlier.id, following.id, "precedes", basis, "rule:threads", 0.42)
        last.update(dict.fromkeys(held, place))


def _turning(board: Board) -> set[int]:
    """The places of the ends of stated relations, and of the events that are told right before what was before them."""
    ends = {str(record.fields.get(end)) for record in board.of_kind("relation") for end in ("first", "second")}
    before = {place - 1 for place, event in enumerate(board.events) if event.fields.get("earlier")}
    return before | {board.place_of[end] for end in ends if end in board.place_of}


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
