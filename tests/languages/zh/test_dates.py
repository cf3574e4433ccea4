"""Times of Chinese text by our own tables."""

from __future__ import annotations

import pytest

from wildtrace.languages.zh.dates import times
from wildtrace.languages.zh.eras import reign_year
from wildtrace.languages.zh.numbers import chinese_number


@pytest.mark.parametrize(
    ("text", "mention", "edtf"),
    [
        ("乾隆五十年间", "乾隆五十年", "1785"),
        ("光緒二十六年三月初二日，", "光緒二十六年三月初二日", "1900-04-01"),
        ("民国二十六年七月，", "民国二十六年七月", "1937-07"),
        ("宣德元年，", "宣德元年", "1426"),
        ("于1912年4月15日沉没", "1912年4月15日", "1912-04-15"),
        ("三更时分，", "三更时", "T23:00/T01:00"),
        ("午时三刻，", "午时三刻", "T11:00/T13:00"),
    ],
)
def test_reign_years_and_hours_are_normalised(text: str, mention: str, edtf: str) -> None:
    """A reign year is a civil year, its lunar month and day a Gregorian date; a double-hour is two hours."""
    (found,) = times(text)
    assert (mention, edtf) == (text[found.start : found.end], found.edtf)


@pytest.mark.parametrize(
    ("mention", "edtf"),
    [
        ("乾隆五十年三月初二", "1785-04-10"),
        ("乾隆五十年三月", "1785-04-09/1785-05-08"),
        ("乾隆六十年閏二月初五日", "1795-03-25"),
        ("康熙六十一年十一月十三日", "1722-12-20"),
        ("崇禎十七年三月十九", "1644-04-25"),
        ("順治元年十月朔", "1644-10-30"),
        ("道光三十年正月晦", "1850-03-13"),
        ("光緒二十年臘月廿三", "1895-01-18"),
        ("康熙甲子", "1684"),
        ("光绪庚子七月二十", "1900-08-14"),
        ("康熙三年五月甲子日", "1664-05-27"),
        ("雍正四年丙午", "1726"),
        ("民國26年7月7日", "1937-07-07"),
        ("民国三年腊月廿三", "1915-02-06"),
        ("民國一百一十三年", "2024"),
        ("康熙年间", "1662/1722"),
        ("贞观三年四月", "0629"),
        ("开元二年十二月", "0714/0715"),
        ("一九二六年三月十八日", "1926-03-18"),
        ("公元前221年", "-0220"),
        ("10月5日", "XXXX-10-05"),
        ("下午三点半", "T15:30"),
        ("晚上十点钟", "T22:00"),
        ("凌晨2点20分", "T02:20"),
        ("午初二刻", "T11:30"),
        ("子正三刻", "T00:45"),
        ("十七时四十分", "T17:40"),
        ("17时40分", "T17:40"),
        ("1740时", "T17:40"),
        ("0214時", "T02:14"),
    ],
)
def test_dates_and_hours_have_their_value(mention: str, edtf: str) -> None:
    """By the moon under the emperors, by the sun under the Republic unless the words are the moon's."""
    (found,) = times(f"，{mention}，")
    assert (1, 1 + len(mention), edtf) == (found.start, found.end, found.edtf)


@pytest.mark.parametrize(
    ("told", "edtf"),
    [
        ("晚7时30分", "T19:30"),
        ("晚间7时30分", "T19:30"),
        ("当晚10时5分", "T22:05"),
        ("今晚八时八分", "T20:08"),
        ("午后3时20分", "T15:20"),
        ("午後三點二十分", "T15:20"),
        ("夜11时45分", "T23:45"),
        ("半夜十二时十分", "T00:10"),
        ("夜里2时5分", "T02:05"),
        ("清早6时5分", "T06:05"),
        ("晚约8时10分", "T20:10"),
        ("他在7时30分", "T07:30"),
    ],
)
def test_the_part_of_the_day_before_an_hour_counts(told: str, edtf: str) -> None:
    """Also where it is the end of another word."""
    assert edtf == [found.edtf for found in times(f"，{told}，")][-1]


@pytest.mark.parametrize("mention", ["三月初二", "閏四月十五", "臘月晦日", "八月既望"])
def test_a_lunar_date_without_a_year_has_no_value(mention: str) -> None:
    """It comes back every year."""
    assert [(len(mention), None)] == [(found.end, found.edtf) for found in times(mention)]


@pytest.mark.parametrize(
    "text",
    [
        "康熙壬寅，",
        "雍正六七年，",
        "雍正五年丙午，",
        "戊辰年，",
        "甲子日，",
        "四点钟，",
        "公元前221年3月2日，",
        "康熙初年，",
    ],
)
def test_what_could_mean_two_is_left_open(text: str) -> None:
    """A year that comes twice in its era or is told as one of two, years and days of the cycle, half the clock."""
    (found,) = times(text)
    assert found.edtf is None


@pytest.mark.parametrize("text", ["乾隆五十年閏三月初二，", "康熙三年二月三十日，"])
def test_a_day_that_its_year_has_not_leaves_the_year_uncertain(text: str) -> None:
    """1785 had no leap month, and the second month of 1664 29 days."""
    (found,) = times(text)
    assert found.edtf in ("1785?", "1664?")


@pytest.mark.parametrize("text", ["孩子正在门前", "一点也不", "三月不知肉味", "有点儿"])
def test_words_that_only_look_like_times_are_none(text: str) -> None:
    """`a child just then`, `not a bit`, `three months`."""
    assert [] == list(times(text))


@pytest.mark.parametrize("text", ["辰牌时候", "辰牌时分", "辰时", "辰牌", "辰時候"])
def test_a_double_hour_is_told_in_several_ways(text: str) -> None:
    """With 牌 and with 候."""
    (found,) = times(f"{text}，他来了。")
    assert (text, "T07:00/T09:00") == (f"{text}，"[found.start : found.end], found.edtf)


@pytest.mark.parametrize("text", ["乾隆七十年，", "宣统九年，"])
def test_a_year_beyond_its_era_is_left_open(text: str) -> None:
    """No era is stretched."""
    (found,) = times(text)
    assert found.edtf is None


@pytest.mark.parametrize("text", ["次日", "三日后", "昨夜", "过了十天之后", "二年前", "这日", "這夜", "第三日", "今早"])
def test_relative_days_have_no_value(text: str) -> None:
    """Both the idioms and the counted ones."""
    assert [("relative", None)] == [(found.kind, found.edtf) for found in times(f"{text}，他来了。")]


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


@pytest.mark.parametrize("text", ["1740时期的", "1840時代", "2460时", "11740时"])
def test_four_figures_before_an_age_are_no_hour(text: str) -> None:
    """Nor is a number that no clock shows."""
    assert [] == [found.edtf for found in times(text) if (found.edtf or "").startswith("T")]


def test_four_figures_before_a_year_are_one() -> None:
    """`1740年` is a year and `1740时` an hour, side by side."""
    assert ["1740", "T17:40"] == [found.edtf for found in times("自1740年起，1740时开船。")]
