"""Markdown: the words without the marks; the parser's blocks give the lines, and each word is looked up in them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.token import Token

from wildtrace.construct.ingest.charset import decode
from wildtrace.construct.ingest.draft import Block, Builder, Removal
from wildtrace.construct.ingest.formats.base import Decoded, Format
from wildtrace.construct.ingest.markup import Rendering

_FRONT_MATTER = re.compile(r"\A(?:\ufeff)?---[ \t]*\r?\n((?:.*\n){1,300}?)(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)")
_FRONT_KEY = re.compile(r"([\w\"'][\w .\"'/-]{0,60}):(?:\s|$)")
_FRONT_REST = re.compile(r"[ \t]+\S|-(?:\s|$)|#|[\]})]|\s*$")
_FRONT_TITLE = re.compile(r"^title:[ \t]*[\"']?(.+?)[\"']?[ \t]*\r?$", re.MULTILINE)
_NOTE = re.compile(r"\[\^([^\]\s]{1,60})\]:")
_CALL = re.compile(r"\[\^([^\]\s]{1,60})\]")
_LINE_TAG = re.compile(r"<br\s*/?>", re.IGNORECASE)
_LINE_END = re.compile(r"\r\n?|\n")
_TARGET = re.compile(r"[*_~`]*\](?:\((?:[^()\\\n]|\\.|\([^()\n]{0,500}\)){0,2000}\)|\[[^\]\n]{0,200}\])?")
_DEFINITION = re.compile(r"(?<![^\n])(?:(?<=\n)|\A) {0,3}\[(?!\^)([^\]\n]{1,200})\]:([ \t]*)(\S[^\n]{0,2000})")
_LIKE_ADDRESS = re.compile(r"<|\S*[/#@]|\S*\w[.:]\w")
_REFERRED = re.compile(r"\[([^\[\]\n]{1,500})\](?![:(])(?:\[([^\]\n]{0,200})\])?")
_COLON = "\ue002"
_UNREAD = ("<script", "<style")
_DEEPEST = 100
"""Levels of quotes and lists within one another: the parser drops what lies deeper."""
_KIND = "markup"


def read(raw: bytes, name: str, encoding: str | None = None) -> Decoded:
    """Read a Markdown file; code keeps its text, links their words. DataError where it is no text."""
    decoded = decode(raw, name, encoding)
    front = _front_matter(decoded.text)
    reading = _Reading(decoded.text, front)
    reading.read()
    draft = replace(reading.builder.draft(), is_laid_out=True)
    named = _FRONT_TITLE.search(decoded.text[:front])
    heading = next((each for each in draft.blocks if each.kind == "heading"), None)
    title = named[1] if named else draft.text[heading.start : heading.end] if heading else None
    return Decoded(draft, decoded.charset, title, decoded.broken, doubts=decoded.doubts)


def _folded(label: str) -> str:
    return " ".join(label.split()).casefold()


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


class _Reading:
    """Renders a file's tokens into a builder; `_at` is how far in the file text has been decoded."""

    def __init__(self, text: str, front: int) -> None:
        self.builder = Builder()
        self._text, self._at, self._end = text, 0, front
        # As the parser counts lines.
        self._lines = [front, *(match.end() for match in _LINE_END.finditer(text, front))]
        self._front = front
        self._labels = frozenset(match[1] for match in _NOTE.finditer(text))
        self._lists: list[int | None] = []
        self._marker: str | None = None
        self._row: Block | None = None
        self._tables = 0

    def read(self) -> None:
        """Every block in order; what stands between their words is recorded as marks."""
        parser = MarkdownIt("commonmark", {"maxNesting": _DEEPEST, "html": True}).enable(["table", "strikethrough"])
        parser.core.ruler.disable("text_join")  # keeps escapes and entities apart, so that they lead back
        level = 0
        for token in parser.parse(self._without_false_definitions()):
            if token.map is not None:
                self._end = self._offset(token.map[1])
            if token.type == "heading_open":
                level = int(token.tag[1:])
            elif token.type == "heading_close":
                level = 0
            elif token.type in ("fence", "code_block"):
                self._code(token)
            elif token.type == "html_block" and token.map is not None:
                self._html(self._offset(token.map[0]))
            elif token.type == "inline" and self._row is not None:
                self._cell(token)
            elif token.type == "inline":
                self._paragraph(token, level)
            else:
                self._container(token)
        self._pass(len(self._text))

    def _without_false_definitions(self) -> str:
        """What the parser gets: a word after a bracket and a colon is the text's own, unless it looks like an address.

        The parser would take it for the address of a link and drop it; another sign in the colon's place prevents that.
        """
        text = self._text[self._front :]
        referred = {_folded(match[2] or match[1]) for match in _REFERRED.finditer(text)}

        def without_address(match: re.Match[str]) -> str:
            is_address = _LIKE_ADDRESS.match(match[3]) or _folded(match[1]) in referred
            return match[0] if is_address else f"[{match[1]}]{_COLON}{match[2]}{match[3]}"

        return _DEFINITION.sub(without_address, text)

    def _offset(self, line: int) -> int:
        return self._lines[line] if line < len(self._lines) else len(self._text)

    def _container(self, token: Token) -> None:
        """Lists and tables, as they open and close."""
        if token.type in ("bullet_list_open", "ordered_list_open"):
            self._lists.append(1 if token.type.startswith("ordered") else None)
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            self._lists.pop()
        elif token.type == "list_item_open":
            self._marker = "" if self._lists[-1] is None else f"{token.info}{token.markup}"
        elif token.type == "table_open":
            self._tables += 1
        elif token.type == "tr_open":
            self._row = Block("row", -1, -1, 0, "", self._tables)
        elif token.type == "th_open" and self._row is not None:
            self._row = self._row._replace(level=1)
        elif token.type == "tr_close" and self._row is not None:
            if self._row.start >= 0:
                self.builder.blocks.append(self._row._replace(end=self.builder.size))
            self._row = None

    def _gap(self, gap: str) -> None:
        if self.builder.size:
            self.builder.add(gap, self._at, copied=False)

    def _paragraph(self, token: Token, level: int) -> None:
        self._gap(
            "\n\n"
            if self._marker is None or not self.builder.blocks or self.builder.blocks[-1].kind != "item"
            else "\n"
        )
        start = self.builder.size
        note = _NOTE.match(token.content)
        block = Block("note", start, start, 0, note[1]) if note else Block("paragraph", start, start)
        if level:
            block = Block("heading", start, start, level)
        elif self._marker is not None:
            block = Block("item", start, start, max(1, len(self._lists)), self._marker or "-")
            if self._marker:
                self._put(f"{self._marker} ")
        self._marker = None
        self._inline(token.children or [])
        if self.builder.size > start:
            self.builder.blocks.append(block._replace(end=self.builder.size))

    def _cell(self, token: Token) -> None:
        if self._row is None:
            return
        if self._row.start < 0:
            self._gap("\n" if self.builder.blocks and self.builder.blocks[-1].group == self._tables else "\n\n")
            self._row = self._row._replace(start=self.builder.size)
        else:
            self.builder.add("\t", self._at, copied=False)
        self._inline(token.children or [])

    def _code(self, token: Token) -> None:
        self._gap("\n\n")
        start = self.builder.size
        if token.type == "fence" and token.map is not None:
            self._pass(min(self._offset(token.map[0] + 1), len(self._text)))
        for number, line in enumerate(token.content.removesuffix("\n").split("\n")):
            if number:
                self._line_end()
            self._put(line)
        self.builder.blocks.append(Block("paragraph", start, self.builder.size))

    def _html(self, start: int) -> None:
        """A block of HTML is read as such."""
        self._pass(start)
        rendering = Rendering(self.builder, base=start)
        rendering.render(self._text[start : self._end])
        self._at = self._end

    def _inline(self, tokens: Sequence[Token]) -> None:
        raised = skipped = -1
        for token in tokens:
            if token.type == "html_inline":
                tag = token.content.lower()
                self._pass(self._text.find(token.content, self._at) + len(token.content))
                if _LINE_TAG.match(tag):
                    self.builder.add("\n", self._at, copied=False)
                elif tag == "<sup>":
                    raised = self.builder.size
                elif tag == "</sup>" and 0 <= raised < self.builder.size:
                    self.builder.blocks.append(Block("raised", raised, self.builder.size))
                skipped = 1 if tag.startswith(_UNREAD) else -1 if tag.startswith("</") else skipped
            elif skipped > 0:
                continue
            elif token.type in ("softbreak", "hardbreak"):
                self._line_end()
            elif token.type == "text_special":
                self._special(token)
            elif token.type == "link_close" and token.markup != "autolink":
                target = _TARGET.match(self._text, self._at)
                self._pass(target.end() if target is not None else self._at)
            elif token.type == "image":
                self._inline(token.children or [])
                target = _TARGET.match(self._text, self._at)
                self._pass(target.end() if target is not None else self._at)
            elif token.content:
                self._words(token.content)

    def _words(self, content: str) -> None:
        start = self.builder.size
        self._put(content)
        for match in _CALL.finditer(content):
            if match[1] in self._labels and not content.startswith(":", match.end()):
                self.builder.blocks.append(Block("raised", start + match.start(), start + match.end(), 0, "reference"))

    def _put(self, content: str) -> None:
        """Append what the parser gave, from where the file has it; letter by letter where the parser changed some."""
        content = content.replace(_COLON, ":")
        at = self._text.find(content, self._at, self._end)
        if at >= 0:
            self._pass(at)
            self.builder.add(content, at)
            self._at = at + len(content)
            return
        for letter in content:
            at = self._text.find(letter, self._at, self._end)
            if at >= 0:
                self._pass(at)
                self._at = at + 1
            self.builder.add(letter, max(at, 0) or self._at, copied=at >= 0)

    def _special(self, token: Token) -> None:
        """An escape or a reference: one character for several of the file."""
        at = self._text.find(token.markup, self._at, self._end)
        self._pass(max(at, self._at))
        self.builder.add(token.content, self._at, copied=False)
        self._at += len(token.markup) if at >= 0 else 0

    def _line_end(self) -> None:
        at = self._text.find("\n", self._at, self._end)
        at = self._text.find("\r", self._at, self._end) if at < 0 else at
        self._pass(max(at, self._at))
        self.builder.add("\n", self._at, copied=at >= 0 and self._text[at] == "\n")
        self._at += at >= 0

    def _pass(self, to: int) -> None:
        """Go on to a place of the file; what is passed over and no white space is a mark."""
        passed = self._text[self._at : to]
        if passed.strip():
            self.builder.removed.append(Removal(_KIND, self._at, to, passed))
        self._at = max(self._at, to)


FORMAT: Final = Format("Markdown", (".md", ".markdown"), read, is_text=True)
