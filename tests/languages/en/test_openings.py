"""One look for the places where the phrases of several tables may begin."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wildtrace.languages.causes import causes
from wildtrace.languages.cues import cues
from wildtrace.languages.dates import times
from wildtrace.languages.en.openings import openings
from wildtrace.languages.measures import measures

READERS: dict[str, Callable[[str, Iterable[int] | None], Iterator[Any]]] = {
    "cues": lambda text, places: cues(text, places, chinese=False),
    "times": lambda text, places: times(text, places=places),
    "causes": causes,
    "measures": lambda text, places: measures(text, places, chinese=False),
}
_WORDS = """
    because because of as a result as a result, so so he so hot that for he For he as he was As the night was dark since
    she had the night before two days ago last night in May at noon forty feet twenty men thirty-five miles for this
    reason if only unless the bridge fell rain therefore led to in consequence, once upon the reason was
"""
WORDS = st.sampled_from(_WORDS.split())
GAPS = st.sampled_from([" ", " ", " ", "\n", ", ", "; ", ". ", "—", "-", "é", "_", "“"])
TEXTS = st.lists(st.tuples(WORDS, GAPS), max_size=40).map(lambda parts: "".join(word + gap for word, gap in parts))


@pytest.mark.parametrize("name", READERS)
@given(text=TEXTS)
def test_each_reader_finds_the_same_where_it_is_told_the_places(name: str, text: str) -> None:
    """As it finds without them, also where a phrase begins inside another or at the text's beginning."""
    read = READERS[name]
    assert list(read(text, None)) == list(read(text, openings(text)))


def test_a_phrase_inside_another_is_told() -> None:
    """Where each phrase begins, at the text's beginning and inside what was found before."""
    assert [0, 10, 17] == openings("the night before two days")
    assert [0, 7, 17, 25] == openings("led to the night before, for this reason")


def test_a_word_that_begins_like_a_phrase_is_none() -> None:
    """Nor is one behind a letter."""
    assert [] == openings("The soil gave out; nobody asked. Unbecause")
