"""What a format is, and what its reader hands on: a draft of the work's text, and what the file says about it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from wildtrace.construct.ingest.draft import Draft


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the decoded file: a page, a document of a spine; `start` is its offset in the decoded file."""

    name: str
    start: int


@dataclass(frozen=True, slots=True)
class Decoded:
    """A file as its format's reader understands it.

    `title` is None where the file names none; `broken` counts places that the charset could not decode; `missing` are
    sentences that name parts which could not be read; `doubts` are sentences about how the rest was.
    """

    draft: Draft
    charset: str
    title: str | None = None
    broken: int = 0
    parts: tuple[Part, ...] = ()
    missing: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Format:
    """A file format: `begins` says whether bytes are of it, whatever the file is called; `suffixes` what it is called.

    `read` takes the bytes, the name to speak of, and the charset where the user gave one. It raises DataError.
    """

    name: str
    suffixes: tuple[str, ...]
    read: Callable[[bytes, str, str | None], Decoded]
    begins: Callable[[bytes], bool] = lambda _: False
    is_text: bool = False
    """Whether a file of this name that does not begin as one may still be read as it."""
