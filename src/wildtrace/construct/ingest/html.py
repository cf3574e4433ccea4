"""HTML as a reader sees it, each stretch of text with its offset in the markup."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, field

from wildtrace.construct.ingest.base import Decoded, Marked
from wildtrace.construct.ingest.charset import decode
from wildtrace.construct.ingest.declared import LISTS, Amount, is_listed, kind_of
from wildtrace.construct.ingest.draft import Builder, Removal
from wildtrace.construct.ingest.elements import BLOCKS, Element, Elements
from wildtrace.construct.ingest.markup import (
    RAW,
    RAW_ELEMENTS,
    Token,
    attributes_of,
    declared_entities,
    tokens,
    without_end,
)
from wildtrace.construct.ingest.pagenumbers import end_of_page_number

_PARAGRAPHS = BLOCKS - {"dir", "menu", "search"} | {"body", "caption", "dd", "dt", "html", "tbody", "tfoot", "thead"}
_BREAKS = dict.fromkeys(_PARAGRAPHS, "\n\n") | {"br": "\n", "li": "\n", "tr": "\n", "td": "\t", "th": "\t"}
_OF_TABLES = frozenset({"caption", "table", "tbody", "td", "tfoot", "th", "thead", "tr"})
_EMBEDDED_LIST = "audio canvas datalist iframe math noscript object select svg template video"
_EMBEDDED = frozenset(_EMBEDDED_LIST.split())
_READINGS = frozenset({"rp", "rt", "rtc"})
_VOID_LIST = "area base br col embed hr img input link meta source track wbr"
_VOID = frozenset(_VOID_LIST.split())
_ENTRIES = ("li", "td", "th", "dt", "dd")
_SECTIONS = frozenset(["article", "aside", "body", "div", "nav", "section"])
_WORDS = re.compile(
    r"(?P<space>\s+)|(?P<entity>&(?:#(?:\d+|[xX][0-9a-fA-F]+);?|[A-Za-z_][\w.-]{0,99};|[A-Za-z][A-Za-z0-9]{1,31}))"
    r"|[^\s&]+(?: [^\s&]+)*|&"
)
_LONGEST_REFERENCE = 100
_MOST_ENTITIES = 1_000_000
_HIDDEN_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_CONTENTS = re.compile(r"(?:^|[\s_-])(?:toc|contents|doc-toc|table-of-contents)(?:$|[\s_-])", re.IGNORECASE)
_ORDER = {"": 0, " ": 1, "\t": 2, "\n": 3, "\n\n": 4}


def read(raw: bytes, name: str) -> Decoded:
    """Read an HTML document or fragment; DataError where it is no text."""
    found = decode(raw, name)
    rendering = Rendering(Builder())
    rendering.render(found.text, xml=name.lower().endswith(".xhtml"))
    draft = rendering.builder.draft(rendering.removed)
    return Decoded(draft, found.charset, rendering.title, found.broken, marked=rendering.marked())


@dataclass
class _Region:
    """An open element that is declared to be matter, and how much text there was before it."""

    kind: str
    element: Element
    start: int
    before: Amount
    must_list: bool


@dataclass
class Rendering:
    """Renders markup into a builder; `base` is where this markup begins in the decoded file."""

    builder: Builder
    base: int = 0
    title: str | None = None
    removed: list[Removal] = field(default_factory=list)
    _lines: int = 0
    _listed: int = 0
    _found: list[tuple[Marked, Amount]] = field(default_factory=list)
    _entities_left: int = _MOST_ENTITIES

    def render(self, markup: str, *, xml: bool = False) -> None:
        """Render a whole document or fragment; `xml` where it is XHTML read as XML."""
        self._markup = markup
        self._elements = Elements()
        self._around, self._within = ("\n\n" if self.builder.size else ""), ""
        self._unseen: tuple[Element, str] | None = None
        self._link: Element | None = None
        self._regions: list[_Region] = []
        self._number_end = 0
        self._in_title, self._is_xml = False, xml
        self._line_start, self._last_words, self._is_entry = self.builder.size, "", False
        self._without_end = without_end(markup, _EMBEDDED, xml=xml)
        self._entities = declared_entities(markup) if xml else {}
        for token in tokens(markup, xml=xml):
            if not token.name:
                self._text(token)
            elif token.name.startswith("/"):
                self._close(token)
            else:
                self._open(token)
        self._end(self._elements.all(), len(markup), in_cell=False)
        self._end_line()

    @property
    def amount(self) -> Amount:
        """How much text there is so far, but for the line that is being put together."""
        return Amount(self._lines, self._listed)

    def marked(self) -> tuple[Marked, ...]:
        """The stretches that the markup declares to be matter, but for those that are too great a part of the work."""
        return tuple(marked for marked, amount in self._found if amount.is_small_in(self.builder.size))

    def _open(self, token: Token) -> None:
        name, attributes = token.name, attributes_of(token.attributes) if token.attributes else {}
        self._in_title = name == "title" and not (self._is_xml and token.attributes.endswith("/"))
        is_empty = name in _VOID or name in RAW_ELEMENTS or token.attributes.endswith("/")
        in_cell = self._elements.is_in_cell()
        if is_empty or token.start in self._without_end:
            element, ended = None, self._elements.begin(name)
        else:
            element, ended = self._elements.open(name, token.start, token.end)
        self._end(ended, token.start, in_cell=in_cell)
        if self._unseen is not None:
            return
        self._break_at(name, in_cell=self._elements.is_in_cell())
        if element is not None:
            self._begin(element, token, attributes)

    def _begin(self, element: Element, token: Token, attributes: dict[str, str]) -> None:
        kind = _unseen_kind(element.name, attributes)
        if kind is not None:
            self._unseen = (element, kind)
            return
        self._number_end = end_of_page_number(self._markup, token, attributes) or self._number_end
        if self._link is None and element.name == "a" and "href" in attributes:
            self._link = element
        declared = _declared_kind(element.name, attributes)
        if declared is not None:
            self._end_line()
            start = 0 if element.name == "body" else element.start
            self._regions.append(_Region(declared[0], element, start, self.amount, declared[1]))

    def _close(self, token: Token) -> None:
        name, in_cell = token.name[1:], self._elements.is_in_cell()
        was_unseen = self._unseen is not None
        self._end(self._elements.close(name), token.end, in_cell=in_cell)
        if not was_unseen:
            self._break_at(name, in_cell=in_cell)

    def _end(self, ended: list[Element], at: int, *, in_cell: bool) -> None:
        """What the end of these elements brings about; `at` is where it is, `in_cell` whether a cell was open."""
        if not ended:
            return
        if self._unseen is None:
            for element in ended:
                self._break_at(element.name, in_cell=in_cell)
        elif not self._unseen[0].is_open:
            self._unseen = None
        if self._link is not None and not self._link.is_open:
            self._link = None
        while self._regions and not self._regions[-1].element.is_open:
            self._end_line()
            region = self._regions.pop()
            amount = self.amount.since(region.before)
            if amount.is_list or not region.must_list:
                self._found.append((Marked(region.kind, self.base + region.start, self.base + at), amount))

    def _break_at(self, name: str, *, in_cell: bool) -> None:
        """A break where an element begins or ends; those within a cell give way to a tab between two cells."""
        mark = _BREAKS.get(name)
        if mark is None:
            return
        if in_cell and name not in _OF_TABLES:
            self._within = max(self._within, mark, key=_ORDER.__getitem__)
        else:
            self._around = max(self._around, mark, key=_ORDER.__getitem__)

    def _text(self, token: Token) -> None:
        if self._in_title:
            named = " ".join(html.unescape(self._markup[token.start : token.end]).split())
            self.title, self._in_title = self.title or named or None, False
            return
        is_blank = not self._markup[token.start : token.end].strip()
        if not is_blank:
            self._end(self._elements.text(), token.start, in_cell=False)
        if self._unseen is not None:
            self._remove(token, self._unseen[1])
        elif token.start < self._number_end:
            self._remove(token, "page number")
        else:
            self._show(token)
            if not is_blank and (self._link is not None or self._elements.has(*_ENTRIES)):
                self._is_entry = True

    def _remove(self, token: Token, kind: str) -> None:
        text = self._markup[token.start : token.end]
        if kind and text.strip():
            self.removed.append(Removal(kind, self.base + token.start, self.base + token.end, text))

    def _show(self, token: Token) -> None:
        flows, is_raw = not self._elements.has("pre"), token.attributes == RAW
        for match in _WORDS.finditer(self._markup, token.start, token.end):
            kind = match.lastgroup
            if flows and kind == "space":
                self._space(match, token)
                continue
            if self._around or self._within:
                self._flush(match.start())
            self._last_words = text = match[0]
            if kind == "entity" and not is_raw:
                self.builder.add(self._character(text), self.base + match.start(), copied=False)
            else:
                self.builder.add(text, self.base + match.start())

    def _space(self, match: re.Match[str], token: Token) -> None:
        is_pending = self._around or self._within
        # A single space is copied, so that a line of words is one piece of the map.
        if match[0] == " " and not is_pending and self.builder.size and match.end() < token.end:
            self.builder.add(" ", self.base + match.start())
        elif not is_pending:
            self._within = " "

    def _flush(self, at: int) -> None:
        gap = self._around if self._around == "\t" else max(self._around, self._within, key=_ORDER.__getitem__)
        self._around = self._within = ""
        if "\n" in gap:
            self._end_line()
        if self.builder.size:
            self.builder.add(gap, self.base + at, copied=False)
        if "\n" in gap:
            self._line_start = self.builder.size

    def _end_line(self) -> None:
        """Count the line that has been put together so far."""
        length = self.builder.size - self._line_start
        self._lines += length
        self._listed += length * is_listed(length, self._last_words, has_place=self._is_entry)
        self._line_start, self._last_words, self._is_entry = self.builder.size, "", False

    def _character(self, reference: str) -> str:
        """What a reference stands for; names that the document declares do so within a bound for all together."""
        if reference.startswith("&#"):
            return html.unescape(reference) if len(reference) <= _LONGEST_REFERENCE else "\ufffd"
        declared = self._entities.get(reference[1:-1]) if reference.endswith(";") else None
        if declared is None or len(declared) > self._entities_left:
            return html.unescape(reference)
        self._entities_left -= len(declared)
        return declared


def _unseen_kind(name: str, attributes: dict[str, str]) -> str | None:
    """Why an element is not shown: empty for the head, a kind of removal for text; None where it is shown."""
    if name == "head":
        return ""
    if name in _EMBEDDED:
        return "embedded"
    if name in _READINGS:
        return "ruby reading"
    is_hidden = "hidden" in attributes or _HIDDEN_STYLE.search(attributes.get("style", ""))
    return "hidden text" if is_hidden else None


def _declared_kind(name: str, attributes: dict[str, str]) -> tuple[str, bool] | None:
    """The kind of matter that an element says it is, and whether its text must look like a list."""
    declared = kind_of(attributes.get("epub:type", "")) if name in _SECTIONS else None
    if declared is not None:
        return declared, declared in LISTS and name == "nav"
    if name == "nav" or _CONTENTS.search(f"{attributes.get('class', '')} {attributes.get('role', '')}"):
        return "contents", True
    return None
