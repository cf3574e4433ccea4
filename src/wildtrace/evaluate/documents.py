"""The documents of a run: their facts before it, their bytes when it is their turn.

Every document is read before the first request, so that one that is missing or not UTF-8 stops the run while nothing
has been spent. The facts are stored in the ledger under the file's stamp, so that a rerun opens no document. To be
sent, a document is read again and JSON-escaped once for all its tasks in a row; no text is held beside the last one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import astuple, fields, replace
from pathlib import Path
from typing import Any, Final

import msgspec

from wildtrace.calls.ledger import Ledger
from wildtrace.errors import DataError
from wildtrace.text.json_escape import escape, escape_utf8
from wildtrace.text.reading import decode, document_facts, plain_facts, read_bytes
from wildtrace.types import DocumentFacts

_FACTS: Final = tuple(field.name for field in fields(DocumentFacts))
_STORED: Final = "documents"
# Hashing lets go of the interpreter lock: two readers use a second core, more would only hold more text.
_READERS: Final = 2


class DocumentCache:
    """The facts of a run's documents, and the JSON-escaped bytes of the last one that was sent."""

    def __init__(self, paths: Mapping[str, Path], ledger: Ledger | None = None) -> None:
        """Read every document, or take its facts from the ledger where its stamp is known.

        DataError where one cannot be read, is not UTF-8 or changes while it is read.
        """
        self._paths = paths
        self._stamps = {name: stamp(name, path) for name, path in paths.items()}
        self._last: tuple[str, bytes] = ("", b"")
        stored = (ledger.meta(_STORED, dict[str, Any]) or {}) if ledger is not None else {}
        cached = {name: _facts_of(stored.get(self._stamps[name]), name) for name in paths}
        unread = [name for name in paths if cached[name] is None]
        with ThreadPoolExecutor(_READERS) as executor:
            read = dict(zip(unread, executor.map(_measure, unread, [paths[name] for name in unread]), strict=True))
        for name in unread:
            self._refuse_changed(name)
        self.facts: dict[str, DocumentFacts] = {name: cached[name] or read[name] for name in paths}
        if ledger is not None and unread:
            ledger.set_meta({_STORED: {self._stamps[name]: astuple(facts) for name, facts in self.facts.items()}})

    def escaped(self, corpus_file: str) -> bytes:
        """The document as the inside of a JSON string. DataError where it changed since its facts were read."""
        if self._last[0] != corpus_file:
            path = self._paths[corpus_file]
            self._last = ("", b"")  # the next document is read when the last one is let go, not beside it
            raw = read_bytes(path)
            self._refuse_changed(corpus_file)
            changed = self.facts[corpus_file].changed
            self._last = (corpus_file, escape(decode(raw, str(path)).text) if changed else escape_utf8(raw))
        return self._last[1]

    def _refuse_changed(self, name: str) -> None:
        path = self._paths[name]
        if stamp(name, path) != self._stamps[name]:
            raise DataError(f"{path} changed during the run; restore it and run again")


def stamp(name: str, path: Path) -> str:
    """What changes when a file does: name, size, times and inode, as version control systems use them."""
    try:
        stat = path.stat()
    except OSError as error:
        raise DataError(f"{path} cannot be read ({error.strerror}); restore it and run again") from None
    return f"{name}\0{stat.st_size}:{stat.st_mtime_ns}:{stat.st_ctime_ns}:{stat.st_ino}"


def _measure(name: str, path: Path) -> DocumentFacts:
    raw = read_bytes(path)
    plain = plain_facts(name, raw)  # without holding the text beside the bytes
    if plain is None:
        return document_facts(name, decode(raw, str(path)))
    return replace(plain, sha256=hashlib.sha256(raw).hexdigest())


def _facts_of(stored: Any, name: str) -> DocumentFacts | None:
    """The facts that a ledger has of a document; None where they are of another shape, so that it is read again."""
    try:
        facts = msgspec.convert(dict(zip(_FACTS, stored, strict=True)), DocumentFacts)
    except (msgspec.ValidationError, TypeError, ValueError):
        return None
    return facts if facts.corpus_file == name else None
