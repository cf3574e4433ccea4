"""Plain text in any charset."""

from __future__ import annotations

import re
from typing import Final

from wildtrace.construct.ingest.charset import decode
from wildtrace.construct.ingest.draft import Draft
from wildtrace.construct.ingest.formats.base import Decoded, Format

_TITLE = re.compile(r"^Title:[ \t]*(\S.*)$", re.MULTILINE)
_HEAD = 5000


def read(raw: bytes, name: str, encoding: str | None = None) -> Decoded:
    """Decode a text file; DataError where it is no text."""
    decoded = decode(raw, name, encoding)
    title = _TITLE.search(decoded.text[:_HEAD])
    named = title[1].strip() if title else None
    return Decoded(Draft(decoded.text), decoded.charset, named, decoded.broken, doubts=decoded.doubts)


FORMAT: Final = Format("text", (".txt", ".text"), read, is_text=True)
