"""Dates, clock times and relative times of English and Chinese text, in EDTF (ISO 8601-2) where the text is sure.

A mention that depends on another one (`the next day`, 次日) is `relative` and carries its shift in days where it states
one; who resolves it needs an anchor. Nothing is guessed: a month without a year is `XXXX-04`, a clock time is `T23:40`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta
from functools import lru_cache
from operator import itemgetter
from typing import Final, Literal, NamedTuple

from wildtrace.languages.tries import matches, phrase_pattern
from wildtrace.languages.zh.calendar import Unit, chinese_times
from wildtrace.languages.zh.lunar import LunarDate

TimeKind = Literal["date", "clock", "relative"]


class TimeMention(NamedTuple):
    """A mention of a time: its range, its EDTF value (None where the text alone does not say) and a shift in days.

    `unit` is how precise the shift is: two years later is no day. `spoken` says that it counts from the day of speaking
    (`to-morrow`, `two days ago`), not from the day that the story has reached. `lunar` is a lunar date as told.
    """

    start: int
    end: int
    kind: TimeKind
    edtf: str | None
    shift: int | None = None
    unit: Unit = "day"
    spoken: bool = False
    lunar: LunarDate | None = None


_MONTH_NAMES = """
    january jan|february feb|march mar|april apr|may|june jun|july jul|august aug|september sept sep|october oct
    |november nov|december dec
"""
_MONTHS: Final = {name: place for place, names in enumerate(_MONTH_NAMES.split("|"), 1) for name in names.split()}
_SEASONS: Final = {"spring": 21, "summer": 22, "autumn": 23, "fall": 23, "winter": 24}
_NUMBERS: Final = dict(
    zip(
        ["a", "an", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"],
        [1, 1, *range(1, 13)],
        strict=True,
    )
)
_UNITS: Final = {"day": 1, "night": 1, "week": 7, "fortnight": 14, "month": 30, "year": 365}
MONTH = r"(?:Jan(?:uary|\.)?|Feb(?:ruary|\.)?|March|Mar\.|April|Apr\.|May|June|July|Aug(?:ust|\.)?|Sept(?:ember|\.)?|Oct(?:ober|\.)?|Nov(?:ember|\.)?|Dec(?:ember|\.)?)"  # noqa: E501
_YEAR = r"(?:1[0-9]|20)\d\d"
_DAY = r"(?:[12]\d|3[01]|0?[1-9])"
_ORDINAL = r"(?:st|nd|rd|th)?"
_UNIT = r"(?:day|night|week|fortnight|month|year)"
_RELATIVE = {
    "the next day": 1, "next day": 1, "the next morning": 1, "next morning": 1, "the following day": 1,
    "the following morning": 1, "the following evening": 1, "the morrow": 1, "the day after": 1, "to-morrow": 1,
    "tomorrow": 1, "the day before": -1, "the previous day": -1, "the previous night": -1, "the night before": -1,
    "the previous evening": -1, "the evening before": -1, "yesterday": -1, "last night": -1, "the same day": 0,
    "the same evening": 0, "the same night": 0, "that same day": 0, "that night": 0, "that evening": 0,
    "that morning": 0, "that afternoon": 0, "that day": 0, "to-day": 0, "today": 0, "to-night": 0, "tonight": 0,
    "this morning": 0, "this afternoon": 0, "this evening": 0, "the next week": 7, "last week": -7, "next week": 7,
    "last year": -365, "next year": 365, "the following year": 365, "the previous year": -365, "last month": -30,
    "next month": 30, "the following week": 7, "the day before yesterday": -2, "the day after to-morrow": 2,
}  # fmt: skip
_TAILS: Final = {"later": 1, "after": 1, "afterwards": 1, "before": -1, "earlier": -1, "ago": -1, "previously": -1}
_SHIFTS: Final = {
    f"{count} {unit}{plural} {tail}": number * days * way
    for count, number in _NUMBERS.items()
    for unit, days in _UNITS.items()
    for plural in ("", "s")
    for tail, way in _TAILS.items()
} | _RELATIVE
_COARSE: Final[dict[str, Unit]] = {
    "hour": "hour",
    "minute": "hour",
    "week": "week",
    "fortnight": "week",
    "month": "month",
    "year": "year",
}
# Said of the day of speaking.
_SPOKEN: Final = re.compile(
    r"yesterday|last |to-?(?:day|morrow|night)|this |next (?:week|month|year)"
    r"|the day (?:before yesterday|after to-?morrow)"
)
_HOURS: Final = dict(zip(list(_NUMBERS)[2:], range(1, 13), strict=True))
_CLOCKS: Final = {
    phrase: (hour - (minute < 0), minute % 60)
    for word, hour in _HOURS.items()
    for phrase, minute in (
        *((f"{word} o{mark}clock", 0) for mark in "'’"),
        *((f"half{join}past {word}", 30) for join in " -"),
        (f"a quarter past {word}", 15),
        (f"a quarter to {word}", -15),
    )
} | {"noon": (12, 0), "midday": (12, 0), "midnight": (24, 0)}
_WEEKDAYS: Final = {
    f"{day}day{part}"
    for day in ("sun", "mon", "tues", "wednes", "thurs", "fri", "satur")
    for part in ("", " morning", " afternoon", " evening", " night")
}
_IN_MONTHS: Final = {
    f"{word} {names.split()[0]}"
    for names in _MONTH_NAMES.split("|")
    for word in ("in", "since", "during", "until", "last", "next", "early in", "late in")
}
_HOURS_LATER: Final = {
    f"{count} {unit} {tail}"
    for count in (*_NUMBERS, "half an", "a few", "some", "several", "twenty", "twenty-four", "forty-eight", "thirty")
    for unit in ("hour", "hours", "minutes")
    for tail in _TAILS
}
_PHRASES: Final = {*_SHIFTS, *_CLOCKS, *_HOURS_LATER}
_NAMED: Final = {phrase.capitalize() for phrase in _WEEKDAYS} | {
    " ".join([*words[:-1], words[-1].capitalize()]) for words in map(str.split, _IN_MONTHS)
}
_capital = {phrase[0].upper() + phrase[1:] for phrase in {*_PHRASES, *_NAMED}}
TIME_PHRASES: Final = sorted({*_PHRASES, *_NAMED, *_capital})
_WORDED: Final = re.compile(rf"\b(?:{phrase_pattern(TIME_PHRASES)})\b")
_PART_OF_DAY: Final = re.compile(
    r"\s+(?:in\s+the\s+(morning|afternoon|evening)|at\s+(night))\b|\s+([apAP])\.?\s?[mM]\b"
)
_GOES_ON: Final = re.compile(r",?\s+(?:the\s+)?\d")
# A date's words are this long at most, and it ends this far behind its first digits.
_LONGEST_WORD, _BEHIND = 14, 48
_PATTERN: Final = re.compile(
    rf"""
    (?=[\dJFMASONDWIUYBsawiduyfbo])(?:  # what a mention can begin with: most places are passed over by one look
    (?P<iso>\b{_YEAR}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])\b)
    |(?P<dmy>\b{_DAY}{_ORDINAL}\s+(?:day\s+)?(?:of\s+)?{MONTH}(?:,?\s+(?:in\s+the\s+year\s+)?{_YEAR})?\b)
    |(?P<mdy>\b{MONTH}\s+(?:the\s+)?{_DAY}{_ORDINAL}\b(?!:\d|\.\d)(?:,?\s+{_YEAR}\b)?)
    |(?P<my>\b{MONTH},?\s+(?:of\s+)?{_YEAR}\b)
    |(?P<clock>\b(?:[01]?\d|2[0-3])[.:][0-5]\d(?:[:.][0-5]\d)?\s*[apAP]\.?\s?[mM]\b\.?|\b(?:1[0-2]|[1-9])\s*[apAP]\.?\s?[mM]\b\.?
        |\b(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?\b(?![:.-]\d)
        |\b(?:1[0-2]|[1-9])\s+o['’]clock\b|\b(?:[01]\d|2[0-3])[0-5]\d\s?(?:hours|hrs)\b)
    |(?P<day>\b(?:[Oo]n|[Oo]f|[Tt]ill|[Uu]ntil|[Bb]y|[Ff]rom|[Ss]ince)\s+the\s+{_DAY}(?:st|nd|rd|th)\b
        (?=[,.;:)]|\s+(?:inst|ult|prox|at|the|and|he|she|it|they|we|I|a|to|when|there|in|was|with)\b))
    |(?P<season>\b(?:[Ss]pring|[Ss]ummer|[Aa]utumn|[Ww]inter)\s+of\s+{_YEAR}\b)
    |(?P<year>\b(?:[Ii]n|[Ss]ince|[Dd]uring|[Uu]ntil|[Yy]ear|[Ff]rom|[Bb]y|[Oo]f|[Aa]fter|[Bb]efore|[Ee]arly|[Ll]ate
        |[Bb]etween)\s+{_YEAR}\b(?!\s*(?:feet|tons|men|people|yards|miles|pounds|hours|persons|passengers|lbs|,\d)))
    |(?P<shift>\b\d{{1,3}}\s+(?:{_UNIT}|hour|minute)s?\s+(?:later|after|afterwards|before|earlier|ago|previously)\b)
    )
    """,
    re.VERBOSE,
)
_HOUR_BEHIND: Final = re.compile(
    rf"\s+(?:on\s+(?:{_DAY}{_ORDINAL}\s+(?:of\s+)?{MONTH}|(?:Sun|Mon|Tues|Wednes|Thurs|Fri|Satur)day\b)"
    r"|(?:to|and|until|till)\s+(?:[01]\d|2[0-3])[0-5]\d\s?(?:hours|hrs)\b)"
)
# What stands before or behind the digits of a date; a number without either is passed over by one look.
_LEADING: Final = {*_MONTHS, *"in since during until year from by of the after before early late between".split()}  # noqa: SIM905
_FOLLOWING = (
    rf"[.:]\d\d|-\d\d-|\s*[apAP]\.?\s?[mM]\b|\s?h(?:ou)?rs|{_ORDINAL}\s+(?:day\s+)?(?:of\s+)?{MONTH}"
    rf"|\s+(?:{_UNIT}|hour|minute|o['’]c)"
)
_TWO_BEFORE: Final = {"the", "of"}
"""Before digits, the words with another word of the date before them (`April the 14th`, `summer of 1914`)."""
_DIGITS: Final = re.compile(rf"\d(?<!\d\d)\d*+(?:(?={_FOLLOWING})(?P<follows>)|(?<=\s\d)|(?<=\s\d\d)|(?<=\s\d{{4}}))")
_WORD: Final = re.compile(r"[A-Za-z]+|\d+")


def times(
    text: str, start: int = 0, end: int | None = None, places: Iterable[int] | None = None, *, chinese: bool = False
) -> Iterator[TimeMention]:
    """The mentions of times in `text[start:end]`, in order; `places` are all at which one in words may begin."""
    end = len(text) if end is None else end
    if chinese:
        for time in chinese_times(text, start, end):
            yield TimeMention(
                time.start, time.end, time.kind, time.edtf, time.shift, time.unit, time.spoken, time.lunar
            )
        return
    found = [*_numeric(text, start, end), *filter(None, map(_worded, matches(_WORDED, text, start, end, places)))]
    yield from sorted(found, key=itemgetter(0))


def _numeric(text: str, start: int, end: int) -> Iterator[TimeMention]:
    """The mentions that hold a digit, looked for around each run of digits."""
    done = start
    for digits in _DIGITS.finditer(text, start, end):
        at = digits.start()
        if at < done:
            continue
        leads = _leads(text[max(done, at - _LONGEST_WORD) : at])
        if leads or digits.lastgroup is not None:
            begin = _word_before(text, done, at) if leads else at
            match = _around(text, done, at, begin, min(end, digits.end() + _BEHIND))
            if match is not None:
                done = match.end()
                yield _MAKERS[match.lastgroup or ""](match)


def _leads(before: str) -> bool:
    """Whether the last word before digits may belong to their date."""
    words = before.rsplit(None, 1)
    return bool(words) and words[-1].rpartition("(")[2].strip(".,").lower() in _LEADING


def _word_before(text: str, start: int, at: int) -> int:
    """Where the last word before `at` begins; not before `start`."""
    first = max(start, at - _LONGEST_WORD)
    before = text[first:at].rstrip()
    return first + max(before.rfind(" "), before.rfind("\n"), before.rfind("(")) + 1


def _around(text: str, start: int, at: int, begin: int, end: int) -> re.Match[str] | None:
    """The mention that begins at the digits at `at`, at the word that leads to them, or one word before that."""
    if begin < at:
        if text[begin : begin + 3].lower().rstrip() in _TWO_BEFORE:
            match = _PATTERN.match(text, _word_before(text, start, begin), end)
            if match is not None and match.end() > at:
                return match
        match = _PATTERN.match(text, begin, end)
        if match is not None and match.end() > at:
            return match
    return _PATTERN.match(text, at, end)


@lru_cache(maxsize=1 << 14)
def resolved(anchor: str, shift: int, unit: Unit = "day") -> str | None:
    """The EDTF date `shift` days from `anchor`, as precise as `unit`; None where the anchor is less precise.

    A shift in weeks gives an approximate day (`~`), one in months or years a month or a year. An anchor without a year
    gives a day without one, unless that depends on the year.
    """
    parts = _DATE.fullmatch(anchor)
    if parts is None:
        return None
    year, month, day = parts["year"], parts["month"], parts["day"]
    if unit == "year":
        return None if year == "XXXX" else f"{int(year) + round(shift / 365):04}"
    if unit == "month":
        return None if month is None or year == "XXXX" else _month_shifted(int(year), int(month), round(shift / 30))
    value = None if day is None else _day_shifted(year, int(month), int(day), shift)
    return value and value + ("~" if unit == "week" and shift else "")


def _month_shifted(year: int, month: int, months: int) -> str:
    count = 12 * year + month - 1 + months
    return f"{count // 12:04}-{count % 12 + 1:02}"


def _day_shifted(year: str, month: int, day: int, shift: int) -> str | None:
    if year != "XXXX":
        value = _shifted(int(year), month, day, shift)
        return None if value is None else value.isoformat()
    common, leap = (_shifted(one, month, day, shift) for one in _COMMON_AND_LEAP)
    if common is None or leap is None or common.year != _COMMON_AND_LEAP[0] or f"{common:%m%d}" != f"{leap:%m%d}":
        return None
    return f"XXXX-{common:%m-%d}"


_COMMON_AND_LEAP: Final = (2001, 2004)
_DATE: Final = re.compile(r"(?P<year>\d{4}|XXXX)(?:-(?P<month>0[1-9]|1[0-2])(?:-(?P<day>\d\d))?)?")


def _shifted(year: int, month: int, day: int, shift: int) -> date | None:
    try:
        return date(year, month, day) + timedelta(days=shift)
    except (ValueError, OverflowError):
        return None


def _words(match: re.Match[str]) -> list[str]:
    return [word.lower() for word in _WORD.findall(match[0])]


def _calendar(match: re.Match[str]) -> TimeMention:
    return TimeMention(match.start(), match.end(), "date", _calendar_date(match[0]))


@lru_cache(maxsize=1 << 14)
def _calendar_date(written: str) -> str | None:
    """The value of a date with a month, None where there is no such day; a text repeats its dates."""
    words = [word.lower() for word in _WORD.findall(written)]
    month = next(_MONTHS[word] for word in words if word in _MONTHS)
    numbers = [int(word) for word in words if word.isdigit()]
    year = next((str(number) for number in numbers if number > 31), "XXXX")
    day = next((number for number in numbers if number <= 31), None)
    value = f"{year}-{month:02}" if day is None else f"{year}-{month:02}-{day:02}"
    return value if _exists(year, month, day) else None


def _exists(year: str, month: int, day: int | None) -> bool:
    try:
        date(int(year) if year.isdigit() else 2000, month, day or 1)
    except ValueError:
        return False
    return True


def _iso(match: re.Match[str]) -> TimeMention:
    year, month, day = map(int, match[0].split("-"))
    return TimeMention(match.start(), match.end(), "date", match[0] if _exists(str(year), month, day) else None)


def _clock(match: re.Match[str]) -> TimeMention:
    digits = re.findall(r"\d+", match[0])
    if match[0].endswith("clock"):
        return _told_clock(match, int(digits[0]), 0)
    if len(digits) == 1 and len(digits[0]) == 4:
        digits = [digits[0][:2], digits[0][2:]]
    hour, minute = int(digits[0]), int(digits[1]) if len(digits) > 1 else 0
    half = re.search(r"([ap])\.?\s?m", match[0].lower())
    if half and hour <= 12:
        hour = hour % 12 + (12 if half[1] == "p" else 0)
    return TimeMention(match.start(), match.end(), "clock", f"T{hour:02}:{minute:02}")


def _bare_day(match: re.Match[str]) -> TimeMention:
    start = match.start() + match[0].index("the")
    day = int(re.findall(r"\d+", match[0])[0])
    return TimeMention(start, match.end(), "date", f"XXXX-XX-{day:02}")


def _season(match: re.Match[str]) -> TimeMention:
    words = _words(match)
    return TimeMention(match.start(), match.end(), "date", f"{words[-1]}-{_SEASONS[words[0]]}")


def _year(match: re.Match[str]) -> TimeMention:
    """A year, or the hour that what stands behind it shows it to be (`until 1700 on 27 April`)."""
    figures = match[0][-4:]
    if figures[2] < "6" and figures < "2400" and _HOUR_BEHIND.match(match.string, match.end()):
        return TimeMention(match.end() - 4, match.end(), "clock", f"T{figures[:2]}:{figures[2:]}")
    return TimeMention(match.end() - 4, match.end(), "date", match[0][-4:])


def _shift(match: re.Match[str]) -> TimeMention:
    words = _words(match)
    unit = words[1].rstrip("s")
    days = int(words[0]) * _UNITS[unit] * _TAILS[words[-1]] if unit in _UNITS else None
    return TimeMention(match.start(), match.end(), "relative", None, days, _unit(words), words[-1] == "ago")


def _worded(match: re.Match[str]) -> TimeMention | None:
    phrase = " ".join(match[0].lower().split())
    start, end = match.span()
    if phrase in _SHIFTS:
        spoken = phrase.endswith("ago") or _SPOKEN.match(phrase) is not None
        return TimeMention(start, end, "relative", None, _SHIFTS[phrase], _unit(phrase.split()), spoken)
    if phrase in _CLOCKS:
        return _told_clock(match, *_CLOCKS[phrase])
    if phrase in _IN_MONTHS:
        month = _MONTHS[phrase.split()[-1]]
        if _GOES_ON.match(match.string, end):
            return None
        return TimeMention(start + match[0].rindex(match[0].split()[-1]), end, "date", f"XXXX-{month:02}")
    return TimeMention(start, end, "relative", None, unit="hour" if phrase in _HOURS_LATER else "day")


def _told_clock(match: re.Match[str], hour: int, minute: int) -> TimeMention:
    """An hour in words: without the part of the day it may be either of two, and has no value."""
    part = _PART_OF_DAY.match(match.string, match.end())
    if part is None:
        value = f"T{hour % 24:02}:{minute:02}" if match[0].lower() in ("noon", "midday", "midnight") else None
        return TimeMention(match.start(), match.end(), "clock", value)
    later = (part[1] or part[2] or part[3].lower()) not in ("morning", "a")
    if part[2] and (hour == 12 or hour < 5):
        later = False
    return TimeMention(match.start(), part.end(), "clock", f"T{hour % 12 + 12 * later:02}:{minute:02}")


def _unit(words: Sequence[str]) -> Unit:
    """How precise a shift in these words is."""
    return next((unit for word in words if (unit := _COARSE.get(word.rstrip("s")))), "day")


_MAKERS = {
    "iso": _iso, "dmy": _calendar, "mdy": _calendar, "my": _calendar, "clock": _clock, "day": _bare_day,
    "season": _season, "year": _year, "shift": _shift,
}  # fmt: skip
