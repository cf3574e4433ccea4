"""Words that change what is said: numbers, denials, opposites."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wildtrace.ground.critical_words import COMPASS, NUMBER_WORDS, ORDINAL, ROMAN, are_opposed, denied, is_negation

ROMAN_DIGITS = [("m", 1000), ("d", 500), ("c", 100), ("l", 50), ("x", 10), ("v", 5), ("i", 1)]
SHORTENED = [("dcccc", "cm"), ("cccc", "cd"), ("lxxxx", "xc"), ("xxxx", "xl"), ("viiii", "ix"), ("iiii", "iv")]


def roman(number: int) -> str:
    """A number in Roman numerals: counted out, then shortened."""
    written = ""
    for letter, value in ROMAN_DIGITS:
        written += letter * (number // value)
        number %= value
    for long, short in SHORTENED:
        written = written.replace(long, short)
    return written


@given(st.integers(2, 3999))
def test_every_roman_numeral_is_a_number(number: int) -> None:
    """Whatever its value, but for single letters that stand for other things and one everyday word."""
    written = roman(number)
    assert (written not in ("l", "c", "d", "m", "mix")) == (ROMAN.match(written) is not None)


@pytest.mark.parametrize("word", ["i", "mix", "did", "mild", "civil", "livid", "dill", "ill", "mill", "iiii", "vx", ""])
def test_everyday_words_are_no_roman_numerals(word: str) -> None:
    """Words of the same letters, and letters in no order a numeral has."""
    assert ROMAN.match(word) is None


@pytest.mark.parametrize("word", ["both", "once", "trillion", "minus", "plus", "score", "pair", "dozen", "couple"])
def test_words_that_count_are_numbers(word: str) -> None:
    """Amounts and signs in words."""
    assert word in NUMBER_WORDS


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("fifteenth", True),
        ("twentieth", True),
        ("twofold", True),
        ("ninepence", True),
        ("teeth", False),
        ("fold", False),
    ],
)
def test_words_made_of_numbers_are_numbers(word: str, expected: bool) -> None:
    """Ordinals, multiples and coins."""
    assert expected == (ORDINAL.search(word) is not None)


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("unable", True),
        ("impossible", True),
        ("seldom", True),
        ("rarely", True),
        ("hardly", True),
        ("scarcely", True),
        ("unless", True),
        ("except", True),
        ("without", True),
        ("neither", True),
        ("lack", True),
        ("lacked", True),
        ("lacking", True),
        ("refusal", True),
        ("denied", True),
        ("forbidden", True),
        ("prevented", True),
        ("couldn't", True),
        ("unusual", True),
        ("uncertainty", True),
        ("disabled", True),
        ("inadequately", True),
        ("imperfections", True),
        ("until", False),
        ("understand", False),
        ("uncle", False),
        ("united", False),
        ("university", False),
        ("uniform", False),
        ("black", False),
        ("lackey", False),
        ("denial", True),
        ("denizen", False),
        ("failure", True),
        ("fair", False),
        ("always", False),
    ],
)
def test_denials_are_known_in_their_forms(word: str, expected: bool) -> None:
    """Verbs that deny count in every form; words that begin alike do not."""
    assert expected == is_negation(word)


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("inability", "ability"),
        ("inadequate", "adequate"),
        ("irregular", "regular"),
        ("illegal", "legal"),
        ("imperfectly", "perfectly"),
        ("into", None),
        ("inside", None),
        ("image", None),
    ],
)
def test_what_a_word_denies_is_told_by_its_shape(word: str, expected: str | None) -> None:
    """The rest of a word behind a negative prefix; whether it is a word is for the text to say."""
    assert expected == denied(word)


@pytest.mark.parametrize(
    ("words", "others", "expected"),
    [
        (["before"], ["after"], True),
        (["up"], ["down"], True),
        (["above"], ["below"], True),
        (["more"], ["less"], True),
        (["miles"], ["yards"], True),
        (["inches"], ["yard"], True),
        (["century"], ["years"], True),
        (["centuries"], ["century"], False),
        (["mile"], ["miles"], False),
        (["foot"], ["feet"], False),
        (["above"], ["over"], False),
        (["before"], ["gently"], False),
        (["before"], [], False),
        (["上"], ["下"], True),
        (["开"], ["闭"], True),
        (["里"], ["内"], False),
        (["上"], ["看"], False),
        (["年"], ["月"], True),
    ],
)
def test_words_of_a_group_are_opposed(words: list[str], others: list[str], expected: bool) -> None:
    """An opposite or another unit on the other side; neither another form of the word nor its absence."""
    assert expected == are_opposed(words, others)


WORDS = st.lists(
    st.sampled_from(["before", "after", "up", "down", "hours", "days", "he", "上", "下", "前", "house"]), max_size=4
)


@given(WORDS, WORDS)
def test_opposition_has_no_direction(words: list[str], others: list[str]) -> None:
    """Quote and source are treated alike, and nothing is opposed to itself."""
    assert are_opposed(words, others) == are_opposed(others, words)
    assert not are_opposed(words, words)


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("north", True),
        ("southern", True),
        ("northeast", True),
        ("westwards", True),
        ("easter", False),
        ("eastman", False),
    ],
)
def test_points_of_the_compass_are_known(word: str, expected: bool) -> None:
    """Alone, joined and with their endings."""
    assert expected == (COMPASS.match(word) is not None)
