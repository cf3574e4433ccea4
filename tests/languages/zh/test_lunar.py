"""Lunar dates against days that history knows and against a second library."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wildtrace.languages.zh.lunar import FIRST_YEAR, LAST_YEAR, cyclical_day, lunar_date, months

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
    assert expected == lunar_date(year, month, day)


def test_the_calendar_agrees_with_a_second_one() -> None:
    """An independent table of 1900 to 2100, but for the months that calendars disagree on."""
    calendar = pytest.importorskip("borax.calendars.lunardate", reason="borax is not installed")
    for year in range(1900, LAST_YEAR + 1, 3):
        for month, leap in months(year):
            expected = calendar.LunarDate(year, month, 1, int(leap)).to_solar_date().isoformat()
            assert expected == lunar_date(year, month, 1, leap=leap) or (year, month) in _OPEN


@given(st.integers(FIRST_YEAR, LAST_YEAR), st.integers(1, 12), st.booleans())
def test_a_month_is_the_range_of_its_days(year: int, month: int, leap: bool) -> None:
    """29 or 30 days; a leap month of another year leaves the year uncertain."""
    found = months(year).get((month, leap))
    value = lunar_date(year, month, None, leap=leap)
    if found is None:
        assert f"{year}?" == value
        return
    first = date.fromordinal(found[0])
    assert found[1] in (29, 30)
    assert f"{first}/{first + timedelta(days=found[1] - 1)}" == value
    assert lunar_date(year, month, 0, leap=leap) == lunar_date(year, month, found[1], leap=leap)
    assert (f"{year}?" == lunar_date(year, month, 30, leap=leap)) == (found[1] == 29)


def test_before_1600_only_the_year_is_stated() -> None:
    """Up to the tenth month it is the civil year, later either that or the next."""
    assert "1522" == lunar_date(1522, 9, 3)
    assert "0714/0715" == lunar_date(714, 12, None)


def test_the_cycle_of_days() -> None:
    """The day that Peking fell was 丁未 (43); 甲戌 (10) did not come in that month."""
    assert 19 == cyclical_day(1644, 3, 43)
    assert cyclical_day(1644, 3, 10) is None
