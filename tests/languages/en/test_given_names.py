"""What names tell of gender."""

from __future__ import annotations

import pytest

from wildtrace.languages.en.given_names import FEMALE, MALE, gender_of


@pytest.mark.parametrize(
    ("names", "gender"),
    [
        (["Julia"], "female"),
        (["Mrs Sheppard", "Tom Sheppard"], "female"),
        (["Sheppard", "Captain Sheppard"], "male"),
        (["Countess"], "female"),
        (["Uncle William"], "male"),
        (["Wood"], None),
        ([], None),
    ],
)
def test_titles_tell_before_given_names(names: list[str], gender: str | None) -> None:
    """A title anywhere among the names, else the first name."""
    assert gender == gender_of(names)


def test_no_given_name_is_of_both() -> None:
    """What could be either tells nothing."""
    assert frozenset() == MALE & FEMALE
