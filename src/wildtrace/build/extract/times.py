"""Time records: every mention of a time, normalised; a relative one anchored to the full date before it, if near."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from wildtrace.build.extract.identity import record
from wildtrace.build.extract.page import Page
from wildtrace.text.dates import TimeMention, resolved
from wildtrace.types import Record, Span

PROVENANCE = "rule:times"
_REACH: Final = 3000


def time_records(source: str, page: Page) -> Iterator[Record]:
    """The records of a page's times, in order."""
    anchor: TimeMention | None = None
    for mention in page.times:
        fields: dict[str, Any] = {"type": mention.kind, "edtf": mention.edtf}
        if mention.shift is not None:
            fields["shift"] = mention.shift
        near = anchor if anchor is not None and mention.start - anchor.start <= _REACH else None
        if near is not None and mention.shift is not None and (day := resolved(near.edtf or "", mention.shift)):
            fields |= {"edtf": day, "anchor": page.offset + near.start}
        if mention.kind == "date" and mention.edtf is not None and resolved(mention.edtf, 0):
            anchor = mention
        span = Span(page.offset + mention.start, page.offset + mention.end, page.text[mention.start : mention.end])
        yield record(source, "time", span, fields, PROVENANCE)
