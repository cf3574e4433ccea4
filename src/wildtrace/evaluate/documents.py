"""The documents of a run: their facts, and their bytes when it is their turn.

Every document is read before the first request, so that one that is missing or not UTF-8 stops the run while nothing
has been spent; the facts are kept in the ledger under the file's stamp, and a rerun opens no document. For
sending, a document is read again and JSON-escaped once for all its tasks in a row; no text is held.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
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


def stamp(name: str, path: Path) -> str:
    """What changes when a file does: name, size, times and inode, as version control systems use them."""
    try:
        stat = path.stat()
    except OSError as error:
        raise DataError(f"{path} cannot be read ({error.strerror}); restore it and run again") from None
    return f"{name}\0{stat.st_size}:{stat.st_mtime_ns}:{stat.st_ctime_ns}:{stat.st_ino}"


def _nothing() -> None:
    """What is done meanwhile where nothing is."""


def read_facts(
    paths: Mapping[str, Path], ledger: Ledger | None = None, meanwhile: Callable[[], None] = _nothing
) -> dict[str, DocumentFacts]:
    """The facts of every document, by corpus file; from the ledger where the file's stamp is known.

    `meanwhile` is called while documents are still being hashed, and not at all where none has to be read.
    """
    known = ledger.documents() if ledger is not None else {}
    stamps = {name: stamp(name, path) for name, path in paths.items()}
    kept = {name: _kept(known.get(mark), name) for name, mark in stamps.items()}
    facts = {name: found for name, found in kept.items() if found is not None}
    unread = {name: path for name, path in paths.items() if name not in facts}
    if unread:
        facts.update(_read_all(unread, meanwhile))
        for name, path in unread.items():
            _refuse_changed(name, path, stamps[name])
    if ledger is not None and unread:
        ledger.put_documents({stamps[name]: astuple(facts[name]) for name in paths})
    return facts


def _read_all(paths: Mapping[str, Path], meanwhile: Callable[[], None]) -> dict[str, DocumentFacts]:
    """Measure every document here and hash it on the other core: hashing lets go of the interpreter lock."""
    hasher = ThreadPoolExecutor(1)
    try:
        hashes = hasher.map(_digest, paths.values())
        facts = [_measured(name, path) for name, path in paths.items()]
        meanwhile()
        return {found.corpus_file: _hashed(found, digest) for found, digest in zip(facts, hashes, strict=True)}
    finally:
        hasher.shutdown(cancel_futures=True)


def _digest(path: Path) -> str:
    return hashlib.sha256(read_bytes(path)).hexdigest()


def _measured(name: str, path: Path) -> DocumentFacts:
    raw = read_bytes(path)
    plain = plain_facts(name, raw)
    return plain if plain is not None else document_facts(name, decode(raw, str(path)))


def _hashed(facts: DocumentFacts, digest: str) -> DocumentFacts:
    """Facts with the hash of the text as read, which is that of the file where reading changed nothing."""
    return facts if facts.changed else replace(facts, sha256=digest)


def _refuse_changed(name: str, path: Path, before: str) -> None:
    if stamp(name, path) != before:
        raise DataError(f"{path} changed during the run; restore it and run again")


def _kept(known: Any, name: str) -> DocumentFacts | None:
    """The facts that a ledger keeps of a document; None where they are not that, so that it is read again."""
    try:
        facts = msgspec.convert(dict(zip(_FACTS, known, strict=True)), DocumentFacts)
    except (msgspec.ValidationError, TypeError, ValueError):
        return None
    return facts if facts.corpus_file == name else None


class Shelf:
    """Hands out documents' JSON-escaped bytes; keeps the last one, for the tasks that share it."""

    def __init__(self, paths: Mapping[str, Path], facts: Mapping[str, DocumentFacts]) -> None:
        self._paths = paths
        self._facts = facts
        self._stamps = {name: stamp(name, path) for name, path in paths.items()}
        self._last: tuple[str, bytes] = ("", b"")

    @property
    def facts(self) -> tuple[DocumentFacts, ...]:
        """The facts of every document on the shelf."""
        return tuple(self._facts.values())

    def escaped(self, corpus_file: str) -> bytes:
        """The document as the inside of a JSON string. DataError where it changed since its facts were read."""
        if self._last[0] != corpus_file:
            path = self._paths[corpus_file]
            self._last = ("", b"")  # the next document is read when the last one is let go, not beside it
            raw = read_bytes(path)
            _refuse_changed(corpus_file, path, self._stamps[corpus_file])
            changed = self._facts[corpus_file].changed
            self._last = (corpus_file, escape(decode(raw, str(path)).text) if changed else escape_utf8(raw))
        return self._last[1]
