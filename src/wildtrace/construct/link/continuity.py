"""Edges of continuity: a record and the entity it names, the attributes of one entity, a part and its whole."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Final

from wildtrace.construct.link.board import Board, edge, surest
from wildtrace.types import Edge, Record

PRONOUN: Final = 0.6
SPOKEN_OF: Final = 0.9
SPEAKER: Final = 0.9
HEARER: Final = 0.55
THING: Final = 0.8
FIRST_THINGS: Final = 3
_CONTAINED: Final = frozenset({"time", "attribute"})


def mentions(board: Board) -> Iterator[Edge]:
    """From every event and quotation, once to each entity it names, surely means by a pronoun, or is spoken by."""
    for event, touched in zip(board.events, board.touches, strict=True):
        asked = event.fields.get
        told = _told_in(board, event)
        if asked("speaker") is None and asked("hearer") is None and len(set(touched)) == len(touched):
            yield from told
        else:  # who speaks may be whom a pronoun means
            yield from surest(told).values()
    for quotation in board.of_kind("quotation"):
        yield from surest(_said_in(board, quotation)).values()


def _told_in(board: Board, event: Record) -> Iterator[Edge]:
    source, known = board.source, board.names
    event_id, asked = event.id, event.fields.get
    for entity in asked("participants", ()):
        own, name = known[entity]
        yield edge(source, event_id, own, "same_entity", name, "rule:names", 1.0)
    for entity in asked("resolved", ()):
        own, name = known[entity]
        yield edge(source, event_id, own, "same_entity", f"a pronoun: {name}", "rule:pronouns", PRONOUN)
    speaker = asked("speaker")
    if speaker is not None and speaker not in event.fields["participants"]:
        own, name = known[speaker]
        yield edge(source, event_id, own, "same_entity", f"spoken by {name}", "rule:speakers", SPEAKER)
    hearer = asked("hearer")
    if hearer is not None and hearer not in event.fields["participants"]:
        own, name = known[hearer]
        yield edge(source, event_id, own, "same_entity", f"spoken to {name}", "rule:speakers", HEARER)
    for entity in asked("things", ())[:FIRST_THINGS]:
        own, name = known[entity]
        yield edge(source, event_id, own, "same_entity", name, "rule:things", THING)


def _said_in(board: Board, quotation: Record) -> Iterator[Edge]:
    source, known = board.source, board.names
    for entity in quotation.fields.get("participants", ()):
        own, name = known[entity]
        yield edge(source, quotation.id, own, "same_entity", name, "rule:names", SPOKEN_OF)
    speaker = quotation.fields.get("speaker")
    if speaker is not None and speaker in known:
        own, name = known[speaker]
        confidence = 0.95 if quotation.fields["basis"] == "named" else PRONOUN
        yield edge(source, quotation.id, own, "same_entity", f"spoken by {name}", "rule:speakers", confidence)


def parts(board: Board) -> Iterator[Edge]:
    """From a speech of nobody, a time, an attribute to the events that they stand in; from an event to its summary.

    A speech with a speaker is joined to what else its speaker says and does; where it stands its offsets tell.
    """
    source = board.source
    starts = [event.span.start for event in board.events]
    for record in board.by_id.values():
        kind = record.kind
        if kind in _CONTAINED or (kind == "quotation" and record.fields["speaker"] is None):
            for event in _around(board.events, starts, record):
                yield edge(source, record.id, event.id, "part_of", "it stands in it", "rule:containment", 1.0)
        elif kind == "summary":
            for event_id in dict.fromkeys(record.fields.get("events", ())):
                if event_id in board.by_id:
                    yield edge(source, event_id, record.id, "part_of", "it is quoted", "rule:containment", 1.0)


def _around(events: Sequence[Record], starts: Sequence[int], record: Record) -> Sequence[Record]:
    """The first and the last event that share text with a record, by the events' starts."""
    start, end = record.span.start, record.span.end
    after = at = bisect_right(starts, start)
    while after < len(starts) and starts[after] < end:  # seldom: most stand in one event
        after += 1
    if not after:
        return ()
    first, last = max(0, at - 1), after - 1
    found = (events[first],) if first == last else (events[first], events[last])
    return [event for event in found if event.span.start < end and start < event.span.end]


def attributes(board: Board) -> Iterator[Edge]:
    """Along the attributes of one entity in one respect; a measurement that differs from the one before contrasts."""
    last: dict[tuple[str, str], Record] = {}
    for record in board.of_kind("attribute"):
        fields = record.fields
        if not fields.get("entity"):
            continue
        yield edge(board.source, record.id, fields["entity"], "same_entity", "it is said of it", "rule:attributes", 0.8)
        respect = (str(fields["entity"]), str(fields.get("dimension") or fields["type"]))
        before = last.get(respect)
        if before is not None:
            differs = fields.get("value") != before.fields.get("value")
            kind = "contrasts" if differs and fields["type"] == "measurement" else "same_attribute"
            yield edge(board.source, before.id, record.id, kind, f"the same {respect[1]}", "rule:attributes", 0.6)
        last[respect] = record
