"""Numbers in digits, words and numerals, and the edges that cut them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wildtrace.ground.written_numbers import number_end, number_start


def grown(text: str) -> tuple[str, str]:
    """What an edge, drawn as `|`, takes in before it where a passage begins there, behind it where one ends there."""
    before, after = text.split("|")
    whole, at = before + after, len(before)
    return whole[number_start(whole, at) : at], whole[at : number_end(whole, at)]


@pytest.mark.parametrize(
    ("text", "before", "after"),
    [
        ("1|5 men", "1", "5"),
        ("at 1.|5 bar", "1.", "5"),
        ("at 1|,500 men", "1", ",500"),
        ("for 1 |500 francs", "1 ", "500"),
        ("for 12\u00a0345\u202f|678 francs", "12\u00a0345\u202f", "678"),
        ("for 1’|500 francs", "1’", "500"),
        ("at 1\u200b|5 bar", "1\u200b", "5"),
        ("some 2|½ miles", "2", "½"),
        ("some 3-|1/2 miles", "3-", "1/2"),
        ("some 2 |1/2 miles", "2 ", "1/2"),
        ("fell to -|5 degrees", "-", "5"),
        ("it cost £|50 then", "£", "50"),
        ("the A|5 left", "A", "5"),
        ("the U-|505 sank", "U-", "505"),
        ("about 1.5 |million men", "1.5 ", "million"),
        ("some 5|万人", "5", "万"),
        ("第|3 天", "第", "3"),
    ],
)
def test_figures_are_one_number_with_what_makes_them_another(text: str, before: str, after: str) -> None:
    """Points, groups, fractions, signs, currencies, letters of a designation, and the word or numeral for a power."""
    assert (before, after) == grown(text)


@pytest.mark.parametrize(
    ("text", "before", "after"),
    [
        ("Twenty-|five men", "Twenty-", "five"),
        ("twenty-\n|five men", "twenty-\n", "five"),
        ("twenty–|five men", "twenty–", "five"),
        ("a hundred-and-|five men", "hundred-and-", "five"),
        ("twenty |five men", "twenty ", "five"),
        ("two |hundred men", "two ", "hundred"),
        ("two hundred |and five men", "two hundred ", "and five"),
        (
            "one hundred and fifty thousand |three hundred and one",
            "one hundred and fifty thousand ",
            "three hundred and one",
        ),
        ("five |and twenty men", "five ", "and twenty"),
        ("two |thirds of them", "two ", "thirds"),
        ("two and a |half miles", "two and a ", "half"),
        ("half a |dozen men", "half a ", "dozen"),
        ("two |or three men", "two ", "or three"),
        ("at half past |five", "half past ", "five"),
        ("a quarter to |six", "quarter to ", "six"),
        ("so no |one came", "no ", "one"),
    ],
)
def test_number_words_that_belong_together_are_one_number(text: str, before: str, after: str) -> None:
    """Hyphens, powers, tens, fractions, `two or three`, times of day, and the pronoun `no one`, which denies."""
    assert (before, after) == grown(text)


@pytest.mark.parametrize(
    ("text", "before", "after"),
    [
        ("八|九百人", "八", "九百"),
        ("到第|三天", "第", "三"),
        ("初|五日", "初", "五"),
        ("二〇一|二年", "二〇一", "二"),
        ("有十|萬人", "十", "萬"),
        ("百分之|五的人", "百分之", "五"),
        ("贰|拾伍元", "贰", "拾伍"),
        ("走了數|百里", "數", "百"),
        ("十有|二人", "十有", "二"),
        ("二十又|三人", "二十又", "三"),
        ("有一|两天", "一", "两"),
    ],
)
def test_numerals_in_a_row_are_one_number(text: str, before: str, after: str) -> None:
    """With or without a unit, in either script, written out in full, with 第, 初, 数 and 分之."""
    assert (before, after) == grown(text)


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("rose by 12|% then", "%"),
        ("12| % of it", " %"),
        ("at 5|pm", "pm"),
        ("the 5|th of", "th"),
        ("有三十|余人", "余"),
        ("有十|来个", "来"),
    ],
)
def test_what_follows_a_number_counts_where_it_is_cut_off_and_says_nothing_alone(text: str, after: str) -> None:
    """Percents, halves of the day, ordinal endings, 余 and 来."""
    assert ("", after) == grown(text)


@pytest.mark.parametrize(
    "text",
    [
        "five |men came",
        "twenty |and one man",
        "by one |and two",
        "were ten |one day",
        "the years 1990-|5 were",
        "In 1914 |500 men",
        "it was 5  |300 men",
        "八十|来了",
        "当初|三人",
        "一千|人",
        "on the| first",
        "he left|",
        "|five men",
    ],
)
def test_numbers_side_by_side_are_not_one(text: str) -> None:
    """What is counted, a pronoun, other joints, years and ranges, adverbs: nothing is taken in."""
    assert ("", "") == grown(text)


def test_a_tael_is_a_measure_behind_a_numeral() -> None:
    """一千两 without its last character is still a thousand; 两 alone would be two."""
    assert ("一千", "") == grown("押了一千|兩銀子")


@pytest.mark.timeout(60)
@pytest.mark.parametrize("run", ["1", "一二", "1 ", "1 234 ", "A1", "1.", "one hundred ", "hundred-", "£"])
def test_runs_without_an_end_are_looked_at_a_stretch_at_a_time(run: str) -> None:
    """Every edge of a run of a hundred thousand characters takes a bounded look around."""
    text = run * (100_000 // len(run))
    for at in range(0, len(text), 20):
        assert at - 1000 < number_start(text, at) <= at <= number_end(text, at) < at + 1000


@given(st.text(alphabet="15 .,-£½%AaB一二十百第余点两'\u200b", max_size=40), st.data())
def test_an_edge_only_grows_and_stays_within_the_text(text: str, data: st.DataObject) -> None:
    """Whatever surrounds it."""
    at = data.draw(st.integers(0, len(text)))
    assert 0 <= number_start(text, at) <= at <= number_end(text, at) <= len(text)
