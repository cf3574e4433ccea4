"""Event records: one a unit, with who and what takes part in it and whether its words tell of an earlier time."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any, Final

from wildtrace.construct.extract.identity import record
from wildtrace.construct.extract.page import Item, Page, Unit
from wildtrace.construct.extract.participants import MOST_NAMED, Finder, Found, Recent, pronoun_genders
from wildtrace.construct.extract.quotations import Turn
from wildtrace.languages.en.happenings import happenings, is_asked, modality
from wildtrace.languages.zh.happenings import chinese_happenings
from wildtrace.types import Record, Span

PROVENANCE = "rule:events"
_UNMARKED: Final[frozenset[str]] = frozenset()
_PAST: Final = (
    r"(?:not\s+|never\s+|only\s+|just\s+|already\s+|\w+ly\s+)?(?:been|gone|come|done|made|seen|taken|given|left|lost|found|told"
    r"|said|heard|known|got|gotten|become|begun|written|sent|brought|bought|caught|thought|kept|put|met|run|set|spoken"
    r"|driven|broken|fallen|hidden|stolen|chosen|\w{2,}ed)\b"
)
# Each begins with letters that are searched for as such, which is many times quicker than at every word.
_PLUPERFECT: Final = (re.compile(rf"had(?<!\whad)\s+{_PAST}"), re.compile(rf"'d(?<=\w'd)\s+{_PAST}"))


_SUPPOSED: Final = re.compile(r"\b(?:[Ii]f|[Uu]nless|[Ww]hether|[Aa]s though)\b[^.;:]*\Z")
_CLAUSE: Final = 40


@dataclass(slots=True)
class Event:
    """A unit with what was found in it; entities by their place in the cast."""

    unit: Unit
    named: list[int]
    resolved: list[int]
    things: list[str]
    marks: frozenset[str]
    earlier: bool
    possible: list[int]
    speaker: int | None = None
    hearer: int | None = None
    triggers: Sequence[tuple[int, int]] = ()
    modality: str | None = None


def events(page: Page, finder: Finder, found: Sequence[Found]) -> Iterator[Event]:
    """The events of a page, in order; `found` are the page's mentions."""
    chinese = page.chinese
    past = [] if chinese else _told_as_past(page.text)
    told = list((chinese_happenings if chinese else happenings)(page.text))
    recent = Recent()
    for unit, mentioned, cues, earlier, triggers in zip(
        page.units,
        _by_unit(page.units, found, [start for start, _, _ in found]),
        _by_unit(page.units, page.cues, [cue.start for cue in page.cues]),
        _by_unit(page.units, past, past),
        _by_unit(page.units, told, [start for start, _ in told]),
        strict=True,
    ):
        start, end, _, _ = unit
        named = list(dict.fromkeys([entity for _, _, entity in mentioned]))[:MOST_NAMED]
        tokens = finder.words_of(page, start, end)
        resolved, possible = _meant(tokens, unit, named, recent, finder)
        for place, _, entity in mentioned:
            if entity in finder.persons:
                recent.note(entity, place)
        marks = frozenset([cue.relation for cue in cues]) if cues else _UNMARKED
        # Chinese verbs have no tense: `in former days` says it.
        before = any(cue[:2] == ("precedes", "after") for cue in cues) if chinese else _opens(earlier, triggers)
        event = Event(unit, named, resolved, finder.things(tokens), marks, before, possible)
        event.triggers = triggers
        if not triggers:
            asked = is_asked(page.text, end - 1)
            event.modality = "asked" if asked else modality(page.text[start:end], None if chinese else tokens)
        yield event


def _by_unit(units: Sequence[Unit], found: Sequence[Item], starts: Sequence[int]) -> Iterator[Sequence[Item]]:
    """Those of `found`, which begin at `starts`, that begin in each of the units, by one walk along both."""
    first, count = 0, len(starts)
    for begin, end, _, _ in units:
        while first < count and starts[first] < begin:
            first += 1
        last = first
        while last < count and starts[last] < end:
            last += 1
        yield found[first:last]
        first = last


def _told_as_past(text: str) -> list[int]:
    """Where a verb stands in the pluperfect, and not in what is only supposed (`if he had gone`)."""
    found = (match.start() for pattern in _PLUPERFECT for match in pattern.finditer(text))
    return sorted(at for at in found if not _SUPPOSED.search(text, max(0, at - _CLAUSE), at))


def _opens(earlier: Sequence[int], triggers: Sequence[tuple[int, int]]) -> bool:
    """Whether the pluperfect comes first: behind another verb it tells of what was before that (`saw who had come`)."""
    return bool(earlier) and (not triggers or earlier[0] <= triggers[0][0])


def _meant(
    tokens: Set[str], unit: Unit, named: list[int], recent: Recent, finder: Finder
) -> tuple[list[int], list[int]]:
    """Whom the unit's pronouns mean: the persons where that is sure, and where it is not the one named last.

    Pronouns of a gender that the unit itself names are its own; Chinese says less and is never sure.
    """
    if not recent.last:
        return [], []
    if finder.chinese:
        last = None if not finder.persons.isdisjoint(named) else recent.nearest(None, finder.cast, unit.start)
        return [], [last] if last is not None and last not in named else []
    genders = pronoun_genders(tokens)
    if not genders:
        return [], []
    genders -= {finder.cast.entities[entity].gender or "" for entity in named}
    sure: list[int] = []
    possible: list[int] = []
    for gender in sorted(genders):
        only = recent.only(gender, finder.cast, unit.start)
        last = recent.nearest(gender, finder.cast, unit.start) if only is None else None
        sure += [only] if only is not None and only not in named else []
        possible += [last] if last is not None and last not in named else []
    return sure, possible


def event_record(source: str, page: Page, event: Event, ids: Sequence[str], thing_ids: Mapping[str, str]) -> Record:
    """The record of an event; `ids` are the cast's record ids, `thing_ids` those of its things."""
    start, end = event.unit.start, event.unit.end
    fields: dict[str, Any] = {"participants": [ids[entity] for entity in event.named]}
    if event.resolved:
        fields["resolved"] = [ids[entity] for entity in event.resolved]
    if event.possible:
        fields["possible"] = [ids[entity] for entity in event.possible]
    if event.speaker is not None:
        fields["speaker"] = ids[event.speaker]
    if event.hearer is not None:
        fields["hearer"] = ids[event.hearer]
    if event.triggers:
        fields["triggers"] = [(page.offset + first, page.offset + last) for first, last in event.triggers]
    if event.modality:
        fields["modality"] = event.modality
    if event.things:
        fields["things"] = [thing_ids[word] for word in event.things]
    if event.marks:
        fields["marks"] = sorted(event.marks)
    if event.earlier:
        fields["earlier"] = True
    span = Span.of(page.text, start, end, page.offset)
    return record(source, "event", span, fields, PROVENANCE)


def told_by(happened: Sequence[Event], spoken: Sequence[Turn]) -> None:
    """Note the speaker and the hearer of each event most of which is one person's direct speech."""
    place = 0
    for turn in spoken:
        while place < len(happened) and happened[place].unit.end <= turn.start:
            place += 1
        if turn.speaker is None:
            continue
        for event in happened[place:]:
            unit = event.unit
            if unit.start >= turn.end:
                break
            if 2 * (min(unit.end, turn.end) - max(unit.start, turn.start)) > unit.end - unit.start:
                event.speaker, event.hearer = turn.speaker, turn.hearer
