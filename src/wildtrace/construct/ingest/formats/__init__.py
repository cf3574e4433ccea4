"""The file formats, in the order in which a file is asked whether it is one of them."""

from __future__ import annotations

from typing import Final

from wildtrace.construct.ingest.formats import docx, epub, html, markdown, pdf, text
from wildtrace.construct.ingest.formats.base import Decoded, Format, Part

FORMATS: Final[tuple[Format, ...]] = (
    docx.FORMAT,  # before EPUB: both are ZIP archives
    epub.FORMAT,
    pdf.FORMAT,
    html.FORMAT,
    markdown.FORMAT,
    text.FORMAT,
)

__all__ = ["FORMATS", "Decoded", "Format", "Part"]
