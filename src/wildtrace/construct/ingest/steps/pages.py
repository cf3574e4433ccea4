"""Page breaks go: what a page cuts in two is joined, and a page's notes stand behind the paragraph they would part."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from wildtrace.construct.ingest.draft import Block, Draft, Edit, Options

SHORT_LINE = 0.7
"""A line shorter than this share of the usual width did not end because the width was used up."""
SENTENCE_END = re.compile(r"[.!?:;。！？；：…][\"'”’」』)\]）]*\s*$")
_GOES_ON = re.compile(r"\s*[^\W\d_A-Z]")
_LOOK_BACK = 300
_KIND = "form feed"


def join_pages(draft: Draft, options: Options) -> Draft:
    """This draft without form feeds: by its blocks where the reader knew them, else by its lines."""
    del options
    if "\f" not in draft.text:
        return draft
    return _joined_blocks(draft) if draft.is_laid_out else draft.edited(_line_breaks(draft.text))


def _line_breaks(text: str) -> Iterator[Edit]:
    """A page break becomes a line end, or a blank line where the page's last line is short and ends a sentence."""
    width = width_of(text)
    for match in re.finditer("\f", text):
        before = text[max(0, match.start() - _LOOK_BACK) : match.start()].rstrip("\n\f")
        last = before[before.rfind("\n") + 1 :]
        ends_line = text[max(0, match.start() - 1) : match.start()] in ("", "\n", "\f")
        ends_paragraph = len(last.strip()) < SHORT_LINE * width and SENTENCE_END.search(last) is not None
        yield Edit(match.start(), match.end(), "\n" * (ends_paragraph + (not ends_line)), _KIND)


def width_of(text: str) -> int:
    """The length that nine of ten lines stay within."""
    lengths = sorted(len(line) for line in text.split("\n") if line.strip())
    return lengths[len(lengths) * 9 // 10] if lengths else 0


def _joined_blocks(draft: Draft) -> Draft:
    """The blocks one after the other: what goes on behind a page break in one paragraph, notes behind it."""
    text = draft.text
    units = [block for block in draft.blocks if block.kind in ("paragraph", "heading", "item", "row", "note")]
    order: list[tuple[Block, str]] = []
    waiting: list[Block] = []
    for block in units:
        if block.kind == "note":
            waiting.append(block)
            continue
        before = order[-1][0] if order else None
        if before is not None and "\f" in text[before.end : block.start] and _goes_on(text, before, block):
            order.append((block, "\n"))
            continue
        order += [(note, "\n\n") for note in waiting]
        order.append((block, "\n\n"))
        waiting = []
    order += [(note, "\n\n") for note in waiting]
    joined = draft.reordered([(block.start, block.end, gap) for block, gap in order])
    return replace(joined, blocks=tuple(_merged(joined.blocks, joined.text)))


def _goes_on(text: str, before: Block, after: Block) -> bool:
    """Whether a paragraph goes on in the first one of the next page."""
    if before.kind != "paragraph" or after.kind != "paragraph":
        return False
    words, following = text[before.start : before.end], text[after.start : after.end]
    ends = SENTENCE_END.search(words[-_LOOK_BACK:]) is not None
    if not ends:
        return before.mark == "full" or _GOES_ON.match(following) is not None
    # A sentence that ends a full line may be followed by another one of its paragraph, unless that is indented.
    return before.mark == "full" and not after.level and before.level == 1


def _merged(blocks: tuple[Block, ...], text: str) -> Iterator[Block]:
    """Paragraphs that are a line end apart as one."""
    open_block: Block | None = None
    for block in blocks:
        if block.kind != "paragraph":
            yield block
            continue
        if open_block is not None and text[open_block.end : block.start] == "\n":
            open_block = open_block._replace(end=block.end)
            continue
        if open_block is not None:
            yield open_block
        open_block = block
    if open_block is not None:
        yield open_block
