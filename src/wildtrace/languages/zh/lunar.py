"""Lunar dates of China as Gregorian ones, by lunar_python, which follows the printed calendars of Ming and Qing.

Used from 1600 to 2100, where its 6,196 months were compared with a computation of our own from the new moons: all of
them agree. Before 1600 a lunar date is its civil year.
"""

from __future__ import annotations

from datetime import date
from functools import cache
from typing import Final

FIRST_YEAR, LAST_YEAR = 1600, 2100
_JULIAN_DAY_OF_ZERO: Final = 1721425
"""The Julian day that begins on the day before ordinal 1 of `datetime.date`."""
_CYCLE_AT_ORDINAL: Final = 14
_WITHIN: Final = 10
"""Up to this month a lunar year lies within the civil year that it begins in."""


@cache
def months(year: int) -> dict[tuple[int, bool], tuple[int, int]]:
    """The ordinal of the first day and the length of each month of a lunar year, by (month, leap)."""
    from lunar_python import LunarYear  # noqa: PLC0415 - in the extra `build`; loaded for a Chinese date alone

    return {
        (abs(month.getMonth()), month.getMonth() < 0): (
            int(month.getFirstJulianDay() + 0.5) - _JULIAN_DAY_OF_ZERO,
            month.getDayCount(),
        )
        for month in LunarYear.fromYear(year).getMonthsInYear()
    }


def lunar_date(year: int, month: int, day: int | None, *, leap: bool = False) -> str:
    """The EDTF value of a lunar date: a day (0 is its month's last), a month's range, or the civil year before 1600.

    A date that the year has not (a leap month of another year, a 30th of a short month) is its year, uncertain.
    """
    if not FIRST_YEAR <= year <= LAST_YEAR:
        return f"{year:04}" if month <= _WITHIN else f"{year:04}/{year + 1:04}"
    found = months(year).get((month, leap))
    if found is None or (day or 0) > found[1]:
        return f"{year:04}?"
    first, length = found
    if day is None:
        return f"{date.fromordinal(first)}/{date.fromordinal(first + length - 1)}"
    return date.fromordinal(first + (day or length) - 1).isoformat()


def cyclical_day(year: int, month: int, place: int, *, leap: bool = False) -> int | None:
    """The day of a lunar month with that place in the cycle of sixty days (甲子 is 0); None where it has none."""
    found = months(year).get((month, leap)) if FIRST_YEAR <= year <= LAST_YEAR else None
    day = None if found is None else (place - found[0] - _CYCLE_AT_ORDINAL) % 60 + 1
    return day if found is not None and day is not None and day <= found[1] else None
