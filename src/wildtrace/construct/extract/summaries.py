"""Summary records: the units of a stretch that say most, in its own words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from wildtrace.construct.extract.events import Event
from wildtrace.construct.extract.identity import record
from wildtrace.construct.extract.page import Page
from wildtrace.types import Record, Span

PROVENANCE = "rule:summary"
LENGTH: Final = 3
_TELLING: Final = frozenset({"causes", "explains", "counterfactual", "puzzles", "contrasts"})


def summary_record(source: str, page: Page, found: Sequence[Event], ids: Sequence[str]) -> Record | None:
    """The summary of a page, quoted at its best unit; `events` are what it is made of. None where there is none."""
    if not found:
        return None
    weights = [_weight(event) for event in found]
    ranked = sorted(range(len(found)), key=weights.__getitem__, reverse=True)[:LENGTH]
    start, end = found[ranked[0]].unit.start, found[ranked[0]].unit.end
    span = Span.of(page.text, start, end, page.offset)
    return record(source, "summary", span, {"events": [ids[place] for place in sorted(ranked)]}, PROVENANCE)


def _weight(event: Event) -> float:
    return 2.0 * len(event.named) + len(event.things) + 1.5 * len(event.marks & _TELLING) + 0.5 * len(event.resolved)
