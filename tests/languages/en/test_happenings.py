"""The words that say what happened, in English."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wildtrace.languages.en.happenings import happenings, modality
from wildtrace.text.letters import small_letters


def told(text: str) -> list[str]:
    """The words told of as having happened."""
    return [text[start:end] for start, end in happenings(text)]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("He took the letter and burned it.", ["took", "burned"]),
        ("The boiler had suddenly exploded.", ["exploded"]),
        ("The signal was not seen, but two men were killed.", ["killed"]),
        ("She slowly opened the door; it fell.", ["opened", "fell"]),
        ("The crew\nabandoned the ship.", ["abandoned"]),
    ],
)
def test_past_verbs_are_told(text: str, words: list[str]) -> None:
    """Finite past forms, and participles behind `had` and `was`."""
    assert words == told(text)


@pytest.mark.parametrize(
    "text",
    [
        "It would have been lost.",
        "He did not go, and never asked.",
        "If it had been closed, he might have heard.",
        "This would almost certainly have prevented the grounding.",
        "They could not possibly have coped, and it may well have been expedited.",
        "What endeavours were made to save the lives of those who remained, and who directed them?",
        "The damaged wheel of the broken cart.",
        "The plates are heated to be bent.",
        "The deck contained cabins and seemed wide.",
        "A stair which led to the deck.",
        "The losses caused by fire.",
        "An old-fashioned, well-used red indeed hundred.",
    ],
)
def test_what_is_not_asserted_is_not_told(text: str) -> None:
    """Modals, negations, conditions, adjectives, rules, states."""
    assert [] == told(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Did he go?”", "asked"),
        ("It would fall at once.", "conditional"),
        ("He never goes there.", "negated"),
        ("He didn’t know.", "negated"),
        ("She’ll come.", "conditional"),
        ("The deck is ten feet wide.", "general"),
        ("他去了么？」", "asked"),
        ("若是天晴便好。", "conditional"),
        ("他并不知道。", "negated"),
        ("这家店本是老店。", "general"),
    ],
)
def test_why_nothing_happened(text: str, expected: str) -> None:
    """Asked, conditional, negated, else general, in both languages."""
    words = None if text[-2] > "\u2fff" else set(small_letters(text).split())
    assert expected == modality(text, words)


@given(st.text(alphabet="aedt ,.\n'", max_size=60))
def test_ranges_are_words_in_order(text: str) -> None:
    """Each lies in the text, behind white space, and behind the one before."""
    found = list(happenings(text))
    assert sorted(found) == found
    assert all(text[start - 1].isspace() and text[start:end].isalpha() for start, end in found)
