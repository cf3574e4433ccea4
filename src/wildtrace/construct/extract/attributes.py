"""Attribute records: measurements with their units, roles in apposition, and states that a name is said to be in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from wildtrace.construct.extract.identity import record
from wildtrace.construct.extract.page import Page, within
from wildtrace.construct.extract.participants import Found
from wildtrace.languages.measures import Measure, measures
from wildtrace.types import Record, Span

PROVENANCE = "rule:attributes"
_REACH: Final = 160
_ROLE: Final = re.compile(
    r",\s+(?:the|a|an|his|her|their|our|my)\s+([a-z][a-z' -]{2,40}?)(?=[,.;])"
    r"|\s+(?:was|is|were)\s+(?:the|a|an)\s+([a-z][a-z' -]{2,36}?)(?=[,.;])"
)
_STATES: Final = (
    "dead|ill|missing|married|unmarried|innocent|guilty|drowned|killed|murdered|wounded|injured|poisoned|absent|alone|blind"
    "|drunk|asleep|unconscious|engaged|ruined|bankrupt|arrested|dismissed|discharged|transported|convicted|acquitted"
    "|damaged|broken|defective|closed|open|empty|locked|stolen|lost|lame|insane|mad|poor|rich"
)
_STATE: Final = re.compile(
    rf"\s+(?:was|is|were|had been|has been|lay|became|being)\s+(?:\w+ly\s+|quite\s+|not\s+)?({_STATES})\b"
)
_MAY_FOLLOW: Final = {"", " ", "\n", *(f"{space}{first}" for space in " \n" for first in "wilhb")}
"""How what a state or a role begins with goes on behind a name, a comma apart."""
_CHINESE_STATE: Final = re.compile(
    r"(?:已|已经|已經|果然|竟|早)?(死了|病了|被杀|被殺|已死|身死|病故|中了举|中了舉|失踪|成亲|成親|被擒|逃走|自尽|自盡)"
)


def attribute_records(source: str, page: Page, found: Sequence[Found], ids: Sequence[str]) -> Iterator[Record]:
    """The records of a page's attributes: of measurements first, then of the named entities."""
    starts = [start for start, _, _ in found]
    for measure in measures(page.text, page.openings, chinese=page.chinese):
        near = within(found, starts, max(0, measure.start - _REACH), measure.start)
        yield _measured(source, page, measure, ids[near[-1][2]] if near else None)
    text, stated = page.text, _stated_in_chinese if page.chinese else _stated
    for start, end, entity in found:
        # Most names are followed by a verb or a full stop: a look at the next characters saves the expressions.
        if not page.chinese and text[end : end + 1] != "," and text[end : end + 2] not in _MAY_FOLLOW:
            continue
        attribute, match = stated(text, end)
        if match is not None:
            value = next(group for group in match.groups() if group)
            fields = {"type": attribute, "entity": ids[entity], "value": " ".join(value.split())}
            yield _record(source, page, start, match.end(), fields)


def _stated(text: str, end: int) -> tuple[str, re.Match[str] | None]:
    match = _STATE.match(text, end)
    return ("role", _ROLE.match(text, end)) if match is None else ("state", match)


def _stated_in_chinese(text: str, end: int) -> tuple[str, re.Match[str] | None]:
    return "state", _CHINESE_STATE.match(text, end)


def _measured(source: str, page: Page, measure: Measure, entity: str | None) -> Record:
    fields: dict[str, Any] = {
        "type": "measurement",
        "entity": entity,
        "dimension": measure.dimension,
        "value": measure.value,
        "unit": measure.unit,
    }
    return _record(source, page, measure.start, measure.end, fields)


def _record(source: str, page: Page, start: int, end: int, fields: dict[str, Any]) -> Record:
    span = Span.of(page.text, start, end, page.offset)
    return record(source, "attribute", span, fields, PROVENANCE, fields["type"])
