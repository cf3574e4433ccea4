"""Records with ids derived from their content: the same fact at the same place is the same record in every run."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b
from typing import Any

from wildtrace.types import Record, Span

ID_BYTES = 8
_DIGEST = blake2b(digest_size=ID_BYTES)  # copied for every id, which is quicker than to make a new one


def content_id(prefix: str, *parts: object) -> str:
    """A short id of these parts: a letter and 16 hexadecimal digits."""
    found = _DIGEST.copy()
    found.update("\0".join(map(str, parts)).encode())
    return prefix + found.hexdigest()


def record(source: str, kind: str, span: Span, fields: Mapping[str, Any], provenance: str, mark: object = "") -> Record:
    """A record; `mark` tells apart records of one kind at one place."""
    found = _DIGEST.copy()
    found.update(f"{source}\0{kind}\0{span.start}\0{span.end}\0{mark}".encode())
    return Record(f"r{found.hexdigest()}", source, kind, span, fields, provenance)
