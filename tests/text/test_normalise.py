"""Folding: what is written differently and means the same becomes the same, and every offset leads back."""

from __future__ import annotations

import sys
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from wildtrace.text.normalise import LETTER, fold, fold_character, simplified_forms, skeleton_character


@pytest.mark.parametrize(
    ("written", "folded"),
    [
        ("“quoted”", '"quoted"'),
        ("「引」『文』", '"引""文"'),
        ("it’s", "it's"),
        ("a—b–c‑d", "a-b-c-d"),
        ("ﬁre ﬂow", "fire flow"),
        ("Cæsar", "Caesar"),
        ("１２３ＡＢ", "123AB"),
        ("a\u00a0b\u3000c\u2009d", "a b c d"),
        ("zero\u200bwidth\u2060join\ufeffer\u00ad", "zerowidthjoiner"),
        ("裏面說話著", "里面说话着"),
        ("你好。", "你好."),
        ("e\u0301te\u0301", "été"),
        ("line\nend", "line\nend"),
    ],
)
def test_forms_that_mean_the_same_fold_together(written: str, folded: str) -> None:
    """Quotation marks, dashes, ligatures, widths, spaces, invisible characters, accents and scripts have one form."""
    assert folded == fold(written).text


@pytest.mark.parametrize("different", ["10²", "H₂O", "½", "①", "㎜"])
def test_forms_that_change_a_number_stay(different: str) -> None:
    """A superscript, a subscript, a fraction, a circled digit and a squared unit are not their plain characters."""
    assert different == fold(different).text


def test_composed_and_decomposed_accents_fold_together() -> None:
    """A letter with two marks in either order of composition is one letter, and stands where its base stood."""
    assert "ậ" == fold("a\u0302\u0323").text
    assert (0, 3) == fold("a\u0302\u0323b").offsets


@given(st.text())
@example("0\u0300b")
def test_offsets_lead_back_in_order(text: str) -> None:
    """Every folded code point has an offset in the text, and offsets never go back."""
    folded = fold(text)
    assert len(folded.text) == len(folded.offsets)
    assert sorted(folded.offsets) == list(folded.offsets)
    assert all(0 <= offset < len(text) for offset in folded.offsets)


@given(st.text())
def test_folding_again_changes_nothing_more(text: str) -> None:
    """Folded text is its own folding, so a quote that was folded before grounds as well."""
    once = fold(text).text
    assert once == fold(once).text


def test_a_skeleton_has_letters_and_digits_alone() -> None:
    """What a code point with parts or capitals leaves is alphanumeric, without capitals, and its own skeleton."""
    points = map(chr, range(sys.maxunicode + 1))
    for character in (one for one in points if unicodedata.decomposition(one) or one != one.casefold()):
        bones = skeleton_character(character)
        assert all(LETTER.match(bone) for bone in bones), character
        assert bones == "".join(skeleton_character(bone) for bone in bones), character
    assert ["n", "ae", "b", "35"] == [skeleton_character(form) for form in ("ŉ", "Ǣ", "ᴮ", "㉟")]


@given(st.text(alphabet="àéîõüçÀÉÎÕÜÇ", min_size=1))
def test_decomposition_does_not_change_a_folding(text: str) -> None:
    """Composed and decomposed spellings of a word fold to the same letters."""
    assert fold(text).text == fold(unicodedata.normalize("NFD", text)).text


def test_simplified_forms_are_final() -> None:
    """No simplified form has another simplified form, and the everyday pairs are there."""
    table = simplified_forms()
    assert all(table.get(simplified, simplified) == simplified for simplified in table.values())
    assert ["里", "里", "着", "说", "后"] == [fold_character(form) for form in "裏裡著說後"]


def test_different_words_stay_different() -> None:
    """Folding scripts does not join words that both scripts tell apart."""
    assert fold("画划不大木本").text == "画划不大木本"
