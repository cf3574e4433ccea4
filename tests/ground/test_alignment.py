"""Ends of a span: where in a region of words a quote begins and ends."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wildtrace.ground.alignment import locate

SENTENCE = "far away the old red boiler burst at noon beside the wall and fell down"
REGION = SENTENCE.split()


@pytest.mark.parametrize(
    ("quote", "expected"),
    [
        ("old red boiler burst", "old red boiler burst"),
        ("new red boiler burst", "old red boiler burst"),
        ("old red boiler stopped", "old red boiler burst"),
        ("old boiler burst at noon", "old red boiler burst at noon"),
        ("old red iron boiler burst", "old red boiler burst"),
        ("red boiler exploded at midnight beside", "red boiler burst at noon beside"),
    ],
)
def test_edited_words_keep_their_place(quote: str, expected: str) -> None:
    """A replaced word at either end belongs to the span; one left out or added within does not move the ends."""
    start, end = locate(quote.split(), REGION)
    assert expected.split() == REGION[start:end]


@given(st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=300), st.data())
def test_a_quote_found_whole_has_its_own_words(region: list[str], data: st.DataObject) -> None:
    """A quote that stands in the region is placed on words equal to its own, however long it is."""
    start = data.draw(st.integers(0, len(region) - 1))
    end = data.draw(st.integers(start + 1, len(region)))
    found = locate(region[start:end], region)
    assert region[start:end] == region[slice(*found)]


def test_a_long_quote_is_placed_by_its_two_ends() -> None:
    """Thousands of words with edits within are placed exactly, in a moment."""
    words = [f"w{n}" for n in range(6000)]
    quote = [*words[1000:3000], "other", *words[3001:5000]]
    assert (1000, 5000) == locate(quote, words)
