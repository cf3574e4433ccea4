"""When events happened, as far as the dates that stand in them tell: never closer than the dates are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from wildtrace.languages.reaches import FIRST, LAST, Day, extent
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
    found: defaultdict[str, list[When]] = defaultdict(list)
    for event, edtf in _told(events, times):
        days = extent(edtf)
        if days is not None:
            found[event].append(When(*days, edtf, edtf))
    return {event: dates[0] if len(dates) == 1 else _spanned(dates) for event, dates in found.items()}


def _spanned(dates: Sequence[When]) -> When:
    """From the first to the last of several dates; one open towards the past or later reaches to another date there."""
    early = min(dates, key=lambda when: (when.first == FIRST, when.first))
    late = max(dates, key=lambda when: (when.last != LAST, when.last))
    for when in dates:
        if when.first == FIRST and when.last < early.first:
            early = when
        if when.last == LAST and late.last < when.first:
            late = when
    return When(early.first, late.last, early.since, late.until)


def _told(events: Sequence[Record], times: Sequence[Record]) -> Iterator[tuple[str, str]]:
    """Every event with a date in it, kept as a record of its own or not."""
    place = 0
    for record in times:
        edtf = _value(record.fields)
        if edtf is None or not events:
            continue
        while place + 1 < len(events) and events[place + 1].span.start <= record.span.start:
            place += 1
        if events[place].span.start <= record.span.start < events[place].span.end:
            yield events[place].id, edtf
    for event in events:
        also: Sequence[Mapping[str, Any]] = event.fields.get("also", ())
        dates = (_value(entry) for entry in also if entry["kind"] == "time")
        yield from ((event.id, edtf) for edtf in dates if edtf is not None)


def _value(fields: Mapping[str, Any]) -> str | None:
    """How far a date reaches, where words beside it say so, else the date."""
    return fields.get("reach") or fields.get("edtf")
