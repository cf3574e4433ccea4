"""Markdown: its words without its marks."""

from __future__ import annotations

import html
import re
from bisect import bisect_right
from collections.abc import Callable, Iterator

from wildtrace.build.ingest.base import Decoded
from wildtrace.build.ingest.charset import decode
from wildtrace.build.ingest.draft import Draft, Edit, OffsetMap

_KIND = "markup"
_FRONT_MATTER = re.compile(r"\A---[ \t]*\r?\n(.*?\r?\n)?---[ \t]*\r?\n", re.DOTALL)
_FRONT_TITLE = re.compile(r"^title:[ \t]*[\"']?(.+?)[\"']?[ \t]*\r?$", re.MULTILINE)
_HEADING = re.compile(r"^ {0,3}#{1,6}[ \t]+(\S.*?)(?:[ \t]+#+)?[ \t]*\r?$", re.MULTILINE)
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})[^\n]*\n(.*?)(?:^ {0,3}\1[`~]*[ \t]*\r?$\n?|\Z)", re.MULTILINE | re.DOTALL)
# Lengths are bounded, so that a hostile file costs linear time.
# What a mark at the start of a line, or within one, stands for; group 1 is what is left of it.
_MARKS = (
    re.compile(r"<!--.{0,1000}?-->()", re.DOTALL),
    re.compile(r"^ {0,3}\[[^\]\n]{1,200}\]:[ \t]*\S+[^\n]*\n?()", re.MULTILINE),
    re.compile(r"^ {0,3}#{1,6}[ \t]+()", re.MULTILINE),
    re.compile(r"^ {0,3}(?:=+|-{2,}|(?:[-*_][ \t]*){3,})[ \t]*\r?$()", re.MULTILINE),
    re.compile(r"^(?: {0,3}>[ \t]?)+()", re.MULTILINE),
    re.compile(r"!\[([^\]\n]{0,500})\](?:\([^)\n]{0,2000}\)|\[[^\]\n]{0,200}\])"),
    re.compile(r"\[([^\]\n]{1,500})\](?:\([^)\n]{0,2000}\)|\[[^\]\n]{0,200}\])"),
    re.compile(r"<((?:https?|mailto):[^>\s]{1,2000})>"),
    re.compile(r"(?<!`)`{1,3}([^`\n]{1,1000})`{1,3}"),
    re.compile(r"(?<!\\)\*\*(?=[^\s*])([^\n]{0,1000}?[^\s\\])\*\*"),
    re.compile(r"(?<![\w\\])__(?=\S)([^\n]{0,1000}?\S)__(?!\w)"),
    re.compile(r"(?<![*\\])\*(?=[^\s*])([^*\n]{0,1000}?[^\s*\\])\*(?!\*)"),
    re.compile(r"(?<![\w_\\])_(?=[^\s_])([^_\n]{0,1000}?[^\s_])_(?![\w_])"),
    re.compile(r"~~(?=\S)([^\n]{0,1000}?\S)~~"),
    re.compile(r"</?[A-Za-z][A-Za-z0-9]{0,20}(?:\s[^<>\n]{0,1000})?/?>()"),
    re.compile(r"\\([\\`*_{}\[\]()#+.!|<>~-])"),
)
_UNREAD = re.compile(r"<(script|style)\b[^>\n]{0,1000}>", re.IGNORECASE)
_RULE = re.compile(r"^(?=[^\n]*-)(?=[^\n]*\|)[ \t]{0,3}[|:\- \t]{2,1000}\r?$\n?", re.MULTILINE)
_CELLS = re.compile(r"[ \t]{0,200}(?<!\\)\|[ \t]{0,200}")
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")


def read(raw: bytes, name: str) -> Decoded:
    """Read a Markdown file; code keeps its text, links their words. DataError where it is no text."""
    found = decode(raw, name)
    draft = Draft(found.text, OffsetMap())
    front = _FRONT_MATTER.match(found.text)
    named = _FRONT_TITLE.search(front[1] or "") if front else None
    heading = _HEADING.search(found.text, front.end() if front else 0)
    title = named[1] if named else heading[1] if heading else None
    draft = draft.edited([Edit(0, front.end(), "", _KIND)] if front else [])
    draft = draft.edited(_unread(draft.text))
    draft = draft.edited(_tables(draft.text))
    for pattern in _MARKS:
        draft = draft.edited(_unmarked(draft.text, pattern))
    draft = draft.edited(Edit(*match.span(), html.unescape(match[0])) for match in _ENTITY.finditer(draft.text))
    draft = draft.edited(_fences(draft.text))
    return Decoded(draft, found.charset, _plain_title(title), found.broken)


def _unmarked(text: str, pattern: re.Pattern[str]) -> list[Edit]:
    """What stands before and after a mark's words goes; code in fences stays as it is."""
    in_code = _in_code(text)
    edits: list[Edit] = []
    for match in pattern.finditer(text):
        if in_code(match.start()):
            continue
        edits += [Edit(match.start(), match.start(1), "", _KIND), Edit(match.end(1), match.end(), "", _KIND)]
    return [edit for edit in edits if edit.start < edit.end]


def _in_code(text: str) -> Callable[[int], bool]:
    """Tells whether an offset stands in code between fences."""
    code = [match.span(2) for match in _FENCE.finditer(text)]
    starts = [start for start, _ in code]

    def inside(at: int) -> bool:
        fence = bisect_right(starts, at) - 1
        return fence >= 0 and at < code[fence][1]

    return inside


def _fences(text: str) -> list[Edit]:
    """The lines that begin and end code go."""
    lines = [
        pair
        for match in _FENCE.finditer(text)
        for pair in ((match.start(), match.start(2)), (match.end(2), match.end()))
    ]
    return [Edit(start, end, "", _KIND) for start, end in lines if start < end]


def _unread(text: str) -> Iterator[Edit]:
    """Scripts and styles go, with what they hold."""
    in_code, at = _in_code(text), 0
    while match := _UNREAD.search(text, at):
        at = match.end()
        if in_code(match.start()):
            continue
        closing = re.compile(rf"</{match[1]}\s*>", re.IGNORECASE).search(text, at)
        if closing is None:
            return
        at = closing.end()
        yield Edit(match.start(), at, "", _KIND)


def _tables(text: str) -> Iterator[Edit]:
    """A table's rule goes, and its cells are set apart by tabs, as those of HTML."""
    in_code, done = _in_code(text), 0
    for rule in _RULE.finditer(text):
        head = text.rfind("\n", 0, max(0, rule.start() - 1)) + 1
        if head < done or head == rule.start() or in_code(rule.start()) or "|" not in text[head : rule.start()]:
            continue
        yield from _cells(text, head, rule.start())
        yield Edit(*rule.span(), "", _KIND)
        done = rule.end()
        while done < len(text) and "|" in (line := text[done : (text.find("\n", done) + 1) or len(text)]):
            yield from _cells(text, done, done + len(line))
            done += len(line)


def _cells(text: str, start: int, end: int) -> Iterator[Edit]:
    """The bars of one row: those at its ends go, those between cells are tabs."""
    line = text[start:end].rstrip("\r\n")
    for bar in _CELLS.finditer(line):
        between = bar.start() > 0 and bar.end() < len(line)
        yield Edit(start + bar.start(), start + bar.end(), "\t" if between else "", _KIND)


def _plain_title(title: str | None) -> str | None:
    return re.sub(r"[*_`]|\[|\]\([^)]*\)", "", title).strip() or None if title else None
