"""When events happened: what the dates in them tell, and no more."""

from __future__ import annotations

from typing import Any

import pytest

from wildtrace.construct.geometries.when import When, dated
from wildtrace.languages.reaches import Day
from wildtrace.types import Record, Span


def event(place: int, **fields: Any) -> Record:
    """An event of ten code points."""
    return Record(f"r{place}", "s", "event", Span(place, place + 10, "x" * 10), fields, "rule:events")


def time(place: int, edtf: str | None) -> Record:
    """A date of two code points."""
    return Record(f"t{place}", "s", "time", Span(place, place + 2, "xx"), {"edtf": edtf}, "rule:times")


def test_an_event_spans_all_dates_in_it() -> None:
    """Those kept as records and those that it tells of besides; what stands in no event dates none."""
    also = [{"kind": "time", "start": 27, "end": 29, "edtf": "1899"}, {"kind": "quotation", "start": 21, "end": 23}]
    events = [event(0), event(20, also=also), event(40), event(60)]
    times = [time(3, "1911-07"), time(15, "1800"), time(22, "1911"), time(24, None), time(42, "T19:00")]
    assert {
        "r0": When((1911, 7, 1), (1911, 7, 31), "1911-07", "1911-07"),
        "r20": When((1899, 1, 1), (1911, 12, 31), "1899", "1911"),
    } == dated(events, times)
    assert {} == dated([], times)


@pytest.mark.parametrize(
    ("told", "span"),
    [
        (["2008-09-14", "../2013-09-13"], ((2008, 9, 14), (2013, 9, 13))),
        (["1899/..", "1911"], ((1899, 1, 1), (1911, 12, 31))),
        (["../1876", "1880"], ((0, 0, 0), (1880, 12, 31))),
        (["1899/..", "1880"], ((1880, 1, 1), (9999, 12, 31))),
    ],
)
def test_what_is_open_reaches_to_another_date_of_the_event(told: list[str], span: tuple[Day, Day]) -> None:
    """An audit of 2008, valid until 2013, was not before 2008; what was before 1876 may have been at any time."""
    when = dated([event(0)], [time(place, edtf) for place, edtf in enumerate(told)])["r0"]
    assert span == (when.first, when.last)


def test_how_far_a_date_reaches_counts_where_it_is_told() -> None:
    """Since 1899 is not in 1899."""
    since = time(3, "1899")
    since = since._replace(fields={**since.fields, "reach": "1899/.."})
    assert (9999, 12, 31) == dated([event(0)], [since])["r0"].last


@pytest.mark.parametrize(
    ("one", "other", "before"),
    [
        ("2008-09-14", "2008-09-15", True),
        ("2008-09-14", "2008-09-14", False),
        ("2008-09-15", "2008-09-14", False),
        ("2008", "2008-09-14", False),
        ("2008-08", "2008-09-14", True),
    ],
)
def test_only_what_ends_before_the_other_begins_is_before_it(one: str, other: str, before: bool) -> None:
    """A year says nothing of a day in it."""
    whens = dated([event(0), event(20)], [time(1, one), time(21, other)])
    assert before == whens["r0"].before(whens["r20"])
