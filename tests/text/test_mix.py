import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wildtrace.text.mix import FEWEST_TOKENS, MOST_TOKENS, USUAL, Rates, TextMix, mix_of


@pytest.mark.parametrize(
    ("text", "wide", "other"),
    [
        ("", 0, 0),
        ("Ann opened the valve — twice.", 0, 29),
        ("沈砚清关闭了水闸。", 9, 0),
        ("水闸 valve 关了，2 次", 6, 9),
        ("かなカナ한글", 6, 0),
        ("𠀀𠮷", 2, 0),
        ("ＡＢ１２", 4, 0),
        ("café ünï", 0, 8),
    ],
)
def test_wide_and_other_characters_are_counted_apart(text: str, wide: int, other: int) -> None:
    """Ideographs (astral ones too), kana, hangul and their punctuation are wide; everything else is not."""
    assert TextMix(wide, other) == mix_of(text)


@given(st.text())
def test_the_count_is_that_of_the_unicode_database(text: str) -> None:
    """Every code point counts once, and the unified ideographs, kana and syllables are wide by their names."""
    mix = mix_of(text)
    assert len(text) == mix.wide + mix.other
    wide_names = ("CJK UNIFIED IDEOGRAPH", "HIRAGANA LETTER", "KATAKANA LETTER", "HANGUL SYLLABLE")
    named = [char for char in text if unicodedata.name(char, "").startswith(wide_names)]
    assert len(named) <= mix.wide
    assert all(mix_of(char).wide for char in named)


@given(st.text(), st.text())
def test_mixes_add_up_like_texts(left: str, right: str) -> None:
    """Counting parts is counting the whole."""
    assert mix_of(left + right) == mix_of(left) + mix_of(right)


def test_tokens_are_counted_by_kind() -> None:
    """A mixed text is neither an English nor a Chinese one."""
    assert 100 + 50 == Rates(wide=2.0, other=4.0).tokens(TextMix(wide=200, other=200))


def test_the_three_rates_stand_in_order() -> None:
    """Fewest, usual and most tokens, for either kind."""
    for mix in (TextMix(wide=1000), TextMix(other=1000)):
        assert FEWEST_TOKENS.tokens(mix) < USUAL.tokens(mix) < MOST_TOKENS.tokens(mix)


def test_a_length_is_of_one_kind() -> None:
    """So many tokens of Chinese or of English."""
    assert TextMix(wide=115) == USUAL.of_length(100, wide=True)
    assert TextMix(other=420) == USUAL.of_length(100, wide=False)
