"""Speakers of English direct speech."""

from __future__ import annotations

import pytest

from tests.construct.extract.speaking import speakers_of

CAST = {"Jack Tanner": "male", "Mr Lewis": "male", "Mrs Dean": "female", "Mary Lee": "female", "Joost": None}


def said(text: str) -> list[str | None]:
    """The speakers of a text's speeches."""
    return [speaker for speaker, _ in speakers_of(text, CAST)]


@pytest.mark.parametrize(
    ("text", "speaker"),
    [
        ("“Go,” said Jack Tanner.", "Jack Tanner"),
        ("“Go,” Mary Lee answered quietly.", "Mary Lee"),
        ("“Go,” Mr. Lewis at last replied.", "Mr Lewis"),
        ("“Go,” Mary Lee, who had risen, answered.", "Mary Lee"),
        ("Mary Lee looked up, and Jack Tanner said, “Go.”", "Jack Tanner"),
        ("Mary Lee turned to Jack Tanner and said, “Go.”", "Mary Lee"),
        ("Silence was broken by Mr. Lewis, who said at last: “Go.”", "Mr Lewis"),
        ("Mary Lee smiled. “Go.”", "Mary Lee"),
        ("Mary Lee had been waiting; when Mrs. Dean came she only said, “Go.”", "Mrs Dean"),
        ("“Go,” was Mary Lee’s quiet answer.", "Mary Lee"),
        ("“Go,” was the old man's reply to Mary Lee.", None),
        ("“Go,” replied the old man to Jack Tanner.", None),
        ("“Go,” said he.", None),
        ("Jack Tanner came.\n\nThe captain turned his eyes upon him. “What is that to you?” he retorted.", None),
        ("He wrote it down: the road was long. “Go now, and never come back.” It was an old saying.", None),
    ],
)
def test_the_narrative_beside_a_speech_tells_its_speaker(text: str, speaker: str | None) -> None:
    """Verb and subject behind it, the subject of the clause before it, a deed before it; not whoever is near."""
    assert [speaker] == said(text)


def test_a_paragraph_has_one_speaker() -> None:
    """Before the first tag and behind the last."""
    assert ["Jack Tanner"] * 3 == said("“Go.” It rained. “Go now,” said Jack Tanner; “or never.”")


def test_two_named_in_a_paragraph_speak_in_turn() -> None:
    """Each from where he is named."""
    assert ["Mary Lee", "Mr Lewis"] == said("“Go,” said Mary Lee. Then Mr. Lewis said, “Stay.”")


def test_a_pronoun_is_the_subject_of_its_paragraph() -> None:
    """And of the paragraph that leads it in."""
    assert ["Joost"] == said("Joost set down the lantern in surprise. “Such things,” he said, “are so.”")[:1]
    assert ["Mary Lee"] == said("Mary Lee let fall her basket.\n\n“My son,” she murmured.")


def test_a_pronoun_is_the_speaker_before_the_last() -> None:
    """Not the one who just spoke, not who is spoken to."""
    text = (
        "“Go,” said Jack Tanner.\n\n“No,” answered Mr. Lewis.\n\n“You must,” he said.\n\n“Jack Tanner,” he said, “no.”"
    )
    assert ["Jack Tanner", "Mr Lewis", "Jack Tanner", "Mr Lewis", "Mr Lewis"] == said(text)


def test_a_pronoun_of_two_possible_persons_is_left() -> None:
    """Two men are near."""
    assert [None] == said("Jack Tanner came in. Mr. Lewis rose. It rained.\n\nIt was late.\n\n“Go,” he said.")


def test_who_is_called_by_name_answers() -> None:
    """A pronoun behind a turn that calls somebody."""
    assert "Mary Lee" == said("“Will you go, Mary Lee?” asked the stranger.\n\n“I will,” she said.")[1]


def test_turns_alternate_between_two() -> None:
    """From the turns told on either side."""
    text = "“One,” said Jack Tanner.\n\n“Two,” said Mary Lee.\n\n“Three.”\n\n“Four.”\n\n“Five,” said Jack Tanner."
    assert ["Jack Tanner", "Mary Lee", "Jack Tanner", "Mary Lee", "Jack Tanner"] == said(text)


@pytest.mark.parametrize(
    "text",
    [
        "“One,” said Jack Tanner.\n\n“Two,” said the guard.\n\n“Three.”\n\n“Four,” said Jack Tanner.",
        "“One,” said Jack Tanner.\n\nA long time passed.\n\n“Two.”",
        "“One,” said Jack Tanner.\n\n“Two,” said Mary Lee.\n\n“Let Jack Tanner go.”",
    ],
)
def test_turns_that_do_not_alternate_are_left(text: str) -> None:
    """Where the sides disagree, where something is told between, where the speaker would name himself."""
    assert said(text)[2 if "Three" in text or "Let" in text else 1] is None


def test_an_open_speech_goes_on_in_the_next_paragraph() -> None:
    """It takes no turn of its own."""
    text = "“One,” said Jack Tanner. “It goes on\n\n“and on.”\n\n“Two,” said Mary Lee.\n\n“Three.”"
    assert ["Jack Tanner", "Jack Tanner", "Jack Tanner", "Mary Lee", "Jack Tanner"] == said(text)


def test_a_paragraph_that_leads_in_tells_the_speaker() -> None:
    """With a colon at its end."""
    assert ["Mary Lee"] == said("It was broken by Mary Lee, who said to Jack Tanner:\n\n“Go.”")


def test_the_narrator_is_whom_the_others_call() -> None:
    """`I` answers to a name."""
    asked = "“Will you go, Mr. Lewis?” asked Mary Lee.\n\n“I will,” said I.\n\nIt rained.\n\n"
    told = [("Mary Lee", "named"), ("Mr Lewis", "narrator")]
    assert [*told, *told, ("Mr Lewis", "narrator")] == speakers_of(f"{asked}{asked}“Now,” I said.", CAST)
    assert (None, "unknown") == speakers_of(asked, CAST)[1]


def test_a_narrator_whom_nobody_calls_is_left_open() -> None:
    """And takes his turns all the same."""
    text = "“One,” said I.\n\n“Two,” said Mary Lee.\n\n“Three.”\n\n“Four.”\n\n“Five,” said I."
    assert [None, "Mary Lee", None, "Mary Lee", None] == said(text)
