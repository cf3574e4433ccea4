"""Statements of English text that two names are one referent's."""

from __future__ import annotations

import pytest

from wildtrace.languages.en.identities import identities


def stated(text: str) -> list[tuple[str, str]]:
    """Both names in words."""
    return [(text[slice(*one.name)], text[slice(*one.alias)]) for one in identities(text)]


@pytest.mark.parametrize(
    ("text", "name", "alias"),
    [
        ("Your confederate, Joseph Blake, alias Blueskin, on a charge", "Joseph Blake", "Blueskin"),
        ("He met Jack Parrot (otherwise called Jack the Grinder), who", "Jack Parrot", "Jack the Grinder"),
        ("that Mr. Todhetley, commonly called the Squire, had two", "Mr. Todhetley", "Squire"),
        ("In Southwark, better known as the “Old Mint”, lived", "Southwark", "Old Mint"),
    ],
)
def test_a_statement_joins_two_names(text: str, name: str, alias: str) -> None:
    """By the words that say so; a word that opens a sentence is part of no name."""
    assert [(name, alias)] == stated(text)


@pytest.mark.parametrize(
    "text", ["He was known as a liar.", "She, alias Moll, ran.", "Jack Sheppard, better known as Jack, ran."]
)
def test_what_joins_no_two_names(text: str) -> None:
    """No second name, no first one, or one that only shortens the other."""
    assert [] == stated(text)
