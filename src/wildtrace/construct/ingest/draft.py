"""A text on its way to its canonical form: each edit keeps the map to the decoded file and says what it removed."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

_FAR = 1 << 40


class Edit(NamedTuple):
    """Replace `[start:end]` of a draft's text; what goes is recorded under `kind`, unless that is empty."""

    start: int
    end: int
    text: str = ""
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Removal:
    """A stretch of the decoded file that the canonical text leaves out, and what it was taken for."""

    kind: str
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class OffsetMap:
    """Where each code point of a text comes from, in pieces: from `starts[i]` on at `origins[i]`.

    A piece that was copied moves on code point by code point; one that was put in stands where it was put.
    Origins never go back.
    """

    starts: tuple[int, ...] = (0,)
    origins: tuple[int, ...] = (0,)
    copied: tuple[bool, ...] = (True,)

    def origin(self, offset: int) -> int:
        """The decoded file's offset of the code point at `offset`."""
        piece = bisect_right(self.starts, offset) - 1
        return self.origins[piece] + (offset - self.starts[piece] if self.copied[piece] else 0)

    def offset(self, origin: int) -> int:
        """The first offset whose origin is `origin` or later; past the text's end where there is none."""
        piece = bisect_left(self.origins, origin)
        if piece and self.copied[piece - 1]:
            into = self.starts[piece - 1] + origin - self.origins[piece - 1]
            return min(into, self.starts[piece]) if piece < len(self.starts) else into
        return self.starts[piece] if piece < len(self.starts) else self.starts[-1] + _FAR

    def pieces(self, start: int, end: int) -> Iterator[tuple[int, int, bool]]:
        """The pieces within `[start:end]`, cut to it: length, origin, copied."""
        piece = bisect_right(self.starts, start) - 1
        while start < end:
            last = piece + 1 == len(self.starts)
            stop = end if last else min(end, self.starts[piece + 1])
            yield stop - start, self.origin(start), self.copied[piece]
            start, piece = stop, piece + 1


class Builder:
    """Puts a text together from copied and inserted pieces."""

    def __init__(self) -> None:
        self.size = 0
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

    def draft(self, removed: Iterable[Removal] = ()) -> Draft:
        """What was put together."""
        starts, origins, copied = zip(*(self._pieces or [(0, 0, True)]), strict=True)
        return Draft("".join(self._texts), OffsetMap(starts, origins, copied), tuple(removed))


@dataclass(frozen=True, slots=True)
class Draft:
    """A text, its map back to the decoded file, and what has been removed so far."""

    text: str
    map: OffsetMap = OffsetMap()
    removed: tuple[Removal, ...] = ()

    def edited(self, edits: Iterable[Edit]) -> Draft:
        """This draft with edits made; they are in order and do not overlap."""
        builder = Builder()
        removed = list(self.removed)
        at = 0
        for edit in edits:
            self._copy(builder, at, edit.start)
            builder.add(edit.text, self.map.origin(edit.start), copied=False)
            if edit.kind and edit.start < edit.end:
                first, last = self.map.origin(edit.start), self.map.origin(edit.end - 1)
                removed.append(Removal(edit.kind, first, last + 1, self.text[edit.start : edit.end]))
            at = edit.end
        if not at and len(removed) == len(self.removed) and not builder.size:
            return self
        self._copy(builder, at, len(self.text))
        return builder.draft(removed)

    def _copy(self, builder: Builder, start: int, end: int) -> None:
        for length, origin, copied in self.map.pieces(start, end):
            builder.add(self.text[start : start + length], origin, copied=copied)
            start += length
