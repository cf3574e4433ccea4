"""What a stretch has room for: its records within the bound on volume, the least telling left out first.

What is left out of speeches, times and attributes is not lost: the event that holds it tells it among its fields
(`also`), without being a record and an end of edges of its own.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Any, Final

from wildtrace.types import Record

TOLD: Final = frozenset({"quotation", "time", "attribute"})
LONG: Final = 45
LONG_CHINESE: Final = 14
"""A speech of so many code points says something by itself."""
_STATED: Final = 6e6
_SAID: Final = 5e6
_BRIEFLY_SAID: Final = 1e6
_SPEAKER_KNOWN: Final = 1e4
_NAMED_ONLY: Final = frozenset({"participants"})


def fitted(records: Sequence[Record], most: int, *, chinese: bool) -> list[Record]:
    """Records in text order, no more than `most`; each event tells what was left out of its range."""
    unique = list({record.id: record for record in records}.values())
    if len(unique) > most:
        best = ranked(unique, chinese=chinese)
        unique = _telling(best[:most], best[most:])
    return sorted(unique, key=lambda record: (record.span.start, record.span.end, record.id))


def ranked(records: Iterable[Record], *, chinese: bool) -> list[Record]:
    """The records that tell most first; those that tell as much in the order in which they come."""
    long = LONG_CHINESE if chinese else LONG
    return sorted(records, key=lambda record: _weight(record, long), reverse=True)


def without(records: Sequence[Record], gone: Set[str]) -> Sequence[Record]:
    """Records without those of these ids, in their order; each event tells what is gone from its range."""
    left = [record for record in records if record.id in gone]
    return _telling([record for record in records if record.id not in gone], left) if left else records


def _weight(record: Record, long: int) -> float:
    """What is kept first: events and what joins them, dates, states, speech by its length, then what says least."""
    fields = record.fields
    if record.kind == "quotation":
        length = record.span.end - record.span.start
        return (_SAID if length >= long else _BRIEFLY_SAID) + length + (_SPEAKER_KNOWN if fields["speaker"] else 0)
    if record.kind == "time":
        return _STATED if fields["edtf"] else 0.5e6
    if record.kind == "attribute":
        return 2e6 if fields["type"] == "measurement" else _STATED
    if record.kind == "relation":
        return _joining(fields)
    return 8e6


def _joining(fields: Mapping[str, Any]) -> float:
    """A relation of two events tells most, unless it is a contrast; that of one stands in its marks too."""
    if "first" not in fields and "cause" not in fields:
        return 0.0
    return 3e6 if fields["type"] == "contrasts" else 7e6


def _telling(kept: Sequence[Record], left: Sequence[Record]) -> list[Record]:
    """The kept records, events with what was left out and begins in them."""
    events = sorted((record for record in kept if record.kind == "event"), key=lambda record: record.span.start)
    starts = [record.span.start for record in events]
    also: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for record in sorted(left, key=lambda record: record.span.start):
        place = bisect_right(starts, record.span.start) - 1
        if record.kind in TOLD and place >= 0 and record.span.start < events[place].span.end:
            also[events[place].id].append(_entry(record))
    return [_told_with(record, also[record.id]) if record.id in also else record for record in kept]


def _told_with(event: Record, more: Sequence[Mapping[str, Any]]) -> Record:
    """An event that tells this besides what it told before, in text order."""
    told = sorted([*event.fields.get("also", ()), *more], key=lambda entry: entry["start"])
    return event._replace(fields={**event.fields, "also": told})


def _entry(record: Record) -> dict[str, Any]:
    fields: Mapping[str, Any] = {name: value for name, value in record.fields.items() if name not in _NAMED_ONLY}
    return {"kind": record.kind, "start": record.span.start, "end": record.span.end, **fields}
