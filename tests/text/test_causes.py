"""Causes that an English text states, with their effects."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wildtrace.text.causes import causes


def told(text: str) -> list[tuple[str, str]]:
    """Cause and effect in words."""
    return [(text[slice(*one.cause)], text[slice(*one.effect)]) for one in causes(text)]


@pytest.mark.parametrize(
    ("text", "cause", "effect"),
    [
        ("The boat was late because the tide had turned.", "the tide had turned", "The boat was late"),
        (
            "The rain stopped. Because the tide had turned, the boat was late.",
            "the tide had turned",
            "the boat was late",
        ),
        ("It was dark. Owing to the fog, the train ran slowly.", "the fog", "the train ran slowly"),
        ("Some were trapped as a result of the great fire.", "the great fire", "Some were trapped"),
        ("The broken axle occasioned the disaster.", "The broken axle", "the disaster"),
        ("The plate was so thin that the boiler burst.", "The plate was so thin", "the boiler burst"),
        ("The plate was thin, so that the boiler burst.", "The plate was thin", "the boiler burst"),
        ("The valve stuck. Consequently, the boiler burst.", "The valve stuck", "the boiler burst"),
        ("The flaw which led to the fracture was small.", "The flaw which", "the fracture was small"),
        ("He went home. For he was ill.", "he was ill", "He went home"),
        ("He trembled; for he saw the ghost.", "he saw the ghost", "He trembled"),
        ("The day ended. As the crew were not told, they went on.", "the crew were not told", "they went on"),
        ("He stayed behind, as he could not swim.", "he could not swim", "He stayed behind"),
    ],
)
def test_cause_and_effect_are_told_apart(text: str, cause: str, effect: str) -> None:
    """Whichever stands first, in one sentence or in two."""
    assert [(cause, effect)] == told(text)


@pytest.mark.parametrize(
    "text",
    [
        "A staircase leading to the upper deck was shut.",
        "One door led to the garden.",
        "He spoke slowly, so that he might be heard.",
        "He fell. As soon as he could, he rose.",
        "They met, as he was crossing the road.",
        "He waited. For a long time nobody came.",
        "She came so far that day.",
    ],
)
def test_what_is_no_cause(text: str) -> None:
    """Ways, purposes, times."""
    assert [] == told(text)


@given(
    st.lists(
        st.sampled_from(["Because ", "the man ran", ", ", "so that ", ". ", "As ", "was ", "For, ", "\n\n", "led to "])
    )
)
def test_ranges_lie_in_the_text(parts: list[str]) -> None:
    """Neither end is empty, whatever the text."""
    text = "".join(parts)
    for one in causes(text):
        assert all(0 <= start < end <= len(text) for start, end in one)
