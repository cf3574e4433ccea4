"""What a document tells at length, and what it names now and then."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.construct.link.test_scenes import told_of


def at_length(things: list[str]) -> set[str]:
    """The last letters of the names of what is told at length."""
    board = told_of(things)
    return {str(board.by_id[entity].fields["name"])[-1] for entity in board.at_length}


def test_what_comes_back_soon_is_told_at_length() -> None:
    """C stands in five units together, e in five that lie evenly over the document, o once."""
    things = ["c"] * 5 + ["o"] + [""] * 60
    for place in range(6, 66, 13):
        things[place] += "e"
    assert {"c"} == at_length(things)


def test_what_is_told_everywhere_is_not_told_at_length() -> None:
    """Every unit speaks of a: it comes back soon, but so it would by lot."""
    assert set() == at_length(["a"] * 80)


@given(st.lists(st.sampled_from(["", "a", "b", "ab"]), min_size=2, max_size=60))
def test_what_is_told_once_is_never_told_at_length(things: list[str]) -> None:
    """Whatever stands around it."""
    text = "".join(things)
    assert all(text.count(letter) > 1 for letter in at_length(things))
