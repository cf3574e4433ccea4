"""Plain text in any charset."""

from __future__ import annotations

import re

from wildtrace.construct.ingest.base import Decoded
from wildtrace.construct.ingest.charset import decode
from wildtrace.construct.ingest.draft import Draft, OffsetMap

_TITLE = re.compile(r"^Title:[ \t]*(\S.*)$", re.MULTILINE)


def read(raw: bytes, name: str) -> Decoded:
    """Decode a text file; DataError where it is no text."""
    found = decode(raw, name)
    title = _TITLE.search(found.text[:5000])
    return Decoded(Draft(found.text, OffsetMap()), found.charset, title[1].strip() if title else None, found.broken)
