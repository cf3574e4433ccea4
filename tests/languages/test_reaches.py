"""How far dates reach, by their value and by the words beside them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wildtrace.languages.reaches import Day, extent, reach


@pytest.mark.parametrize(
    ("told", "date", "value", "reached"),
    [
        ("since 1874 the", "1874", "1874", "1874/.."),
        ("shortly before 1874,", "1874", "1874", "../1874"),
        ("Prior to 1874,", "1874", "1874", "../1874"),
        ("not until 1874", "1874", "1874", "1874/.."),
        ("valid until the 13th of May 1874", "13th of May 1874", "1874-05-13", "../1874-05-13"),
        ("by 3 March 1871 he", "3 March 1871", "1871-03-03", "../1871-03-03"),
        ("about 3 March 1871", "3 March 1871", "1871-03-03", "1871-03-03~"),
        ("Between 1876 and 1878", "1876", "1876", "1876/1878"),
        ("in 1876 or 1877", "1876", "1876", "1876/1877"),
        ("from 1896 to 1911", "1896", "1896", "1896/1911"),
        ("in 1876 and 1870", "1876", "1876", None),
        ("on 3 March 1871 he", "3 March 1871", "1871-03-03", None),
        ("in 1874 the", "1874", "1874", None),
        ("乾隆三十年以前", "乾隆三十年", "1765", "../1765"),
        ("康熙五十年之後，", "康熙五十年", "1711", "1711/.."),
        ("一九二一年前后", "一九二一年", "1921", "1921~"),
        ("一九二一年，", "一九二一年", "1921", None),
    ],
)
def test_the_words_beside_a_date_say_how_far_it_reaches(told: str, date: str, value: str, reached: str | None) -> None:
    """A bound, a range or an approximation, in both languages; a date that stands alone reaches no further."""
    start = told.index(date)
    assert reached == reach(told, start, start + len(date), value)


@given(st.text(alphabet=st.sampled_from(list("not since1876 -to以前后左右")), max_size=40))
def test_any_words_are_read(text: str) -> None:
    """What is said to be reached has an extent."""
    for at in range(len(text) + 1):
        told = reach(text, at, at, "1876")
        assert told is None or extent(told) is not None


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
