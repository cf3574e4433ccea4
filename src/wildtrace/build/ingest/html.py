"""HTML as a reader sees it, each stretch of text with its offset in the markup."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, field

from wildtrace.build.ingest.base import Decoded, Marked
from wildtrace.build.ingest.charset import decode
from wildtrace.build.ingest.draft import Builder, Removal
from wildtrace.build.ingest.markup import RAW_ELEMENTS, Token, attributes_of, tokens

_BLOCK_LIST = """
    address article aside blockquote body caption center dd details dialog div dl dt fieldset figcaption figure footer
    form h1 h2 h3 h4 h5 h6 header hgroup hr html main nav ol p pre section summary table tbody tfoot thead ul
"""
_BLOCKS = frozenset(_BLOCK_LIST.split())
_LINES = frozenset({"br", "li", "tr"})
_CELLS = frozenset({"td", "th"})
_UNSEEN_LIST = "head noscript template iframe object audio video canvas svg math select rt rp"
_UNSEEN = frozenset(_UNSEEN_LIST.split())
_VOID_LIST = "area base br col embed hr img input link meta source track wbr"
_VOID = frozenset(_VOID_LIST.split())
_WORDS = re.compile(
    r"(?P<space>\s+)|(?P<entity>&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});?)|[^\s&]+|&"
)
_HIDDEN_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_PAGE_NUMBER = re.compile(r"(?:^|\s)(?:pagenum|pageno|page-number|pagebreak|page_number)(?:$|\s)", re.IGNORECASE)
_CONTENTS = re.compile(r"(?:^|[\s_-])(?:toc|contents|doc-toc|table-of-contents)(?:$|[\s_-])", re.IGNORECASE)
_ORDER = {"": 0, " ": 1, "\t": 2, "\n": 3, "\n\n": 4}


def read(raw: bytes, name: str) -> Decoded:
    """Read an HTML document or fragment; DataError where it is no text."""
    found = decode(raw, name)
    rendering = Rendering(Builder())
    rendering.render(found.text)
    draft = rendering.builder.draft(rendering.removed)
    return Decoded(draft, found.charset, rendering.title, found.broken, marked=tuple(rendering.marked))


@dataclass
class _Region:
    """An open element whose text is left out or marked, and how deep its own name is nested in it."""

    name: str
    kind: str
    start: int
    depth: int = 1


@dataclass
class Rendering:
    """Renders markup into a builder; `base` is where this markup begins in the decoded file."""

    builder: Builder
    base: int = 0
    title: str | None = None
    removed: list[Removal] = field(default_factory=list)
    marked: list[Marked] = field(default_factory=list)
    _pending: str = ""
    _pre: int = 0
    _unseen: _Region | None = None
    _toc: _Region | None = None
    _title_is_open: bool = False

    def render(self, markup: str) -> None:
        """Render a whole document or fragment."""
        self._pending = "\n\n" if self.builder.size else ""
        for token in tokens(markup):
            if not token.name:
                self._text(markup, token)
            elif token.name.startswith("/"):
                self._close(token.name[1:], token)
            else:
                self._open(token)
        if self._toc is not None:
            self._mark(len(markup))

    def _open(self, token: Token) -> None:
        name, attributes = token.name, attributes_of(token.attributes)
        self._title_is_open = name == "title" and self.title is None
        if self._unseen is not None:
            if name == "body" or (self._unseen.name == "p" and name in _BLOCKS):
                self._unseen = None
            else:
                self._unseen.depth += name == self._unseen.name and not token.attributes.endswith("/")
                return
        self._break_at(name)
        if name in _VOID or name in RAW_ELEMENTS or token.attributes.endswith("/"):
            return
        self._pre += name == "pre"
        kind = _unseen_kind(name, attributes)
        if kind is not None:
            self._unseen = _Region(name, kind, token.end)
        elif self._toc is not None:
            self._toc.depth += name == self._toc.name
        elif name == "nav" or _CONTENTS.search(f"{attributes.get('class', '')} {attributes.get('role', '')}"):
            self._toc = _Region(name, "contents", token.start)

    def _close(self, name: str, token: Token) -> None:
        if self._unseen is not None:
            self._unseen.depth -= name == self._unseen.name
            self._unseen = self._unseen if self._unseen.depth > 0 else None
            return
        self._pre -= name == "pre" and self._pre > 0
        self._break_at(name)
        if self._toc is not None:
            self._toc.depth -= name == self._toc.name
            if not self._toc.depth:
                self._mark(token.end)

    def _mark(self, end: int) -> None:
        if self._toc is not None:
            self.marked.append(Marked(self._toc.kind, self.base + self._toc.start, self.base + end))
        self._toc = None

    def _break_at(self, name: str) -> None:
        for names, mark in ((_BLOCKS, "\n\n"), (_LINES, "\n"), (_CELLS, "\t")):
            if name in names and _ORDER[mark] > _ORDER[self._pending]:
                self._pending = mark

    def _text(self, markup: str, token: Token) -> None:
        if self._title_is_open:
            self.title = " ".join(html.unescape(markup[token.start : token.end]).split()) or None
            self._title_is_open = False
        elif self._unseen is not None:
            self._remove(markup, token)
        elif self._pre:
            self._preformatted(markup, token)
        else:
            self._flowing(markup, token)

    def _remove(self, markup: str, token: Token) -> None:
        text = markup[token.start : token.end]
        if self._unseen is not None and self._unseen.kind and text.strip():
            self.removed.append(Removal(self._unseen.kind, self.base + token.start, self.base + token.end, text))

    def _flowing(self, markup: str, token: Token) -> None:
        for match in _WORDS.finditer(markup, token.start, token.end):
            if match["space"]:
                # A single space is copied, so that a line of words is one piece of the map.
                if match[0] == " " and not self._pending and self.builder.size and match.end() < token.end:
                    self.builder.add(" ", self.base + match.start())
                else:
                    self._pending = self._pending or " "
                continue
            self._flush(match.start())
            self._piece(match[0], match.start(), is_entity=match["entity"] is not None)

    def _preformatted(self, markup: str, token: Token) -> None:
        for match in _WORDS.finditer(markup, token.start, token.end):
            self._flush(match.start())
            self._piece(match[0], match.start(), is_entity=match["entity"] is not None)

    def _flush(self, at: int) -> None:
        if self._pending and self.builder.size:
            self.builder.add(self._pending, self.base + at, copied=False)
        self._pending = ""

    def _piece(self, text: str, at: int, *, is_entity: bool) -> None:
        if is_entity:
            self.builder.add(html.unescape(text), self.base + at, copied=False)
        else:
            self.builder.add(text, self.base + at)


def _unseen_kind(name: str, attributes: dict[str, str]) -> str | None:
    """Why an element is not shown: empty for what is no text at all, a kind of removal for text that is hidden."""
    if name in _UNSEEN:
        return ""
    if "hidden" in attributes or _HIDDEN_STYLE.search(attributes.get("style", "")):
        return "hidden text"
    marks = f"{attributes.get('class', '')} {attributes.get('epub:type', '')} {attributes.get('role', '')}"
    return "page number" if _PAGE_NUMBER.search(marks.replace("doc-pagebreak", "pagebreak")) else None
