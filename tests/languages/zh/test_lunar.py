"""Lunar dates against the computation, against independent libraries, and against days that history knows."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tools.lunar_table import LAST_YEAR, years

from wildtrace.languages.zh.lunar import LunarDate, cyclical_day, edtf, month_days

# The calendars of today disagree on these months: their new moons fall within minutes of midnight.
_OPEN = {(2089, 8), (2097, 7)}


@pytest.mark.parametrize(
    ("year", "month", "day", "expected"),
    [
        (1620, 7, 21, "1620-08-18"),
        (1620, 9, 1, "1620-09-26"),
        (1627, 8, 22, "1627-09-30"),
        (1644, 3, 19, "1644-04-25"),
        (1644, 10, 1, "1644-10-30"),
        (1661, 1, 7, "1661-02-05"),
        (1722, 11, 13, "1722-12-20"),
        (1735, 8, 23, "1735-10-08"),
        (1799, 1, 3, "1799-02-07"),
        (1820, 7, 25, "1820-09-02"),
        (1850, 1, 14, "1850-02-25"),
        (1861, 7, 17, "1861-08-22"),
        (1874, 12, 5, "1875-01-12"),
        (1900, 7, 20, "1900-08-14"),
        (1908, 10, 21, "1908-11-14"),
        (1911, 8, 19, "1911-10-10"),
        (1911, 12, 25, "1912-02-12"),
        (2024, 1, 1, "2024-02-10"),
    ],
)
def test_days_of_history(year: int, month: int, day: int, expected: str) -> None:
    """Deaths and accessions of emperors, the falls of Peking, the revolution, new years."""
    assert expected == edtf(LunarDate(year, month, day=day))


def test_the_table_is_what_is_computed() -> None:
    """Every month of five centuries begins where the new moon of its computation says, in its order."""
    computed = {(year, *month) for year, months in years().items() for month in months[:-1]}
    for year, month, leap, start in computed:
        found = month_days(year, month, leap=leap)
        assert found is not None, (year, month, leap)
        assert start == found[0], (year, month, leap)


def test_the_table_agrees_with_a_historical_calendar() -> None:
    """An independent library that follows the printed calendars of the Ming and the Qing."""
    calendar = pytest.importorskip("lunar_python", reason="lunar-python is not installed")
    for year in range(1600, LAST_YEAR + 1):
        for month in calendar.LunarYear.fromYear(year).getMonths():
            if month.getYear() == year:
                found = month_days(year, abs(month.getMonth()), leap=month.getMonth() < 0)
                assert (int(month.getFirstJulianDay() + 0.5) - 1721425, month.getDayCount()) == found


def test_the_table_agrees_with_a_modern_calendar() -> None:
    """An independent table of 1900 to 2100, but for the months that calendars disagree on."""
    calendar = pytest.importorskip("borax.calendars.lunardate", reason="borax is not installed")
    for year in range(1900, LAST_YEAR + 1):
        leap = calendar.LCalendars.leap_month(year)
        for month, again in [*((month, 0) for month in range(1, 13)), *([(leap, 1)] if leap else [])]:
            expected = calendar.LunarDate(year, month, 1, again).to_solar_date().isoformat()
            assert expected == edtf(LunarDate(year, month, bool(again), 1)) or (year, month) in _OPEN


@given(st.integers(1600, LAST_YEAR), st.integers(1, 12), st.booleans())
def test_a_month_is_the_range_of_its_days(year: int, month: int, leap: bool) -> None:
    """29 or 30 days; a leap month of another year leaves the year uncertain."""
    found = month_days(year, month, leap=leap)
    value = edtf(LunarDate(year, month, leap))
    if found is None:
        assert f"{year}?" == value
        return
    first = date.fromordinal(found[0])
    assert found[1] in (29, 30)
    assert f"{first}/{first + timedelta(days=found[1] - 1)}" == value
    assert edtf(LunarDate(year, month, leap, 0)) == edtf(LunarDate(year, month, leap, found[1]))
    assert (f"{year}?" == edtf(LunarDate(year, month, leap, 30))) == (found[1] == 29)


def test_beyond_the_table_only_the_year_is_told() -> None:
    """Up to the tenth month it is the civil year, later either that or the next; without a year nothing is."""
    assert edtf(LunarDate(1522, 9, day=3)) == "1522"
    assert edtf(LunarDate(714, 12)) == "0714/0715"
    assert edtf(LunarDate(None, 9, day=3)) is None


def test_the_cycle_of_days() -> None:
    """The day that Peking fell was 丁未 (43); 甲戌 (10) did not come in that month."""
    assert LunarDate(1644, 3, day=19) == cyclical_day(1644, 3, False, 43)
    assert LunarDate(1644, 3) == cyclical_day(1644, 3, False, 10)
    assert "2000-01-01" == edtf(cyclical_day(1999, 11, False, 54))
