"""Differences that change what is said however few words they touch: numbers, negations, names, order.

Only what differs is judged, with what it is part of: a numeral, a name. Where a rule cannot tell whether a word counts,
denies or names, it says that it does, since a place that is refused does less harm than a false one.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter

from wildtrace.ground.critical_chinese import Stretch, are_named_alike, is_renamed, negations, numbers
from wildtrace.ground.critical_words import (
    BOUNDS,
    COMPASS,
    NEGATIVE_PREFIXES,
    NUMBER_WORDS,
    ORDINAL,
    ROMAN,
    are_opposed,
    denied,
    is_negation,
)
from wildtrace.ground.difference import Difference
from wildtrace.ground.lexemes import Lexeme, Reading
from wildtrace.ground.vocabulary import Vocabulary

__all__ = ["NEGATIVE_PREFIXES", "reason_against"]

_PRONOUNS = frozenset({"i", "o", "oh", "i'm", "i'll", "i've", "i'd"})
_MAY_BEGIN_A_SENTENCE = re.compile(r"[.!?:;\"'(\n\-]")
_BOUND_REACH = 3
_LEAST_DENIED = 4


def reason_against(difference: Difference, vocabulary: Vocabulary) -> str | None:
    """Why these differences change what is said, or None: a number, a negation, a name, an opposite or the order."""
    for hunk in difference.hunks:
        reason = _reason(difference, (hunk[0], hunk[1]), (hunk[2], hunk[3]), vocabulary)
        if reason is not None:
            return reason
    return "the order differs" if _is_reordered(difference) else None


def _reason(
    difference: Difference, mine: tuple[int, int], theirs: tuple[int, int], vocabulary: Vocabulary
) -> str | None:
    quote, source = difference.quote, difference.source
    one, other = Stretch.of(quote, *mine), Stretch.of(source, *theirs)
    if _numbers(quote, *mine) != _numbers(source, *theirs) or numbers(one) != numbers(other):
        return "a number differs"
    denials = _negations(quote, mine, vocabulary), _negations(source, theirs, vocabulary)
    if denials[0] != denials[1] or negations(one) != negations(other) or _is_negated_pair(quote, mine, source, theirs):
        return "a negation differs"
    if _is_cut_word(quote, mine, source, theirs):
        return "a word is cut"
    if _names(quote, *mine, vocabulary) != _names(source, *theirs, vocabulary):
        return "a name differs"
    if not are_named_alike(one, other, vocabulary) or is_renamed(quote, mine, source, theirs):
        return "a name differs"
    is_turned = are_opposed(_near(quote, *mine), _near(source, *theirs))
    is_turned = is_turned or _directions(quote.forms[slice(*mine)]) != _directions(source.forms[slice(*theirs)])
    return "a word stands for its opposite" if is_turned else None


def _is_cut_word(quote: Reading, mine: tuple[int, int], source: Reading, theirs: tuple[int, int]) -> bool:
    """Whether the quote begins or ends within a word of the source: `male` of `female`, `body` of `nobody`."""
    if mine[0] == mine[1] or theirs[0] == theirs[1]:
        return False
    begins = mine[0] == 0 and source.forms[theirs[1] - 1].endswith(quote.forms[mine[1] - 1])
    ends = mine[1] == len(quote.forms) and source.forms[theirs[0]].startswith(quote.forms[mine[0]])
    are_words = quote.lexemes[mine[0]].kind == quote.lexemes[mine[1] - 1].kind == "word"
    return are_words and (begins or ends)


def _near(reading: Reading, first: int, last: int) -> list[str]:
    """The words that differ and one on either side, since an alignment may end with the next clause's opposite."""
    around = reading.lexemes[max(0, first - 1) : last + 1]
    return reading.forms[first:last] + [lexeme.form for lexeme in around if lexeme.kind == "word"]


def _directions(words: list[str]) -> list[str]:
    return [word for word in words if COMPASS.match(word)]


def _numbers(reading: Reading, first: int, last: int) -> list[str]:
    """Numbers, and the words before a number that say how it is meant (`more` in `more than ten`)."""
    return [
        _value(reading.lexemes[at]) for at in range(first, last) if _is_number(reading, at) or _is_bound(reading, at)
    ]


def _value(lexeme: Lexeme) -> str:
    """A number's spelling without thousands separators."""
    return re.sub(r"(?<=\d),(?=\d{3}(?!\d))", "", lexeme.form)


def _is_number(reading: Reading, at: int) -> bool:
    lexeme = reading.lexemes[at]
    if lexeme.kind == "ideograph":
        return False
    if lexeme.kind == "word" and _is_number_word(lexeme.form):
        return True
    if lexeme.kind == "word" and _is_glued(reading, at):
        return True
    if lexeme.form in ("a", "p", "am", "pm") and _is_half_of_day(reading, at):
        return True
    return lexeme.kind == "number" or any(unicodedata.numeric(letter, None) is not None for letter in lexeme.form)


def _is_glued(reading: Reading, at: int) -> bool:
    """Whether a word is one with a figure beside it: `A5`, `U-505`, `5th`, `1920s`."""
    before, after = (reading.lexemes[place : place + 1] for place in (at - 1, at + 1))
    if at > 0 and before and before[0].kind == "number" and not reading.gaps[at]:
        return True
    return bool(after) and after[0].kind == "number" and reading.gaps[at + 1] in ("", "-")


def _is_number_word(form: str) -> bool:
    return form.removesuffix("'s") in NUMBER_WORDS or ORDINAL.search(form) is not None or ROMAN.match(form) is not None


def _is_bound(reading: Reading, at: int) -> bool:
    """Whether a number follows a word that says whether it is the least, the most or about right."""
    if reading.forms[at] not in BOUNDS:
        return False
    following = range(at + 1, min(at + 1 + _BOUND_REACH, len(reading.lexemes)))
    return any(_is_number(reading, place) for place in following)


def _is_half_of_day(reading: Reading, at: int) -> bool:
    """Whether `a` or `p` stands in `a.m.` or `p.m.`, or `am` or `pm` after a number."""
    if len(reading.forms[at]) > 1:
        return at > 0 and reading.lexemes[at - 1].kind == "number"
    return reading.forms[at + 1 : at + 2] == ["m"] and reading.mark(at + 1) in ("", ".")


def _negations(reading: Reading, bounds: tuple[int, int], vocabulary: Vocabulary) -> list[str]:
    return [
        form
        for at, form in enumerate(reading.forms[slice(*bounds)], bounds[0])
        if is_negation(form) or _is_denial(form, vocabulary) or _is_broken_prefix(reading, at)
    ]


def _is_broken_prefix(reading: Reading, at: int) -> bool:
    """Whether a negative prefix stands alone only because the line ends there (`un-` of `unable`)."""
    return reading.forms[at] in NEGATIVE_PREFIXES and reading.is_hyphenated(at + 1)


def _is_denial(form: str, vocabulary: Vocabulary) -> bool:
    """Whether a word is another one of the text with a negative prefix (`impossible`, where it has `possible`)."""
    bare = denied(form)
    return bare is not None and len(bare) >= _LEAST_DENIED and vocabulary.has_word(bare)


def _is_negated_pair(quote: Reading, mine: tuple[int, int], source: Reading, theirs: tuple[int, int]) -> bool:
    """Whether one side has a word of the other with a negative prefix or with `less` for `ful`."""
    words, others = set(quote.forms[slice(*mine)]), set(source.forms[slice(*theirs)])
    return any(_negates(word, other) or _negates(other, word) for word in words for other in others)


def _negates(word: str, other: str) -> bool:
    if word.endswith("less") and other in (word[:-4], f"{word[:-4]}ful"):
        return True
    return len(other) > 2 and any(word == prefix + other for prefix in NEGATIVE_PREFIXES)


def _names(reading: Reading, first: int, last: int, vocabulary: Vocabulary) -> list[str]:
    return [
        reading.forms[at].removesuffix("'s")
        for at in range(first, last)
        if reading.lexemes[at].kind == "word" and _is_name(reading, at, vocabulary)
    ]


def _is_name(reading: Reading, at: int, vocabulary: Vocabulary) -> bool:
    lexeme = reading.lexemes[at]
    if not lexeme.surface[0].isupper() or lexeme.form in _PRONOUNS:
        return False
    if at and not _MAY_BEGIN_A_SENTENCE.search(reading.gaps[at]):
        return True
    return vocabulary.is_name(lexeme.surface)


def _is_reordered(difference: Difference) -> bool:
    """Whether words stand elsewhere in the quote than in the source: one content word, or two ideographs."""
    added = _content(difference, of_quote=True)
    moved = added & _content(difference, of_quote=False)
    return any(len(form) > 3 for form in moved) or sum(moved.values()) >= 2


def _content(difference: Difference, *, of_quote: bool) -> Counter[str]:
    reading = difference.quote if of_quote else difference.source
    bounds = (hunk[:2] if of_quote else hunk[2:] for hunk in difference.hunks)
    return Counter(form for first, last in bounds for form in reading.forms[first:last])
