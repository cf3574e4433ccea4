"""What markup declares to be front or back matter, and the second sign that a mere name of it needs.

A class, a file's name or a guide may call the whole work its contents; so what they say counts only for text that looks
it, and nothing counts that would be a great part of the work.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

KINDS = {
    "toc": "contents",
    "nav": "contents",
    "contents": "contents",
    "loi": "contents",
    "lot": "contents",
    "index": "index",
    "cover": "cover",
    "titlepage": "title page",
    "title-page": "title page",
    "halftitlepage": "title page",
    "halftitle": "title page",
    "copyright": "licence",
    "copyright-page": "licence",
    "license": "licence",
    "licence": "licence",
    "uncopyright": "licence",
    "colophon": "imprint",
    "imprint": "imprint",
}
"""The kind of matter by what `epub:type`, a guide or a file's name calls it."""

LISTS = frozenset({"contents", "index"})
"""The kinds that are lists of entries."""

_LONGEST_ENTRY = 200
_LEAST_LISTED = 0.5
_SHORT = 2_000
_MOST_OF_ALL = 1 / 3
_PAGE_TAIL = re.compile(r"(?:^|[\s.…·])(?:\d{1,4}|[ivxlc]{1,7})$")


def kind_of(names: str) -> str | None:
    """The kind of matter that one of these names stands for."""
    return next((KINDS[name] for name in names.lower().split() if name in KINDS), None)


def is_listed(length: int, last_words: str, *, has_place: bool) -> bool:
    """Whether a line is an entry of a list: short, with a link or in a list or a table, or with a page at its end."""
    return length <= _LONGEST_ENTRY and (has_place or _PAGE_TAIL.search(last_words) is not None)


@dataclass(frozen=True, slots=True)
class Amount:
    """How many code points of text a stretch has, and how many of them in short lines that are entries of lists."""

    text: int = 0
    listed: int = 0

    def since(self, earlier: Amount) -> Amount:
        """What was added after `earlier`."""
        return Amount(self.text - earlier.text, self.listed - earlier.listed)

    @property
    def is_list(self) -> bool:
        """Whether most of it is entries."""
        return self.text > 0 and self.listed >= _LEAST_LISTED * self.text

    def is_small_in(self, whole: int) -> bool:
        """Whether it may be matter of a work of `whole` code points."""
        return self.text <= max(_SHORT, _MOST_OF_ALL * whole)

    def bears_out(self, kind: str, whole: int, *, is_named_alone: bool) -> bool:
        """Whether it looks like the kind that a guide, or its file's name alone, says it is: a list, or short."""
        if self.text > _MOST_OF_ALL * whole:
            return False
        return self.is_list or (self.text <= _SHORT and not (is_named_alone and kind in LISTS))
