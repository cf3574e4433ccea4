"""Relation records: two units that a cue joins, or one whose cue states a condition, a comparison, a doubt.

A stated cause tells which words are the cause and which the effect; its ends are the events that hold them, or the one
event that holds both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, Final

from wildtrace.construct.extract.events import Event
from wildtrace.construct.extract.identity import record
from wildtrace.construct.extract.page import CUTTING, Page, unit_at
from wildtrace.languages.causes import causes
from wildtrace.languages.cues import Cue
from wildtrace.languages.denials import is_denied, is_denied_in_chinese, is_denied_purpose
from wildtrace.languages.zh.causes import chinese_causes
from wildtrace.types import Record, Span

PROVENANCE = "rule:cues"
ALONE: Final = ("counterfactual", "compares_with", "conditional", "puzzles")
_JOINING: Final = CUTTING - {"causes"}
_REACH: Final = 40
_PURPOSES: Final = frozenset(["in order to", "in order that", "so as to", "for the purpose of", "with a view to"])


def relation_records(source: str, page: Page, found: Sequence[Event], ids: Sequence[str]) -> Iterator[Record]:
    """The relations of a page; `ids` are its events' records, `first` and `second` stand in the relation's order."""
    yield from _causes(source, page, found, ids)
    for (before, event), (first_id, second_id) in zip(pairwise(found), pairwise(ids), strict=True):
        cue = event.unit.cue
        if cue is None or cue.relation not in _JOINING or event.unit.start - before.unit.end > _REACH:
            continue
        if cue.relation != "contrasts" and _denied(page, before.unit.start, cue):
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


def _denied(page: Page, start: int, cue: Cue) -> bool:
    """Whether the clause in front of a cue denies what it states; of a purpose, whether it was not acted for."""
    if page.chinese:
        return is_denied_in_chinese(page.text, cue.start)
    if " ".join(page.text[cue.start : cue.end].lower().split()) in _PURPOSES:
        return is_denied_purpose(page.text, start, cue.start)
    return is_denied(page.text, start, cue.start, verb=True)


def _causes(source: str, page: Page, found: Sequence[Event], ids: Sequence[str]) -> Iterator[Record]:
    """The relations of the causes that a page states in so many words."""
    starts = [event.unit.start for event in found]
    for stated in chinese_causes(page.text) if page.chinese else causes(page.text, page.openings):
        first, second = (unit_at(starts, sum(end) // 2) for end in (stated.cause, stated.effect))
        if min(first, second) < 0:
            continue
        fields: dict[str, Any] = {"type": "causes", "cue": " ".join(page.text[slice(*stated.cue)].split())}
        fields |= {"event": ids[first]} if first == second else {"first": ids[first], "second": ids[second]}
        for end, words in (("cause", stated.cause), ("effect", stated.effect)):
            fields[end] = (page.offset + words[0], page.offset + words[1])
        ends = (*stated.cause, *stated.effect)
        yield _record(source, page, min(ends), max(ends), fields, stated.cue[0])


def _record(source: str, page: Page, start: int, end: int, fields: dict[str, Any], cue: int | None = None) -> Record:
    span = Span.of(page.text, start, end, page.offset)
    mark = fields["type"] if cue is None else f"{fields['type']} {page.offset + cue}"
    return record(source, "relation", span, fields, PROVENANCE, mark)
