"""DOCX: paragraphs, headings, lists, tables and notes of a word processor's document, in the order of its body.

python-docx opens the package and knows its styles and parts; it does not read footnotes, numbering or fields, so the
body's own elements are read here. The decoded file is the text of the document part, then of the notes' parts, then of
headers and footers, which are furniture.
"""

from __future__ import annotations

import io
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

import docx
from lxml import etree

from wildtrace.construct.ingest.archive import Archive, xml_parser
from wildtrace.construct.ingest.draft import Block, Builder, Removal
from wildtrace.construct.ingest.formats.base import Decoded, Format, Part
from wildtrace.errors import DataError

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_MATH_TEXT = "{http://schemas.openxmlformats.org/officeDocument/2006/math}t"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_HEADING = re.compile(r"heading (\d)|(title)$", re.IGNORECASE)
_CONTENTS = re.compile(r"toc \d", re.IGNORECASE)
_MARKS = {f"{_W}tab": "\t", f"{_W}br": "\n", f"{_W}cr": "\n", f"{_W}noBreakHyphen": "\u2011"}
_UNSEEN = {f"{_W}del", f"{_W}moveFrom", f"{_W}instrText", f"{_W}pPr", f"{_W}rPr", _FALLBACK}
_NOTES = {"footnotes": "footnote", "endnotes": "endnote"}
_DEEPEST = 9


def read(raw: bytes, name: str, encoding: str | None = None) -> Decoded:
    """Read a DOCX. DataError where it is broken, encrypted or too large. `encoding` means nothing here."""
    del encoding
    archive = Archive(raw, name, "DOCX")
    for entry in sorted(archive.names):
        if entry.endswith((".xml", ".rels")):
            archive.read(entry)  # the limits hold before a library unpacks it all
    try:
        document = docx.Document(io.BytesIO(raw))
    # python-docx raises KeyErrors, ValueErrors and lxml's errors for packages that lack something.
    except Exception as error:
        raise DataError(f"{name} is no readable DOCX ({error}); save it again and run again") from None
    reading = _Reading(document)
    parts = [Part("document", 0)]
    reading.body(document.element.body)
    for kind, element in _NOTES.items():
        for part in _related(document, kind):
            parts.append(Part(kind, reading.origin))
            reading.notes(etree.fromstring(part.blob, xml_parser()), element)
    for kind in ("header", "footer"):
        for part in _related(document, kind):
            parts.append(Part(kind, reading.origin))
            reading.remove(etree.fromstring(part.blob, xml_parser()), f"running {kind}")
    draft = replace(reading.builder.draft(), is_laid_out=True)
    return Decoded(draft, "docx", (document.core_properties.title or "").strip() or None, parts=tuple(parts))


def _related(document: Any, kind: str) -> list[Any]:
    """The parts of a kind that the document names, in the order of their names."""
    parts = [
        each.target_part
        for each in document.part.rels.values()
        if each.reltype.endswith(f"/{kind}") and not each.is_external
    ]
    return sorted(parts, key=lambda part: str(part.partname))


@dataclass(frozen=True, slots=True)
class _Level:
    """A level of a list: how its number is written, with `%1` for the first level's, and where it begins."""

    style: str
    text: str
    start: int


class _Reading:
    """Reads elements into a builder; `origin` counts the code points of text read so far."""

    def __init__(self, document: Any) -> None:
        self.builder = Builder()
        self.origin = 0
        self._styles = {style.style_id: style for style in document.styles}
        self._levels = _levels(document)
        self._counts: defaultdict[str, list[int]] = defaultdict(list)
        self._calls: list[str] = []
        self._tables = 0

    def body(self, element: Any) -> None:
        """The paragraphs and tables of a body or a cell, in order."""
        for child in element:
            if child.tag == f"{_W}p":
                self._paragraph(child)
            elif child.tag == f"{_W}tbl":
                self._table(child)
            elif child.tag in (f"{_W}sdt", f"{_W}sdtContent", f"{_W}ins", f"{_W}customXml"):
                self.body(child)

    def notes(self, root: Any, kind: str) -> None:
        """The notes of a part, each with the number that the text calls it by."""
        for note in root.iter(f"{_W}{kind}"):
            identity = f"{kind}{note.get(f'{_W}id')}"
            if note.get(f"{_W}type") is None and identity in self._calls:
                mark = str(self._calls.index(identity) + 1)
                before = len(self.builder.blocks)
                self.body(note)
                blocks = self.builder.blocks
                blocks[before:] = [each._replace(kind="note", mark=mark) for each in blocks[before:]]

    def remove(self, root: Any, kind: str) -> None:
        """The paragraphs of a header or a footer, which are no text of the work."""
        for paragraph in root.iter(f"{_W}p"):
            text = "".join(each.text or "" for each in paragraph.iter(f"{_W}t"))
            if text:
                self.builder.removed.append(Removal(kind, self.origin, self.origin + len(text), text))
                self.origin += len(text)

    def _paragraph(self, paragraph: Any, gap: str = "\n\n") -> None:
        style = self._style(paragraph)
        numbered = self._number(paragraph, style)
        start = -1
        boxes: list[Any] = []
        for kind, text in self._pieces(paragraph, boxes):
            if start < 0 and kind in ("text", "put"):
                self.builder.add(gap if self.builder.size else "", self.origin, copied=False)
                start = self.builder.size
                self.builder.add(numbered[0] if numbered else "", self.origin, copied=False)
            self._piece(kind, text)
        if start >= 0:
            self.builder.blocks.append(self._block(start, style, numbered))
        for box in boxes:
            self.body(box)

    def _piece(self, kind: str, text: str) -> None:
        size = self.builder.size
        if kind == "note":
            self._calls.append(text)
            self.builder.blocks.append(Block("raised", size, size, 0, str(len(self._calls))))
            return
        self.builder.add(text, self.origin, copied=kind != "put")
        if kind == "put":
            return
        if kind == "raised":
            self.builder.blocks.append(Block("raised", size, self.builder.size))
        self.origin += len(text)

    def _block(self, start: int, style: Any, numbered: tuple[str, int] | None) -> Block:
        names = [each.name or "" for each in _with_bases(style)]
        heading = next((match for each in names if (match := _HEADING.match(each))), None)
        if any(map(_CONTENTS.match, names)):
            self.builder.blocks.append(Block("matter", start, self.builder.size, 0, "contents"))
        if heading is not None:
            return Block("heading", start, self.builder.size, int(heading[1] or 1))
        if numbered is not None:
            return Block("item", start, self.builder.size, numbered[1] + 1, numbered[0].strip() or "-")
        return Block("paragraph", start, self.builder.size)

    def _pieces(self, element: Any, boxes: list[Any]) -> Iterator[tuple[str, str]]:
        """What stands in a paragraph, in order: text, raised text, what is put in, calls of notes."""
        for child in element:
            if child.tag in _UNSEEN or not isinstance(child.tag, str):
                continue
            if child.tag in (f"{_W}t", _MATH_TEXT):
                raised = element.find(f"{_W}rPr/{_W}vertAlign[@{_W}val='superscript']") is not None
                if child.text:
                    yield "raised" if raised else "text", child.text
            elif child.tag in _MARKS:
                yield "put", _MARKS[child.tag]
            elif child.tag in (f"{_W}footnoteReference", f"{_W}endnoteReference"):
                kind = child.tag.removeprefix(_W).removesuffix("Reference")
                yield "note", f"{kind}{child.get(f'{_W}id')}"
            elif child.tag == f"{_W}txbxContent":
                boxes.append(child)
            else:
                yield from self._pieces(child, boxes)

    def _table(self, table: Any) -> None:
        """Rows of short cells are units; a cell of several paragraphs keeps them."""
        self._tables += 1
        number = self._tables
        for at, row in enumerate(table.iterchildren(f"{_W}tr")):
            start, blocks = -1, len(self.builder.blocks)
            is_header = row.find(f"{_W}trPr/{_W}tblHeader") is not None or at == 0
            has_lines = False
            for column, cell in enumerate(row.iterchildren(f"{_W}tc")):
                for line, child in enumerate(cell.iterchildren(f"{_W}p", f"{_W}tbl")):
                    gap = "\t" if not line and column else "\n" if not line and at else "\n\n"
                    before = self.builder.size
                    if child.tag == f"{_W}tbl":
                        self._table(child)
                    else:
                        self._paragraph(child, gap)
                    if self.builder.size > before:
                        has_lines = has_lines or line > 0 or child.tag == f"{_W}tbl"
                        start = before + (len(gap) if before else 0) if start < 0 else start
            if start >= 0 and not has_lines:
                raised_marks = [each for each in self.builder.blocks[blocks:] if each.kind == "raised"]
                self.builder.blocks[blocks:] = [
                    *raised_marks,
                    Block("row", start, self.builder.size, int(is_header), "", number),
                ]

    def _style(self, paragraph: Any) -> Any:
        named = paragraph.find(f"{_W}pPr/{_W}pStyle")
        return self._styles.get(named.get(f"{_W}val")) if named is not None else None

    def _number(self, paragraph: Any, style: Any) -> tuple[str, int] | None:
        """The number that a word processor shows before a paragraph of a list, and its level; None for another one."""
        places = [paragraph, *(each.element for each in _with_bases(style))]
        numbering = next((found for each in places if (found := each.find(f"{_W}pPr/{_W}numPr")) is not None), None)
        identity = _value(numbering, "numId")
        depth = _value(numbering, "ilvl") or "0"
        level = min(int(depth), _DEEPEST - 1) if depth.isdigit() else 0
        levels = self._levels.get(identity or "")
        if levels is None or level not in levels:
            return None
        counts = self._counts[identity or ""]
        counts += [levels[each].start - 1 if each in levels else 0 for each in range(len(counts), level + 1)]
        del counts[level + 1 :]
        counts[level] += 1
        shape = levels[level]
        if shape.style in ("bullet", "none"):
            return "", level
        shown = re.sub(r"%(\d)", lambda match: _numeral(counts, levels, int(match[1]) - 1), shape.text)
        return f"{shown} ", level


def _with_bases(style: Any) -> list[Any]:
    """A style and those it is based on."""
    styles: list[Any] = []
    while style is not None and len(styles) < _DEEPEST:
        styles.append(style)
        style = getattr(style, "base_style", None)
    return styles


def _value(element: Any, name: str) -> str | None:
    found = None if element is None else element.find(f"{_W}{name}")
    return None if found is None else found.get(f"{_W}val")


def _levels(document: Any) -> dict[str, dict[int, _Level]]:
    """The levels of every list, by the list's number."""
    parts = _related(document, "numbering")
    if not parts:
        return {}
    root = etree.fromstring(parts[0].blob, xml_parser())
    shapes = {each.get(f"{_W}abstractNumId"): each for each in root.iter(f"{_W}abstractNum")}
    return {
        number.get(f"{_W}numId"): {
            int(level.get(f"{_W}ilvl")): _Level(
                _value(level, "numFmt") or "decimal", _value(level, "lvlText") or "", int(_value(level, "start") or 1)
            )
            for level in shapes[_value(number, "abstractNumId")].iter(f"{_W}lvl")
        }
        for number in root.iter(f"{_W}num")
        if _value(number, "abstractNumId") in shapes
    }


def _numeral(counts: list[int], levels: dict[int, _Level], level: int) -> str:
    number = counts[level] if 0 <= level < len(counts) else 0
    style = levels[level].style if level in levels else "decimal"
    letters = {"lowerLetter": "a", "upperLetter": "A"}.get(style)
    if letters and 0 < number <= 26:
        return chr(ord(letters) + number - 1)
    return str(number)


FORMAT: Final = Format("DOCX", (".docx",), read, lambda raw: raw.startswith(b"PK\x03\x04") and b"word/document" in raw)
