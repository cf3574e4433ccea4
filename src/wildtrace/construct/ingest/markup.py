"""HTML and XHTML as a reader sees them: paragraphs, headings, lists, tables and notes, with their places in the markup.

What a page does not show (scripts, hidden and embedded elements, readings of ruby) is left out and recorded.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, field
from typing import Any, Final

from lxml import etree

from wildtrace.construct.ingest.draft import Block, Builder, Removal
from wildtrace.construct.ingest.regions import Region, is_page_number, region_of
from wildtrace.construct.ingest.skeleton import BEGIN, EMBEDDED, END, Run, Skeleton

HEADINGS: Final = {f"h{level}": level for level in range(1, 7)}
_BLOCK_NAMES = """
    address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption
    figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol p pre search section
    summary table tbody td tfoot th thead tr ul
"""
_BLOCKS = frozenset(_BLOCK_NAMES.split())
_LISTS = frozenset({"ol", "ul", "menu", "dir"})
_ENTRIES = frozenset({"li", "td", "th", "dt", "dd"})
_OF_TABLES = frozenset({"caption", "table", "tbody", "td", "tfoot", "th", "thead", "tr"})
_GAPS = {"br": "\n", "li": "\n", "tr": "\n", "td": "\t", "th": "\t"}
_WIDTH = {"": 0, " ": 1, "\t": 2, "\n": 3, "\n\n": 4}
# White space as HTML has it: a no-break space is a character.
_WORDS = re.compile(
    r"(?P<space>[ \t\n\r\f]+)"
    r"|(?P<entity>&(?:#(?:\d+|[xX][0-9a-fA-F]+);?|[A-Za-z_][\w.-]{0,99};|[A-Za-z][A-Za-z0-9]{1,31}))"
    r"|[^ \t\n\r\f&]+(?: [^ \t\n\r\f&]+)*|&"
)
_NUMBER = re.compile(f"{BEGIN}([0-9]+){END}")
_LONGEST_REFERENCE = 100
_MOST_ENTITY_TEXT = 1_000_000
"""Code points that the names which one file declares may stand for, all together."""
_HIDDEN_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_CALLS_NOTE = re.compile(r"(?:^|[\s_-])(?:noteref|doc-noteref|fnanchor|footnote-?ref|fnref)(?:$|[\s_-])", re.IGNORECASE)
_NOTE = re.compile(r"(?:^|\s)(?:doc-)?(?:foot|end|rear)notes?(?:$|\s)", re.IGNORECASE)
_MATH_SIGNS = {"msup": "^", "msub": "_", "mover": "^", "munder": "_", "mfrac": "/", "msubsup": "_^", "munderover": "_^"}
"""What linear text puts before the second and the third part of these elements of MathML."""
_ROMAN_SIGNS = ("m", "cm", "d", "cd", "c", "xc", "l", "xl", "x", "ix", "v", "iv", "i")
_ROMAN = dict(zip(_ROMAN_SIGNS, (1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1), strict=True))


@dataclass
class _List:
    """An open list: the next item's number, None where a browser shows none, and how it is written."""

    number: int | None
    style: str
    step: int = 1


@dataclass
class _Row:
    """An open row of a table: where its text begins, whether it has several lines, whether all cells are headers."""

    table: int
    is_header: bool
    start: int = -1
    has_lines: bool = False


@dataclass
class Rendering:
    """Renders documents into a builder, one after the other; `base` is where the next begins in the decoded file.

    `regions` are what the markup declares to be matter or furniture; `entries` say where text is a link, an item or a
    cell, of which lists of entries consist.
    """

    builder: Builder
    base: int = 0
    regions: list[Region] = field(default_factory=list)
    entries: list[int] = field(default_factory=list)
    _entity_text: int = 0
    _tables: int = 0

    def render(self, markup: str, *, xml: bool = False) -> str | None:
        """Render a document or fragment, XHTML where `xml`; its title."""
        skeleton = Skeleton(markup, is_xml=xml)
        self._markup, self._runs, self._entities = markup, skeleton.runs, skeleton.entities
        self._seen = bytearray(len(self._runs))
        self._gap, self._gap_in_cell = ("\n\n" if self.builder.size else ""), ""
        self._prefix, self._origin = "", self.base
        self._block: Block | None = None
        begin = 0
        while (tree := skeleton.tree(begin)) is not None:
            self._walk(tree)
            # A tree that grew too deep ends early: what it lacks is read by itself.
            unread = self._seen.find(0, self._seen.rfind(1) + 1) if self._runs else -1
            if unread < 0 or self._runs[unread].at <= begin:
                break
            begin = self._runs[unread].at
        self._end_block()
        return skeleton.title

    def _walk(self, tree: Any) -> None:
        self._hidden: tuple[Any, str] | None = None
        self._page_number: Any = None
        self._has_number = False
        self._note: Any = None
        self._raised: tuple[Any, int] | None = None
        self._open_regions: list[Region] = []
        self._lists: list[_List] = []
        self._rows: list[_Row] = []
        self._marker: str | None = None
        self._pre = self._cells = self._entry = self._heading = 0
        self._block = None
        self._break("\n\n", is_of_table=True)
        for event, element in etree.iterwalk(tree, events=("start", "end")):
            name = _name(element)
            if event == "start":
                if self._hidden is None:
                    self._begin(name, element)
                self._texts(element.text)
            else:
                if self._hidden is None:
                    self._end(name, element)
                elif self._hidden[0] is element:
                    self._hidden = None
                self._texts(element.tail)

    def _begin(self, name: str, element: Any) -> None:
        kind = _unseen_kind(name, element)
        if kind is not None:
            self._hidden = (element, kind)
            return
        self._break_at(name)
        if self._page_number is not None and name in _BLOCKS and self._has_number:
            self._page_number = None
        if self._page_number is None and is_page_number(name, element, self._inline_text):
            self._page_number, self._has_number = element, False
            self.builder.blocks.append(
                Block("page", self.builder.size, self.builder.size, 0, self._inline_text(element))
            )
        self._pre += name == "pre"
        self._entry += name in _ENTRIES or (name == "a" and "href" in element.attrib)
        self._begin_kind(name, element)
        self._prefix += _math_before(name, element)
        region = region_of(name, element)
        # One within another of its kind says nothing more.
        if region is not None and not any(each.kind == region.kind for each in self._open_regions):
            self._open_regions.append(region)
            self._end_block()
            region.element, region.start = element, self.builder.size
            self.regions.append(region)

    def _begin_kind(self, name: str, element: Any) -> None:
        """What this element makes of the text in it."""
        if name in HEADINGS:
            self._heading = HEADINGS[name]
        elif name in _LISTS:
            self._lists.append(_list_of(name, element))
        elif name == "li":
            self._marker = self._next_marker(element)
        elif name in ("td", "th"):
            self._cells += 1
        elif name == "table":
            self._tables += 1
        elif name == "tr":
            cells = [_name(cell) for cell in element]
            self._rows.append(_Row(self._tables, bool(cells) and set(cells) == {"th"}))
        elif name == "q":
            self._prefix += "“"
        elif name == "sub" and self.builder.last()[-1:].isdigit() and not (self._gap or self._gap_in_cell):
            self._prefix += "_"
        if self._note is None and _is_note(element):
            self._note = element
        if self._raised is None and _is_raised(name, element):
            self._raised = (element, -1)

    def _end(self, name: str, element: Any) -> None:
        if self._raised is not None and self._raised[0] is element:
            start, calls_note = self._raised[1], _refers(element)
            if 0 <= start < self.builder.size:
                mark = "reference" if calls_note else ""
                self.builder.blocks.append(Block("raised", start, self.builder.size, 0, mark))
            self._raised = None
        self._suffix("”" if name == "q" else _math_after(name, element))
        self._break_at(name)
        self._pre -= name == "pre"
        self._entry -= name in _ENTRIES or (name == "a" and "href" in element.attrib)
        if name in HEADINGS:
            self._heading = 0
        elif name in _LISTS:
            self._lists.pop()
        elif name in ("td", "th"):
            self._cells -= 1
        elif name == "tr":
            self._end_row(self._rows.pop())
        if self._note is element:
            self._note = None
        if self._page_number is element:
            self._page_number = None
        if self._open_regions and self._open_regions[-1].element is element:
            self._end_block()
            region = self._open_regions.pop()
            region.end, region.element = self.builder.size, None

    def _break_at(self, name: str) -> None:
        gap = _GAPS.get(name) or ("\n\n" if name in _BLOCKS else "")
        if gap and name != "br":
            self._end_block()
        if gap:
            self._break(gap, is_of_table=name in _OF_TABLES)

    def _break(self, gap: str, *, is_of_table: bool) -> None:
        """A break where an element begins or ends; those within a cell give way to a tab between two cells."""
        if self._cells and not is_of_table:
            self._gap_in_cell = max(self._gap_in_cell, gap, key=_WIDTH.__getitem__)
        else:
            self._gap = max(self._gap, gap, key=_WIDTH.__getitem__)

    def _next_marker(self, element: Any) -> str:
        """What a browser shows before an item; a bullet says nothing and is not put into the text."""
        numbering = self._lists[-1] if self._lists else None
        if numbering is None or numbering.number is None:
            return ""
        value = element.get("value", "")
        number = int(value) if re.fullmatch(r"-?\d{1,9}", value) else numbering.number
        numbering.number = number + numbering.step
        return f"{_numeral(number, numbering.style)}. "

    def _end_block(self) -> None:
        if self._block is not None:
            self.builder.blocks.append(self._block._replace(end=self.builder.size))
            self._block = None

    def _end_row(self, row: _Row) -> None:
        """A row of short cells is a unit; one whose cells have paragraphs is a page's layout."""
        if row.start < 0 or row.has_lines:
            return
        blocks = self.builder.blocks
        marks = [block for block in blocks[-1000:] if block.start < row.start or block.kind in ("raised", "page")]
        blocks[-1000:] = [*marks, Block("row", row.start, self.builder.size, int(row.is_header), "", row.table)]

    def _texts(self, text: str | None) -> None:
        at = 0
        for match in _NUMBER.finditer(text or ""):
            self._space(text[at : match.start()] if text else "")
            number, at = int(match[1]), match.end()
            if number < len(self._runs) and not self._seen[number]:
                self._seen[number] = 1
                self._text(self._runs[number])
        self._space((text or "")[at:])

    def _space(self, text: str) -> None:
        if not text or self._hidden is not None or self._gap or self._gap_in_cell:
            return
        if self._pre:
            self.builder.add(text, self._origin, copied=False)
        else:
            self._gap_in_cell = " "

    def _text(self, run: Run) -> None:
        kind = self._hidden[1] if self._hidden is not None else "page number" if self._page_number is not None else None
        if kind is None:
            self._show(run)
            return
        text = self._markup[run.start : run.end]
        self._has_number = True
        self.builder.removed.append(Removal(kind, self.base + run.start, self.base + run.end, text))

    def _show(self, run: Run) -> None:
        for match in _WORDS.finditer(self._markup, run.start, run.end):
            kind, text, at = match.lastgroup, match[0], self.base + match.start()
            is_pending = self._gap or self._gap_in_cell
            if kind == "space" and not self._pre:
                # A single space is copied, so that a line of words is one piece of the map.
                if text == " " and not is_pending and self.builder.size and match.end() < run.end:
                    self.builder.add(" ", at)
                elif not is_pending:
                    self._gap_in_cell = " "
                continue
            is_raised_next = self._raised is not None and self._raised[1] < 0
            if is_pending or self._prefix or self._block is None or is_raised_next:
                self._flush(at)
            if kind == "entity" and not run.raw:
                self.builder.add(self._character(text), at, copied=False)
            else:
                self.builder.add(text, at)
            self._origin = self.base + match.end()

    def _flush(self, at: int) -> None:
        """Put in the break before a text that stands at `at`, and open the block that begins with it."""
        gap = self._gap if self._gap == "\t" else max(self._gap, self._gap_in_cell, key=_WIDTH.__getitem__)
        self._gap = self._gap_in_cell = ""
        if self.builder.size and gap:
            self.builder.add(gap, at, copied=False)
        for row in self._rows:
            row.has_lines = row.has_lines or (row.start >= 0 and "\n" in gap)
            row.start = self.builder.size if row.start < 0 else row.start
        if self._entry:
            self.entries.append(self.builder.size)
        if self._block is None:
            self._open_block(at)
        if self._prefix:
            self.builder.add(self._prefix, at, copied=False)
            self._prefix = ""
        if self._raised is not None and self._raised[1] < 0:
            self._raised = (self._raised[0], self.builder.size)

    def _open_block(self, at: int) -> None:
        start = self.builder.size
        if self._note is not None:
            self._block = Block("note", start, start)
        elif self._heading:
            self._block = Block("heading", start, start, self._heading)
        elif self._marker is not None:
            self._block = Block("item", start, start, max(1, len(self._lists)), self._marker.strip() or "-")
        else:
            self._block = Block("paragraph", start, start)
        if self._marker:
            self.builder.add(self._marker, at, copied=False)
        self._marker = None

    def _suffix(self, text: str) -> None:
        """Put in what stands behind the text so far."""
        if text and self.builder.size:
            self.builder.add(text, self._origin, copied=False)

    def _character(self, reference: str) -> str:
        """What a reference stands for; names that the document declares do so within a bound for all together."""
        if reference.startswith("&#"):
            return html.unescape(reference) if len(reference) <= _LONGEST_REFERENCE else "\ufffd"
        declared = self._entities.get(reference[1:-1]) if reference.endswith(";") else None
        if declared is None or self._entity_text + len(declared) > _MOST_ENTITY_TEXT:
            return html.unescape(reference)
        self._entity_text += len(declared)
        return declared

    def _inline_text(self, element: Any) -> str:
        """The text of an element up to the first block behind some of it, at most what a page number may have."""
        parts: list[str] = []
        for event, each in etree.iterwalk(element, events=("start", "end")):
            if event == "end" and each is element:
                break
            if _name(each) in _BLOCKS and each is not element and "".join(parts).strip():
                break
            text = each.text if event == "start" else each.tail
            parts += [self._run_text(match) for match in _NUMBER.finditer(text or "")]
            if sum(map(len, parts)) > _LONGEST_REFERENCE:
                break
        return html.unescape("".join(parts)[: 2 * _LONGEST_REFERENCE]).strip()

    def _run_text(self, match: re.Match[str]) -> str:
        number = int(match[1])
        return self._markup[self._runs[number].start : self._runs[number].end] if number < len(self._runs) else ""


def _name(element: Any) -> str:
    """An element's name in lower case without a prefix."""
    return element.tag.rpartition(":")[2] if isinstance(element.tag, str) else ""


def _types(element: Any) -> str:
    return f"{element.get('class', '')} {element.get('epub:type', '')} {element.get('role', '')}"


def _unseen_kind(name: str, element: Any) -> str | None:
    """Why an element is not shown, as a kind of removal; None where it is shown."""
    if name in EMBEDDED or name in ("annotation", "annotation-xml"):
        return "embedded"
    if name in ("rp", "rt", "rtc"):
        return "ruby reading"
    is_hidden = "hidden" in element.attrib or _HIDDEN_STYLE.search(element.get("style", ""))
    return "hidden text" if is_hidden else None


def _is_note(element: Any) -> bool:
    """Whether an element is a foot- or endnote, or the place of several."""
    return _NOTE.search(_types(element)) is not None and _CALLS_NOTE.search(_types(element)) is None


def _is_raised(name: str, element: Any) -> bool:
    return name == "sup" or (name == "a" and _CALLS_NOTE.search(_types(element)) is not None)


def _refers(element: Any) -> bool:
    """Whether a raised text calls a note: declared to, or a link within the document."""
    around = [element, *element.iter("a"), *element.iterancestors("a")]
    return any(_CALLS_NOTE.search(_types(each)) or "#" in each.get("href", "") for each in around)


def _list_of(name: str, element: Any) -> _List:
    """A list as it begins; the navigation of a book shows no numbers."""
    in_navigation = next(element.iterancestors("nav"), None) is not None
    if name != "ol" or in_navigation or "none" in element.get("style", ""):
        return _List(None, "")
    start = element.get("start", "")
    number = int(start) if re.fullmatch(r"-?\d{1,9}", start) else None
    if "reversed" in element.attrib:
        return _List(number or sum(_name(each) == "li" for each in element), element.get("type", "1"), -1)
    return _List(1 if number is None else number, element.get("type", "1"))


def _numeral(number: int, style: str) -> str:
    """A number as the markup wants it: decimal, letters or Roman."""
    if style in ("a", "A") and 0 < number <= 26 * 26:
        letters = "" if number <= 26 else chr(96 + (number - 1) // 26)
        letters += chr(97 + (number - 1) % 26)
        return letters.upper() if style == "A" else letters
    if style in ("i", "I") and 0 < number < 4000:
        roman, left = "", number
        for numeral, value in _ROMAN.items():
            roman += numeral * (left // value)
            left %= value
        return roman.upper() if style == "I" else roman
    return str(number)


def _math_part(element: Any) -> tuple[str, int]:
    """The element of MathML that this one is a part of, and which part; ("", 0) for any other."""
    parent = element.getparent()
    name = _name(parent) if parent is not None else ""
    return (name, parent.index(element)) if name in _MATH_SIGNS else ("", 0)


def _math_before(name: str, element: Any) -> str:
    """What linear text puts before an element of MathML: the sign of a power or a fraction, a bracket, a root."""
    parent, part = _math_part(element)
    signs = _MATH_SIGNS.get(parent, "")
    sign = signs[part - 1] if 0 < part <= len(signs) else ""
    return sign + ("(" if parent and len(element) > 1 else "") + ("√(" if name in ("msqrt", "mroot") else "")


def _math_after(name: str, element: Any) -> str:
    closes = _math_part(element)[0] and len(element) > 1
    return (")" if closes else "") + (")" if name in ("msqrt", "mroot") else "")
