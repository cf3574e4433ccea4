"""What differs between a quote and a stretch of source text, word by word and mark by mark."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

from rapidfuzz.distance import Indel

from wildtrace.ground.lexemes import Lexeme, Reading

_STRETCH = 2000


class Hunk(NamedTuple):
    """Lexemes `[quote_start:quote_end]` of a quote that stand for `[source_start:source_end]` of the source."""

    quote_start: int
    quote_end: int
    source_start: int
    source_end: int


@dataclass(frozen=True, slots=True)
class Change:
    """One difference, for a reviewer: the words or marks of the quote, and those of the source in their place."""

    kind: Literal["words", "punctuation", "case"]
    quote: str
    source: str


@dataclass(frozen=True)
class Difference:
    """All that differs between a quote and the source text it was aligned with."""

    quote: Reading
    source: Reading
    hunks: tuple[Hunk, ...]
    changes: tuple[Change, ...]

    @property
    def is_none(self) -> bool:
        """Whether both say the same: every word, in the same case, with the same marks between them."""
        return not self.changes

    @property
    def likeness(self) -> float:
        """The share of characters that stand in words common to both, 0 to 1."""
        mine, theirs = (sum(map(len, reading.forms)) for reading in (self.quote, self.source))
        edited = sum(
            sum(map(len, self.quote.forms[hunk.quote_start : hunk.quote_end]))
            + sum(map(len, self.source.forms[hunk.source_start : hunk.source_end]))
            for hunk in self.hunks
        )
        return 1 - edited / (mine + theirs)

    def weights(self, hunk: Hunk) -> tuple[float, float]:
        """The weight of the words on the quote's side of a hunk and on the source's."""
        return self.quote.weight(hunk.quote_start, hunk.quote_end), self.source.weight(
            hunk.source_start, hunk.source_end
        )


def difference(quote: Reading, source: Reading) -> Difference:
    """Compare two readings from end to end."""
    hunks: list[Hunk] = []
    changes: list[Change] = []
    for tag, hunk in _blocks(quote, source):
        if tag == "equal":
            changes.extend(_changes_of_writing(quote, source, hunk))
        elif not _is_line_end_hyphen(quote, source, hunk):
            hunks.append(hunk)
            changes.append(Change("words", _words(quote, hunk[:2]), _words(source, hunk[2:])))
    return Difference(quote, source, tuple(hunks), tuple(changes))


def _blocks(quote: Reading, source: Reading) -> Iterator[tuple[str, Hunk]]:
    """Runs of equal words, and the runs between them, neighbouring edits joined."""
    pending: Hunk | None = None
    for tag, hunk in _aligned(quote.forms, source.forms):
        if tag != "equal":
            pending = hunk if pending is None else Hunk(pending[0], hunk[1], pending[2], hunk[3])
            continue
        if pending is not None:
            yield "edit", pending
            pending = None
        yield "equal", hunk
    if pending is not None:
        yield "edit", pending


def _aligned(quote: list[str], source: list[str]) -> Iterator[tuple[str, Hunk]]:
    """Edit operations, found a stretch at a time, so that time and memory are linear however long both are."""
    at, other = 0, 0
    while at < len(quote) or other < len(source):
        codes = [
            (code.tag, Hunk(code.src_start + at, code.src_end + at, code.dest_start + other, code.dest_end + other))
            for code in Indel.opcodes(quote[at : at + _STRETCH], source[other : other + _STRETCH])
        ]
        if max(len(quote) - at, len(source) - other) > _STRETCH:
            # What follows the last equal run may be aligned otherwise once more text is seen.
            last = max((n for n, (tag, _) in enumerate(codes) if tag == "equal"), default=-1)
            codes = codes[: last + 1] or [("replace", Hunk(at, len(quote), other, len(source)))]
        yield from codes
        at, other = codes[-1][1].quote_end, codes[-1][1].source_end


def _changes_of_writing(quote: Reading, source: Reading, hunk: Hunk) -> Iterator[Change]:
    """Marks and case that differ within a run of equal words."""
    for step in range(hunk.quote_end - hunk.quote_start):
        at, other = hunk.quote_start + step, hunk.source_start + step
        if step and quote.mark(at) != source.mark(other) and other not in source.noted:
            yield Change("punctuation", quote.mark(at), source.mark(other))
        mine, theirs = quote.lexemes[at], source.lexemes[other]
        if mine.surface != theirs.surface and not _is_first_capital(at, mine, theirs):
            yield Change("case", mine.surface, theirs.surface)


def _is_first_capital(at: int, mine: Lexeme, theirs: Lexeme) -> bool:
    """Whether only the first letter of the quote differs in case, as when a quote opens or leaves a sentence."""
    return at == 0 and mine.surface[1:] == theirs.surface[1:]


def _is_line_end_hyphen(quote: Reading, source: Reading, hunk: Hunk) -> bool:
    """Whether the words differ only by a hyphen that the end of a line put there; it never joins figures."""
    if "".join(quote.forms[slice(*hunk[:2])]) != "".join(source.forms[slice(*hunk[2:])]):
        return False
    return _is_one_word(quote, hunk[:2]) and _is_one_word(source, hunk[2:])


def _is_one_word(reading: Reading, bounds: tuple[int, ...]) -> bool:
    """Whether these lexemes are one word: only one, or parts in letters with a hyphen at the end of a line between."""
    first, last = bounds
    parts = reading.lexemes[first:last]
    if len(parts) > 1 and any(part.kind != "word" for part in parts):
        return False
    return all(reading.is_hyphenated(gap) for gap in range(first + 1, last))


def _words(reading: Reading, bounds: tuple[int, ...]) -> str:
    """The stretch of text from the first to the last of these words."""
    first, last = bounds
    if first == last:
        return ""
    return reading.text[reading.lexemes[first].start : reading.lexemes[last - 1].end]
