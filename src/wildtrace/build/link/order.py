"""Edges of time: what happens next to the same persons, what a pluperfect puts before, what dates put in order."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
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
_sort_key: Final = lru_cache(maxsize=1 << 14)(sort_key)  # a document names most of its dates again and again


def succession(board: Board) -> Iterator[Edge]:
    """From an event to the next; backwards where the later is told as earlier."""
    source = board.source
    for event, following in pairwise(board.events):
        if following.span.start - event.span.end > _WIDEST:
            continue
        if following.fields.get("earlier") and not event.fields.get("earlier"):
            yield edge(source, following.id, event.id, "precedes", "told as past already", "rule:tense", 0.7)
        else:
            yield edge(source, event.id, following.id, "precedes", "told next", "rule:succession", _NEXT)


def threads(board: Board) -> Iterator[Edge]:
    """To every event from the last one that spoke of the same rare thing, where that is far off and not told as past.

    One for an event, along the rarest of what it speaks of: what is named often joins its mentions by itself. An end of
    a stated relation, and what is told before its past, may follow more common things.
    """
    last: dict[str, int] = {}
    turning = _turning(board)
    weight, before = board.weight, last.get
    counts = {entity: len(places) for entity, places in board.events_of.items() if len(places) <= _THREAD}
    for place, (following, touched) in enumerate(zip(board.events, board.touches, strict=True)):
        widest, far = _THREAD if place in turning else _RARE, place - _THREAD_GAP
        rarest, rarity = "", 0.0
        for entity in touched:
            count = counts.get(entity)
            if count is None:
                continue
            if count <= widest and before(entity, place) <= far and (weight[entity], entity) > (rarity, rarest):
                rarest, rarity = entity, weight[entity]
        if rarest and not following.fields.get("earlier"):
            basis = f"next told of {board.by_id[rarest].fields['name']}"
            yield edge(
                board.source, board.events[last[rarest]].id, following.id, "precedes", basis, "rule:threads", 0.42
            )
        for entity in touched:
            if entity in counts:
                last[entity] = place


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
        key = _sort_key(record.fields.get("edtf"))
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
    return 0 not in next(((a, b) for a, b in zip(one, other, strict=True) if a != b), (1, 1))
