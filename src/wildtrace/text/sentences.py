"""Paragraphs and sentences of English and Chinese text, with their offsets: pure functions, linear in the text.

A paragraph ends at a blank line; where a text has none, or is Chinese (a new line is a new paragraph there), at a line
end. A sentence ends at its mark with the closing quotation marks behind it, not at an abbreviation, an initial or a
decimal point.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from wildtrace.text.words import IDEOGRAPHS

Range = tuple[int, int]

_BLANK_LINE = re.compile(r"\n[^\S\n]*(?:\n\s*|(?=\u3000))|\f\s*")
_LINE_END = re.compile(r"[\n\f]\s*")
_CLOSING = "\"'”’»)\\]_」』）》*"
_END = re.compile(rf"[.!?…]+[{_CLOSING}]*(?=[\s“‘\"]|[—–-]{{2}}|$)|[。！？]+[{_CLOSING}]*")
# The same, written so that a place without a mark is passed over by one look.
_END_OF_ALL = re.compile(
    rf"[.!?…。！？](?:(?<=[.!?…])[.!?…]*[{_CLOSING}]*(?=[\s“‘\"]|[—–-]{{2}}|$)|(?<=[。！？])[。！？]*[{_CLOSING}]*)"
)
_ABBREVIATED = re.compile(
    r"(?:\b(?:Mr|Mrs|Messrs|Ms|Mdlle|Mme|Dr|Drs|St|Rev|Hon|Capt|Captn|Col|Gen|Lieut|Lt|Sergt|Sgt|Maj|Prof|Esq|Sir|Jr|Sr"
    r"|No|Nos|Fig|Figs|Art|Vol|pp?|cf|viz|vs|etc|approx|Inc|Ltd|Co|Cos|Bros|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov"
    r"|Dec|al|ed|Sec|Ch|i\.e|e\.g|a\.m|p\.m|a\. m|p\. m|U\.S|[A-Z])|^)\.$"
)
_LONGEST_ABBREVIATION = 8
_IDEOGRAPH = re.compile(f"[{IDEOGRAPHS}]")
_HEAD = 4000


def is_chinese(text: str) -> bool:
    """Whether at least a fifth of the first 4,000 code points are ideographs or kana."""
    head = text[:_HEAD]
    return len(_IDEOGRAPH.findall(head)) * 5 > len(head)


def paragraphs(text: str, start: int = 0, end: int | None = None, *, by_line: bool | None = None) -> Iterator[Range]:
    """The paragraphs of `text[start:end]` without surrounding white space, in order.

    `by_line` says that a line end ends a paragraph; None finds out from the text.
    """
    end = len(text) if end is None else end
    breaks = _LINE_END if (ends_at_lines(text) if by_line is None else by_line) else _BLANK_LINE
    place = start
    for match in breaks.finditer(text, start, end):
        yield from _trimmed(text, place, match.start())
        place = match.end()
    yield from _trimmed(text, place, end)


def ends_at_lines(text: str) -> bool:
    """Whether a line end is a paragraph's end: in Chinese text, and where no blank line stands in the text."""
    return is_chinese(text) or "\n\n" not in text


def sentences(text: str, start: int = 0, end: int | None = None) -> Iterator[Range]:
    """The sentences of one paragraph, `text[start:end]`, without surrounding white space, in order."""
    end = len(text) if end is None else end
    place = start
    for match in _END.finditer(text, start, end):
        after = match.end()
        if (match[0] == "." and is_abbreviation(text, after, end)) or _goes_on(text, match, after, end):
            continue
        while text[place].isspace():
            place += 1
        yield place, after
        place = after
    yield from _trimmed(text, place, end)


def sentences_of(text: str, parts: Sequence[Range]) -> Iterator[list[Range]]:
    """What `sentences` finds in each of a text's paragraphs, given in order, by one look through the whole text."""
    ends = [match.span() for match in _END_OF_ALL.finditer(text)]
    ends.append((len(text), len(text) + 1))
    next_end = iter(ends)
    at, after = next(next_end)
    for start, end in parts:
        place = start
        found: list[Range] = []
        while after <= end:
            abbreviated = after == at + 1 and text[at] == "." and _abbreviates(text, at, end)
            # What goes on is told as in `_goes_on`, without the cost of a call for each sentence.
            goes_on = text[after : min(end, after + 3)].lstrip()[:1].islower() and text[at] <= "\u2fff"
            if not abbreviated and not goes_on and at >= place:
                while text[place].isspace():
                    place += 1
                found.append((place, after))
                place = after
            at, after = next(next_end)
        found += _trimmed(text, place, end)
        yield found


def _abbreviates(text: str, at: int, end: int) -> bool:
    """Whether the full stop at `at` is that of an abbreviation; looked up by the word before it where that tells."""
    before = text[max(0, at - _LONGEST_ABBREVIATION + 1) : at]
    if len(before) == _LONGEST_ABBREVIATION - 1 and before.isalpha():
        return False  # the end of a longer word than any abbreviation
    word = before[before.rfind(" ") + 1 :]
    if not word or word[-1] == "m":
        return is_abbreviation(text, at + 1, end)
    return _is_abbreviated(word)


@lru_cache(maxsize=1 << 14)
def _is_abbreviated(word: str) -> bool:
    return _ABBREVIATED.search(f"{word}.") is not None


def _trimmed(text: str, start: int, end: int) -> Iterator[Range]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start < end:
        yield start, end


def is_abbreviation(text: str, after: int, end: int) -> bool:
    """Whether the full stop before `after` is that of an abbreviation, in a text that goes on to `end`."""
    if _ABBREVIATED.search(text, max(0, after - _LONGEST_ABBREVIATION), after) is None:
        return False
    # `p.m. The` ends a sentence all the same; a title or an initial before a capital does not.
    return not (text[after - 2] == "m" and text[after : after + 1].isspace() and text[after + 1 : end][:1].isupper())


def _goes_on(text: str, match: re.Match[str], after: int, end: int) -> bool:
    """Whether a lower-case word follows: a quoted question or cry inside a sentence (`"Why?" he asked`)."""
    return text[after : min(end, after + 3)].lstrip()[:1].islower() and match[0][0] <= "\u2fff"
