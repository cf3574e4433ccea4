"""What a format's reader hands on: a draft of the work's text, and what the file itself says about it."""

from __future__ import annotations

from dataclasses import dataclass

from wildtrace.construct.ingest.draft import Draft


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the decoded file: a page, a document of a spine; `start` is its offset in the decoded file."""

    name: str
    start: int


@dataclass(frozen=True, slots=True)
class Marked:
    """A stretch of the decoded file that its markup declares to be contents, cover, licence and the like."""

    kind: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Decoded:
    """A file as its format's reader understands it. `title` is None where the file names none."""

    draft: Draft
    charset: str
    title: str | None = None
    broken: int = 0
    parts: tuple[Part, ...] = ()
    marked: tuple[Marked, ...] = ()
