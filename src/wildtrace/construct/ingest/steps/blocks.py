"""Paragraphs and lists in lines: what a hard-wrapped text, a list without marks or a Chinese text means by a line end.

Files whose format knows its paragraphs keep them; only lists are looked for in those. `--unwrap` joins the lines that
only the width broke.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from wildtrace.construct.ingest.draft import Block, Draft, Edit, Options
from wildtrace.construct.ingest.steps.pages import SENTENCE_END, SHORT_LINE, width_of
from wildtrace.text.sentences import is_chinese

_FULL_STOP = re.compile(r"[.!?。！？…][\"'”’」』)\]）]*\s*$")
_IDEOGRAPH = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uff60\U00020000-\U000323af]")
_TABULAR = re.compile(r"[|\t]|\S {3,}\S|^\s*[-=_+*.]{4,}")
_ITEM = re.compile(r"\s*(?:[•●○▪■◦‣·*-]|\(?(?:\d{1,3}|[a-z]|[ivx]{1,5})[.)])\s+(?=\S)")
_INDENT = re.compile(r"[ \t\u3000]+(?=\S)")
_WIDEST_WRAP = 200
_NARROWEST_WRAP = 20
_FULL_SHARE = 0.4
"""A text is hard-wrapped where so many of its lines come near the width; dialogue and headings are shorter."""
_INDENTED = (0.02, 0.6)
"""Indents begin paragraphs where at least and at most such a share of the lines has one."""
_LEAST_ITEMS = 4
_LINE_SHARE = 0.7
_BEGUN_SHARE = 0.9


@dataclass(frozen=True, slots=True)
class _Line:
    start: int
    end: int
    text: str


def find_blocks(draft: Draft, options: Options) -> Draft:
    """This draft with paragraphs and items, and, if asked, without the line ends that only the width made."""
    if not draft.is_laid_out:
        draft = draft.with_blocks(_blocks_of_lines(draft.text))
    width = width_of(draft.text)
    blocks = [each for block in draft.blocks for each in _listed(block, draft.text, width)]
    draft = replace(draft, blocks=tuple(blocks), is_laid_out=True)
    return draft.edited(_unwrapped(draft, width)) if options.unwrap else draft


def _blocks_of_lines(text: str) -> Iterator[Block]:
    """Paragraphs: between blank lines, at indents, or a line each, as the text uses line ends."""
    lines = list(_lines(text))
    filled = [line for line in lines if line.text.strip()]
    if not filled:
        return
    width = width_of(text)
    full = sum(len(line.text) >= SHORT_LINE * width for line in filled)
    is_wrapped = _NARROWEST_WRAP <= width <= _WIDEST_WRAP and full >= _FULL_SHARE * len(filled)
    has_blanks = "\n\n" in text.strip() or re.search(r"\n[ \t\u3000]+\n", text.strip()) is not None
    if is_chinese(text):
        # A Chinese line is a paragraph, unless most lines break off in a sentence.
        broken = sum(not SENTENCE_END.search(line.text) for line in filled)
        is_wrapped = is_wrapped and 2 * broken > len(filled)
    elif not is_wrapped and has_blanks and width <= _WIDEST_WRAP:
        is_wrapped = True
    indented = sum(_INDENT.match(line.text) is not None for line in filled)
    by_indent = _INDENTED[0] * len(filled) <= indented <= _INDENTED[1] * len(filled)
    group: list[_Line] = []
    for line in lines:
        is_blank = not line.text.strip()
        if group and (
            is_blank or not is_wrapped or _begins(group[-1], line, width, by_indent=by_indent, by_blank=has_blanks)
        ):
            yield _paragraph(group)
            group = []
        if not is_blank:
            group.append(line)
    if group:
        yield _paragraph(group)


def _lines(text: str) -> Iterator[_Line]:
    at = 0
    for line in text.split("\n"):
        yield _Line(at, at + len(line), line)
        at += len(line) + 1


def _begins(before: _Line, line: _Line, width: int, *, by_indent: bool, by_blank: bool) -> bool:
    """Whether a line of a hard-wrapped text begins a paragraph without a blank line before it."""
    indented = _INDENT.match(line.text) is not None
    if _ITEM.match(line.text) and (_FULL_STOP.search(before.text) or _ITEM.match(before.text) or indented):
        return True
    if by_indent and indented and _INDENT.match(before.text) is None:
        return SENTENCE_END.search(before.text) is not None or len(before.text) < SHORT_LINE * width
    if by_indent and indented:
        return _FULL_STOP.search(before.text) is not None
    # Without blank lines or indents a short line that ends a sentence is all that tells.
    return (
        not by_blank
        and not by_indent
        and len(before.text) < SHORT_LINE * width
        and _FULL_STOP.search(before.text) is not None
    )


def _paragraph(lines: list[_Line]) -> Block:
    first, last = lines[0], lines[-1]
    start = first.start + len(first.text) - len(first.text.lstrip())
    end = last.end - (len(last.text) - len(last.text.rstrip()))
    item = _ITEM.match(first.text)
    if item is not None:
        return Block("item", start, end, 1, item[0].strip())
    return Block("paragraph", start, end)


def _listed(block: Block, text: str, width: int) -> Iterator[Block]:
    """A paragraph that is a list of lines as its items: none is full, and nearly none ends a sentence."""
    lines = [line for line in _lines(text[block.start : block.end]) if line.text.strip()]
    if block.kind != "paragraph" or len(lines) < _LEAST_ITEMS:
        yield block
        return
    stops = sum(_FULL_STOP.search(line.text) is not None for line in lines)
    separate = sum(not _is_wrapped(line.text, following.text, width) for line, following in pairwise(lines))
    lower = sum(following.text.lstrip()[:1].islower() for following in lines[1:])
    commas = sum(line.text.rstrip().endswith((",", "，", "-", "—")) for line in lines)
    # Lines of equal length may all be full; those of prose do not all begin with a capital or a figure.
    begun = sum(line.text.lstrip()[:1].isupper() or line.text.lstrip()[:1].isdigit() for line in lines)
    is_separate = separate >= _LINE_SHARE * (len(lines) - 1) or begun >= _BEGUN_SHARE * len(lines)
    is_list = stops <= 0.1 * len(lines) and is_separate
    if not is_list or lower > 0.3 * len(lines) or commas > 0.2 * len(lines):
        yield block
        return
    for line in lines:
        start = block.start + line.start + len(line.text) - len(line.text.lstrip())
        item = _ITEM.match(line.text)
        yield Block(
            "item", start, block.start + line.start + len(line.text.rstrip()), 1, item[0].strip() if item else ""
        )


def _unwrapped(draft: Draft, width: int) -> Iterator[Edit]:
    """Line ends that only the width made become spaces, or nothing between ideographs.

    A line end is the width's when the next line's first word would not have fitted; short lines, verse, lists and
    tables keep theirs.
    """
    for line, following in pairwise(_lines(draft.text)):
        if _is_wrapped(line.text, following.text, width):
            start = line.start + len(line.text.rstrip())
            glue = "" if _IDEOGRAPH.match(following.text) and _IDEOGRAPH.match(draft.text[start - 1]) else " "
            yield Edit(start, line.end + 1, glue)


def _is_wrapped(line: str, following: str, width: int) -> bool:
    if not line.strip() or not following.strip() or following[0].isspace() or width > _WIDEST_WRAP:
        return False
    if _TABULAR.search(line) or _TABULAR.search(following) or _ITEM.match(following):
        return False
    # The next line's first word, or first ideograph, is what did not fit.
    needed = 1 if _IDEOGRAPH.match(following) else 1 + len(following.split(maxsplit=1)[0])
    return len(line.rstrip()) + needed > width
