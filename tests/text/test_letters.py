"""Small letters and neighbouring characters."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from wildtrace.text.letters import only_small, pairs, small_letters


@given(st.text())
def test_small_letters_stand_at_their_places(text: str) -> None:
    """In any text: an ASCII letter in lower case, else a space."""
    expected = [mark.lower() if mark.isascii() and mark.isalpha() else " " for mark in text]
    assert expected == list(small_letters(text))


@given(st.text())
def test_only_small_letters_stand_at_their_places(text: str) -> None:
    """In any text: a small letter of ASCII as it stands, else a space."""
    expected = [mark if mark.isascii() and mark.islower() else " " for mark in text]
    assert expected == list(only_small(text))


def test_pairs_overlap() -> None:
    """Each character but the last with the next one; one alone has none."""
    assert ["施公", "公问", "问道"] == list(pairs("施公问道"))
    assert [] == list(pairs("施"))
