"""Causes that an English text states, with their effects."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wildtrace.languages.en.connectives import connectives


def told(text: str) -> list[tuple[str, str]]:
    """Cause and effect in words."""
    return [(text[slice(*one.cause)] if one.cause else "", text[slice(*one.effect)]) for one in connectives(text)]


@pytest.mark.parametrize(
    ("text", "cause", "effect"),
    [
        ("The boat was late because the tide had turned.", "the tide had turned", "The boat was late"),
        ("Because the tide had turned, the boat was late.", "the tide had turned", "the boat was late"),
        ("Owing to the fog, the train ran slowly.", "the fog", "the train ran slowly"),
        ("Consequently, the boiler burst.", "", "the boiler burst"),
        ("Some were trapped as a result of the great fire.", "the great fire", "Some were trapped"),
        ("The broken axle occasioned the disaster.", "The broken axle", "the disaster"),
        ("The plate was thin, so that the boiler burst.", "The plate was thin", "the boiler burst"),
        ("The flaw which led to the fracture was small.", "The flaw which", "the fracture was small"),
        ("The maid has gone lest she be asked questions.", "she be asked questions", "The maid has gone"),
        (
            "Mr. Ismay left because the water in No. 5 boiler room had risen.",
            "the water in No. 5 boiler room had risen",
            "Mr. Ismay left",
        ),
    ],
)
def test_cause_and_effect_are_told_apart(text: str, cause: str, effect: str) -> None:
    """Whichever stands first; the cause of a sentence that opens with its cue stands before it."""
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


@pytest.mark.parametrize(
    "text",
    [
        "The Commission found that no technical or mechanical failure on board contributed to the accident.",
        "Nor did the Commission have specific information that contributed to the grounding.",
        "The grounding was not in any way attributable to the malfunction of the gauge.",
        "But these factors alone need not have resulted in the loss of the ship.",
        "It was not because they felt the cold that they left.",
        "The delay was certainly not due to any discrimination by the officers.",
        "The inspectors did not consider whether fatigue contributed to the error.",
        "The leak was not caused by the frost.",
        "The frost never resulted in a leak before.",
        "It was denied that the leak caused the fire.",
        "The court rejected the claim that the frost caused the leak.",
        "Had the alarm caused the crew to wake, they would have lived.",
        "There was no evidence that the rivets caused the flooding.",
        "The fire wasn’t brought about by the lamp.",
        "Neither of the valves led to the fire.",
    ],
)
def test_what_is_denied_or_left_open_is_no_cause(text: str) -> None:
    """By a negation that governs the cue, a subject that is none, or words that deny or ask."""
    assert [] == told(text)


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("The boiler burst because the valve was not shut.", "the valve was not shut"),
        ("She did not come because she was ill.", "she was ill"),
        ("He did not say a word because he feared them.", "he feared them"),
        ("There was no sign of the ship because of the fog.", "the fog"),
        ("He wanted to go but could not because he was injured.", "he was injured"),
        ("He left not only because the rent was high.", "the rent was high"),
        ("No train ran, owing to the snow.", "the snow"),
        ("The plate was not riveted, so that the boiler burst.", "The plate was not riveted"),
        ("They had no lamp, and the darkness caused a panic.", "They had no lamp, and the darkness"),
    ],
)
def test_a_negation_at_either_end_leaves_the_cause(text: str, cause: str) -> None:
    """What was not done, or did not happen, may be a cause or an effect."""
    assert [cause] == [one for one, _ in told(text)]


@given(
    st.lists(
        st.sampled_from(["Because ", "the man ran", ", ", "so that ", ". ", "As ", "was ", "For, ", "\n\n", "led to "])
    )
)
def test_ranges_lie_in_the_text(parts: list[str]) -> None:
    """Neither end is empty, whatever the text."""
    text = "".join(parts)
    for one in connectives(text):
        assert all(0 <= start < end <= len(text) for start, end in (one.cause or one.effect, one.effect))
