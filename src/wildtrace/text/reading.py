"""Read a document as the protocol's reference scripts do: Python's text mode, strict UTF-8 (docs/protocol.md, rule 1).

A leading byte order mark is dropped and CRLF and CR become LF. The string that results is what length, caps, prompt and
hash refer to. Other charsets are the ingester's business: a document that is not UTF-8 is refused here.
"""

from __future__ import annotations

import hashlib
from codecs import getincrementaldecoder
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from wildtrace.errors import DataError, too_many_files
from wildtrace.text.script import HEAD, is_cjk, is_other_cjk
from wildtrace.types import DocumentFacts

_BOM: Final = "\ufeff"
_BOM_BYTES: Final = _BOM.encode()
# The text of a piece stays in the processor's cache, and below the size for which an allocator asks the system.
_PIECE: Final = 1 << 15


@dataclass(frozen=True, slots=True)
class ReadText:
    """A text as read: `changed` says a byte order mark or line ends were normalised, `raw_chars` the length before."""

    raw: bytes
    text: str
    changed: bool
    raw_chars: int


def decode(raw: bytes, name: str) -> ReadText:
    """Decode a document's bytes; DataError naming the offending byte where they are not UTF-8."""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise DataError(f"{name} is not UTF-8 (byte {error.start}); convert it to UTF-8 and run again") from None
    raw_chars = len(text)
    text = text.removeprefix(_BOM)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return ReadText(raw, text, len(text) != raw_chars or b"\r" in raw, raw_chars)


def read_bytes(path: Path) -> bytes:
    """The bytes of the document at `path`; DataError with one sentence where it cannot be read.

    ConfigError where too many other files are open: nothing is wrong with the document.
    """
    try:
        return path.read_bytes()
    except OSError as error:
        if (crowded := too_many_files(error)) is not None:
            raise crowded from None
        raise DataError(f"{path} cannot be read ({error.strerror}); restore it and run again") from None


def read_text(path: Path) -> ReadText:
    """Read the document at `path`; DataError with one sentence where it cannot be read or is not UTF-8."""
    return decode(read_bytes(path), str(path))


def document_facts(corpus_file: str, read: ReadText) -> DocumentFacts:
    """The facts of a document that caps, signature and prompt hashes rest on."""
    text, raw = read.text, read.text.encode() if read.changed else read.raw
    return DocumentFacts(
        corpus_file=corpus_file,
        sha256=hashlib.sha256(raw).hexdigest(),
        chars=len(text),
        cjk=is_cjk(text),
        other_cjk=is_other_cjk(text),
        changed=read.changed,
        raw_chars=read.raw_chars,
    )


def plain_facts(corpus_file: str, raw: bytes) -> DocumentFacts | None:
    """The facts, but for the hash, of a document that reading changes nothing of; None where it is another.

    Its text is not held: pieces of it are decoded one after the other.
    """
    if b"\r" in raw or raw.startswith(_BOM_BYTES):
        return None
    try:
        chars, head = _measured(raw)
    except UnicodeDecodeError:
        return None
    return DocumentFacts(
        corpus_file=corpus_file,
        sha256="",
        chars=chars,
        cjk=is_cjk(head),
        other_cjk=is_other_cjk(head),
        changed=False,
        raw_chars=chars,
    )


def _measured(raw: bytes) -> tuple[int, str]:
    """How many code points UTF-8 bytes hold, and the first of them."""
    if raw.isascii():
        return len(raw), raw[:HEAD].decode()
    decoder = getincrementaldecoder("utf-8")()
    chars, head = 0, ""
    for start in range(0, len(raw), _PIECE):
        piece = decoder.decode(raw[start : start + _PIECE], final=start + _PIECE >= len(raw))
        chars += len(piece)
        head += piece[: HEAD - len(head)]
    return chars, head
