"""Extraction of a whole document by rules: survey every stretch, decide on the cast, then read every stretch.

The two steps over stretches are independent of each other, so that a caller may spread them over processes; what they
exchange is small. Volume is bounded: at most `MOST` records for 1,000 code points, the least telling left out first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from wildtrace.construct.extract.attributes import attribute_records
from wildtrace.construct.extract.cast import Cast, Entity, english_entities
from wildtrace.construct.extract.chinese_cast import chinese_entities
from wildtrace.construct.extract.entities import entity_records
from wildtrace.construct.extract.events import event_record, events, told_by
from wildtrace.construct.extract.page import Page, read_page
from wildtrace.construct.extract.participants import Finder
from wildtrace.construct.extract.quotations import Turn, quotation_records, turns
from wildtrace.construct.extract.relations import relation_records
from wildtrace.construct.extract.room import fitted
from wildtrace.construct.extract.summaries import summary_record
from wildtrace.construct.extract.survey import Survey, counted, joined, survey
from wildtrace.construct.extract.things import singular, things
from wildtrace.construct.extract.times import time_records
from wildtrace.languages.hours import Hours, hours_of
from wildtrace.languages.quoted import is_said
from wildtrace.languages.speech import Marks, speech_marks
from wildtrace.languages.tries import phrase_pattern
from wildtrace.text.sentences import ends_at_lines, is_chinese
from wildtrace.types import Record

MOST: Final = 14.7
_FEWEST: Final = 8.0
_FEWEST_ENTITIES: Final = 8


@dataclass(frozen=True, slots=True)
class Manner:
    """How a document is written: its script, whether a line end ends a paragraph, its marks of speech, its hours."""

    chinese: bool
    by_line: bool
    marks: Marks | None
    hours: Hours | None = None


@dataclass(frozen=True, slots=True)
class Known:
    """What reading a stretch needs of the whole document: its manner, its cast and the cast's record ids.

    `most` is how many records 1,000 code points may give besides the entities.
    """

    source: str
    manner: Manner
    cast: Cast
    ids: tuple[str, ...]
    thing_ids: Mapping[str, str]
    pattern: str | None
    most: float


def manner_of(text: str) -> Manner:
    """How `text` is written."""
    chinese = is_chinese(text)
    return Manner(chinese, ends_at_lines(text), speech_marks(text), None if chinese else hours_of(text))


def survey_stretch(text: str, offset: int, manner: Manner) -> Survey:
    """Survey the text of one stretch."""
    return survey(text, offset, chinese=manner.chinese)


def decide(source: str, text: str, manner: Manner, surveys: Sequence[Survey]) -> tuple[Known, list[Record]]:
    """The cast that a document's surveys add up to, and its entity records."""
    total = counted(joined(surveys))
    named, by_words = chinese_entities(total, text) if manner.chinese else english_entities(total)
    room = max(_FEWEST_ENTITIES, int((MOST - _FEWEST) * len(text) / 1000))
    named = named[:room]
    by_words = {words: number for words, number in by_words.items() if number < room}
    followed = things(total, len(text), chinese=manner.chinese)
    told = (
        "".join(alias + " " for entity in named for alias in (*entity.aliases, entity.name)) if manner.chinese else ""
    )
    words = [word for word in followed.rarity if word not in told]
    places = _first_places(text, words, total.within, chinese=manner.chinese)
    words = [word for word in words if word in places][: room - len(named)]
    numbers = {word: len(named) + place for place, word in enumerate(words)}
    forms = {token: word for token in total.words if (word := singular(token)) in numbers}
    counts: Counter[str] = Counter()
    for token, word in forms.items():
        counts[word] += total.words[token]
    followed_things = (
        Entity(number, word, "thing", None, (word,), counts[word], *places[word]) for word, number in numbers.items()
    )
    cast = Cast((*named, *followed_things), by_words, numbers, followed.rarity, followed.topics, forms)
    records = entity_records(source, text, cast)
    ids = tuple(record.id for record in records)
    thing_ids = {word: ids[number] for word, number in numbers.items()}
    pattern = phrase_pattern(words[0] for words in by_words) if manner.chinese and by_words else None
    most = max(_FEWEST, MOST - 1000 * len(records) / max(1, len(text)))
    return Known(source, manner, cast, ids, thing_ids, pattern, most), records


def _first_places(
    text: str, words: Sequence[str], within: Mapping[str, tuple[int, int]], *, chinese: bool
) -> dict[str, tuple[int, int]]:
    """Where each word, or its plural, first stands in the text, and its length."""
    if chinese:
        return {word: (at, len(word)) for word in words if (at := text.find(word)) >= 0}
    stretches: dict[str, tuple[int, int]] = {}
    wanted = set(words)
    for word, stretch in within.items():
        one = singular(word)
        if one in wanted:
            stretches[one] = min(stretch, stretches.get(one, stretch))
    lowered: dict[tuple[int, int], str] = {}
    found: dict[str, tuple[int, int]] = {}
    for word in words:
        bounds = stretches.get(word, (0, len(text)))
        if bounds not in lowered:
            lowered[bounds] = text[slice(*bounds)].lower()
        at = _place_of_word(lowered[bounds], word)
        if at >= 0:
            found[word] = (bounds[0] + at, len(word))
    return found


def _place_of_word(text: str, word: str) -> int:
    """Where a word, or its plural in -ies, begins in a text; -1 where it does not."""
    for form in (word, f"{word[:-1]}i"):
        at = text.find(form)
        while at > 0 and text[at - 1].isalpha():
            at = text.find(form, at + 1)
        if at >= 0:
            return at
    return -1


def finder_of(known: Known) -> Finder:
    """What finds a document's entities; one serves for all of its stretches."""
    return Finder(known.cast, chinese=known.manner.chinese, pattern=known.pattern)


def _is_said(page: Page, turn: Turn) -> bool:
    return is_said(page.text, turn.start, turn.end, page.paragraphs[turn.paragraph][0])


def read_stretch(text: str, offset: int, known: Known, finder: Finder) -> list[Record]:
    """The records of one stretch, in text order, entities apart."""
    manner, source = known.manner, known.source
    page = read_page(text, offset, manner.marks, chinese=manner.chinese, by_line=manner.by_line, hours=manner.hours)
    found = finder.found(text)
    spoken = [turn for turn in turns(page, finder, found) if _is_said(page, turn)]
    happened = list(events(page, finder, found))
    told_by(happened, spoken)
    records = [event_record(source, page, event, known.ids, known.thing_ids) for event in happened]
    ids = [record.id for record in records]
    summary = summary_record(source, page, happened, ids)
    others = [
        *relation_records(source, page, happened, ids),
        *quotation_records(source, page, spoken, found, known.ids),
        *time_records(source, page),
        *attribute_records(source, page, found, known.ids),
        *([summary] if summary else []),
    ]
    return fitted([*records, *others], max(1, int(known.most * len(text) / 1000)), chinese=manner.chinese)
