"""Cut a source into the pieces that are read one by one: parts of its windows, each ending with a sentence.

A window's own part begins where the one before it ends, so that nothing is read twice. Front and back matter of some
length is left out. Windows are read in chains side by side; the pieces of a chain are read in order.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from wildtrace.construct.prompting import chars_for
from wildtrace.text.sentences import ends_at_lines, paragraphs, sentences_of
from wildtrace.types import Matter, Structure, Window

Range = tuple[int, int]

PIECE_TOKENS: Final = 6000
"""At most about so many tokens of text a prompt: longer pieces are read more sparsely (measured in the trials)."""
CHAIN_WINDOWS: Final = 20
"""Windows a chain: a memory of half a million characters serves far relations, and chains run side by side."""
LONG_MATTER: Final = 2000
"""Shorter front and back matter is read with what surrounds it, since cutting there would part the work."""
LEAD_TOKENS: Final = 120
"""So much of the end of the piece before is shown again, so that what stands across a cut lies whole in one prompt."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a source that is read by one call; `number` counts from 1, `chain` from 0.

    `lead` is where the text that is shown begins: before `start`, by some sentences of the piece before.
    """

    number: int
    chain: int
    window: str
    lead: int
    start: int
    end: int


def sentence_ranges(text: str, structure: Structure) -> list[Range]:
    """The sentences of a source in order: those that ingesting found, else those of its paragraphs."""
    if structure.sentences:
        return [(each.start, each.end) for each in structure.sentences]
    parts = list(paragraphs(text, by_line=ends_at_lines(text)))
    return [each for found in sentences_of(text, parts) for each in found]


def cut_pieces(
    text: str, windows: Sequence[Window], matter: Sequence[Matter], sentences: Sequence[Range]
) -> list[list[Piece]]:
    """The pieces of a source by chain, in order."""
    ends = [end for _, end in sentences]
    left_out = [(each.start, each.end) for each in matter if each.end - each.start >= LONG_MATTER]
    pieces: list[Piece] = []
    before = 0
    for place, window in enumerate(windows):
        for start, end in _without(before, window.end, left_out):
            for first, last in _parts(text, start, end, ends):
                if text[first:last].strip():
                    lead = _lead(text, pieces[-1], first, sentences) if pieces else first
                    pieces.append(Piece(len(pieces) + 1, place // CHAIN_WINDOWS, window.id, lead, first, last))
        before = max(before, window.end)
    return [list(chain) for _, chain in groupby(pieces, key=lambda piece: piece.chain)]


def _lead(text: str, before: Piece, start: int, sentences: Sequence[Range]) -> int:
    """Where the last whole sentences before a cut begin, as far as LEAD_TOKENS reach into the piece before."""
    earliest = max(before.start, start - chars_for(LEAD_TOKENS, text[before.start : before.end]))
    at = bisect_left(sentences, (earliest, 0))
    return min(start, sentences[at][0]) if at < len(sentences) else start


def _without(start: int, end: int, left_out: Sequence[Range]) -> Iterator[Range]:
    """What is left of a range."""
    for first, last in left_out:
        if last > start and first < end:
            if first > start:
                yield start, first
            start = max(start, last)
    if start < end:
        yield start, end


def _parts(text: str, start: int, end: int, ends: Sequence[int]) -> Iterator[Range]:
    """A range in equal parts, none longer than a piece may be, each cut where a sentence ends if one does."""
    longest = chars_for(PIECE_TOKENS, text[start:end])
    count = math.ceil((end - start) / longest)
    for number in range(1, count):
        aim = start + (end - start) // (count - number + 1)
        at = bisect_right(ends, aim)
        cut = ends[at - 1] if at and ends[at - 1] > start else aim
        yield start, cut
        start = cut
    yield start, end
