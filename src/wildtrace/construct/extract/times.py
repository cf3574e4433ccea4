"""Time records: every mention of a time, normalised, and relative ones anchored where the text near by says to what.

What the story tells of itself (`the next day`, 次日) counts from the date that it has reached, which such a mention
moves on; what somebody speaks of (`to-morrow`, 昨日) only from a date of its own paragraph. A count that the text
leaves open (`some days later`, 數日後) breaks the chain. A lunar month and day without a year belongs to the lunar year
stated a little before, unless the months have run backwards since.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

from wildtrace.construct.extract.identity import record
from wildtrace.construct.extract.page import Page
from wildtrace.languages.dates import TimeMention, resolved
from wildtrace.languages.reaches import reach
from wildtrace.languages.zh.calendar import FIRST_SOLAR
from wildtrace.languages.zh.lunar import LunarDate, edtf
from wildtrace.types import Record, Span

PROVENANCE = "rule:times"
_REACH: Final = 3000
_LUNAR_REACH: Final = 600
_DAY_LENGTH: Final = len("XXXX-MM-DD")

Anchor = tuple[int, str]
"""Where a date is mentioned on the page, and its EDTF value."""


@dataclass(slots=True)
class _Reached:
    """The dates that the text has reached: the last day told, the last date of any precision, the lunar year."""

    day: Anchor | None = None
    date: Anchor | None = None
    lunar: tuple[int, LunarDate] | None = None

    def note(self, place: int, value: str | None) -> None:
        """The text has come to a date; None breaks the chain."""
        self.date = None if value is None else (place, value)
        if value is None or (len(value) == _DAY_LENGTH and resolved(value, 0)):
            self.day = self.date

    def lunar_date(self, mention: TimeMention) -> LunarDate | None:
        """A lunar date in the year stated a little before; None without one, or where the months ran backwards."""
        told = mention.lunar
        if told is None or told.year is not None or self.lunar is None or told.month is None:
            return told
        place, last = self.lunar
        near = mention.start - place <= _LUNAR_REACH and (last.year or FIRST_SOLAR) < FIRST_SOLAR
        if not near or told.month < (last.month or 0):
            self.lunar = None
            return told
        return replace(told, year=last.year)


def time_records(source: str, page: Page) -> Iterator[Record]:
    """The records of a page's times, in order."""
    reached = _Reached()
    starts = [start for start, _ in page.paragraphs]
    for mention in page.times:
        start, end, kind, value, *_ = mention
        fields: dict[str, Any] = {"type": kind, "edtf": value}
        if kind == "date":
            fields |= _date_fields(page, mention, reached)
        elif kind == "relative":
            fields |= _relative_fields(page, mention, reached, starts)
        span = Span.of(page.text, start, end, page.offset)
        yield record(source, "time", span, fields, PROVENANCE)


def _date_fields(page: Page, mention: TimeMention, reached: _Reached) -> dict[str, Any]:
    """What a date adds to its record, and to what the text has reached."""
    value = mention.edtf
    if mention.lunar is None:
        reached.note(mention.start, value)
        return _reach(page, mention, value)
    fields: dict[str, Any] = {}
    lunar = reached.lunar_date(mention)
    if lunar is not None and lunar.month is not None:
        fields["lunar"] = lunar.told()
        if mention.lunar is not lunar and reached.lunar is not None:
            value = edtf(lunar)
            fields |= {"edtf": value, "anchor": page.offset + reached.lunar[0]}
    if lunar is not None and lunar.year is not None:
        place = mention.start if mention.lunar is lunar or reached.lunar is None else reached.lunar[0]
        reached.lunar = (place, lunar)
    reached.note(mention.start, value)
    return fields | _reach(page, mention, value)


def _reach(page: Page, mention: TimeMention, value: str | None) -> dict[str, Any]:
    """How far a date with a year reaches by the words beside it."""
    if value is None or value.startswith("X"):
        return {}
    told = reach(page.text, mention.start, mention.end, value)
    return {} if told is None else {"reach": told}


def _relative_fields(page: Page, mention: TimeMention, reached: _Reached, starts: list[int]) -> dict[str, Any]:
    """The shift of a relative time, and its date where one near by anchors it."""
    if mention.shift is None:
        if mention.unit != "hour":
            reached.note(mention.start, None)
        return {}
    anchor = reached.date if mention.unit in ("month", "year") else reached.day
    paragraph = starts[max(0, bisect_right(starts, mention.start) - 1)]
    least = paragraph if mention.spoken else mention.start - _REACH
    value = resolved(anchor[1], mention.shift, mention.unit) if anchor and anchor[0] >= least else None
    if not mention.spoken and mention.shift >= 0 and (value or mention.shift):
        reached.note(mention.start, value)
    if value is None or anchor is None:
        return {"shift": mention.shift}
    return {"shift": mention.shift, "edtf": value, "anchor": page.offset + anchor[0]}
