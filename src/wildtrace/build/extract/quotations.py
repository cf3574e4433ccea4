"""Quotation records: what is said in direct speech, with the speaker where the text names one or turns alternate."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from wildtrace.build.extract.identity import record
from wildtrace.build.extract.page import Page, within
from wildtrace.build.extract.participants import MOST_NAMED, Finder, Found
from wildtrace.text.sentences import sentences
from wildtrace.text.speech import SPOKEN
from wildtrace.types import Record, Span

PROVENANCE = "rule:quotations"
LONGEST: Final = 700
SHORTEST: Final = 45
SHORTEST_CHINESE: Final = 14
_GAP: Final = 90
_CHINESE_GAP: Final = 18
_CHINESE_VERB: Final = re.compile(r"(?:道|说|說|曰|问|問|答|叫|喊|骂|罵|禀|稟|云|想|吩咐)[^。！？]{0,4}[：:，,]?\s*$")
_ASKED_HIM: Final = re.compile(r"\b(?:to|of|from|with|at)\s+$")


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
    starts = [start for start, _, _ in found]
    spoken: dict[int, int] = {}
    for place, (speech, paragraph) in enumerate(page.speeches):
        before, after = _around(page, place)
        if page.chinese:
            speaker = _chinese_speaker(page, found, starts, speech.start)
        else:
            speaker = _english_speaker(page, finder, found, starts, (before, speech.start - 1), (speech.end + 1, after))
        basis = "named"
        if speaker is None and paragraph in spoken:
            speaker, basis = spoken[paragraph], "same paragraph"
        elif speaker is None and not page.chinese and _alternates(page, paragraph, spoken):
            speaker, basis = spoken[paragraph - 2], "turn"
        if speaker is not None:
            spoken[paragraph] = speaker
        before_it = spoken.get(paragraph - 1)
        hearer = before_it if speaker is not None and before_it != speaker else None
        yield Turn(speech.start, speech.end, paragraph, speaker, basis if speaker is not None else "unknown", hearer)


def _around(page: Page, place: int) -> tuple[int, int]:
    """Where the text before and after a speech begins and ends, up to the neighbouring speeches of its paragraph."""
    speech, paragraph = page.speeches[place]
    start, end = page.paragraphs[paragraph]
    if place and page.speeches[place - 1][1] == paragraph:
        start = page.speeches[place - 1][0].end + 1
    if place + 1 < len(page.speeches) and page.speeches[place + 1][1] == paragraph:
        end = page.speeches[place + 1][0].start - 1
    return max(start, speech.start - _GAP), min(end, speech.end + _GAP)


def _english_speaker(
    page: Page,
    finder: Finder,
    found: Sequence[Found],
    starts: Sequence[int],
    before: tuple[int, int],
    after: tuple[int, int],
) -> int | None:
    for start, end in (after, before):
        if end <= start or SPOKEN.search(page.text, start, end) is None:
            continue
        for at, _, entity in within(found, starts, start, end):
            is_person = finder.cast.entities[entity].kind == "person"
            if is_person and _ASKED_HIM.search(page.text, max(0, at - 6), at) is None:
                return entity
    return None


def _chinese_speaker(page: Page, found: Sequence[Found], starts: Sequence[int], start: int) -> int | None:
    head = max(0, start - 1 - _CHINESE_GAP)
    if _CHINESE_VERB.search(page.text, head, start - 1) is None:
        return None
    clause = max(page.text.rfind(mark, head, start - 2) for mark in "。！？”」；")
    named = [entity for _, _, entity in within(found, starts, max(head, clause + 1), start)]
    return named[0] if named else None


def _alternates(page: Page, paragraph: int, spoken: dict[int, int]) -> bool:
    """Whether the two paragraphs before are turns of two speakers, and this one opens with speech."""
    if paragraph - 1 not in spoken or paragraph - 2 not in spoken:
        return False
    opens = page.text[page.paragraphs[paragraph][0]] in "\"“‘'"
    return opens and spoken[paragraph - 1] != spoken[paragraph - 2]


def quotation_records(
    source: str, page: Page, spoken: Sequence[Turn], found: Sequence[Found], ids: Sequence[str]
) -> Iterator[Record]:
    """The records of the speeches worth one of their own: not too short, cut at a sentence's end where too long."""
    starts = [start for start, _, _ in found]
    shortest = SHORTEST_CHINESE if page.chinese else SHORTEST
    for turn in spoken:
        if turn.end - turn.start < shortest:
            continue
        for start, end in _pieces(page.text, turn):
            fields: dict[str, Any] = {
                "speaker": None if turn.speaker is None else ids[turn.speaker],
                "basis": turn.basis,
            }
            named = dict.fromkeys(ids[entity] for _, _, entity in within(found, starts, start, end))
            if named:
                fields["participants"] = list(named)[:MOST_NAMED]
            span = Span(page.offset + start, page.offset + end, page.text[start:end])
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
