"""The days that a date in EDTF (ISO 8601-2) can mean, so that two dates can be put in order, or not."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

Day = tuple[int, int, int]
"""Year, month and day, as they compare."""
FIRST: Final[Day] = (0, 0, 0)
LAST: Final[Day] = (9999, 12, 31)
_DATE: Final = re.compile(r"(?P<year>\d{4})(?:-(?P<month>\d\d)(?:-(?P<day>\d\d))?)?(?P<about>[?~%]?)")
_LAST_MONTH, _WINTER = 12, 24


@lru_cache(maxsize=1 << 14)
def extent(edtf: str | None) -> tuple[Day, Day] | None:
    """The first and the last day that an EDTF date or range can mean; None without a year, and for a clock time.

    An open end reaches as far as years go. About a day is its month, about a month its year, about a year one more on
    either side; a winter may be the one that begins or the one that ends in its year.
    """
    if edtf is None:
        return None
    if "/" in edtf:
        first, last = (extent(end) if end not in ("", "..") else (FIRST, LAST) for end in edtf.split("/", 1))
        return None if first is None or last is None or first == last == (FIRST, LAST) else (first[0], last[1])
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
