"""A text on its way to its canonical form, with its blocks, its map to the decoded file and what was removed.

Every step is a list of edits: an edit keeps the map, moves the blocks and says what it removed.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class Options:
    """What the user says of a file: its source `family`, `language`, `encoding`; `unwrap` joins hard-wrapped lines."""

    family: str | None = None
    language: str | None = None
    encoding: str | None = None
    unwrap: bool = False


class Edit(NamedTuple):
    """Replace `[start:end]` of a draft's text; what goes is recorded under `kind`, unless that is empty."""

    start: int
    end: int
    text: str = ""
    kind: str = ""


def without_overlaps(edits: Iterable[Edit]) -> Iterator[Edit]:
    """These edits in order, without those that begin within another one; of two with one beginning the longer stays."""
    end = 0
    for edit in sorted(edits, key=lambda each: (each.start, -each.end)):
        if edit.start >= end:
            yield edit
            end = edit.end


@dataclass(frozen=True, slots=True)
class Removal:
    """A stretch of the decoded file that the canonical text leaves out, and what it was taken for."""

    kind: str
    start: int
    end: int
    text: str


class Block(NamedTuple):
    """What a reader or a step knows of a stretch of the draft's text.

    `kind` is `heading` (of `level`), `paragraph`, `item` (of a list, at `level`, with `mark`), `row` (of the table
    `group`; `level` 1 for its header), `note` (`mark` calls it), `raised` (a superscript; `mark` is `reference` where
    the file says that it calls a note), `page` (begins here; `mark` is its number) or `matter` (`mark` is its kind).
    """

    kind: str
    start: int
    end: int
    level: int = 0
    mark: str = ""
    group: int = 0


@dataclass(frozen=True, slots=True)
class OffsetMap:
    """Where each code point of a text comes from, in pieces: from `starts[i]` on at `origins[i]`.

    A piece that was copied moves on code point by code point; one that was put in stands where it was put.
    """

    starts: tuple[int, ...] = (0,)
    origins: tuple[int, ...] = (0,)
    copied: tuple[bool, ...] = (True,)

    def origin(self, offset: int) -> int:
        """The decoded file's offset of the code point at `offset`."""
        piece = bisect_right(self.starts, offset) - 1
        return self.origins[piece] + (offset - self.starts[piece] if self.copied[piece] else 0)

    def pieces(self, start: int, end: int) -> Iterator[tuple[int, int, bool]]:
        """The pieces within `[start:end]`, cut to it: length, origin, copied."""
        piece = bisect_right(self.starts, start) - 1
        while start < end:
            last = piece + 1 == len(self.starts)
            stop = end if last else min(end, self.starts[piece + 1])
            yield stop - start, self.origin(start), self.copied[piece]
            start, piece = stop, piece + 1


class Builder:
    """Puts a draft together from copied and inserted pieces."""

    def __init__(self) -> None:
        self.size = 0
        self.blocks: list[Block] = []
        self.removed: list[Removal] = []
        self._texts: list[str] = []
        self._pieces: list[tuple[int, int, bool]] = []

    def add(self, text: str, origin: int, *, copied: bool = True) -> None:
        """Append `text`, which stands at `origin` of the decoded file or is put in there."""
        if not text:
            return
        if not self._goes_on(origin, copied=copied):
            self._pieces.append((self.size, origin, copied))
        self._texts.append(text)
        self.size += len(text)

    def _goes_on(self, origin: int, *, copied: bool) -> bool:
        if not self._pieces:
            return False
        start, begun, was_copied = self._pieces[-1]
        return copied and was_copied and begun + self.size - start == origin

    def last(self) -> str:
        """The last text that was added."""
        return self._texts[-1] if self._texts else ""

    def draft(self) -> Draft:
        """What was put together."""
        starts, origins, copied = zip(*(self._pieces or [(0, 0, True)]), strict=True)
        blocks = tuple(sorted(self.blocks, key=lambda block: (block.start, -block.end)))
        return Draft("".join(self._texts), OffsetMap(starts, origins, copied), blocks, tuple(self.removed))


@dataclass(frozen=True, slots=True)
class Draft:
    """A text, its map back to the decoded file, its blocks in order, and what has been removed so far.

    `is_laid_out` says that the reader knew the blocks; else the text is lines, and a step finds the blocks in them.
    """

    text: str
    map: OffsetMap = field(default_factory=OffsetMap)
    blocks: tuple[Block, ...] = ()
    removed: tuple[Removal, ...] = ()
    is_laid_out: bool = False

    def edited(self, edits: Iterable[Edit]) -> Draft:
        """This draft with edits made; they are in order and do not overlap."""
        made = [edit for edit in edits if edit.text or edit.start < edit.end]
        if not made:
            return self
        builder = Builder()
        builder.removed = list(self.removed)
        at = 0
        for edit in made:
            self._copy(builder, at, edit.start)
            builder.add(edit.text, self._origin_at(edit.start), copied=False)
            if edit.kind and edit.start < edit.end:
                builder.removed.append(self._removal(edit))
            at = edit.end
        self._copy(builder, at, len(self.text))
        builder.blocks = list(_moved(self.blocks, made))
        return replace(builder.draft(), is_laid_out=self.is_laid_out)

    def reordered(self, stretches: Sequence[tuple[int, int, str]]) -> Draft:
        """These stretches of the text in this order, each behind the gap it names; the blocks that lie in them move.

        One of no length stays at the next stretch that begins. What no stretch has is left out.
        """
        builder = Builder()
        builder.removed = list(self.removed)
        moved: list[tuple[int, int, int]] = []
        for start, end, gap in stretches:
            if builder.size:
                builder.add(gap, self.map.origin(start), copied=False)
            moved.append((start, end, builder.size - start))
            self._copy(builder, start, end)
        moved.sort()
        begins = [start for start, _, _ in moved]
        for block in self.blocks:
            at = bisect_right(begins, block.start) - 1
            if block.start == block.end and (at < 0 or block.start > moved[at][1]) and at + 1 < len(moved):
                place = moved[at + 1][0] + moved[at + 1][2]
                builder.blocks.append(block._replace(start=place, end=place))
            elif at >= 0 and block.start <= moved[at][1]:
                shift = moved[at][2]
                builder.blocks.append(
                    block._replace(start=block.start + shift, end=min(block.end, moved[at][1]) + shift)
                )
        return replace(builder.draft(), is_laid_out=self.is_laid_out)

    def with_blocks(self, blocks: Iterable[Block]) -> Draft:
        """This draft with these blocks besides its own."""
        return replace(self, blocks=tuple(sorted([*self.blocks, *blocks], key=lambda each: (each.start, -each.end))))

    def _origin_at(self, offset: int) -> int:
        """The origin of a place, which may be the text's end."""
        return self.map.origin(min(offset, len(self.text) - 1)) + (offset >= len(self.text)) if self.text else 0

    def _removal(self, edit: Edit) -> Removal:
        first, last = self.map.origin(edit.start), self.map.origin(edit.end - 1)
        return Removal(edit.kind, min(first, last), max(first, last) + 1, self.text[edit.start : edit.end])

    def _copy(self, builder: Builder, start: int, end: int) -> None:
        for length, origin, copied in self.map.pieces(start, end):
            builder.add(self.text[start : start + length], origin, copied=copied)
            start += length


def _moved(blocks: Iterable[Block], edits: list[Edit]) -> Iterator[Block]:
    """The blocks where the edits put them; one that lost all its text is left out, a page's beginning never."""
    starts = [edit.start for edit in edits]
    ends = [edit.end for edit in edits]
    gains = [0]
    for edit in edits:
        gains.append(gains[-1] + len(edit.text) - (edit.end - edit.start))

    def moved(offset: int, *, is_end: bool) -> int:
        index = (bisect_right(starts, offset - is_end)) - 1
        if index < 0:
            return offset
        if offset < ends[index] or (is_end and offset == ends[index]):
            # Within what an edit replaces, or at its end: a block ends before what was put in and begins behind it.
            inside = offset < ends[index]
            put = edits[index].text
            return starts[index] + gains[index] + (0 if is_end and inside else len(put))
        return offset + gains[index + 1]

    for block in blocks:
        start, end = moved(block.start, is_end=False), moved(block.end, is_end=True)
        if start < end or block.start == block.end:
            yield block._replace(start=start, end=max(start, end))
