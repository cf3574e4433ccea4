"""Mentions of English names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wildtrace.languages.en.names import bare, gender_of_title, mentions


def runs(text: str) -> list[str]:
    """The names in the runs of capitalised words of a text."""
    return [" ".join(words) for _, _, words, _ in mentions(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("then Mr. Lewis met Mrs. Jane Dean.", ["Mr Lewis", "Mrs Jane Dean"]),
        ("When Mr. Bennet came, he sat.", ["Mr Bennet"]),
        ("by M. Floçon of the Sûreté", ["M Floçon"]),
        ("it was O'Reilly and McGregor", ["O'Reilly", "McGregor"]),
        ("said Jean-Paul\nMarat there", ["Jean-Paul Marat"]),
        ("the IMO and the Bay of Plenty", ["IMO", "Bay of Plenty"]),
        ("no names here, only words", []),
        ("And then I saw The End", ["End"]),
        ("a McDonald's and an iPhone", ["McDonald"]),
    ],
)
def test_runs_of_capitals(text: str, expected: list[str]) -> None:
    """Titles with a stop, prefixes, accents, hyphens, wrapped lines and `of` belong to a run; ordinary words do not."""
    assert expected == runs(text)


def test_a_run_ends_with_its_paragraph() -> None:
    """A heading does not join the name below it."""
    assert ["Harrow Mill", "Jack Tanner"] == runs("at Harrow Mill\n\nJack Tanner came")


def test_what_opens_a_sentence_is_told() -> None:
    """A capital there says less; a name behind another word there does not open it."""
    assert [True, False, True] == [opens for *_, opens in mentions('Jack met Tom. "Ann left."')]
    assert [False] == [opens for *_, opens in mentions("When Tom left")]


@given(st.text(alphabet=st.sampled_from(list("AbC. 'é\n-M”")), max_size=80))
def test_mentions_stand_in_order(text: str) -> None:
    """In any text, without overlap, each at its words."""
    found = mentions(text)
    bounds = [bound for start, end, *_ in found for bound in (start, end)]
    assert sorted(bounds) == bounds
    assert all(text[start:end].strip() for start, end, *_ in found)


def test_titles_and_possessives() -> None:
    """What a title says, and a name without its ending."""
    assert ("male", "female", None) == (gender_of_title("Mr"), gender_of_title("Miss"), gender_of_title("Dr"))
    assert ("Dean", "James", "Lewis") == (bare("Dean's"), bare("James"), bare("Lewis’s".replace("’", "'")))
