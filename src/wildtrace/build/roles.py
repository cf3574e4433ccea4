"""What the construction roles are asked and what of their replies counts: extractor, linker and verifier.

A reply is read entry by entry: prose, fences and thinking around it are passed over, entries before a cut are taken and
the reply counts as cut, so that it is asked again. Nothing that does not ground is taken (docs/roles.md).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from wildtrace.build.extract.extraction import Known
from wildtrace.build.extract.identity import record
from wildtrace.build.extract.participants import Finder
from wildtrace.build.link.board import edge
from wildtrace.judging.objects import find_objects
from wildtrace.prompts.render import fill, template
from wildtrace.text.grounding import ADMITTED, Quote, ground
from wildtrace.text.grounding import Source as Grounds
from wildtrace.text.passages import clue_window
from wildtrace.types import EDGE_TYPES, RECORD_KINDS, Edge, EvidenceGraph, Record, Source, Span, Window

LONGEST_QUOTE: Final = 1500
CONFIDENCE: Final = 0.75
_LOWER: Final = re.compile(r"[a-z]{2,}")
_OPEN, _CLOSE = "<think>", "</think>"
_ARRAY: Final = {key: re.compile(rf'["“]{key}["”]\s*[:：]\s*[\[［]') for key in ("records", "edges")}
_SUPPORTED: Final = re.compile(r'"supported"')


@dataclass(frozen=True, slots=True)
class Entries:
    """The entries of a reply that were read, and whether the reply is whole."""

    found: tuple[Mapping[str, Any], ...]
    whole: bool


@dataclass(frozen=True, slots=True)
class Taken:
    """What of a reply was accepted, what is for review, and how many entries were refused and why."""

    records: tuple[Record, ...] = ()
    edges: tuple[Edge, ...] = ()
    review: tuple[Mapping[str, Any], ...] = ()
    refused: tuple[str, ...] = ()


def extractor_prompt(source: Source, window: Window, text: str) -> str:
    """The extractor's prompt for one window of a source's canonical text."""
    values = {"source": source.id, "offset": str(window.start), "window": window.text_in(text)}
    return fill(template("extractor"), values)


def linker_prompt(source: Source, records: Sequence[Record], pairs: Sequence[tuple[str, str]]) -> str:
    """The linker's prompt for a block of candidate pairs, given by record ids."""
    lines = "\n".join(f"{r.id} {r.span.start} {_one_line(r.span.quote)}" for r in records)
    values = {"source": source.id, "records": lines, "pairs": "\n".join(f"{one} {other}" for one, other in pairs)}
    return fill(template("linker"), values)


def verifier_prompt(source: Source, text: str, proposed: Edge, head: Record, tail: Record) -> str:
    """The verifier's prompt for one edge, each end in the window of its clue."""
    values = {
        "source": source.id,
        "type": proposed.type,
        "from": _one_line(head.span.quote),
        "to": _one_line(tail.span.quote),
        "context_from": _context(text, head.span),
        "context_to": _context(text, tail.span),
    }
    return fill(template("verifier"), values)


def _one_line(quote: str) -> str:
    return " ".join(quote.split())


def _context(text: str, span: Span) -> str:
    start, end = clue_window(text, span.start, span.end)
    return text[max(start, span.start - 3000) : min(end, span.end + 3000)]


def entries(reply: str, key: str, *, cut: bool) -> Entries:
    """The objects in a reply's list `key`, or where it has no such list the objects that stand in it alone.

    `cut` says that the endpoint cut the reply. A reply without any entry and without an empty list is not whole.
    """
    text, closed = _without_thinking(reply)
    if not closed:
        return Entries((), whole=False)
    array = _ARRAY[key].search(text)
    objects = find_objects(text[array.end() :] if array else text)
    found = [one.value for one in objects.found]
    if not array and len(found) == 1 and isinstance(found[0].get(key), list):
        found = [entry for entry in found[0][key] if isinstance(entry, dict)]
    elif not array:
        found = [entry for entry in found if "quote" in entry]
    whole = not cut and not objects.unclosed and (bool(found) or array is not None)
    return Entries(tuple(found), whole)


def _without_thinking(reply: str) -> tuple[str, bool]:
    """The reply behind its thinking; False where that is never closed."""
    if _CLOSE in reply:
        return reply.rpartition(_CLOSE)[2], True
    return ("", False) if _OPEN in reply else (reply, True)


class WindowReader:
    """Takes the records of extractor replies for one window: grounds them and finds what they touch."""

    def __init__(self, source: Source, window: Window, text: str, known: Known) -> None:
        self._source = source
        self._window = window
        self._grounds = Grounds(source.id, window.text_in(text))
        self._text = text
        self._known = known
        self._finder = Finder(known.cast, chinese=known.manner.chinese, pattern=known.pattern)

    def take(self, found: Sequence[Mapping[str, Any]], provenance: str) -> Taken:
        """The records that these entries make, each grounded in the window."""
        records: list[Record] = []
        review: list[Mapping[str, Any]] = []
        refused: list[str] = []
        for entry in found:
            problem = self._take_one(entry, provenance, records)
            if problem == "fuzzy":
                review.append({"window": self._window.id, "entry": dict(entry)})
            elif problem is not None:
                refused.append(problem)
        return Taken(tuple(records), (), tuple(review), tuple(refused))

    def _take_one(self, entry: Mapping[str, Any], provenance: str, records: list[Record]) -> str | None:
        kind, quote, fields = entry.get("kind"), entry.get("quote"), entry.get("fields") or {}
        if kind not in RECORD_KINDS or not isinstance(quote, str) or not isinstance(fields, dict):
            return "it has no known kind, or no quote"
        span = self._span(quote, first=kind == "entity")
        if isinstance(span, str):
            return span
        made = self._fields(kind, fields)
        if kind == "relation":
            ends = [self._end(fields.get(end), provenance, records) for end in ("first", "second")]
            if any(end is None for end in ends) or fields.get("type") not in EDGE_TYPES:
                return "a relation's passages do not ground"
            made |= {"type": fields["type"], "cue": "a model", "first": ends[0], "second": ends[1]}
        if kind in ("event", "quotation", "relation"):
            made |= self._touched(span)
        records.append(record(self._source.id, kind, span, made, provenance, made.get("name", "")))
        return None

    def _end(self, quote: Any, provenance: str, records: list[Record]) -> str | None:
        span = self._span(quote, first=False) if isinstance(quote, str) else "no passage"
        if isinstance(span, str):
            return None
        event = record(self._source.id, "event", span, self._touched(span), provenance)
        records.append(event)
        return event.id

    def _span(self, quote: str, *, first: bool) -> Span | str:
        """Where a quote stands in the document, or why it is not taken; an entity's name may stand often."""
        if not quote.strip() or len(quote) > LONGEST_QUOTE:
            return "the quote is empty or too long"
        offset = self._window.start
        if first and (at := self._grounds.text.find(quote)) >= 0:
            return Span.of(self._text, offset + at, offset + at + len(quote))
        grounding = ground(Quote(quote), self._grounds)
        if grounding.status == "fuzzy":
            return "fuzzy"
        if grounding.status not in ADMITTED or grounding.span is None:
            return grounding.reason or grounding.status
        return Span.of(self._text, offset + grounding.span.start, offset + grounding.span.end)

    def _fields(self, kind: str, fields: Mapping[str, Any]) -> dict[str, Any]:
        made: dict[str, Any] = {"said": {str(key): value for key, value in fields.items()}}
        if kind == "entity":
            made |= {"name": str(fields.get("name") or ""), "type": str(fields.get("type") or "thing")}
        if kind == "attribute":
            made |= {"type": str(fields.get("type") or "state"), "value": fields.get("value"), "entity": None}
        if kind == "time":
            made |= {"type": "date", "edtf": fields.get("edtf") if isinstance(fields.get("edtf"), str) else None}
        if kind == "quotation":
            speaker = fields.get("speaker")
            found = self._finder.found(speaker) if isinstance(speaker, str) else []
            made |= {"speaker": self._known.ids[found[0][2]] if found else None, "basis": "a model"}
        return made

    def _touched(self, span: Span) -> dict[str, Any]:
        """What the rules find in a model's quote, so that its records join the same entities."""
        known = self._known
        named = dict.fromkeys(known.ids[entity] for _, _, entity in self._finder.found(span.quote))
        things = [
            known.thing_ids[word]
            for word in self._finder.things(span.quote.lower(), set(_LOWER.findall(span.quote.lower())))
        ]
        return {"participants": list(named), "things": things}


def take_edges(
    source: Source,
    graph: EvidenceGraph,
    pairs: Sequence[tuple[str, str]],
    found: Sequence[Mapping[str, Any]],
    provenance: str,
) -> Taken:
    """The edges that a linker's entries propose for these pairs, each with a basis from one of its ends."""
    by_id = {record.id: record for record in graph.records}
    asked = {frozenset(pair) for pair in pairs}
    edges: list[Edge] = []
    refused: list[str] = []
    for entry in found:
        head, tail, kind, quote = (entry.get(key) for key in ("from", "to", "type", "quote"))
        if not all(isinstance(value, str) for value in (head, tail, kind, quote)):
            refused.append("it has no ends, type or quote")
        elif frozenset((head, tail)) not in asked or kind not in EDGE_TYPES:
            refused.append("it is no candidate pair, or of no known type")
        elif not _stands_in(str(quote), by_id[str(head)], by_id[str(tail)]):
            refused.append("its quote stands in neither record")
        else:
            edges.append(edge(source.id, str(head), str(tail), str(kind), str(quote), provenance, CONFIDENCE, "review"))
    return Taken(edges=tuple(edges), refused=tuple(refused))


def _stands_in(quote: str, *records: Record) -> bool:
    return any(ground(Quote(quote), Grounds(one.id, one.span.quote)).status in ADMITTED for one in records)


def verdict(reply: str, text: str, head: Record, tail: Record, *, cut: bool) -> tuple[bool | None, str] | None:
    """What a verifier says and its quote; None where the reply is unusable and is to be asked again.

    True without a quote that stands in a context is no support: it comes back as None, for review.
    """
    plain, closed = _without_thinking(reply)
    objects = find_objects(plain)
    found = [one.value for one in objects.found if "supported" in one.value]
    if cut or not closed or objects.unclosed or not found or not _is_verdict(found[-1]["supported"]):
        return None
    supported, quote = found[-1]["supported"], found[-1].get("quote")
    if supported is not True:
        return supported, ""
    contexts = [Grounds(one.id, _context(text, one.span)) for one in (head, tail)]
    if not isinstance(quote, str) or not any(
        ground(Quote(quote), one).status in (*ADMITTED, "ambiguous") for one in contexts
    ):
        return None, ""
    return True, quote


def _is_verdict(value: Any) -> bool:
    return value is None or isinstance(value, bool)
