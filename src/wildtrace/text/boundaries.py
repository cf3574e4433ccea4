"""Whole words and numbers: what a stretch of text grows to when its ends would cut one in two.

A cut is harmless where it leaves a fragment that is no word (`ssible`); it changes what is said where it leaves another
word or number: `possible` of `impossible`, `5` of `15` or of `-5`, `十` of `三十`, `can` of `can't`.
"""

from __future__ import annotations

import re
import unicodedata

from wildtrace.text.critical import NEGATIVE_PREFIXES, is_cut_number
from wildtrace.text.normalise import APOSTROPHES, CJK, DASHES
from wildtrace.text.vocabulary import Vocabulary

_LETTER = re.compile(f"[^\\W\\d_{CJK}]")
_SHORT = 12
_LONGEST_WORD = 64
_POINTS = frozenset(".,:/")
_AFTER_NUMBER = frozenset("%‰％")


def whole(text: str, bounds: tuple[int, int], vocabulary: Vocabulary) -> tuple[int, int]:
    """`bounds`, grown over the rest of a number or a word that they would cut into another one.

    Chinese numerals, which a long passage cut anywhere may well cut, are grown over only where the passage is short.
    """
    start, end = bounds
    is_short = end - start < _SHORT
    first, last = _word_start(text, start), _word_end(text, end)
    if is_short or _is_other_word(text[first:start], text[start : min(_word_end(text, start), end)], vocabulary):
        start = first
    if is_short or _is_other_word("", text[max(_word_start(text, end), start) : end], vocabulary):
        end = last
    if is_short:
        start, end = _numerals_start(text, start), _numerals_end(text, end)
    return _number_start(text, start), _past_marks(text, _number_end(text, _negation_end(text, end)))


def _is_other_word(cut: str, fragment: str, vocabulary: Vocabulary) -> bool:
    """Whether what a cut leaves reads as a word of its own."""
    return cut.lower() in NEGATIVE_PREFIXES or vocabulary.has_word(fragment)


def _word_start(text: str, at: int) -> int:
    """The start of the word that `at` stands inside, else `at`; a run longer than any word is none."""
    start = at
    while _is_letter(text, at) and start > 0 and _is_letter(text, start - 1) and at - start <= _LONGEST_WORD:
        start -= 1
    return start if at - start <= _LONGEST_WORD else at


def _word_end(text: str, at: int) -> int:
    """The end of the word that `at` stands inside, else `at`; a run longer than any word is none."""
    end = at
    while at > 0 and _is_letter(text, at - 1) and _is_letter(text, end) and end - at <= _LONGEST_WORD:
        end += 1
    return end if end - at <= _LONGEST_WORD else at


def _is_letter(text: str, at: int) -> bool:
    return at < len(text) and (_LETTER.match(text, at) is not None or unicodedata.combining(text[at]) > 0)


def _numerals_start(text: str, at: int) -> int:
    while 0 < at < len(text) and is_cut_number(text[at - 1], text[at]):
        at -= 1
    return at


def _numerals_end(text: str, at: int) -> int:
    while 0 < at < len(text) and is_cut_number(text[at - 1], text[at]):
        at += 1
    return at


def _number_start(text: str, at: int) -> int:
    while at > 0 and (step := _cut_digits(text, at, -1)):
        at -= step
    if 0 < at < len(text) and text[at].isdigit() and text[at - 1] in DASHES and (at == 1 or text[at - 2] in " \n\t(（"):
        return at - 1
    return at


def _number_end(text: str, at: int) -> int:
    while 0 < at < len(text) and (step := _cut_digits(text, at, 1)):
        at += step
    if 0 < at < len(text) and text[at - 1].isdigit() and text[at] in _AFTER_NUMBER:
        return at + 1
    return at


def _cut_digits(text: str, at: int, way: int) -> int:
    """How many characters of a number go on from the edge `at` in direction `way` before the next edge to look at."""
    behind, ahead = (at - 1, at) if way > 0 else (at, at - 1)
    if ahead < len(text) and behind < len(text) and text[behind].isdigit() and text[ahead].isdigit():
        return 1
    if _is_point(text, behind):
        return 1
    return 2 if _is_point(text, ahead) else 0


def _is_point(text: str, at: int) -> bool:
    """Whether a point, comma, colon or slash stands at `at` between two digits."""
    if not 0 < at < len(text) - 1:
        return False
    return text[at] in _POINTS and text[at - 1].isdigit() and text[at + 1].isdigit()


def _negation_end(text: str, at: int) -> int:
    """Past the `'t` that would be cut from a negated verb."""
    if _is_letter(text, at - 1) and text[at : at + 1] and text[at] in APOSTROPHES and text[at + 1 : at + 2] == "t":
        return at + 2 if not _is_letter(text, at + 2) else at
    return at


def _past_marks(text: str, at: int) -> int:
    while at < len(text) and unicodedata.combining(text[at]):
        at += 1
    return at
