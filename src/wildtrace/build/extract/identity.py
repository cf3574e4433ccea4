"""Records with ids derived from their content: the same fact at the same place is the same record in every run."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b
from typing import Any

from wildtrace.types import Record, Span

ID_BYTES = 8


def content_id(prefix: str, *parts: object) -> str:
    """A short id of these parts: a letter and 16 hexadecimal digits."""
    return prefix + blake2b("\0".join(map(str, parts)).encode(), digest_size=ID_BYTES).hexdigest()


def record(source: str, kind: str, span: Span, fields: Mapping[str, Any], provenance: str, mark: object = "") -> Record:
    """A record; `mark` tells apart records of one kind at one place."""
    return Record(content_id("r", source, kind, span.start, span.end, mark), source, kind, span, fields, provenance)
