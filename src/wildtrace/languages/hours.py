"""Hours written as four figures (`at 1740`), which in another document are years.

Whether a document writes them so is a matter of the whole text (`hours_of`); only there is a number read as one. What
could be a year of that document as well stays open: a mention without a value.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from operator import attrgetter
from typing import Final, NamedTuple

from wildtrace.languages.dates import MONTH, TimeMention


class Hours(NamedTuple):
    """That a document writes hours as four figures, and the years that it speaks of."""

    years: frozenset[int]


_HOUR = r"(?:[01]\d|2[0-3])[0-5]\d"
_ABOUT = r"(?:\s+(?:about|approximately|around|exactly|precisely|roughly|just\s+after|just\s+before))?"
_END = r"(?![.:,]?\d|[-/]\d)\b"
# What goes on behind an hour and not behind a count, where nothing else says which it is.
_ON: Final = (
    r"(?=\s*(?:[,.;:)\]]|$)|\s+(?:on|the|and|to|until|till|when|while|he|she|it|they|we|a|an|but|as|with|for|that|where"
    r"|by|from|local|this|his|her|their|there|which|hours|hrs)\b)"
)
_UNITS: Final = re.compile(
    r"\s*(?:[%°]|(?:feet|foot|ft|met(?:er|re)s?|m|km|miles?|yards?|tons?|tonnes?|t|kg|lbs?|pounds?|dollars|men|people"
    r"|persons?|passengers|rpm|revolutions|hp|kw|psi|bar|gallons|lit(?:er|re)s|degrees|per|knots|times|cubic|square"
    r"|deaths|cases|[a-z]+\s+(?:street|avenue|road|drive))\b)",
    re.IGNORECASE,
)
# Each begins with letters that are searched for as such, which is many times quicker than at every digit.
_AT: Final = [re.compile(rf"{at}(?<!\w{at}){_ABOUT}\s+(?P<hour>{_HOUR})(?!\d)") for at in ("at", "At")]
_HOURS_BEHIND: Final = re.compile(r"\s?(?:hours|hrs)\b")
_ENDS: Final = re.compile(rf"{_END}{_ON}")
_SAID: Final = re.compile(r"24[- ]hour\s+(?:clock|notation|format)")
_FEWEST: Final = 2
_LAST_YEAR: Final = "2100"
_YEARS: Final = re.compile(rf"\b(?:{MONTH},?|[Ii]n|[Yy]ear)\s+((?:1[0-9]|20)\d\d)\b")
_NEAR: Final = 10
_WORDS = "at|about|around|approximately|from|between|until|till|by|after|before|since|to|and"
_FOUR: Final = re.compile(rf"(?<!\w)(?P<word>(?i:{_WORDS})){_ABOUT}\s+(?P<hour>{_HOUR}){_END}")
_DATED: Final = re.compile(
    rf"\s+(?:on\s+(?:the\s+)?\d|on\s+(?:{MONTH}|(?:Sun|Mon|Tues|Wednes|Thurs|Fri|Satur)day)|(?:that|the\s+(?:same|next))\s"
    r"|h(?:ou)?rs\b)"
)
_PARTNER: Final = re.compile(rf"\s+(?:to|and|until|till){_ABOUT}\s+(\d{{4}})\b")
_OF_YEARS: Final = frozenset({"about", "around", "approximately", "since"})
_IS_HOUR: Final = re.compile(_HOUR)


def hours_of(text: str) -> Hours | None:
    """What reading needs to know where `text` writes hours as four figures; None where it does not."""
    if not _writes_hours(text):
        return None
    return Hours(frozenset(map(int, _YEARS.findall(text))))


def _writes_hours(text: str) -> bool:
    """Whether it says so, or something happens at such an hour: one that is no year or opens a sentence, or two."""
    told = _FEWEST if _SAID.search(text) else 0
    for match in chain.from_iterable(at.finditer(text) for at in _AT):
        hour, end = match["hour"], match.end()
        if _ENDS.match(text, end) is None:
            continue
        no_year = hour[0] == "0" or hour > _LAST_YEAR
        clear = match[0].startswith("At") or no_year or _HOURS_BEHIND.match(text, end)
        told += _FEWEST if clear else 1
        if told >= _FEWEST:
            break
    return told >= _FEWEST


def with_hours(mentions: Iterable[TimeMention], text: str, hours: Hours) -> list[TimeMention]:
    """The mentions of such a text with its hours among them, in the place of the years they were taken for."""
    read = {mention.start: mention for mention in _read(text, hours)}
    kept = [mention for mention in mentions if mention.start not in read or not _is_year(mention)]
    taken = {place for mention in kept for place in range(mention.start, mention.end)}
    free = (one for one in read.values() if taken.isdisjoint(range(one.start, one.end)))
    return sorted([*kept, *free], key=attrgetter("start"))


def _is_year(mention: TimeMention) -> bool:
    return mention.end - mention.start == 4 and mention.kind == "date"


def _read(text: str, hours: Hours) -> Iterator[TimeMention]:
    """The numbers that are hours, or may be: the second of a range is what the first is."""
    last: TimeMention | None = None
    for match in _FOUR.finditer(text):
        follows = last is not None and not text[last.end : match.start()].strip()
        last = _hour(match, hours, last if follows else None)
        if last is not None:
            yield last


def _hour(match: re.Match[str], hours: Hours, first: TimeMention | None) -> TimeMention | None:
    """An hour, a mention without a value where it may be a year of this document, None where it is no hour."""
    word, hour = match["word"].lower(), match["hour"]
    if hour[0] == "0" or _DATED.match(match.string, match.end()):
        return _mention(match, open_=False)
    if _UNITS.match(match.string, match.end()) or (word in ("to", "and") and first is None):
        return None
    if word == "at" or first is not None:
        return _mention(match, open_=first is not None and first.edtf is None)
    partner = _PARTNER.match(match.string, match.end())
    figures = [hour] if partner is None else [hour, partner[1]]
    may_be_year = all(_may_be_year(one, hours) for one in figures)
    if not _IS_HOUR.fullmatch(figures[-1]) or (may_be_year and word in _OF_YEARS):
        return None
    return _mention(match, open_=may_be_year)


def _may_be_year(figures: str, hours: Hours) -> bool:
    return any(abs(int(figures) - year) <= _NEAR for year in hours.years)


def _mention(match: re.Match[str], *, open_: bool) -> TimeMention:
    value = None if open_ else f"T{match['hour'][:2]}:{match['hour'][2:]}"
    return TimeMention(match.start("hour"), match.end("hour"), "clock", value)
