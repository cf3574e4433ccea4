"""The days that EDTF dates can mean."""

from __future__ import annotations

import pytest

from wildtrace.languages.edtf import Day, extent


@pytest.mark.parametrize(
    ("edtf", "first", "last"),
    [
        ("1921-03-09", (1921, 3, 9), (1921, 3, 9)),
        ("1921-03", (1921, 3, 1), (1921, 3, 31)),
        ("1921", (1921, 1, 1), (1921, 12, 31)),
        ("1921-22", (1921, 6, 1), (1921, 8, 31)),
        ("1921-24", (1921, 1, 1), (1922, 2, 31)),
        ("1785-04-09/1785-05-08", (1785, 4, 9), (1785, 5, 8)),
        ("1662/1722", (1662, 1, 1), (1722, 12, 31)),
        ("../1876", (0, 0, 0), (1876, 12, 31)),
        ("1876-05/..", (1876, 5, 1), (9999, 12, 31)),
        ("1921-03-09~", (1921, 3, 1), (1921, 3, 31)),
        ("1921-03~", (1921, 1, 1), (1921, 12, 31)),
        ("1921~", (1920, 1, 1), (1922, 12, 31)),
    ],
)
def test_a_date_reaches_from_its_first_to_its_last_day(edtf: str, first: Day, last: Day) -> None:
    """What is open or about reaches as far as it can mean."""
    assert (first, last) == extent(edtf)


@pytest.mark.parametrize("edtf", ["XXXX-10-05", "T19:50", "T11:00/T13:00", "../..", "", None])
def test_what_has_no_year_has_no_place_in_time(edtf: str | None) -> None:
    """Days without a year and hours put nothing in order."""
    assert extent(edtf) is None
