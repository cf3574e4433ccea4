"""Paragraphs, headings and notes from where lines stand on a page.

Distances are measured in the size of the letters, so that they hold for any document.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import Final

from wildtrace.construct.ingest.draft import Block

Box = tuple[float, float, float, float]
"""Left, bottom, right, top."""

# Measured on reports of ten producers: the gap between paragraphs is from 1.3 times the leading on.
_GAP: Final = 1.25
_INDENT: Final = 0.6
_OTHER_SIZE: Final = 0.12
_SHORT: Final = 0.15
_NOTE_SIZE: Final = 0.93
_HEADING_SIZE: Final = 1.12
_BOLD: Final = 600
_LONGEST_HEADING: Final = 200
_SENTENCE_END = re.compile(r"[.!?:;。！？；：…][\"'”’」』)\]）]*$")
_ENDS_PROSE = re.compile(r"[.,;。，；]$")
_ITEM = re.compile(r"(?:[•●○▪■◦‣·–—*-]|\(?(?:\d{1,3}|[a-z]|[ivx]{1,5})[.)])\s")
_NOTE_MARK = re.compile(r"([0-9]{1,3}|[*†‡§¶]{1,3})\s*\S")


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a page: its place in the page's text, where it stands, and where in it raised marks are.

    `left`, `right` and `base` are in the page's points, turned by `angle` so that it runs to the right.
    """

    start: int
    end: int
    text: str
    left: float
    right: float
    base: float
    size: float
    weight: int
    angle: float
    raised: tuple[tuple[int, int], ...] = ()


def turned(box: Box, angle: float) -> Box:
    """A box as it is where its text runs to the right: turned back by `angle`, in radians."""
    if abs(angle) < 0.05 or abs(angle - 2 * math.pi) < 0.05:
        return box
    # FPDFText counts angles clockwise from the page's right.
    cosine, sine = math.cos(angle), math.sin(angle)
    corners = [(x * cosine - y * sine, x * sine + y * cosine) for x in box[::2] for y in box[1::2]]
    across, up = zip(*corners, strict=True)
    return min(across), min(up), max(across), max(up)


class Layout:
    """What is usual in a document: the size of its letters, their weight, and the distance of its lines."""

    def __init__(self, lines: Sequence[Line]) -> None:
        sizes: Counter[float] = Counter()
        bold = 0
        for line in lines:
            sizes[round(line.size * 2) / 2] += len(line.text)
            bold += len(line.text) * (line.weight >= _BOLD)
        self.size = sizes.most_common(1)[0][0] if sizes else 12.0
        self.is_bold = 2 * bold > sum(sizes.values())
        steps = [
            (a.base - b.base) / b.size
            for a, b in pairwise(lines)
            if a.angle == b.angle and 0.5 < (a.base - b.base) / b.size < 2
        ]
        self.leading = median(steps) if steps else 1.2
        larger = {
            round(line.size)
            for line in lines
            if line.size > _HEADING_SIZE * self.size and len(line.text) <= _LONGEST_HEADING
        }
        self.levels = {size: level for level, size in enumerate(sorted(larger, reverse=True)[:5], 1)}

    def paragraphs(self, lines: Sequence[Line]) -> Iterator[tuple[Block, list[Line]]]:
        """The paragraphs, headings and notes of a page, in the order of its text."""
        notes = self._first_note(lines)
        group: list[Line] = []
        for column in _columns(lines):
            left, right = _edges(column)
            for line in column:
                is_note = line.start >= notes
                if group and (
                    self._begins(group[-1], line, left, right)
                    or (is_note and (self._is_note_mark(line) or group[-1].start < notes))
                ):
                    yield self._block(group, notes, left, right), group
                    group = []
                group.append(line)
            if group:
                yield self._block(group, notes, left, right), group
                group = []

    def _begins(self, before: Line, line: Line, left: float, right: float) -> bool:
        """Whether a line begins a paragraph."""
        step = before.base - line.base
        if step <= 0.2 * line.size:
            return step < -0.5 * line.size  # another part of the same line is none; a line further up is
        if (
            step > _GAP * self.leading * max(before.size, line.size)
            or abs(before.size - line.size) > _OTHER_SIZE * before.size
        ):
            return True
        width = right - left
        is_short = before.right < right - _SHORT * width
        ends = _SENTENCE_END.search(before.text.rstrip()) is not None
        if _ITEM.match(line.text):
            return ends or is_short or _ITEM.match(before.text) is not None
        is_indented = line.left - left > _INDENT * line.size and before.left - left <= _INDENT * line.size
        changes_weight = (before.weight >= _BOLD) != (line.weight >= _BOLD)
        return (is_indented and (ends or is_short)) or (is_short and (ends or changes_weight))

    def _first_note(self, lines: Sequence[Line]) -> float:
        """Where in the page's text the notes at its foot begin; infinity where it has none."""
        body = [line for line in lines if line.size > _NOTE_SIZE * self.size]
        lowest = min((line.base for line in body if line.angle == 0 and len(line.text) > 40), default=math.inf)
        for at, line in enumerate(lines):
            if line.size <= _NOTE_SIZE * self.size and line.base < lowest and self._is_note_mark(line):
                behind = lines[at:]
                if all(each.size <= _NOTE_SIZE * self.size or len(each.text) <= 40 for each in behind):
                    return line.start
        return math.inf

    def _is_note_mark(self, line: Line) -> bool:
        """Whether a line begins with the mark of a note: raised, or a sign."""
        if _NOTE_MARK.match(line.text) is None:
            return False
        return line.text[0] in "*†‡§¶" or any(first == line.start for first, _ in line.raised)

    def _block(self, lines: Sequence[Line], notes: float, left: float, right: float) -> Block:
        """What lines are together; a paragraph's level says it is indented, its mark that its last line is full."""
        text = " ".join(line.text for line in lines)
        if lines[0].start >= notes and (mark := _NOTE_MARK.match(text)):
            return Block("note", 0, 0, 0, mark[1])
        first = lines[0]
        is_large = first.size > _HEADING_SIZE * self.size
        is_bold = first.weight >= _BOLD and not self.is_bold and first.size >= _NOTE_SIZE * self.size
        if (
            (is_large or is_bold)
            and len(text) <= _LONGEST_HEADING
            and len(lines) <= 3
            and not _ENDS_PROSE.search(text)
            and any(map(str.isalpha, text))
        ):
            return Block("heading", 0, 0, self.levels.get(round(first.size), len(self.levels) + 1))
        is_indented = first.left - left > _INDENT * first.size
        is_full = lines[-1].right >= right - _SHORT * (right - left)
        return Block("paragraph", 0, 0, int(is_indented), "full" if is_full else "")


def _columns(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """Runs of lines that go down the page and are turned alike."""
    column: list[Line] = []
    for line in lines:
        if column and (line.angle != column[-1].angle or line.base > column[-1].base + line.size):
            yield column
            column = []
        column.append(line)
    if column:
        yield column


def _edges(column: Sequence[Line]) -> tuple[float, float]:
    """Where the lines of a column usually begin, and where its longest ones end."""
    starts = Counter(round(line.left) for line in column)
    often = max(starts.values())
    left = min(start for start, count in starts.items() if 2 * count >= often)
    ends = sorted(line.right for line in column)
    return float(left), ends[len(ends) * 9 // 10]
