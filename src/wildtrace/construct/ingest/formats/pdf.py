"""PDF: the text layer, laid out by where its lines stand on the page.

Gaps, indents and short lines show paragraphs, size and weight headings, a raised mark at the foot of the page a note.
The decoded file is the text layer, page after page, form feeds between pages.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

import pypdfium2
import pypdfium2.raw as pdfium

from wildtrace.construct.ingest.draft import Block, Builder
from wildtrace.construct.ingest.formats.base import Decoded, Format, Part
from wildtrace.construct.ingest.geometry import Box, Layout, Line, turned
from wildtrace.construct.ingest.language import reads_as_text
from wildtrace.errors import DataError

MOST_PAGES: Final = 20_000
_BEGIN = b"%PDF-"
_WITHIN = 1024 + len(_BEGIN)
"""Readers accept a PDF that begins within its first kilobyte; mail and web servers put lines before it."""
_LEAST_LETTERS = 20
_MOST_NAMED = 12
_NO_TITLE = re.compile(r"\.(?:docx?|pdf|indd|qxd|tex|rtf)$|^untitled|^microsoft word", re.IGNORECASE)
_LINE = re.compile("[^\r\n\x02\ufffe]*[\x02\ufffe]?")
_MAY_BE_RAISED = re.compile(r"[0-9*†‡§¶]+")
_RAISED_SIZE = 0.8
"""A raised mark is at most so high, against the last letter of its line."""


def read(raw: bytes, name: str, encoding: str | None = None) -> Decoded:
    """Read a PDF's text layer. DataError where it is broken, asks for a password, or has no text that can be read."""
    del encoding
    try:
        document = pypdfium2.PdfDocument(raw[raw.index(_BEGIN) :])
    except pypdfium2.PdfiumError as error:
        if "password" in str(error).lower() or "security" in str(error).lower():
            raise DataError(f"{name} asks for a password; save it without one and run again") from None
        raise DataError(f"{name} is no readable PDF ({error}); fetch it again") from None
    try:
        if len(document) > MOST_PAGES:
            raise DataError(f"{name} has more than {MOST_PAGES} pages; split it and run again")
        pages = list(_pages(document))
        title = _title(document)
    finally:
        document.close()
    text = "\f".join(page.text for page in pages)
    if sum(character.isalnum() for character in text) < _LEAST_LETTERS:
        raise DataError(f"{name} has no text layer; run text recognition on it first")
    if not reads_as_text(text):
        raise DataError(f"{name} has a text layer of codes that are no words; run text recognition on it first")
    return _decoded(pages, name, title)


class _Page:
    """A page's text as the file has it, its lines, and why it has none: `picture`, or what could not be read."""

    def __init__(self, text: str = "", lines: Sequence[Line] = (), fault: str = "") -> None:
        self.text, self.lines, self.fault = text, lines, fault


def _decoded(pages: Sequence[_Page], name: str, title: str | None) -> Decoded:
    builder = Builder()
    layout = Layout([line for page in pages for line in page.lines])
    parts: list[Part] = []
    base = 0
    for number, page in enumerate(pages, 1):
        parts.append(Part(f"page {number}", base))
        if number > 1:
            builder.add("\f", max(0, base - 1), copied=False)
        builder.blocks.append(Block("page", builder.size, builder.size, 0, str(number)))
        _write(builder, page, base, layout)
        base += len(page.text) + 1
    pictures = [str(number) for number, page in enumerate(pages, 1) if page.fault == "picture"]
    missing = [
        f"{name}: page {n} cannot be read ({page.fault})"
        for n, page in enumerate(pages, 1)
        if page.fault not in ("", "picture")
    ]
    if pictures:
        named = ", ".join(pictures[:_MOST_NAMED]) + (", ..." if len(pictures) > _MOST_NAMED else "")
        missing.append(
            f"{name}: {len(pictures)} of {len(pages)} pages have no text ({named}); run text recognition on it"
        )
    draft = replace(builder.draft(), is_laid_out=True)
    return Decoded(draft, "pdf", title, parts=tuple(parts), missing=tuple(missing))


def _write(builder: Builder, page: _Page, base: int, layout: Layout) -> None:
    """The paragraphs of a page, each line as the file has it."""
    start_of_page = builder.size
    for block, lines in layout.paragraphs(page.lines):
        if builder.size > start_of_page:
            builder.add("\n\n", base + lines[0].start, copied=False)
        start = builder.size
        for line in lines:
            if builder.size > start:
                builder.add("\n", base + line.start, copied=False)
            begin = builder.size
            builder.add(page.text[line.start : line.end], base + line.start)
            for first, last in line.raised:
                builder.blocks.append(Block("raised", begin + first - line.start, begin + last - line.start))
        builder.blocks.append(block._replace(start=start, end=builder.size))


def _pages(document: Any) -> Iterator[_Page]:
    for number in range(len(document)):
        try:
            page = document[number]
            text_page = page.get_textpage()
            text = _text(text_page)
            lines = list(_lines(text_page.raw, text))
            is_picture = not lines and any(page.get_objects(filter=[pdfium.FPDF_PAGEOBJ_IMAGE], max_depth=2))
            text_page.close()
            page.close()
        except (pypdfium2.PdfiumError, ValueError, OverflowError) as error:
            yield _Page(fault=str(error))
        else:
            yield _Page(text, lines, "picture" if is_picture else "")


def _text(text_page: Any) -> str:
    """A page's text, code point by code point as its characters are counted."""
    text = str(text_page.get_text_range())
    count = text_page.count_chars()
    if len(text) == count:
        return text
    codes = (pdfium.FPDFText_GetUnicode(text_page.raw, index) for index in range(count))
    return "".join(chr(code) if code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd" for code in codes)


def _lines(raw: Any, text: str) -> Iterator[Line]:
    """The lines of a page with where their first and last letters stand."""
    box = pdfium.FS_RECTF()
    for match in _LINE.finditer(text):
        words = match[0].strip()
        if not words.strip("\x02\ufffe"):
            continue
        start = match.start() + len(match[0]) - len(match[0].lstrip())
        end = start + len(words)
        angle = pdfium.FPDFText_GetCharAngle(raw, start)
        first = _box(raw, start, box, angle)
        last = _box(raw, end - 1 - (words[-1] in "\x02\ufffe"), box, angle)
        size = max(last[3] - last[1], 0.1)
        raised = list(_raised(text, (start, end), partial(_box, raw, box=box, angle=angle), last))
        weight = pdfium.FPDFText_GetFontWeight(raw, start)
        yield Line(start, end, words, first[0], last[2], last[1], size, weight, round(angle, 2), tuple(raised))


def _box(raw: Any, index: int, box: Any, angle: float) -> Box:
    """Left, bottom, right and top of a character, turned so that its line runs to the right."""
    pdfium.FPDFText_GetLooseCharBox(raw, index, box)
    return turned((box.left, box.bottom, box.right, box.top), angle)


def _raised(text: str, within: tuple[int, int], box_of: Callable[[int], Box], last: Box) -> Iterator[tuple[int, int]]:
    """Where figures and signs of notes stand that are smaller than the line's last letter and higher."""
    size = last[3] - last[1]
    for match in _MAY_BE_RAISED.finditer(text, *within):
        run = -1
        for at in range(match.start(), match.end() + 1):
            is_raised = False
            if at < match.end():
                _, bottom, _, top = box_of(at)
                is_raised = top - bottom < _RAISED_SIZE * size and bottom > last[1] + 0.15 * size
            if is_raised and run < 0:
                run = at
            elif not is_raised and run >= 0:
                yield run, at
                run = -1


def _title(document: Any) -> str | None:
    try:
        title = (document.get_metadata_dict().get("Title") or "").strip()
    # A title may be no valid UTF-16.
    except (ValueError, pypdfium2.PdfiumError):
        return None
    return None if _NO_TITLE.search(title) else title or None


FORMAT: Final = Format("PDF", (".pdf",), read, lambda raw: raw.startswith(_BEGIN))
