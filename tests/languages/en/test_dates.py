"""Times of English text, normalised."""

from __future__ import annotations

import pytest

from wildtrace.languages.en.dates import times


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
        ("At 1740 the vessel", "1740", "T17:40"),
        ("at about 1905 she", "1905", "T19:05"),
        ("from 1600 it", "1600", "1600"),
    ],
)
def test_dates_and_clock_times_are_normalised(text: str, mention: str, edtf: str | None) -> None:
    """What the text states is in the value; what it leaves open is X."""
    found, *_ = times(text)
    assert (mention, edtf) == (text[found.start : found.end], found.edtf)


@pytest.mark.parametrize(
    "text", ["the next morning", "Two days later", "a week ago", "that night", "3 years before", "48 hours before"]
)
def test_relative_times_have_no_value(text: str) -> None:
    """They depend on a day that another place names."""
    assert [("relative", None)] == [(found.kind, found.edtf) for found in times(f"{text}, he left.")]


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
