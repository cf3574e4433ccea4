"""Times of Chinese text by our own tables."""

from __future__ import annotations

import pytest

from wildtrace.text.chinese_calendar import chinese_number, reign_year
from wildtrace.text.dates import times


@pytest.mark.parametrize(
    ("text", "mention", "edtf"),
    [
        ("乾隆五十年间", "乾隆五十年", "1785"),
        ("光緒二十六年三月初二日，", "光緒二十六年三月初二日", "1900?"),
        ("民国二十六年七月，", "民国二十六年七月", "1937?"),
        ("宣德元年，", "宣德元年", "1426"),
        ("于1912年4月15日沉没", "1912年4月15日", "1912-04-15"),
        ("三更时分，", "三更时", "T23"),
        ("午时三刻，", "午时三刻", "T11"),
    ],
)
def test_reign_years_and_hours_are_normalised(text: str, mention: str, edtf: str) -> None:
    """A reign year is a civil year, uncertain where a lunar month follows that may fall into the next one."""
    (found,) = times(text, chinese=True)
    assert (mention, edtf) == (text[found.start : found.end], found.edtf)


@pytest.mark.parametrize("text", ["乾隆七十年，", "宣统九年，"])
def test_a_year_beyond_its_era_is_left_open(text: str) -> None:
    """No era is stretched."""
    (found,) = times(text, chinese=True)
    assert found.edtf is None


@pytest.mark.parametrize(
    ("text", "shift"), [("次日", 1), ("三日后", 3), ("昨夜", -1), ("过了十天之后", 10), ("二年前", -730)]
)
def test_relative_days_carry_their_shift(text: str, shift: int) -> None:
    """Both the idioms and the counted ones."""
    (found,) = times(f"{text}，他来了。", chinese=True)
    assert ("relative", shift) == (found.kind, found.shift)


@pytest.mark.parametrize(
    ("numeral", "value"), [("五十三", 53), ("十", 10), ("一九二六", 1926), ("廿四", 24), ("元", 1), ("一百零二", 102)]
)
def test_numerals_are_read(numeral: str, value: int) -> None:
    """By place value and digit by digit."""
    assert value == chinese_number(numeral)


def test_the_last_year_of_an_era_is_in_it() -> None:
    """The bounds of a reign are inclusive."""
    assert 1795 == reign_year("乾隆", 60)
    assert reign_year("乾隆", 61) is None
