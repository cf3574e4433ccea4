"""Times of English text, normalised."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wildtrace.languages.dates import resolved, times
from wildtrace.languages.zh.calendar import Unit


@pytest.mark.parametrize(
    ("text", "mention", "edtf"),
    [
        ("on 5 October 2011 at", "5 October 2011", "2011-10-05"),
        ("the 26th of November, 1703 was", "26th of November, 1703", "1703-11-26"),
        ("June 14, 1911.", "June 14, 1911", "1911-06-14"),
        ("in April 1912 she", "April 1912", "1912-04"),
        ("the spring of 1921 was", "spring of 1921", "1921-21"),
        ("In 1879 a bridge", "1879", "1879"),
        ("on 5 October they", "5 October", "XXXX-10-05"),
        ("At 11.40 p. m. she", "11.40 p. m.", "T23:40"),
        ("at 7:50 P. M. she", "7:50 P. M.", "T19:50"),
        ("at 7.50 PM she", "7.50 PM", "T19:50"),
        ("at 7 A.M. she", "7 A.M.", "T07:00"),
        ("at two o'clock P.M. she", "two o'clock P.M", "T14:00"),
        ("at 0214 hours the", "0214 hours", "T02:14"),
        ("at 12.15 a. m. it", "12.15 a. m.", "T00:15"),
        ("signed 2022-12-07.", "2022-12-07", "2022-12-07"),
        ("_Cornwall._ June 14th.   1 injured", "June 14th", "XXXX-06-14"),
        ("at approximately 9:07, laden", "9:07", "T09:07"),
        ("it left on the 14th, and", "the 14th", "XXXX-XX-14"),
        ("She came in April and stayed", "April", "XXXX-04"),
        ("at half-past nine in the evening he", "half-past nine in the evening", "T21:30"),
        ("before ten o’clock at night he", "ten o’clock at night", "T22:00"),
        ("by 2 o'clock in the morning it", "2 o'clock in the morning", "T02:00"),
        ("a quarter to one in the afternoon", "a quarter to one in the afternoon", "T12:45"),
        ("until noon they", "noon", "T12:00"),
        ("at midnight they", "midnight", "T00:00"),
        ("shortly before 1874 the", "1874", "1874"),
        ("about ten o'clock they", "ten o'clock", None),
        ("between 1900 on 27 April", "1900", "T19:00"),
        ("until 1730 on Monday", "1730", "T17:30"),
        ("until 1861 on 27 April", "1861", "1861"),
        ("from 1600 until 1700 hours", "1600", "T16:00"),
        ("from 1600 until 1700 it", "1600", "1600"),
    ],
)
def test_dates_and_clock_times_are_normalised(text: str, mention: str, edtf: str | None) -> None:
    """What the text states is in the value; what it leaves open is X."""
    found, *_ = times(text)
    assert (mention, edtf) == (text[found.start : found.end], found.edtf)


@pytest.mark.parametrize(
    ("text", "shift"),
    [("the next morning", 1), ("Two days later", 2), ("a week ago", -7), ("that night", 0), ("3 years before", -1095)],
)
def test_relative_times_carry_their_shift(text: str, shift: int) -> None:
    """A relative time has no value of its own."""
    (found,) = times(f"{text}, he left.")
    assert ("relative", None, shift) == (found.kind, found.edtf, found.shift)


@pytest.mark.parametrize(
    ("text", "unit"), [("48 hours before", "hour"), ("half an hour later", "hour"), ("Tuesday evening", "day")]
)
def test_what_has_no_shift_in_days(text: str, unit: str) -> None:
    """Hours may pass midnight, and a weekday belongs to some week."""
    (found,) = times(f"They came {text}, and left.")
    assert ("relative", None, None, unit) == (found.kind, found.edtf, found.shift, found.unit)


def test_a_month_with_its_day_is_one_mention() -> None:
    """`in April 1912` and `in June the 3rd` are read once."""
    assert ["1912-04", "XXXX-06-03"] == [one.edtf for one in times("It was in April 1912. And in June the 3rd, she")]


def test_a_date_that_does_not_exist_has_no_value() -> None:
    """The 31st of June is a mention, not a date."""
    (found,) = times("on 31 June 1900 they met")
    assert found.edtf is None


@pytest.mark.parametrize(
    "text",
    ["He may come in.", "1,902 persons", "No. 23, see page 73", "in 1902 feet of", "the 14th century", "Route 9:07:1"],
)
def test_numbers_and_verbs_are_no_dates(text: str) -> None:
    """`may`, counts, references and measurements are left alone."""
    assert [] == list(times(text))


@given(st.dates(min_value=date(1500, 1, 1), max_value=date(2090, 1, 1)), st.integers(-4000, 4000))
def test_a_shift_is_counted_in_days(day: date, shift: int) -> None:
    """Resolving agrees with the calendar."""
    assert date.fromordinal(day.toordinal() + shift).isoformat() == resolved(day.isoformat(), shift)


@pytest.mark.parametrize(
    ("anchor", "shift", "unit", "expected"),
    [
        ("2011-10-05", 730, "year", "2013"),
        ("1879", -365, "year", "1878"),
        ("1911-11-20", 60, "month", "1912-01"),
        ("1911", 60, "month", None),
        ("2011-10-05", 14, "week", "2011-10-19~"),
        ("XXXX-04-14", 1, "day", "XXXX-04-15"),
        ("XXXX-02-28", 1, "day", None),
        ("XXXX-12-31", 1, "day", None),
        ("1921-21", 1, "day", None),
    ],
)
def test_a_shifted_date_is_as_precise_as_its_unit(anchor: str, shift: int, unit: Unit, expected: str | None) -> None:
    """Two years later is a year, two weeks later about a day; what depends on an unknown year is left open."""
    assert expected == resolved(anchor, shift, unit)


@pytest.mark.parametrize(
    ("text", "unit", "spoken"),
    [
        ("Two years later", "year", False),
        ("two weeks ago", "week", True),
        ("the day before", "day", False),
        ("yesterday", "day", True),
        ("the next day", "day", False),
        ("3 months before", "month", False),
    ],
)
def test_a_relative_time_tells_its_unit_and_whether_it_is_spoken(text: str, unit: str, spoken: bool) -> None:
    """What counts from the day of speaking is told apart from what counts from the day of the story."""
    (found,) = times(f"It was {text}.")
    assert (unit, spoken) == (found.unit, found.spoken)


def test_what_is_no_full_day_anchors_nothing() -> None:
    """A month or a clock time cannot be shifted by days."""
    assert resolved("2011-10", 1) is None
    assert resolved("T23:40", 1) is None
