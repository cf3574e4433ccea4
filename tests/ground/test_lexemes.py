"""Lexemes: words, numbers and ideographs with their places."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from wildtrace.ground.lexemes import read
from wildtrace.text.normalise import fold


@pytest.mark.parametrize(
    ("text", "forms"),
    [
        ("It’s 5 o’clock, Mr. Smith.", ["it's", "5", "o'clock", "mr", "smith"]),
        ("1,500.5 and 12:30 and 3/4", ["1,500.5", "and", "12:30", "and", "3/4"]),
        ("-5 to £6 or 7% ±8", ["-5", "to", "£6", "or", "7%", "±8"]),
        ("pages 5-7, A-5 and (-3)", ["pages", "5", "7", "a", "5", "and", "-3"]),
        ("MH370飞机第3架", ["mh", "370", "飞", "机", "第", "3", "架"]),
        ("裏面１２人", ["里", "面", "12", "人"]),
        ("10² ½ x₂", ["10", "²", "½", "x₂"]),
        ("… — 。", []),
    ],
)
def test_words_numbers_and_ideographs_are_told_apart(text: str, forms: list[str]) -> None:
    """A number keeps its sign, currency, points and percent; ideographs stand alone."""
    assert forms == read(text).forms


def test_marks_are_what_writing_means() -> None:
    """White space, quotation marks and emphasis are no marks; dashes and ellipses have one form each."""
    reading = read('he — "go... _now_," (she) -- end')
    assert ["", "-", "…", ",(", ")-", ""] == [reading.mark(at) for at in range(6)]


@given(st.text(max_size=120))
@example("㏠")
@example("1㏠2")
def test_lexemes_are_in_order_and_do_not_overlap(text: str) -> None:
    """Every lexeme slices the text after the one before; only those that one code point folds to share its place."""
    before, at = 0, 0
    for lexeme in read(text).lexemes:
        assert before <= lexeme.start < lexeme.end <= len(text)
        assert at <= lexeme.start or len(fold(text[lexeme.start]).text) > 1
        before, at = lexeme.start, lexeme.end
