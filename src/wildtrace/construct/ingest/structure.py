"""What a source consists of, made from the blocks of its canonical text."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import groupby

from wildtrace.construct.ingest.draft import Block
from wildtrace.construct.ingest.steps.sections import numbering_of
from wildtrace.text.sentences import sentences_of
from wildtrace.types import ListItem, Matter, Note, PageStart, Range, Row, Section, SourceTable, Structure

_LONGEST_SENTENCE = 1_500
"""A longer one that goes over several lines is no sentence but lines without full stops: each is a unit."""


def structure_of(text: str, blocks: Sequence[Block]) -> Structure:
    """The structure of a text whose blocks these are."""
    trimmed = [each for block in blocks if (each := _trimmed(block, text)) is not None]
    matter = _merged([block for block in trimmed if block.kind == "matter"])
    of_kind = {
        kind: list(group)
        for kind, group in groupby(sorted(trimmed, key=lambda each: each.kind), key=lambda each: each.kind)
    }
    outside = _Outside([(each.start, each.end) for each in matter])
    headings = [block for block in of_kind.get("heading", []) if outside.has(block)]
    prose = sorted([*of_kind.get("paragraph", []), *of_kind.get("item", []), *of_kind.get("row", [])])
    prose.sort(key=lambda block: (block.start, block.end))
    return Structure(
        sections=tuple(_sections(headings, text)),
        paragraphs=tuple(Range(block.start, block.end) for block in of_kind.get("paragraph", [])),
        sentences=tuple(_sentences([block for block in prose if outside.has(block)], text)),
        items=tuple(ListItem(each.start, each.end, each.mark, max(1, each.level)) for each in of_kind.get("item", [])),
        tables=tuple(_tables(of_kind.get("row", []), text)),
        notes=tuple(_notes(of_kind.get("note", []), of_kind.get("call", []))),
        pages=tuple(PageStart(block.start, block.mark) for block in of_kind.get("page", [])),
        matter=matter,
    )


class _Outside:
    """Tells whether a block lies outside of matter."""

    def __init__(self, stretches: list[tuple[int, int]]) -> None:
        self._starts = [start for start, _ in stretches]
        self._ends = [end for _, end in stretches]

    def has(self, block: Block) -> bool:
        at = bisect_right(self._starts, block.end - 1) - 1
        return at < 0 or self._ends[at] <= block.start


def _trimmed(block: Block, text: str) -> Block | None:
    """A block without white space at its ends; None where nothing is left of one that had some."""
    if block.kind in ("page", "call"):
        return block
    words = text[block.start : block.end]
    start = block.start + len(words) - len(words.lstrip())
    end = block.start + len(words.rstrip())
    return block._replace(start=start, end=end) if start < end else None


def _merged(blocks: Sequence[Block]) -> tuple[Matter, ...]:
    """Matter in order; where two stretches overlap, the one that begins first keeps the common part."""
    ordered: list[Matter] = []
    for block in sorted(blocks, key=lambda each: (each.start, -each.end)):
        start = max(block.start, ordered[-1].end if ordered else 0)
        if start >= block.end:
            continue
        last = ordered[-1] if ordered else None
        if last is not None and last.kind == block.mark and last.end + 2 >= start:
            ordered[-1] = Matter(last.kind, last.start, block.end)
        else:
            ordered.append(Matter(block.mark, start, block.end))
    return tuple(ordered)


def _sections(headings: Sequence[Block], text: str) -> Iterator[Section]:
    for at, heading in enumerate(headings):
        following = (other.start for other in headings[at + 1 :] if other.level <= heading.level)
        end = next(following, len(text))
        title = " ".join(text[heading.start : heading.end].split())
        place = Range(heading.start, heading.end)
        yield Section(heading.start, end, heading.level, place, title, numbering_of(text[heading.start : heading.end]))


def _sentences(blocks: Sequence[Block], text: str) -> Iterator[Range]:
    """The sentences of paragraphs and items, and rows as they are."""
    ranges = [(block.start, block.end) for block in blocks]
    for block, found in zip(blocks, sentences_of(text, ranges), strict=True):
        if block.kind == "row":
            yield Range(block.start, block.end)
            continue
        for start, end in found:
            if end - start > _LONGEST_SENTENCE and "\n" in text[start:end]:
                lines = re.finditer(r"[^\s\n](?:[^\n]*[^\s\n])?", text[start:end])
                yield from (Range(start + line.start(), start + line.end()) for line in lines)
            else:
                yield Range(start, end)


def _tables(rows: Sequence[Block], text: str) -> Iterator[SourceTable]:
    for _, group in groupby(rows, key=lambda block: block.group):
        blocks = list(group)
        made = [Row(block.start, block.end, tuple(_cells(block, text))) for block in blocks]
        has_header = blocks[0].level == 1
        yield SourceTable(made[0].start, made[-1].end, tuple(made[has_header:]), made[0] if has_header else None)


def _cells(row: Block, text: str) -> Iterator[Range]:
    at = row.start
    for cell in text[row.start : row.end].split("\t"):
        yield Range(at, at + len(cell))
        at += len(cell) + 1


def _notes(notes: Sequence[Block], calls: Sequence[Block]) -> Iterator[Note]:
    """Notes with the places that call them: the nearest call before it of the same mark, else the first one."""
    by_mark: dict[str, list[int]] = {}
    for call in calls:
        for mark in call.mark.split():
            by_mark.setdefault(mark, []).append(call.start)
    for note in notes:
        places = by_mark.get(note.mark, [])
        before = bisect_right(places, note.start) - 1
        yield Note(note.start, note.end, note.mark, places[max(before, 0)] if places else None)
