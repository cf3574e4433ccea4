"""A tolerant scanner of HTML: tags and texts with their offsets.

Linear in the length of its input whatever that is. It builds no tree, runs no script, loads nothing; comments,
declarations and what scripts and styles hold are left out.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import NamedTuple

RAW_ELEMENTS = frozenset({"script", "style", "textarea", "title"})
"""Elements whose content is no markup; the scanner skips it, but for a title's."""

_TAG = re.compile(r"<(/?)([A-Za-z][^\s/>]*)")
_SUBSET = re.compile(r"<!DOCTYPE[^>\[]{0,1000}\[", re.IGNORECASE)
_IN_SUBSET = re.compile(r"<!--|<\?|[\"'\]]")
_TAG_END = re.compile(r"[>\"']")
_ATTRIBUTE = re.compile(r"""([^\s=>"'/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+)))?""")


_PROLOGUE = 20_000
"""Code points within which a document type stands."""


class Token(NamedTuple):
    """A tag or a run of text: `name` is the tag's, `/name` an end tag's, empty for text."""

    name: str
    start: int
    end: int
    attributes: str = ""


def tokens(markup: str) -> Iterator[Token]:
    """Tags and texts in order; comments, declarations and what raw elements hold are left out."""
    at, unclosed, subset = 0, False, _SUBSET.search(markup, 0, _PROLOGUE)
    while at < len(markup):
        opening = markup.find("<", at)
        if opening < 0:
            opening = len(markup)
        if opening > at:
            yield Token("", at, opening)
        if opening == len(markup):
            return
        match = _TAG.match(markup, opening)
        if match is not None:
            end, unclosed = _end_of_tag(markup, match.end(), unclosed=unclosed)
            name = match[2].lower()
            yield Token(match[1] + name, opening, end, markup[match.end() : end].rstrip(">"))
            at = _end_of_raw(markup, name, end) if name in RAW_ELEMENTS and not match[1] else end
            if at > end and name == "title":
                yield Token("", end, markup.rfind("<", end, at) if at < len(markup) else at)
        else:
            inside = subset is not None and subset.start() == opening
            at = _end_of_subset(markup, subset.end()) if subset and inside else _end_of_declaration(markup, opening)
            if at == opening + 1:
                yield Token("", opening, at)


def _end_of_tag(markup: str, at: int, *, unclosed: bool) -> tuple[int, bool]:
    """Past the `>` that ends a tag, quoted ones skipped; once a quotation mark was never closed, none is skipped."""
    begin = at
    while match := _TAG_END.search(markup, at):
        if match[0] == ">":
            return match.end(), unclosed
        closing = -1 if unclosed else markup.find(match[0], match.end())
        if closing < 0:
            unclosed, at = True, match.end()
        else:
            at = closing + 1
    end = markup.find(">", begin)
    return (end + 1 if end >= 0 else len(markup)), True


def _end_of_raw(markup: str, name: str, at: int) -> int:
    """Past the end tag of an element whose content is no markup; the end of the text where it is missing."""
    match = re.compile(rf"</{name}\b[^>]*>?", re.IGNORECASE).search(markup, at)
    return match.end() if match else len(markup)


def _end_of_declaration(markup: str, at: int) -> int:
    """Past a comment, a declaration or an instruction at `at`; just past the `<` where it is none."""
    for begin, finish in (("<!--", "-->"), ("<![CDATA[", "]]>"), ("<!", ">"), ("<?", ">"), ("</", ">")):
        if markup.startswith(begin, at):
            end = markup.find(finish, at + len(begin))
            return end + len(finish) if end >= 0 else len(markup)
    return at + 1


def _end_of_subset(markup: str, at: int) -> int:
    """Past the `]>` that ends a document type's own declarations; past their first `>` where it is missing."""
    begin = at
    while match := _IN_SUBSET.search(markup, at):
        if match[0] == "]":
            return markup.find(">", match.end()) + 1 or len(markup)
        closing = {"<!--": "-->", "<?": "?>"}.get(match[0], match[0])
        end = markup.find(closing, match.end())
        if end < 0:
            break
        at = end + len(closing)
    return markup.find(">", begin) + 1 or len(markup)


def attributes_of(text: str) -> dict[str, str]:
    """A tag's attributes by lower-case name."""
    return {
        match[1].lower(): html.unescape(match[2] or match[3] or match[4] or "") for match in _ATTRIBUTE.finditer(text)
    }
