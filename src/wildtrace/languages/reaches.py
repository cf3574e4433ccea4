"""How far a date reaches: the days that an EDTF value can mean, and what the words beside a date make of it.

`Since 1874` names 1874 and reaches on from there (`1874/..`), `before 1874` up to it (`../1874`), `between 1876 and
1878` from the one to the other; about a date is not that day. What is not before a date comes with it or after it.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

Day = tuple[int, int, int]
"""Year, month and day, as they compare."""
FIRST: Final[Day] = (0, 0, 0)
LAST: Final[Day] = (9999, 12, 31)
_EVER: Final = FIRST, LAST
_DATE: Final = re.compile(r"(?P<year>\d{4})(?:-(?P<month>\d\d)(?:-(?P<day>\d\d))?)?(?P<about>[?~%]?)")
_LAST_MONTH, _WINTER = 12, 24
_BEFORE: Final = re.compile(
    r"\b(?P<no>(?:not|never)\s+)?(?P<word>before|until|till|by|prior\s+to|up\s+to|after|since|about|around|circa)"
    r"\s+(?:the\s+)?$",
    re.IGNORECASE,
)
_SECOND_YEAR: Final = re.compile(r"\s*(?:and|or|to|until|till|through|[-–—])\s*(?P<year>(?:1[0-9]|20)\d\d)\b")
_CHINESE: Final = re.compile("以前|之前|以后|以後|之后|之後|以来|以來|左右|前后|前後|上下")
_UP_TO: Final = frozenset(["before", "until", "till", "by", "prior to", "up to", "以前", "之前"])
_ABOUT: Final = frozenset(["about", "around", "circa", "左右", "前后", "前後", "上下"])
_LONGEST: Final = 20


def reach(text: str, start: int, end: int, value: str) -> str | None:
    """The EDTF range or approximate date that the date at `start` to `end` is told as, None where it stands alone."""
    second = _SECOND_YEAR.match(text, end) if len(value) == len("YYYY") else None
    if second is not None and value < second["year"]:
        return f"{value}/{second['year']}"
    before = _BEFORE.search(text[max(0, start - _LONGEST) : start])
    behind = _CHINESE.match(text, end)
    if before is not None:
        word = " ".join(before["word"].lower().split())
        return _bounded(value, word, denied=before["no"] is not None)
    return None if behind is None else _bounded(value, behind[0], denied=False)


def _bounded(value: str, word: str, *, denied: bool) -> str | None:
    if word in _ABOUT:
        return None if denied else f"{value}~"
    return f"../{value}" if (word in _UP_TO) != denied else f"{value}/.."


@lru_cache(maxsize=1 << 14)
def extent(edtf: str | None) -> tuple[Day, Day] | None:
    """The first and the last day that an EDTF date or range can mean; None without a year, and for a clock time.

    An open end reaches as far as years go. About a day is its month, about a month its year, about a year one more on
    either side; a winter may be the one that begins or the one that ends in its year.
    """
    if edtf is None:
        return None
    if "/" in edtf:
        ends = [_EVER if end in ("", "..") else extent(end) for end in edtf.split("/", 1)]
        return None if ends[0] is None or ends[1] is None or ends[0] is ends[1] else (ends[0][0], ends[1][1])
    match = _DATE.fullmatch(edtf)
    if match is None:
        return None
    year, month, day = (int(match[part] or 0) for part in ("year", "month", "day"))
    if match["about"]:
        return _around(year, month, day)
    if month > _LAST_MONTH:
        return _season(year, month)
    return (year, month or 1, day or 1), (year, month or 12, day or 31)


def _around(year: int, month: int, day: int) -> tuple[Day, Day]:
    if day:
        return (year, month, 1), (year, month, 31)
    return (year, 1, 1) if month else (year - 1, 1, 1), (year, 12, 31) if month else (year + 1, 12, 31)


def _season(year: int, season: int) -> tuple[Day, Day]:
    if season >= _WINTER:
        return (year, 1, 1), (year + 1, 2, 31)
    return (year, (season - 20) * 3, 1), (year, (season - 20) * 3 + 2, 31)
