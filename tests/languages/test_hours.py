"""Hours written as four figures, in documents that write them so."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wildtrace.languages.dates import times
from wildtrace.languages.hours import Hours, hours_of, with_hours

REPORT = Hours(frozenset({2010, 2011, 2012}))


def read(text: str, hours: Hours = REPORT) -> list[tuple[str, str, str | None]]:
    """The quotes, kinds and values of a text's times, in a document with such hours."""
    return [(text[one.start : one.end], one.kind, one.edtf) for one in with_hours(times(text), text, hours)]


@pytest.mark.parametrize(
    "text",
    [
        "At 1740 the driver left.",
        "She struck at 0214.",
        "She struck at 2214.",
        "It was seen at 1740 and again at about 1805.",
        "He left at 1740 hours.",
        "Times are told by the 24-hour clock. From 1740 to 1805 it rained.",
    ],
)
def test_a_document_that_writes_hours_so(text: str) -> None:
    """What happens at a number is told by the hour."""
    assert hours_of(text) is not None


@pytest.mark.parametrize(
    "text",
    [
        "From 1740 to 1805 he lived at Rome.",
        "It stood at 1500 feet, and later at 1800 feet.",
        "He was shown in at 1600 Pennsylvania Avenue and at 1600 K Street.",
        "It sold at 1740, and no more.",
        "At 11.40 p. m. she struck.",
        "In 1912 and until 1913 it was kept.",
        "At 1985 the counter stood.",
        "",
    ],
)
def test_a_document_that_does_not(text: str) -> None:
    """A year, a height, a house and a price are no hours."""
    assert hours_of(text) is None


def test_the_years_of_a_document_are_those_it_surely_speaks_of() -> None:
    """Beside a month, or behind `in`."""
    found = hours_of("At 0214 on 5 October 2011 she struck. In 1990 she was built. From 1740 to 1805 it rained.")
    assert Hours(frozenset({2011, 1990})) == found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("From 1740 to 1805, the crew", [("1740", "T17:40"), ("1805", "T18:05")]),
        ("then one hour from 1600 until 1700 the approximate", [("1600", "T16:00"), ("1700", "T17:00")]),
        ("Between 1600 and 1700 the crew", [("1600", "T16:00"), ("1700", "T17:00")]),
        ("At about 1430 the mate", [("1430", "T14:30")]),
        ("By 1905 he was", [("1905", "T19:05")]),
        ("about 1430, when", [("1430", "T14:30")]),
        ("at 2011 the alarm", [("2011", "T20:11")]),
        ("from 2000 to 0600 the", [("2000", "T20:00"), ("0600", "T06:00")]),
        ("at 0214 hours the", [("0214 hours", "T02:14")]),
        ("until 2011 that evening", [("2011", "T20:11")]),
    ],
)
def test_numbers_of_such_a_document_are_hours(text: str, expected: list[tuple[str, str]]) -> None:
    """Also where the same number elsewhere is a year."""
    assert [(quote, "clock", value) for quote, value in expected] == read(text)[: len(expected)]


@pytest.mark.parametrize(
    ("text", "quotes"),
    [
        ("produced between 2006 and 2012.", ["2006", "2012"]),
        ("until 2012 it", ["2012"]),
        ("By 2010 there", ["2010"]),
    ],
)
def test_what_may_be_a_year_of_the_document_stays_open(text: str, quotes: list[str]) -> None:
    """It is a mention without a value, which joins nothing."""
    assert [(quote, "clock", None) for quote in quotes] == read(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("In 1912 she sailed", [("1912", "date", "1912")]),
        ("during 2012, which", [("2012", "date", "2012")]),
        ("employed since 2003. He", [("2003", "date", "2003")]),
        ("from 1945 to 1985 it", [("1945", "date", "1945")]),
        ("from 1985 on", [("1985", "date", "1985")]),
        ("on 5 October 2011 at", [("5 October 2011", "date", "2011-10-05")]),
        ("a load of about 1430 tonnes and", []),
        ("at 1500 rpm the", []),
        ("amounted to 1430, all", []),
        ("at 1540.5 and", []),
    ],
)
def test_years_and_counts_of_such_a_document_stay(text: str, expected: list[tuple[str, str, str | None]]) -> None:
    """A year that nothing else can be, and a number with a unit."""
    assert expected == read(text)


@given(st.text(alphabet=" 0129745.,:attofrmnd\n", max_size=60))
def test_mentions_never_overlap(text: str) -> None:
    """Whatever the text: in order, each behind the one before, each quoting what it stands for."""
    mentions = with_hours(times(text), text, REPORT)
    for one, other in pairwise(mentions):
        assert one.end <= other.start
    assert all(mention.start < mention.end <= len(text) for mention in mentions)
