"""PDF: the text layer, page after page, form feeds between pages."""

from __future__ import annotations

import re

import pypdfium2

from wildtrace.construct.ingest.base import Decoded, Part
from wildtrace.construct.ingest.draft import Draft, OffsetMap
from wildtrace.errors import DataError

MOST_PAGES = 20_000
_LEAST_LETTERS = 20
_NO_TITLE = re.compile(r"\.(?:docx?|pdf|indd|qxd|tex|rtf)$|^untitled|^microsoft word", re.IGNORECASE)


def read(raw: bytes, name: str) -> Decoded:
    """Read a PDF's text layer. DataError where it is broken, asks for a password or has no text."""
    try:
        document = pypdfium2.PdfDocument(raw)
    except pypdfium2.PdfiumError as error:
        if "password" in str(error).lower() or "security" in str(error).lower():
            raise DataError(f"{name} asks for a password; save it without one and run again") from None
        raise DataError(f"{name} is no readable PDF ({error}); fetch it again") from None
    try:
        texts = _texts(document, name)
        title = (document.get_metadata_dict().get("Title") or "").strip()
    finally:
        document.close()
    if sum(sum(character.isalnum() for character in text) for text in texts) < _LEAST_LETTERS:
        raise DataError(f"{name} has no text layer; run text recognition on it first")
    parts: list[Part] = []
    size = 0
    for number, text in enumerate(texts, 1):
        parts.append(Part(f"page {number}", size))
        size += len(text) + 1
    draft = Draft("\f".join(texts), OffsetMap())
    return Decoded(draft, "pdf", None if _NO_TITLE.search(title) else title or None, parts=tuple(parts))


def _texts(document: pypdfium2.PdfDocument, name: str) -> list[str]:
    if len(document) > MOST_PAGES:
        raise DataError(f"{name} has more than {MOST_PAGES} pages; split it and run again")
    texts: list[str] = []
    for number in range(len(document)):
        try:
            page = document[number]
            text_page = page.get_textpage()
            texts.append(text_page.get_text_bounded())
            text_page.close()
            page.close()
        except pypdfium2.PdfiumError as error:
            raise DataError(
                f"{name}: page {number + 1} cannot be read ({error}); repair the PDF and run again"
            ) from None
    return texts
