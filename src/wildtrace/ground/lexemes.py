"""Words, numbers and single ideographs of a text, as they are compared: folded, with their offsets in the text."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from dataclasses import dataclass
from functools import cached_property

from wildtrace.text.normalise import CJK, fold

_LETTER = f"[^\\W\\d_{CJK}]"
_LEXEME = re.compile(
    rf"(?P<number>(?:(?<![-)])(?<!{_LETTER})(?<!\d)[-+±])?(?:[$€£¥]\s?)?\d+(?:[.,:/]\d+)*(?:\s?[%‰°])?)"
    f"|(?P<word>{_LETTER}+(?:'{_LETTER}+)*)"
    f"|(?P<ideograph>[{CJK}])"
    r"|(?P<other>[^\W_])"
)
# Inside a quotation these carry no word: white space, quotation marks, emphasis marks of plain-text editions.
_WEIGHTLESS = re.compile(r"[\s\"'_*]+")
_ELLIPSIS = re.compile(r"\.{2,}|\[\.{2,}\]")
# `[12]`, and a figure that stands right behind a word's comma or full stop: `noon,1 and`, `noon.1 And`.
_NOTE_MARK = re.compile(
    r"\s?\[\d{1,3}(?:\s?[,;-]\s?\d{1,3})*\]|(?:(?<=[^\W\d_]{2})[,;]|(?<=[^\W\d_]{4})[.:!?])[\"']?\d{1,3}(?=\s|$)"
)
_LINE_END_HYPHEN = re.compile(r"^-[^\S\n]*\n\s*$")


@dataclass(frozen=True, slots=True)
class Lexeme:
    """One unit of comparison: `form` is folded and lower case, `surface` folded; offsets are the text's, half-open."""

    form: str
    surface: str
    kind: str
    start: int
    end: int

    @property
    def weight(self) -> float:
        """How much of a difference this unit makes: a word 1, an ideograph one half."""
        return 0.5 if self.kind == "ideograph" else 1.0


@dataclass(frozen=True)
class Reading:
    """A stretch of text read as lexemes. `gaps[i]` is the folded text before lexeme i, the last one that after them."""

    text: str
    lexemes: tuple[Lexeme, ...]
    gaps: tuple[str, ...]
    noted: frozenset[int] = frozenset()
    """The gaps in which the mark of a note was passed over."""

    @cached_property
    def forms(self) -> list[str]:
        """The lexemes' forms."""
        return [lexeme.form for lexeme in self.lexemes]

    def mark(self, index: int) -> str:
        """The punctuation of a gap, without white space, quotation marks and emphasis; dashes and ellipses as one."""
        bare = _ELLIPSIS.sub("…", _WEIGHTLESS.sub("", self.gaps[index]))
        return re.sub("-{2,}", "-", bare)

    def weight(self, first: int, last: int) -> float:
        """The weight of lexemes `first` to `last` (exclusive); a word with hyphens is one."""
        hyphenated = sum(self.gaps[at] == "-" for at in range(first + 1, last))
        return sum(lexeme.weight for lexeme in self.lexemes[first:last]) - hyphenated

    def is_hyphenated(self, index: int) -> bool:
        """Whether gap `index` is a hyphen at the end of a line, which may or may not belong to the word."""
        return _LINE_END_HYPHEN.match(self.gaps[index]) is not None

    def cut(self, first: int, last: int) -> Reading:
        """The reading of lexemes `first` to `last` (exclusive) alone."""
        noted = frozenset(gap - first for gap in self.noted if first <= gap <= last)
        return Reading(self.text, self.lexemes[first:last], self.gaps[first : last + 1], noted)

    def like(self, source: str) -> Reading:
        """A stretch of source to compare with this quote: marks of notes are no text, unless the quote has one."""
        return read(source, skip_notes=_NOTE_MARK.search(self.text) is None)


def read(text: str, *, skip_notes: bool = False) -> Reading:
    """Read a stretch of text (a quote, a region of a source) as lexemes, without marks of notes if asked.

    Linear in the text's length.
    """
    folded = fold(text)
    lexemes: list[Lexeme] = []
    gaps: list[str] = []
    words, noted = folded.text, frozenset[int]()
    marks = list(_NOTE_MARK.finditer(words)) if skip_notes else []
    if marks:
        words = _NOTE_MARK.sub(lambda match: " " * len(match[0]), words)
    at = 0
    for match in _LEXEME.finditer(words):
        gaps.append(words[at : match.start()])
        at = match.end()
        end = _past_marks(text, folded.offsets[at - 1] + 1)
        # `5 %` and `$ 5` say the same as `5%` and `$5`.
        surface = "".join(match[0].split()) if match.lastgroup == "number" else match[0]
        form = surface.casefold()
        lexemes.append(Lexeme(form, surface, match.lastgroup or "other", folded.offsets[match.start()], end))
    gaps.append(words[at:])
    if marks:
        starts = [folded.offsets[mark.start()] for mark in marks]
        noted = frozenset(bisect_left([lexeme.start for lexeme in lexemes], start) for start in starts)
    return Reading(text, tuple(lexemes), tuple(gaps), noted)


def _past_marks(text: str, end: int) -> int:
    """The end of a character with the combining marks that follow it."""
    while end < len(text) and unicodedata.combining(text[end]):
        end += 1
    return end
