r"""Markup with every run of text replaced by its number, for a parser that keeps no offsets.

lxml builds the tree that HTML means, but does not say where a text stood. So the runs of text are cut out first, with
their offsets, and the parser gets markup whose text is `\ue000NUMBER\ue001`: in whatever place of the tree a number
comes up, the run leads back to the file. Scripts, styles, comments and declarations are left out. Linear in the length.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, field
from typing import Any, Final

from lxml import etree

from wildtrace.construct.ingest.archive import xml_parser

BEGIN: Final = "\ue000"
END: Final = "\ue001"

_TAG = re.compile(r"<(/?)([A-Za-z][^\s/>]*)")
_TAG_END = re.compile(r"[>\"']")
_RAW_ELEMENTS = frozenset({"script", "style", "textarea", "title"})
VOID: Final = frozenset({*"area base br col embed hr img input link meta param source track wbr".split()})  # noqa: SIM905 - a list of words
EMBEDDED: Final = frozenset({*"audio canvas datalist iframe noscript object select svg template video".split()})  # noqa: SIM905 - the same
"""Elements whose content a page shows only where something else fails, or not as its text."""
_CDATA = "<![CDATA["
_COMMENT_END = re.compile(r"--!?>")
_PROLOGUE = 20_000
"""Code points within which a document type stands."""
_SUBSET = re.compile(r"<!DOCTYPE[^>\[]{0,1000}\[", re.IGNORECASE)
_IN_SUBSET = re.compile(r"<!--|<\?|[\"'\]]")
_REFERENCE = re.compile(r"&([A-Za-z_][\w.-]{0,99});")
_LONGEST_ENTITY = 1_000
"""Code points that one name declared by the document may stand for; longer ones stay names."""
_DEEPEST = 8


@dataclass(frozen=True, slots=True)
class Run:
    """A run of text of the markup; `at` is where its number stands in the skeleton; `raw` text has no entities."""

    start: int
    end: int
    at: int
    raw: bool = False


@dataclass
class Skeleton:
    """The markup's tags with numbers for text, the runs by number, the title, and the names that it declares."""

    markup: str
    is_xml: bool
    text: str = ""
    title: str | None = None
    runs: list[Run] = field(default_factory=list)
    entities: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._parts: list[str] = []
        self._size = 0
        self._embedded: dict[str, list[int]] = {}
        self._never_closed = ""
        self._never_ended: set[str] = set()
        self._scan()
        # A player or a frame that is never closed hides nothing: its start tag goes.
        for places in self._embedded.values():
            for place in places:
                self._parts[place] = " " * len(self._parts[place])
        self.text = "".join(self._parts)

    def _scan(self) -> None:
        markup, at = self.markup, 0
        subset = _SUBSET.search(markup, 0, _PROLOGUE)
        if subset is not None and self.is_xml:
            self.entities = _declared_entities(markup[subset.start() : _end_of_subset(markup, subset.end())])
        while at < len(markup):
            opening = markup.find("<", at)
            opening = len(markup) if opening < 0 else opening
            self._run(at, opening)
            if opening == len(markup):
                return
            match = _TAG.match(markup, opening)
            if match is not None:
                at = self._tag(match)
            elif subset is not None and subset.start() == opening:
                at = _end_of_subset(markup, subset.end())
            else:
                at = self._declaration(opening)

    def _put(self, text: str) -> None:
        self._parts.append(text)
        self._size += len(text)

    def _run(self, start: int, end: int, *, raw: bool = False) -> None:
        text = self.markup[start:end]
        if not text or text.isspace():
            self._put(text)
            return
        self.runs.append(Run(start, end, self._size, raw))
        self._put(f"{BEGIN}{len(self.runs) - 1}{END}")

    def _tag(self, match: re.Match[str]) -> int:
        """Copy a tag; where it ends, or where the raw text of its element does."""
        markup, name = self.markup, match[2].lower()
        end = self._end_of_tag(match.end())
        attributes = markup[match.end() : end].rstrip(">")
        is_empty = self.is_xml and attributes.endswith("/")
        if name in _RAW_ELEMENTS:
            return end if match[1] or is_empty else self._skip_raw(name, end)
        self._track(name, is_end=bool(match[1]), is_empty=attributes.endswith("/"))
        # A parser of HTML does not know that XML may close any element in its own tag.
        self._put(
            f"<{match[1]}{name}{attributes.rstrip('/')}>" + (f"</{name}>" if is_empty and name not in VOID else "")
        )
        return end

    def _track(self, name: str, *, is_end: bool, is_empty: bool) -> None:
        if name in EMBEDDED and not is_empty:
            places = self._embedded.setdefault(name, [])
            if not is_end:
                places.append(len(self._parts))
            elif places:
                places.pop()

    def _end_of_tag(self, at: int) -> int:
        """Past the `>` that ends a tag, quoted ones skipped; a kind of quotation mark never closed skips none."""
        begin = at
        while match := _TAG_END.search(self.markup, at):
            if match[0] == ">":
                return match.end()
            closing = -1 if match[0] in self._never_closed else self.markup.find(match[0], match.end())
            if closing < 0:
                self._never_closed += match[0] * (match[0] not in self._never_closed)
            at = match.end() if closing < 0 else closing + 1
        return self.markup.find(">", begin) + 1 or len(self.markup)

    def _skip_raw(self, name: str, at: int) -> int:
        """Past the end tag of an element whose content is no markup, if it has one; a title's content is kept."""
        if name in self._never_ended:
            return at
        match = re.compile(rf"</{name}\b[^>]*>?", re.IGNORECASE).search(self.markup, at)
        if match is None:
            self._never_ended.add(name)
            return at
        if name == "title" and self.title is None:
            self.title = " ".join(html.unescape(self.markup[at : match.start()]).split()) or None
        return match.end()

    def _declaration(self, at: int) -> int:
        """Past a comment, a declaration or an instruction; a `<` that begins none is text."""
        markup = self.markup
        if markup.startswith(("<!-->", "<!--->"), at):
            return markup.index(">", at) + 1
        if markup.startswith("<!--", at):
            comment = _COMMENT_END.search(markup, at + 4)
            return comment.end() if comment else len(markup)
        if self.is_xml and markup.startswith(_CDATA, at):
            end = markup.find("]]>", at)
            end = len(markup) if end < 0 else end
            self._run(at + len(_CDATA), end, raw=True)
            return min(end + 3, len(markup))
        for begin, finish in ((_CDATA, "]]>"), ("<!", ">"), ("<?", ">"), ("</", ">")):
            if markup.startswith(begin, at):
                end = markup.find(finish, at + len(begin))
                return end + len(finish) if end >= 0 else len(markup)
        self._run(at, at + 1)
        return at + 1

    def tree(self, begin: int = 0) -> Any:
        """The element tree of the skeleton from `begin` on; None where there is nothing in it."""
        text = self.text[begin:]
        if not text.strip():
            return None
        parser = etree.HTMLParser(huge_tree=True, remove_comments=True, remove_pis=True, no_network=True)
        return etree.fromstring(f"<body>{text}" if begin else text, parser)


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


def _declared_entities(doctype: str) -> dict[str, str]:
    """The texts of the names that a document type declares within the document; nothing is loaded.

    A name stands for at most `_LONGEST_ENTITY` code points; one that would for more, or for itself, stays a name.
    """
    root = etree.fromstring(f"{doctype}<html/>".encode(), xml_parser())
    subset: Any = None if root is None else root.getroottree().docinfo.internalDTD
    entities = [] if subset is None else [each for each in subset.iterentities() if each.content]
    declared = {each.name: each.content for each in entities if len(each.content) <= _LONGEST_ENTITY}
    texts: dict[str, str] = {}
    for name, content in declared.items():
        text = content
        for _ in range(_DEEPEST):
            text = _REFERENCE.sub(lambda match: declared.get(match[1], match[0]), text)
            if len(text) > _LONGEST_ENTITY:
                break
        if len(text) <= _LONGEST_ENTITY and not any(match[1] in declared for match in _REFERENCE.finditer(text)):
            texts[name] = re.sub(r"<[^<>]*>", "", html.unescape(text))
    return texts
