"""When events happened, as far as the dates that stand in them tell: never closer than the dates are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from wildtrace.text.dates import Day, extent
from wildtrace.types import Record


class When(NamedTuple):
    """The first and the last day that an event can have happened on, and the dates that say so."""

    first: Day
    last: Day
    since: str
    until: str

    def before(self, other: When) -> bool:
        """Whether all of it surely lies before all of the other."""
        return self.last < other.first


def dated(events: Sequence[Record], times: Sequence[Record]) -> dict[str, When]:
    """When each event with a date happened, by id; both in text order. An event with several dates spans them all."""
    found: dict[str, When] = {}
    for event, edtf in _told(events, times):
        days = extent(edtf)
        if days is None:
            continue
        known = found.get(event)
        here = When(*days, edtf, edtf)
        found[event] = here if known is None else _both(known, here)
    return found


def _both(one: When, other: When) -> When:
    early, late = min(one, other), max(one, other, key=lambda when: when.last)
    return When(early.first, late.last, early.since, late.until)


def _told(events: Sequence[Record], times: Sequence[Record]) -> Iterator[tuple[str, str]]:
    """Every event with a date in it, kept as a record of its own or not."""
    place = 0
    for record in times:
        edtf = record.fields.get("edtf")
        if not edtf or not events:
            continue
        while place + 1 < len(events) and events[place + 1].span.start <= record.span.start:
            place += 1
        if events[place].span.start <= record.span.start < events[place].span.end:
            yield events[place].id, edtf
    for event in events:
        also: Sequence[Mapping[str, Any]] = event.fields.get("also", ())
        yield from ((event.id, entry["edtf"]) for entry in also if entry["kind"] == "time" and entry.get("edtf"))
