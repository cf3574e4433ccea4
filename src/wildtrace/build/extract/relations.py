"""Relation records: two units that a cue joins, or one whose cue states a condition, a comparison, a doubt."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, Final

from wildtrace.build.extract.events import Event
from wildtrace.build.extract.identity import record
from wildtrace.build.extract.page import CUTTING, Page
from wildtrace.types import Record, Span

PROVENANCE = "rule:cues"
ALONE: Final = ("counterfactual", "compares_with", "conditional", "puzzles")
_REACH: Final = 40


def relation_records(source: str, page: Page, found: Sequence[Event], ids: Sequence[str]) -> Iterator[Record]:
    """The relations of a page; `ids` are its events' records, `first` and `second` stand in the relation's order."""
    for (before, event), (first_id, second_id) in zip(pairwise(found), pairwise(ids), strict=True):
        cue = event.unit.cue
        if cue is None or cue.relation not in CUTTING or event.unit.start - before.unit.end > _REACH:
            continue
        ends = (first_id, second_id) if cue.first == "before" else (second_id, first_id)
        fields: dict[str, Any] = {
            "type": cue.relation,
            "cue": page.text[cue.start : cue.end],
            "first": ends[0],
            "second": ends[1],
        }
        yield _record(source, page, before.unit.start, event.unit.end, fields)
    for event, event_id in zip(found, ids, strict=True):
        stated = next((kind for kind in ALONE if kind in event.marks), None)
        if stated is not None:
            yield _record(source, page, event.unit.start, event.unit.end, {"type": stated, "event": event_id})


def _record(source: str, page: Page, start: int, end: int, fields: dict[str, Any]) -> Record:
    span = Span(page.offset + start, page.offset + end, page.text[start:end])
    return record(source, "relation", span, fields, PROVENANCE, fields["type"])
