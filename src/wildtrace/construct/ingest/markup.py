"""A tolerant scanner of HTML: tags and texts with their offsets.

Linear in the length of its input whatever that is. It builds no tree, runs no script, loads nothing; comments,
declarations and what scripts and styles hold are left out. XHTML differs: CDATA is text, any element may be empty, and
the document may declare names for texts.
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
_ENTITY_DECLARED = re.compile(
    r"""<!--.*?-->|<!ENTITY\s+([A-Za-z_][\w.-]{0,99})\s+(?:"([^"]{0,1000})"|'([^']{0,1000})')\s*>""", re.DOTALL
)
_REFERENCE = re.compile(r"&([A-Za-z_][\w.-]{0,99});")
_CDATA = "<![CDATA["
_COMMENT_END = re.compile(r"--!?>")
_TAG_END = re.compile(r"[>\"']")
_ATTRIBUTE = re.compile(r"""([^\s=>"'/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+)))?""")


_PROLOGUE = 20_000
"""Code points within which a document type stands."""

RAW = "raw"
"""What stands for the attributes of a text without entities."""

LONGEST_ENTITY = 1_000
"""Code points that one declared name may stand for; longer ones stay names."""


class Token(NamedTuple):
    """A tag or a run of text: `name` is the tag's, `/name` an end tag's, empty for text."""

    name: str
    start: int
    end: int
    attributes: str = ""


def tokens(markup: str, *, xml: bool = False) -> Iterator[Token]:
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
            attributes = markup[match.end() : end].rstrip(">")
            yield Token(match[1] + name, opening, end, attributes)
            is_raw = name in RAW_ELEMENTS and not match[1] and not (xml and attributes.endswith("/"))
            at = _end_of_raw(markup, name, end) if is_raw else end
            if at > end and name == "title":
                yield Token("", end, markup.rfind("<", end, at) if at < len(markup) else at)
        else:
            inside = subset is not None and subset.start() == opening
            at = _end_of_subset(markup, subset.end()) if subset and inside else _end_of_declaration(markup, opening)
            if at == opening + 1:
                yield Token("", opening, at)
            elif xml and markup.startswith(_CDATA, opening):
                yield Token("", opening + len(_CDATA), max(at - 3, opening + len(_CDATA)), RAW)


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
    if markup.startswith(("<!-->", "<!--->"), at):
        return markup.index(">", at) + 1
    if markup.startswith("<!--", at):
        comment = _COMMENT_END.search(markup, at + 4)
        return comment.end() if comment else len(markup)
    for begin, finish in ((_CDATA, "]]>"), ("<!", ">"), ("<?", ">"), ("</", ">")):
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


def without_end(markup: str, names: frozenset[str], *, xml: bool = False) -> frozenset[int]:
    """Where start tags of these elements begin that no end tag answers."""
    if re.search(rf"<(?:{'|'.join(sorted(names))})\b", markup, re.IGNORECASE) is None:
        return frozenset()
    begun: dict[str, list[int]] = {name: [] for name in names}
    for token in tokens(markup, xml=xml):
        if token.name in names and not token.attributes.endswith("/"):
            begun[token.name].append(token.start)
        elif token.name.startswith("/") and begun.get(token.name[1:]):
            begun[token.name[1:]].pop()
    return frozenset(start for starts in begun.values() for start in starts)


def declared_entities(markup: str) -> dict[str, str]:
    """The texts of the names that a document type declares within the document; tags in them are left out.

    Nothing is loaded. A name stands for at most `LONGEST_ENTITY` code points; one that would for more, or that stands
    for itself, is left out.
    """
    subset = _SUBSET.search(markup, 0, _PROLOGUE)
    if subset is None:
        return {}
    declared: dict[str, str] = {}
    for match in _ENTITY_DECLARED.finditer(markup, subset.end(), _end_of_subset(markup, subset.end())):
        if match[1]:
            declared.setdefault(match[1], match[2] or match[3] or "")
    texts: dict[str, str] = {}
    for name in declared:
        text = _expanded(name, declared, texts, ())
        if text is not None:
            texts[name] = text
    return texts


_DEEPEST = 8


def _expanded(name: str, declared: dict[str, str], texts: dict[str, str], within: tuple[str, ...]) -> str | None:
    """What a declared name stands for, names in it included; None where that is too long, too deep or itself."""
    if name in texts or name not in declared:
        return texts.get(name, f"&{name};")
    if name in within or len(within) >= _DEEPEST:
        return None
    value, at, parts = declared[name], 0, []
    for match in _REFERENCE.finditer(value):
        inner = _expanded(match[1], declared, texts, (*within, name))
        if inner is None:
            return None
        parts += [html.unescape(value[at : match.start()]), html.unescape(inner)]
        at = match.end()
    text = re.sub(r"<[^<>]*>", "", "".join([*parts, html.unescape(value[at:])]))
    if len(text) > LONGEST_ENTITY:
        return None
    texts[name] = text
    return text
