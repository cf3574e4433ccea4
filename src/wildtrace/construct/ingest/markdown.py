"""Markdown: its words without its marks."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

from wildtrace.construct.ingest.base import Decoded
from wildtrace.construct.ingest.charset import decode
from wildtrace.construct.ingest.code import Code, code_of
from wildtrace.construct.ingest.draft import Builder, Draft, Edit, OffsetMap, Removal

_KIND = "markup"
_FRONT_MATTER = re.compile(
    r"\A---[ \t]*\r?\n((?:(?!(?:---|\.\.\.)[ \t]*\r?$)[^\n]*\n){0,200}?)(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.MULTILINE
)
_FRONT_KEY = re.compile(r"([\w\"'][\w .\"'/-]{0,60}):(?:\s|$)")
_FRONT_REST = re.compile(r"[ \t]+\S|-(?:\s|$)|#|[\]})]|\s*$")
_FRONT_TITLE = re.compile(r"^title:[ \t]*[\"']?(.+?)[\"']?[ \t]*\r?$", re.MULTILINE)
_HEADING = re.compile(r"^ {0,3}#{1,6}[ \t]+(\S.*?)(?:[ \t]+#+)?[ \t]*\r?$", re.MULTILINE)
_TITLE = r"(?:\"[^\"\n]{0,500}\"|'[^'\n]{0,500}'|\([^()\n]{0,500}\))"
_ADDRESS = r"(?:<[^<>\n]{0,2000}>|(?!<)(?:[^\s()\\]|\\.|\([^\s()]{0,500}\)){1,2000})"
_TARGET = rf"[ \t]{{0,9}}(?:{_ADDRESS}(?:[ \t]{{1,9}}{_TITLE})?)?[ \t]{{0,9}}"
_LABEL = r"\[(?P<label>[^\]\n]{0,200})\]"
_DEFINITION = re.compile(
    r"^ {0,3}\[(?!\^)(?P<label>[^\]\n]{1,200})\]:[ \t]*(?P<address><[^<>\n]{0,2000}>|[^\s<]\S{0,2000})"
    rf"(?:[ \t]+{_TITLE}|[ \t]*\r?\n[ \t]+{_TITLE})?[ \t]*\r?$\n?",
    re.MULTILINE,
)
_LIKE_ADDRESS = re.compile(r"<|\S*[/#@]|\S*\w[.:]\w")
_REFERRED = re.compile(rf"\[([^\[\]\n]{{1,500}})\](?!:|\()(?:{_LABEL})?")
_HIDDEN = "\ue000"
_ALL = re.compile(r"[^\r\n]")
_ALL_BUT_BARS = re.compile(r"(?!\\\||(?<=\\)\|)[^\r\n]")
_ROW = re.compile(r" {0,3}\|")
# Lengths are bounded, so that a hostile file costs linear time.
# What a mark at the start of a line, or within one, stands for; group 1 is what is left of it.
_MARKS = (
    re.compile(r"<!--.{0,1000}?-->()", re.DOTALL),
    re.compile(r"^ {0,3}#{1,6}[ \t]+()", re.MULTILINE),
    re.compile(r"^ {0,3}(?:=+|-{2,}|(?:[-*_][ \t]*){3,})[ \t]*\r?$()", re.MULTILINE),
    re.compile(r"^(?: {0,3}>[ \t]?)+()", re.MULTILINE),
    re.compile(rf"!\[([^\]\n]{{0,500}})\](?:\({_TARGET}\)|{_LABEL})"),
    re.compile(rf"\[((?!\^)[^\]\n]{{1,500}})\](?:\({_TARGET}\)|{_LABEL})"),
    re.compile(r"<((?:https?|mailto):[^>\s]{1,2000})>"),
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
    front = _front_matter(found.text)
    code = [each for each in code_of(found.text) if each.start >= front]
    text = _hidden(found.text, code)
    named = _FRONT_TITLE.search(found.text[:front])
    heading = _HEADING.search(text, front)
    title = named[1] if named else found.text[heading.start(1) : heading.end(1)] if heading else None
    marks = [Edit(start, end, "", _KIND) for each in code for start, end in (each[:2], each[2:]) if start < end]
    draft = Draft(text, OffsetMap()).edited([Edit(0, front, "", _KIND), *marks] if front else marks)
    draft = draft.edited(_unread(draft.text))
    draft = draft.edited(_tables(draft.text))
    labels, definitions = _definitions(draft.text)
    draft = draft.edited(definitions)
    for pattern in _MARKS:
        draft = draft.edited(_unmarked(draft.text, pattern, labels))
    draft = draft.edited(Edit(*match.span(), html.unescape(match[0])) for match in _ENTITY.finditer(draft.text))
    return Decoded(_shown(draft, found.text), found.charset, _plain_title(title), found.broken)


def _front_matter(text: str) -> int:
    """Where the front matter ends: lines of YAML whose keys differ, with none empty at their beginning; 0 for none."""
    front = _FRONT_MATTER.match(text)
    lines = front[1].split("\n")[:-1] if front else []
    if front is None or not lines or not lines[0].strip():
        return 0
    keys = [match[1] for line in lines if (match := _FRONT_KEY.match(line))]
    rest = [line for line in lines if not _FRONT_KEY.match(line)]
    is_yaml = bool(keys) and len(set(keys)) == len(keys) and all(_FRONT_REST.match(line) for line in rest)
    return front.end() if is_yaml else 0


def _hidden(text: str, code: list[Code]) -> str:
    """The text with code made of one character that is no mark; its lines stay lines.

    In a row of a table a bar is escaped also in code.
    """
    parts, at = [], 0
    for each in code:
        in_row = each.start < each.first and _ROW.match(text, text.rfind("\n", 0, each.start) + 1, each.start)
        inner = (_ALL_BUT_BARS if in_row else _ALL).sub(_HIDDEN, text[each.first : each.last])
        parts += [text[at : each.first], inner]
        at = each.last
    return "".join([*parts, text[at:]])


def _shown(draft: Draft, source: str) -> Draft:
    """The draft with all that was copied as it stands in the source."""
    builder, at = Builder(), 0
    for length, origin, copied in draft.map.pieces(0, len(draft.text)):
        text = source[origin : origin + length] if copied else draft.text[at : at + length]
        builder.add(text, origin, copied=copied)
        at += length
    removed = (
        Removal(each.kind, each.start, each.end, source[each.start : each.end] if _HIDDEN in each.text else each.text)
        for each in draft.removed
    )
    return builder.draft(removed)


def _definitions(text: str) -> tuple[frozenset[str], list[Edit]]:
    """The labels of all link definitions, and the definitions to leave out.

    A word after a bracket and a colon may be the text's own: it must look like an address or be referred to.
    """
    referred = {_folded(match["label"] or match[1]) for match in _REFERRED.finditer(text)}
    found = [
        match
        for match in _DEFINITION.finditer(text)
        if _LIKE_ADDRESS.match(match["address"]) or _folded(match["label"]) in referred
    ]
    labels = frozenset(_folded(match["label"]) for match in found)
    return labels, [Edit(*match.span(), "", _KIND) for match in found]


def _folded(label: str) -> str:
    return " ".join(label.split()).casefold()


def _unmarked(text: str, pattern: re.Pattern[str], labels: frozenset[str]) -> list[Edit]:
    """What stands before and after a mark's words goes; a label makes a link only where it is defined."""
    edits: list[Edit] = []
    is_labelled = "label" in pattern.groupindex
    for match in pattern.finditer(text):
        label = match["label"] if is_labelled else None
        if label is not None and _folded(label or match[1]) not in labels:
            continue
        edits += [Edit(match.start(), match.start(1), "", _KIND), Edit(match.end(1), match.end(), "", _KIND)]
    return [edit for edit in edits if edit.start < edit.end]


def _unread(text: str) -> Iterator[Edit]:
    """Scripts and styles go, with what they hold."""
    at = 0
    while match := _UNREAD.search(text, at):
        at = match.end()
        closing = re.compile(rf"</{match[1]}\s*>", re.IGNORECASE).search(text, at)
        if closing is None:
            return
        at = closing.end()
        yield Edit(match.start(), at, "", _KIND)


def _tables(text: str) -> Iterator[Edit]:
    """A table's rule goes, and its cells are set apart by tabs, as those of HTML."""
    done = 0
    for rule in _RULE.finditer(text):
        head = text.rfind("\n", 0, max(0, rule.start() - 1)) + 1
        if head < done or head == rule.start() or "|" not in text[head : rule.start()]:
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
