"""Raised text: what calls a note is taken out, since it is no part of the word or the figure before it; a power stays.

`1912` with a raised 3 is the year and a note; `10` with a raised 2 is a power, written `10^2`.
"""

from __future__ import annotations

import re
from dataclasses import replace

from wildtrace.construct.ingest.draft import Block, Draft, Edit, Options, without_overlaps

_KIND = "note mark"
_MARK = re.compile(r"[\[(^]*(\d{1,4}|[*†‡§¶]{1,4}|[a-zA-Z])[\])]*[,;]?(?:[\[(]?\d{1,4}[\])]?[,;]?)*")
_SIGNED = re.compile(r"[-−+]\d|\d+[.,/]\d")
_UNIT = re.compile(r"(?:^|[\d\s(/·])(?:[kcdmμµn]?m|ft|in|yd|mi|mile|sq|s|sec|h|kg|ha)$")
_NOTE_BEGIN = re.compile(r"[\[(^]*(\d{1,4}|[*†‡§¶]{1,4}|[a-z])(?:[\])]|[.):]?\s|(?=\w))")
_LOOK_BACK = 20


def take_note_marks(draft: Draft, options: Options) -> Draft:
    """This draft without marks that call notes, which are kept as calls, and with powers written as such."""
    del options
    raised = [block for block in draft.blocks if block.kind == "raised"]
    starts = {block.start for block in draft.blocks if block.kind in ("paragraph", "heading", "item", "note", "row")}
    others = [_noted(block, draft.text) for block in draft.blocks if block.kind != "raised"]
    edits, calls = [], []
    end = -1
    for block in raised:
        if block.start < end:
            continue
        end = block.end
        role = _role(block, draft.text, begins_block=block.start in starts)
        if role == "call":
            calls.append(
                Block("call", block.start, block.start, 0, _bare(draft.text[block.start : block.end]) or block.mark)
            )
            edits.append(Edit(block.start, block.end, "", _KIND))
        elif role == "power":
            edits.append(Edit(block.start, block.start, "^"))
    return replace(draft, blocks=tuple(others)).with_blocks(calls).edited(without_overlaps(edits))


def _role(block: Block, text: str, *, begins_block: bool) -> str:
    """What a raised text is: `call` of a note, `power`, or `text` like any other."""
    content = text[block.start : block.end].strip()
    if not content and block.mark:
        return "call"
    if begins_block or not _MARK.fullmatch(content):
        return "power" if _SIGNED.match(content) and not begins_block else "text"
    if block.mark == "reference":
        return "call"
    before = text[max(0, block.start - _LOOK_BACK) : block.start]
    if content.isdigit():
        return _role_of_figure(content, before)
    return "text" if content.isalpha() else "call"


def _role_of_figure(content: str, before: str) -> str:
    figure = re.search(r"(?:^|[^\d.,])(\d+)$", before)
    if figure is not None:
        # A base is small; a year, a date or a sum with a raised figure has a note.
        return (
            "power" if len(figure[1]) <= 2 and figure[1] != "0" and not re.search(r"[A-Za-z]\s\d+$", before) else "call"
        )
    if re.search(r"\d$", before):
        return "call"
    if content in ("2", "3", "4") and _UNIT.search(before):
        return "power"
    single = re.search(r"(?:^|[\s(=+*/×·-])[A-Za-z]$", before)
    return "power" if single is not None and not re.search(r"\b[AaI]$", before) else "call"


def _bare(mark: str) -> str:
    return re.sub(r"[^\w*†‡§¶]+", " ", mark).strip()


def _noted(block: Block, text: str) -> Block:
    """A note with the mark that calls it, where its text begins with one."""
    if block.kind != "note" or block.mark:
        return block
    match = _NOTE_BEGIN.match(text, block.start, block.end)
    return block._replace(mark=match[1]) if match is not None else block
