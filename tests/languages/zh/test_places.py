"""Names of places in Chinese text."""

from __future__ import annotations

import pytest

from wildtrace.languages.zh.places import is_place, places


def told(text: str) -> set[str]:
    """The places of a text."""
    return {name for name, count in places(text).items() if is_place(name, count)}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("出济南府西门，", "济南府"),
        ("便到了董家口，", "董家口"),
        ("祖上做過雲南布政，", "雲南"),
        ("當初黃河未並大清河的時候", "黃河"),
        ("他住在平阴县，", "平阴县"),
        ("有个镇市，名叫雒口。", "雒口"),
        ("往殷家堡去了", "殷家堡"),
        ("到东昌府去", "东昌府"),
        ("前往大名府去", "大名府"),
    ],
)
def test_places_are_found(text: str, name: str) -> None:
    """Known ones anywhere; others behind a preposition or a verb of motion, or by a family's name; in both scripts."""
    assert name in told(text)


@pytest.mark.parametrize(
    "text", ["在酒店吃饭", "久走江湖的人", "到省城去", "住在本县，", "回到家里院", "在这店住", "到了州城"]
)
def test_common_words_are_no_places(text: str) -> None:
    """What every town has."""
    assert set() == told(text)


def test_a_shop_must_be_met_again() -> None:
    """A house or a shop is a place of its own where it comes back."""
    assert set() == told("他住在高升店，")
    assert {"高升店"} == told("他住在高升店，又回到高升店。")
