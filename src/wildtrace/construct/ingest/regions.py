"""What markup declares to be front or back matter or navigation, and the second sign that a mere name of it needs.

A class, a file's name or a guide may call the whole work its contents; so what they say counts only for text that looks
it, and nothing counts that would be a great part of the work.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from wildtrace.construct.ingest.draft import Block

KINDS: Final = {
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
    "errata": "errata",
}
"""The kind of matter by what `epub:type`, a guide or a file's name calls it."""

NAVIGATION: Final = "navigation"
PAGE_FOOTER: Final = "page footer"
FURNITURE: Final = frozenset({NAVIGATION, PAGE_FOOTER})
"""Kinds of region that are no part of a web page's text."""

_LISTS = frozenset({"contents", "index", NAVIGATION})
_SECTIONS = frozenset({"article", "aside", "body", "div", "nav", "section"})
_CONTENTS = re.compile(r"(?:^|[\s_-])(?:toc|contents|doc-toc|table-of-contents)(?:$|[\s_-])", re.IGNORECASE)
_PARTS_OF_TEXT = ("article", "blockquote", "figure", "section")
_LONGEST_ENTRY = 200
_LEAST_LISTED = 0.5
_SHORT = 2_000
_MOST_OF_ALL = 1 / 3
_PAGE_TAIL = re.compile(r"(?:^|[\s.…·])(?:\d{1,4}|[ivxlc]{1,7})$")

_INLINE_NAMES = "a abbr b big cite em font i ins small span strong sub sup tt u"
_INLINE = frozenset(_INLINE_NAMES.split())
_CARRIERS = _INLINE | {"center", "div", "li", "p", "td", "th"}
_NUMBER_CLASS = re.compile(r"(?:^|\s)(?:pagenum|pageno|page-number|page_number)(?:$|\s)", re.IGNORECASE)
_BREAK = re.compile(r"(?:^|\s)(?:doc-)?pagebreak(?:$|\s)", re.IGNORECASE)
_ROMAN = r"(?=[ivxlcdm])m{0,3}(?:cm|cd|d?c{0,3})(?:xc|xl|l?x{0,4})(?:ix|iv|v?i{0,4})"
_NUMERAL = rf"(?:\d{{1,5}}[a-z]?|{_ROMAN})"
_NUMBERS = rf"{_NUMERAL}(?:\s*[-–—,]\s*{_NUMERAL})?"
_PAGE = r"(?:pages?|pgs?|pp?|s(?:eite)?|fol(?:io)?|f)"
_PLAIN_NUMBER = re.compile(rf"[\W_]*{_NUMBERS}[\W_]*", re.IGNORECASE)
_SET_OFF_NUMBER = re.compile(rf"(?:[\[({{<*–—-]\s*)+{_NUMBERS}(?:\s*[\])}}>*–—-])+", re.IGNORECASE)
_NAMED_NUMBER = re.compile(
    rf"[\W_]*{_PAGE}[\W_]*{_NUMBERS}[\W_]*|[\W_]*第?\s*[\d一二三四五六七八九十百千零〇○]{{1,6}}\s*[页頁葉叶][\W_]*",
    re.IGNORECASE,
)
_CALLED_NUMBER = re.compile(
    rf"[\W_]*[^\W\d_]{{1,12}}[\W_]+{_NUMBERS}[\W_]*|[\[({{<][^\[\]]{{1,30}}[\])}}>]",
    re.IGNORECASE,
)


@dataclass
class Region:
    """A stretch of the draft that an element, or a document of a book, is declared to be."""

    kind: str
    must_list: bool
    start: int = 0
    end: int = -1
    element: Any = None


def kind_of(names: str) -> str | None:
    """The kind of matter that one of these names stands for."""
    return next((KINDS[name] for name in names.lower().split() if name in KINDS), None)


def region_of(name: str, element: Any) -> Region | None:
    """What an element says it is, and whether its text must look like a list to be that."""
    declared = kind_of(element.get("epub:type", "")) if name in _SECTIONS else None
    if declared is not None:
        return Region(declared, declared in _LISTS and name == "nav")
    if name == "nav":
        return Region(NAVIGATION, must_list=True)
    if name == "footer" and next(element.iterancestors(*_PARTS_OF_TEXT), None) is None:
        return Region(PAGE_FOOTER, must_list=False)
    if _CONTENTS.search(f"{element.get('class', '')} {element.get('role', '')}"):
        return Region("contents", must_list=True)
    return None


@dataclass(frozen=True, slots=True)
class Page:
    """The text that regions lie in, and where in it links, items and cells stand."""

    text: str
    entries: Sequence[int]

    def is_small(self, region: Region) -> bool:
        """Whether it may be matter of this text: nothing long that is a great part of it."""
        return region.end - region.start <= max(_SHORT, _MOST_OF_ALL * len(self.text))

    def is_list(self, region: Region) -> bool:
        """Whether most of it is short lines that are entries or end with a page number."""
        listed = total = 0
        at = region.start
        for line in self.text[region.start : region.end].split("\n"):
            entry = bisect_left(self.entries, at)
            has_entry = entry < len(self.entries) and self.entries[entry] < at + max(1, len(line))
            listed += len(line) if len(line) <= _LONGEST_ENTRY and (has_entry or _PAGE_TAIL.search(line)) else 0
            total += len(line)
            at += len(line) + 1
        return total > 0 and listed >= _LEAST_LISTED * total

    def is_what_its_name_says(self, region: Region, *, is_named_alone: bool) -> bool:
        """Whether it looks like the kind that a guide, or its file's name alone, says it is: a list, or short."""
        if region.end - region.start > _MOST_OF_ALL * len(self.text):
            return False
        is_short = region.end - region.start <= _SHORT and not (is_named_alone and region.kind in _LISTS)
        return is_short or self.is_list(region)

    def borne_out(self, regions: Iterable[Region]) -> Iterator[Region]:
        """The regions that are what their markup declares them to be."""
        for region in regions:
            if region.start < region.end and self.is_small(region) and (not region.must_list or self.is_list(region)):
                yield region


def matter_block(region: Region) -> Block:
    """A region as a block of matter."""
    return Block("matter", region.start, region.end, 0, "contents" if region.kind == NAVIGATION else region.kind)


def is_page_number(name: str, element: Any, text_of: Callable[[Any], str]) -> bool:
    """Whether an element, whose text `text_of` gives, holds the number of a printed page and nothing else.

    A class that says where pages break is often that of a chapter, so the words decide: only a short text that is a
    number is one.
    """
    classes = element.get("class", "")
    types = f"{element.get('epub:type', '')} {element.get('role', '')}"
    is_number = _NUMBER_CLASS.search(f"{classes} {types}") is not None
    is_declared = is_number or _BREAK.search(types) is not None
    if name not in _CARRIERS or not (is_declared or _BREAK.search(classes)):
        return False
    is_inline = name in _INLINE
    forms = [_NAMED_NUMBER, _SET_OFF_NUMBER]
    forms += [_PLAIN_NUMBER] if is_declared or is_inline else []
    forms += [_CALLED_NUMBER] if is_number and is_inline else []
    text = text_of(element)
    return any(form.fullmatch(text) for form in forms)
