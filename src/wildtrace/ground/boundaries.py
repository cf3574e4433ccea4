"""Whole words and numbers: what a stretch of text grows to when its ends would cut one in two.

A cut changes what is said where it leaves another word or number: `male` of `female`, `possible` of `impossible`, `5`
of `15` or of `-5`, `十` of `三十`, `can` of `can't`. In scripts with spaces a quote begins and ends with whole words.
"""

from __future__ import annotations

import re
import unicodedata

from wildtrace.ground.critical import NEGATIVE_PREFIXES
from wildtrace.ground.critical_words import CHINESE_NEGATIONS
from wildtrace.ground.written_numbers import number_end, number_start
from wildtrace.text.normalise import APOSTROPHES, CJK, fold_character

_LETTER = re.compile(f"[^\\W\\d_{CJK}]")
_IDEOGRAPH = re.compile(f"[{CJK}]")
_SHORT_CHINESE = 16
_LONGEST_WORD = 64
_MOST_MARKS = 64
_LONGEST_JOINT = 16
# A hyphen within a line leaves `in-depth` and `il-` no denials; one at its end, or one not to be seen, is no hyphen.
_HYPHENED = re.compile(
    f"(?<!{_LETTER.pattern})(?:(?:non|un|dis|mis|no)[-‐‑]|(?:{'|'.join(NEGATIVE_PREFIXES)})(?:-[^\\S\\n]*\\n\\s*|[\u00ad\u200b]))$",
    re.IGNORECASE,
)


def whole(text: str, bounds: tuple[int, int]) -> tuple[int, int]:
    """`bounds`, grown over the rest of a word or a number that they would cut.

    Chinese shows no words, so that a long passage may well be cut anywhere: between ideographs it stays as it is.
    """
    start, end = bounds
    is_anywhere = end - start >= _SHORT_CHINESE
    start, end = _prefix_start(text, _word_start(text, start)), _word_end(text, end)
    if not (is_anywhere and _is_between_ideographs(text, start)):
        start = number_start(text, _denial_start(text, start))
    end = _negation_end(text, end)
    if not (is_anywhere and _is_between_ideographs(text, end)):
        end = number_end(text, end)
    return start, _past_marks(text, end)


def _is_between_ideographs(text: str, at: int) -> bool:
    return 0 < at < len(text) and bool(_IDEOGRAPH.match(text, at - 1) and _IDEOGRAPH.match(text, at))


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


def _denial_start(text: str, at: int) -> int:
    """The start of a Chinese denial that would be cut from what it denies (未必, 不能, 难道), else `at`."""
    if not _is_between_ideographs(text, at):
        return at
    before, after = fold_character(text[at - 1]), fold_character(text[at])
    return at - 1 if before in CHINESE_NEGATIONS or before + after == "难道" else at


def _prefix_start(text: str, at: int) -> int:
    """The start of a negative prefix that a hyphen, or one at a line's end, joins to what it denies, else `at`."""
    if not _is_letter(text, at) or _is_letter(text, at - 1):
        return at
    low = max(0, at - _LONGEST_JOINT)
    match = _HYPHENED.search(text[low:at])
    return low + match.start() if match else at


def _negation_end(text: str, at: int) -> int:
    """Past the `'t` that would be cut from a negated verb."""
    if _is_letter(text, at - 1) and text[at : at + 1] and text[at] in APOSTROPHES and text[at + 1 : at + 2] == "t":
        return at + 2 if not _is_letter(text, at + 2) else at
    return at


def _past_marks(text: str, at: int) -> int:
    """Past the combining marks at `at`, as many as any letter has."""
    last = min(at + _MOST_MARKS, len(text))
    while at < last and unicodedata.combining(text[at]):
        at += 1
    return at
