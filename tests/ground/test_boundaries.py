"""Whole words and numbers: what a cut leaves, and when that matters."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wildtrace.ground.boundaries import whole

LONG = "and the old keeper wrote it down in the log that evening"


@pytest.mark.parametrize(
    ("text", "quote", "expected"),
    [
        ("it was impossible " + LONG, "possible " + LONG, "impossible " + LONG),
        ("a woman slept; the man left " + LONG, "man slept; the man left", "woman slept; the man left"),
        ("a zxcvbn " + LONG, "cvbn " + LONG, "zxcvbn " + LONG),
        ("she went", "he went", "she went"),
        ("they can't go", "they can", "they can't"),
        ("they can’t go", "they can", "they can’t"),
        ("the keeper's lamp", "the keeper", "the keeper"),
        ("15 men", "5 men", "15 men"),
        ("1.5 men", "5 men", "1.5 men"),
        ("at 1,500 men", "at 1", "at 1,500"),
        ("at 12:30 sharp", "30 sharp", "12:30 sharp"),
        ("fell to -5 degrees", "5 degrees", "-5 degrees"),
        ("the years 1990-5 were", "5 were", "5 were"),
        ("rose by 12% then", "rose by 12", "rose by 12%"),
        ("in 1866. Then", "in 1866", "in 1866"),
        ("三十人在", "十人在", "三十人在"),
        ("共二十五人", "共二十", "共二十五"),
        ("万一有人", "一有人", "万一有人"),
        ("八九百人在", "九百人在", "八九百人在"),
        ("到第三天才", "三天才", "第三天才"),
        ("十萬人在", "萬人在", "十萬人在"),
        ("事未必如此", "必如此", "未必如此"),
        ("他不能来", "能来", "不能来"),
        ("難道他来", "道他来", "難道他来"),
        ("他来不？能来", "能来", "能来"),
        ("他们不能在这时候到那边去同他们说话了", "能在这时候到那边去同他们说话了", "不能在这时候到那边去同他们说话了"),
        (
            "他们不能在这时候就到那边去同他们说话了",
            "能在这时候就到那边去同他们说话了",
            "能在这时候就到那边去同他们说话了",
        ),
        ("Twenty-five men came", "five men came", "Twenty-five men came"),
        ("the 1 500 francs", "500 francs", "1 500 francs"),
        ("then A5 left port", "5 left port", "A5 left port"),
        ("the submarine U-505 sank", "the submarine U", "the submarine U-505"),
        ("in all five men came", "men came", "men came"),
        ("all non-combatants left", "combatants left", "non-combatants left"),
        ("he was un-\nable to go", "able to go", "un-\nable to go"),
        ("he was un\u00adable to go", "able to go", "un\u00adable to go"),
        ("a well-\nknown man", "known man", "known man"),
        ("an in-depth study", "depth study", "depth study"),
        ("and no one came", "one came", "no one came"),
        ("the cafe\u0301 was", "the cafe", "the cafe\u0301"),
    ],
)
def test_a_cut_that_leaves_another_word_or_number_is_undone(text: str, quote: str, expected: str) -> None:
    """Prefixes of negation, words within words, digits, signs, points, percents, numerals and accents are taken in."""
    start = text.index(quote)
    found = whole(text, (start, start + len(quote)))
    assert expected == text[slice(*found)]


@given(st.text(alphabet="ab 1.,-%十二三'’t\u0301\n", min_size=1, max_size=40), st.data())
def test_bounds_only_grow_and_then_stay(text: str, data: st.DataObject) -> None:
    """Growing a stretch keeps all of it within the text."""
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    first, last = whole(text, (start, end))
    assert 0 <= first <= start
    assert end <= last <= len(text)
