"""Times of English text, normalised."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wildtrace.text.dates import resolved, sort_key, times


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
        ("at 0214 hours the", "0214 hours", "T02:14"),
        ("at 12.15 a. m. it", "12.15 a. m.", "T00:15"),
        ("signed 2022-12-07.", "2022-12-07", "2022-12-07"),
    ],
)
def test_dates_and_clock_times_are_normalised(text: str, mention: str, edtf: str) -> None:
    """What the text states is in the value; what it leaves open is X."""
    (found,) = times(text)
    assert (mention, edtf) == (text[found.start : found.end], found.edtf)


@pytest.mark.parametrize(
    ("text", "shift"),
    [("the next morning", 1), ("Two days later", 2), ("a week ago", -7), ("that night", 0), ("3 years before", -1095)],
)
def test_relative_times_carry_their_shift(text: str, shift: int) -> None:
    """A relative time has no value of its own."""
    (found,) = times(f"{text}, he left.")
    assert ("relative", None, shift) == (found.kind, found.edtf, found.shift)


def test_a_date_that_does_not_exist_has_no_value() -> None:
    """The 31st of June is a mention, not a date."""
    (found,) = times("on 31 June 1900 they met")
    assert found.edtf is None


@pytest.mark.parametrize("text", ["He may come in.", "1,902 persons", "No. 23, see page 73", "in 1902 feet of"])
def test_numbers_and_verbs_are_no_dates(text: str) -> None:
    """`may`, counts, references and measurements are left alone."""
    assert [] == list(times(text))


@given(st.dates(min_value=date(1500, 1, 1), max_value=date(2090, 1, 1)), st.integers(-4000, 4000))
def test_a_shift_is_counted_in_days(day: date, shift: int) -> None:
    """Resolving agrees with the calendar."""
    assert date.fromordinal(day.toordinal() + shift).isoformat() == resolved(day.isoformat(), shift)


def test_what_is_no_full_day_anchors_nothing() -> None:
    """A month or a clock time cannot be shifted by days."""
    assert resolved("2011-10", 1) is None
    assert resolved("T23:40", 1) is None


def test_sort_keys_put_dates_in_order() -> None:
    """A season stands between its months; a date without a year has no place."""
    assert sort_key("1921-03") < sort_key("1921-22") < sort_key("1921-11-02")  # type: ignore[operator]
    assert sort_key("XXXX-10-05") is None
