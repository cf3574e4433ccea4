"""One expression for many phrases."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wildtrace.languages.tries import phrase_pattern

WORDS = st.lists(st.text("abc因为.+", min_size=1, max_size=6), min_size=1, max_size=12)


@given(WORDS, st.text("abc因为.+ ", max_size=30))
def test_finds_what_a_list_of_alternatives_finds(phrases: list[str], text: str) -> None:
    """It matches where a plain list of the phrases, the longest first, matches, and the same text."""
    plain = "|".join(map(re.escape, sorted(set(phrases), key=len, reverse=True)))
    assert re.findall(plain, text) == re.findall(phrase_pattern(phrases), text)


def test_white_space_in_a_phrase_is_any_white_space() -> None:
    """A phrase of two words is found where a line ends between them."""
    assert re.fullmatch(phrase_pattern(["because of"]), "because\n  of")


def test_no_phrases_are_refused() -> None:
    """An expression of nothing would match everywhere."""
    with pytest.raises(ValueError, match="at least one phrase"):
        phrase_pattern([])
