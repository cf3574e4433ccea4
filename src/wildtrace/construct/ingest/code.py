"""Code in Markdown: where it stands, so that nothing in it is taken for a mark."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

_LINE = re.compile(r"[^\n]*\n|[^\n]+\Z")
_FENCE = re.compile(r"[ \t]*(?:>[ \t]*)*(`{3,}(?=[^`\n]*$)|~{3,})", re.MULTILINE)
_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]{1,4}(?=\S)|\[\^[^\]\n]{1,200}\]:")
_NOTE_INDENT = 4
_INDENT = 4
_TICKS = re.compile(r"(?<!\\)`+|\n[ \t]*\r?\n")


class Code(NamedTuple):
    """A stretch of code: `[start:end]` with its marks, `[first:last]` without."""

    start: int
    first: int
    last: int
    end: int


def code_of(text: str) -> list[Code]:
    """All code in order: between fences, indented, within lines."""
    blocks = list(_blocks(text))
    edges = [0, *(edge for block in blocks for edge in (block.start, block.end)), len(text)]
    within = [code for start, end in list(pairwise(edges))[::2] for code in _spans(text, start, end)]
    return sorted([*blocks, *within])


def _blocks(text: str) -> Iterator[Code]:
    """Code between fences, and lines indented after an empty one that go on no list."""
    fence, opened, first = "", 0, 0
    was_empty, was_code, least = True, False, _INDENT
    for line in _LINE.finditer(text):
        words = line[0]
        if fence:
            closing = _FENCE.match(words)
            if closing and closing[1].startswith(fence) and not words[closing.end() :].strip():
                yield Code(opened, first, line.start(), line.end())
                fence = ""
            continue
        if not words.strip():
            was_empty = True
            continue
        indent = _indent(words)
        opening = _FENCE.match(words)
        if opening and indent < least:
            fence, opened, first = opening[1], line.start(), line.end()
            was_code = False
        elif indent >= least and (was_empty or was_code):
            yield Code(line.start(), line.start(), line.end(), line.end())
            was_code = True
        else:
            least, was_code = _least_indent(words, indent, least, was_empty=was_empty), False
        was_empty = False
    if fence:
        yield Code(opened, min(first, len(text)), len(text), len(text))


def _least_indent(words: str, indent: int, least: int, *, was_empty: bool) -> int:
    """How far the lines after this one must be indented to be code: further within an item of a list or a note."""
    item = _ITEM.match(words)
    if item is not None:
        return _INDENT + (_NOTE_INDENT if words.startswith("[") else len(item[0].expandtabs(_INDENT)))
    return _INDENT if was_empty and indent < min(2, least - _INDENT) else least


def _indent(words: str) -> int:
    blank = words[: len(words) - len(words.lstrip(" \t"))]
    return len(blank.expandtabs(_INDENT))


def _spans(text: str, start: int, end: int) -> Iterator[Code]:
    """Code within lines: from a row of backticks to the next row as long in the same paragraph."""
    rows: list[tuple[int, int, int]] = []
    places: dict[tuple[int, int], list[int]] = {}
    paragraph = 0
    for match in _TICKS.finditer(text, start, end):
        if match[0][0] == "\n":
            paragraph += 1
            continue
        places.setdefault((paragraph, len(match[0])), []).append(match.start())
        rows.append((match.start(), match.end(), paragraph))
    at = start
    for begin, first, within in rows:
        same = places[within, first - begin]
        following = bisect_right(same, begin)
        if begin < at or following == len(same):
            continue
        last = same[following]
        at = last + first - begin
        inner = text[first:last]
        padding = inner.strip(" ") != "" and inner[0] == inner[-1] == " "
        yield Code(begin, first + padding, last - padding, at)
