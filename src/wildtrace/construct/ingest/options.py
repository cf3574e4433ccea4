"""How a file is ingested, as far as its text depends on it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Options:
    """The user's word: a file's `encoding` and `language`, its source `family`; `unwrap` joins hard-wrapped lines."""

    family: str | None = None
    language: str | None = None
    encoding: str | None = None
    unwrap: bool = False
