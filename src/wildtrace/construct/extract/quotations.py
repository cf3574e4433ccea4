"""Quotation records: what is said in direct speech, with the speaker where the text names one or turns alternate."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from wildtrace.construct.extract.chinese_speakers import chinese_speakers
from wildtrace.construct.extract.english_speakers import english_speakers
from wildtrace.construct.extract.identity import record
from wildtrace.construct.extract.page import Page, within
from wildtrace.construct.extract.participants import MOST_NAMED, Finder, Found
from wildtrace.construct.extract.room import LONG, LONG_CHINESE
from wildtrace.text.sentences import sentences
from wildtrace.types import Record, Span

PROVENANCE = "rule:quotations"
LONGEST: Final = 700


@dataclass(frozen=True, slots=True)
class Turn:
    """A speech: its range on the page, its paragraph, its speaker's place in the cast and what tells the speaker.

    `hearer` is who spoke in the paragraph before, where that was another.
    """

    start: int
    end: int
    paragraph: int
    speaker: int | None
    basis: str
    hearer: int | None = None


def turns(page: Page, finder: Finder, found: Sequence[Found]) -> Iterator[Turn]:
    """The speeches of a page with their speakers, in order."""
    speakers = chinese_speakers(page, finder, found) if page.chinese else english_speakers(page, finder, found)
    spoken: dict[int, int] = {}
    for (speech, paragraph), (speaker, basis) in zip(page.speeches, speakers, strict=True):
        before_it = spoken.get(paragraph - 1)
        if speaker is not None:
            spoken[paragraph] = speaker
        hearer = before_it if speaker is not None and before_it != speaker else None
        yield Turn(speech.start, speech.end, paragraph, speaker, basis, hearer)


def quotation_records(
    source: str, page: Page, spoken: Sequence[Turn], found: Sequence[Found], ids: Sequence[str]
) -> Iterator[Record]:
    """The records of the speeches, cut at a sentence's end where they are too long."""
    starts = [start for start, _, _ in found]
    long = LONG_CHINESE if page.chinese else LONG
    for turn in spoken:
        for start, end in _pieces(page.text, turn):
            fields: dict[str, Any] = {
                "speaker": None if turn.speaker is None else ids[turn.speaker],
                "basis": turn.basis,
            }
            # Whom a short one names, the event that it stands in names too.
            near = within(found, starts, start, end) if end - start >= long else ()
            if near:
                fields["participants"] = list(dict.fromkeys(ids[entity] for _, _, entity in near))[:MOST_NAMED]
            span = Span.of(page.text, start, end, page.offset)
            yield record(source, "quotation", span, fields, PROVENANCE)


def _pieces(text: str, turn: Turn) -> Iterator[tuple[int, int]]:
    first: int | None = None
    last = turn.start
    for start, end in sentences(text, turn.start, turn.end) if turn.end - turn.start > LONGEST else ():
        if first is not None and end - first > LONGEST:
            yield first, last
            first = None
        first = start if first is None else first
        last = end
    whole = text[turn.start : turn.end]
    if first is None:
        first, last = turn.start, turn.end
        first += len(whole) - len(whole.lstrip())
        last -= len(whole) - len(whole.rstrip())
    if first < last:
        yield first, last
