"""Dates, clock times and relative days of English text, in EDTF where the text alone is sure.

Nothing is guessed: a month without a year is `XXXX-04`, a clock time `T23:40`, a relative day has no value. Compared on
the marked passages (benchmarks/extraction.py) with dateparser, which finds fewer dates, takes `we` and `may` for some,
and fills in today's year; a library that leaves open what the text leaves open was not found.
"""

from __future__ import annotations

import re
from datetime import date
from functools import cache
from itertools import chain
from typing import Final

from wildtrace.languages.base import Time, any_of, data

_PACKAGE: Final = "wildtrace.languages.en"
_YEAR: Final = r"(?:1[0-9]|20)\d\d"
_DAY: Final = r"(?:[12]\d|3[01]|0?[1-9])"
_ORDINAL: Final = r"(?:st|nd|rd|th)?"
_SEASONS: Final = {"spring": 21, "summer": 22, "autumn": 23, "winter": 24}
_HOURS: Final = "one two three four five six seven eight nine ten eleven twelve".split()  # noqa: SIM905 - a sentence
_UNIT: Final = r"(?:day|night|week|fortnight|month|year|hour|minute)s?"
_TAIL: Final = r"(?:later|after|afterwards|before|earlier|ago|previously)"
# A number before one of these is a count, even behind `in` and `of` (`in 1902 feet of water`).
_COUNTED: Final = r"(?:feet|tons|men|people|yards|miles|pounds|hours|persons|passengers|lbs|metres|,\d)"
_PART_OF_DAY: Final = r"(?:\s+(?:in\s+the\s+(?:morning|afternoon|evening)|at\s+night)\b|\s+[ap]\.?\s?m\b)?"


@cache
def _months() -> dict[str, int]:
    """The number of each month by its full name and its abbreviation, in small letters."""
    names = data(_PACKAGE, "words.json")["months"].items()
    return {form.lower().rstrip("."): number for number, pair in enumerate(names, 1) for form in pair}


@cache
def _with_figures() -> re.Pattern[str]:
    months = data(_PACKAGE, "words.json")["months"]
    month = rf"(?:{any_of([*months, *months.values(), 'Sept'])})"
    return re.compile(
        rf"""
        (?=[\dJFMASONDWIULTYEBsawiuyfbdelotn])(?:  # what a mention can begin with, so that most places cost one look
        (?P<date>\b{_YEAR}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])\b
            |\b{_DAY}{_ORDINAL}\s+(?:day\s+)?(?:of\s+)?{month}(?:,?\s+(?:in\s+the\s+year\s+)?{_YEAR}\b)?
            |\b{month}\s+(?:the\s+)?{_DAY}{_ORDINAL}\b(?!:\d|\.\d)(?:,?\s+{_YEAR}\b)?
            |\b{month},?\s+(?:of\s+)?{_YEAR}\b
            |\b(?:[Ii]n|[Ss]ince|[Dd]uring|[Uu]ntil|[Ll]ast|[Nn]ext)\s+(?P<month>{month})\b(?!\s*(?:the\s+)?\d))
        |(?P<clock>\b(?:[01]?\d|2[0-3])[.:][0-5]\d(?:[:.][0-5]\d)?\s*[apAP]\.?\s?[mM]\b\.?
            |\b(?:1[0-2]|[1-9])\s*[apAP]\.?\s?[mM]\b\.?
            |\b(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?\b(?![:.-]\d)
            |\b(?:1[0-2]|[1-9])\s+o['’]clock{_PART_OF_DAY}
            |\b(?:[01]\d|2[0-3])[0-5]\d\s?(?:hours|hrs)\b)
        # Four figures behind `at` are an hour, not a year, where nothing is counted.
        |\b[Aa]t\s+(?:about\s+|approximately\s+|around\s+|exactly\s+)?
            (?P<four>(?:[01]\d|2[0-3])[0-5]\d)\b(?![.:,]?\d|[-/]\d|\s*(?:%|\$|°|{_COUNTED}|\w+\s+(?:street|road|avenue)))
        |\b(?:[Oo]n|[Oo]f|[Tt]ill|[Uu]ntil|[Bb]y|[Ff]rom|[Ss]ince)\s+(?P<day>the\s+{_DAY}(?:st|nd|rd|th)\b
            (?=[,.;:)]|\s+(?:inst|ult|prox|at|the|and|he|she|it|they|we|I|a|to|when|there|in|was|with)\b))
        |(?P<season>\b(?i:spring|summer|autumn|winter)\s+of\s+{_YEAR}\b)
        |\b(?:[Ii]n|[Ss]ince|[Dd]uring|[Uu]ntil|[Yy]ear|[Ff]rom|[Bb]y|[Oo]f|[Aa]fter|[Bb]efore|[Ee]arly|[Ll]ate
            |[Bb]etween)\s+(?P<year>{_YEAR})\b(?!\s*{_COUNTED})
        |(?P<relative>\b\d{{1,3}}\s+{_UNIT}\s+{_TAIL}\b)
        )
        """,
        re.VERBOSE,
    )


@cache
def _in_words() -> re.Pattern[str]:
    words = data(_PACKAGE, "words.json")
    hour = any_of(_HOURS)
    return re.compile(
        rf"""\b(?:(?P<clock>(?:half[ -]past\s+|a\s+quarter\s+(?:past|to)\s+)?(?:{hour})\s+o['’]clock{_PART_OF_DAY}
            |(?:half[ -]past|a\s+quarter\s+(?:past|to))\s+(?:{hour})\b{_PART_OF_DAY}|noon\b|midday\b|midnight\b)
        |(?P<relative>(?:{any_of(words["relative_days"])})\b|(?:{any_of(words["numbers"])})\s+{_UNIT}\s+{_TAIL}\b
            |(?-i:(?:Sun|Mon|Tues|Wednes|Thurs|Fri|Satur)day)(?:\s+(?:morning|afternoon|evening|night))?\b(?!,?\s+(?:the\s+)?(?:\d|{any_of(_months())}))))""",
        re.VERBOSE | re.IGNORECASE,
    )


def times(text: str) -> list[Time]:
    """The mentions of times in a text, in order; of two that overlap the first, else the longer."""
    matches = chain(_with_figures().finditer(text), _in_words().finditer(text))
    found: list[Time] = []
    for match in sorted(matches, key=lambda each: (each.start(), -each.end())):
        time = _read(match)
        if not found or time.start >= found[-1].end:
            found.append(time)
    return found


def _read(match: re.Match[str]) -> Time:
    group = match.lastgroup or ""
    start, end = match.span("month" if match.groupdict().get("month") else group)
    words = match.string[start:end]
    if group == "date":
        return Time(start, end, "date", _calendar(words))
    if group == "year":
        return Time(start, end, "date", words)
    if group == "season":
        season, *_, year = words.lower().split()
        return Time(start, end, "date", f"{year}-{_SEASONS[season]}")
    if group == "day":
        return Time(start, end, "date", f"XXXX-XX-{int(re.findall(r'[0-9]+', words)[0]):02}")
    if group == "relative":
        return Time(start, end, "relative")
    return Time(start, end, "clock", _clock(words))


def _calendar(words: str) -> str | None:
    """The value of a date with a month; None where there is no such day."""
    if re.fullmatch(r"\d{4}-\d\d-\d\d", words):
        year, month, day = map(int, words.split("-"))
        return words if _exists(year, month, day) else None
    parts = re.findall(r"[a-z]+|\d+", words.lower())
    month = next(_months()[each] for each in parts if each in _months())
    numbers = [int(each) for each in parts if each.isdigit()]
    stated = next((each for each in numbers if each > 31), None)
    of_month = next((each for each in numbers if each <= 31), None)
    if not _exists(stated or 2000, month, of_month or 1):  # 2000 had a 29th of February
        return None
    return f"{stated or 'XXXX'}-{month:02}" + (f"-{of_month:02}" if of_month else "")


def _exists(year: int, month: int, day: int) -> bool:
    try:
        date(year, month, day)
    except ValueError:
        return False
    return True


def _clock(words: str) -> str | None:
    """The value of a clock time; None where either half of the day may be meant."""
    told = words.lower()
    digits = re.findall(r"\d+", told)
    if len(digits) == 1 and len(digits[0]) == 4:
        digits = [digits[0][:2], digits[0][2:]]
    if told in ("noon", "midday", "midnight"):
        return "T12:00" if told != "midnight" else "T00:00"
    hour = (
        int(digits[0]) if digits else next(_HOURS.index(word) + 1 for word in re.split(r"\W+", told) if word in _HOURS)
    )
    minute = int(digits[1]) if len(digits) > 1 else 30 if "half" in told else 15 if "quarter" in told else 0
    late = re.search(r"p\.?\s?m|afternoon|evening|night", told)
    early = re.search(r"a\.?\s?m\b|morning", told)
    if (late or early) and hour <= 12:
        hour = hour % 12 + (12 if late and not (hour == 12 and "night" in told) else 0)
    elif "clock" in told or "past" in told or "quarter" in told:
        return None
    total = (60 * hour + minute - (30 if "quarter to" in " ".join(told.split()) else 0)) % (24 * 60)
    return f"T{total // 60:02}:{total % 60:02}"
