"""Edges of time: what happens next to the same persons, what a pluperfect puts before, what dates put in order."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from wildtrace.construct.link.board import Board, edge
from wildtrace.types import Edge

_NEXT: Final = 0.4
_WIDEST: Final = 1600
_RARE: Final = 15
_THREAD: Final = 80
_THREAD_GAP: Final = 12


def succession(board: Board) -> Iterator[Edge]:
    """From an event to the next; backwards where the later is told as earlier."""
    source = board.source
    for event, following in pairwise(board.events):
        if following.span.start - event.span.end > _WIDEST:
            continue
        back = following.fields.get("earlier") and not event.fields.get("earlier")
        head, tail = (following.id, event.id) if back else (event.id, following.id)
        if _refuted(board, head, tail):
            continue
        if back:
            yield edge(source, head, tail, "precedes", "told as past already", "rule:tense", 0.7)
        else:
            yield edge(source, head, tail, "precedes", "told next", "rule:succession", _NEXT)


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
        head = board.events[last[rarest]].id if rarest else ""
        if rarest and not following.fields.get("earlier") and not _refuted(board, head, following.id):
            basis = f"next told of {board.by_id[rarest].fields['name']}"
            yield edge(board.source, head, following.id, "precedes", basis, "rule:threads", 0.42)
        for entity in touched:
            if entity in counts:
                last[entity] = place


def _turning(board: Board) -> set[int]:
    """The places of the ends of stated relations, and of the events that are told right before what was before them."""
    ends = {str(record.fields.get(end)) for record in board.of_kind("relation") for end in ("first", "second")}
    before = {place - 1 for place, event in enumerate(board.events) if event.fields.get("earlier")}
    return before | {board.place_of[end] for end in ends if end in board.place_of}


def dates(board: Board) -> Iterator[Edge]:
    """From every dated event to the next one that surely happened later."""
    order = sorted(board.when.items(), key=lambda entry: (entry[1].first, entry[1].last, board.place_of[entry[0]]))
    firsts = [when.first for _, when in order]
    for head, when in order:
        later = bisect_right(firsts, when.last)
        if later < len(order):
            tail, next_when = order[later]
            basis = f"{when.until} is before {next_when.since}"
            yield edge(board.source, head, tail, "precedes", basis, "rule:dates", 0.9)


def _refuted(board: Board, head: str, tail: str) -> bool:
    """Whether dates say that the tail was before the head."""
    one, other = board.when.get(head), board.when.get(tail)
    return one is not None and other is not None and other.before(one)
