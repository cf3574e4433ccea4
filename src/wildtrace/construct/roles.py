"""What of the construction roles' replies counts: extractor, linker and verifier.

A reply is read entry by entry: prose, fences and thinking around it are passed over, entries before a cut are taken and
the reply counts as cut, so that it is asked again. Nothing that does not ground is taken (docs/roles.md).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from wildtrace.construct.extract.extraction import Known
from wildtrace.construct.extract.identity import record
from wildtrace.construct.extract.participants import Finder
from wildtrace.construct.link.board import edge
from wildtrace.construct.role_prompts import context_of, one_line, touching
from wildtrace.ground.grounding import ADMITTED, Grounding, Quote, ground
from wildtrace.ground.grounding import Source as Grounds
from wildtrace.judge.objects import find_objects
from wildtrace.languages.dates import times
from wildtrace.languages.hours import with_hours
from wildtrace.text.words import IDEOGRAPHS
from wildtrace.types import EDGE_TYPES, RECORD_KINDS, Edge, EvidenceGraph, Matter, Record, Source, Span, Window

LONGEST_QUOTE: Final = 1500
MOST_ENTRIES: Final = 2000
"""So many entries of a reply are looked at: five times what a window has room for. A model that says more is stuck."""
_MOST_NAMES: Final = 100
CONFIDENCE: Final = 0.75
EDGES_A_PAIR: Final = 2
"""What a linker may say of one pair; more would cost a verifier's call each and say less."""
_SHORTEST_BASIS: Final = 8
_TIMES_LONGER: Final = 2
"""A quote so many times as long as a text does not stand in it, however it is written; looking for it takes long."""
_MOST_DIGITS: Final = 16
_ENTITY_TYPES: Final = ("person", "place", "organisation", "thing")
_ATTRIBUTE_TYPES: Final = ("measurement", "role", "state")
_WORDED: Final = {
    "entity": ("name", "aliases"),
    "event": ("participants", "what"),
    "attribute": ("entity",),
    "quotation": ("speaker",),
}
"""The fields in which a model uses words of its own, by kind."""
_IDEOGRAPH: Final = re.compile(f"[{IDEOGRAPHS}]")
_NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)*")
_OPEN, _CLOSE = "<think>", "</think>"
_ARRAY: Final = {key: re.compile(rf'["“]{key}["”]\s*[:：]\s*[\[［]') for key in ("records", "edges")}
_CLOSED: Final = re.compile(r"[\]］]")


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


def entries(reply: str, key: str, *, cut: bool) -> Entries:
    """The objects in a reply's list `key`, or where it has no such list the objects that stand in it alone.

    `cut` says that the endpoint cut the reply. A reply without any entry and without an empty list is not whole.
    """
    text, closed = _without_thinking(reply)
    if not closed:
        return Entries((), whole=False)
    marks = list(_ARRAY[key].finditer(text))
    if not marks:
        return _bare_entries(text, key, cut=cut)
    ends = [*(mark.start() for mark in marks[1:]), len(text)]
    lists = [text[mark.end() : end] for mark, end in zip(marks, ends, strict=True)]
    read = [find_objects(inner) for inner in lists]
    found = tuple(one.value for objects in read for one in objects.found)
    last = read[-1]
    rest = lists[-1][last.found[-1].end :] if last.found else lists[-1]
    return Entries(found, whole=bool(_CLOSED.search(rest)) and not last.unclosed and not cut)


def _bare_entries(text: str, key: str, *, cut: bool) -> Entries:
    """The entries of a reply that names no list: a list in other marks, or objects one after the other."""
    objects = find_objects(text)
    found = [one.value for one in objects.found]
    if len(found) == 1 and isinstance(found[0].get(key), list):
        found = [entry for entry in found[0][key] if isinstance(entry, dict)]
    else:
        found = [entry for entry in found if "quote" in entry]
    return Entries(tuple(found), whole=bool(found) and not objects.unclosed and not cut)


_JSON: Final = ("{", "[", "```")


def _without_thinking(reply: str) -> tuple[str, bool]:
    """The reply behind its thinking; False where that is never closed. Tags in what begins as JSON are a document's."""
    rest = reply.lstrip()
    while rest.startswith(_OPEN) and _CLOSE in rest:
        rest = rest.partition(_CLOSE)[2].lstrip()
    if rest.startswith(_JSON):
        return rest, True
    if _CLOSE in rest:
        return rest.rpartition(_CLOSE)[2], True
    return ("", False) if _OPEN in rest else (rest, True)


class WindowReader:
    """Takes the records of extractor replies for one window: grounds them and finds what they touch."""

    def __init__(self, source: Source, window: Window, text: str, known: Known, matter: Sequence[Matter] = ()) -> None:
        self._source = source
        self._window = window
        self._matter = touching(window.start, window.end, matter)
        self._grounds = Grounds(source.id, self._blanked(text))
        self._flat = one_line(self._grounds.text)
        self._text = text
        self._known = known
        self._finder = Finder(known.cast, chinese=known.manner.chinese, pattern=known.pattern)
        self._placed: dict[tuple[str, bool], Span | Grounding | str] = {}

    def _blanked(self, text: str) -> str:
        """The window's text with its matter as line ends: offsets stay, and nothing grounds there."""
        window, shown = self._window, self._window.text_in(text)
        for part in self._matter:
            start, end = max(0, part.start - window.start), min(len(shown), part.end - window.start)
            shown = shown[:start] + "\n" * (end - start) + shown[end:]
        return shown

    def take(self, found: Sequence[Mapping[str, Any]], provenance: str) -> Taken:
        """The records that these entries make, each grounded in the window."""
        records: list[Record] = []
        review: dict[tuple[str, str], Mapping[str, Any]] = {}
        refused: list[str] = []
        for entry in _first_ones(found, refused):
            problem = self._take_one(entry, provenance, records)
            if isinstance(problem, Grounding):
                review[entry["kind"], entry["quote"]] = self._for_review(entry, problem, provenance)
            elif problem is not None:
                refused.append(problem)
        return Taken(tuple(records), (), tuple(review.values()), tuple(refused))

    def _take_one(self, entry: Mapping[str, Any], provenance: str, records: list[Record]) -> Grounding | str | None:
        kind, quote, fields = entry.get("kind"), entry.get("quote"), entry.get("fields") or {}
        if kind not in RECORD_KINDS or not isinstance(quote, str) or not isinstance(fields, dict):
            return "it has no known kind, or no quote"
        span = self._span(quote, first=kind == "entity")
        if not isinstance(span, Span):
            return span
        made = self._fields(kind, fields, span.quote)
        if kind == "relation":
            ends = [self._end(fields.get(end), provenance, records) for end in ("first", "second")]
            if any(end is None for end in ends) or fields.get("type") not in EDGE_TYPES:
                return "a relation's passages do not ground"
            made |= {"type": fields["type"], "cue": "a model", "first": ends[0], "second": ends[1]}
        if kind in ("event", "quotation", "relation"):
            made |= self._touched(span)
        records.append(record(self._source.id, kind, span, made, provenance, made.get("name", "")))
        return None

    def _for_review(self, entry: Mapping[str, Any], near: Grounding, provenance: str) -> Mapping[str, Any]:
        """What a reviewer needs of a quote that differs in a few words: both texts and the differences."""
        offset, place = self._window.start, near.span
        return {
            "source": self._source.id,
            "window": self._window.id,
            "kind": entry["kind"],
            "quote": entry["quote"],
            "start": None if place is None else offset + place.start,
            "end": None if place is None else offset + place.end,
            "text": None if place is None else place.quote,
            "changes": [asdict(change) for change in near.changes],
            "provenance": provenance,
        }

    def _end(self, quote: Any, provenance: str, records: list[Record]) -> str | None:
        span = self._span(quote, first=False) if isinstance(quote, str) else "no passage"
        if not isinstance(span, Span):
            return None
        event = record(self._source.id, "event", span, self._touched(span), provenance)
        records.append(event)
        return event.id

    def _span(self, quote: str, *, first: bool) -> Span | Grounding | str:
        """Where a quote stands in the document, its place if a few words differ, or why it is not taken.

        An entity's name may stand often. A model may repeat itself for long: each quote is looked for once.
        """
        if (quote, first) not in self._placed:
            self._placed[quote, first] = self._place(quote, first=first)
        return self._placed[quote, first]

    def _place(self, quote: str, *, first: bool) -> Span | Grounding | str:
        if not quote.strip() or len(quote) > LONGEST_QUOTE:
            return "the quote is empty or too long"
        offset = self._window.start
        if first and (at := _first_mention(quote, self._grounds.text)) is not None:
            return Span.of(self._text, offset + at, offset + at + len(quote))
        grounding = ground(Quote(quote), self._grounds)
        if grounding.status == "fuzzy":
            return grounding
        if grounding.status not in ADMITTED or grounding.span is None:
            return grounding.reason or grounding.status
        if touching(offset + grounding.span.start, offset + grounding.span.end, self._matter):
            return "front or back matter stands in it"
        return Span.of(self._text, offset + grounding.span.start, offset + grounding.span.end)

    def _fields(self, kind: str, fields: Mapping[str, Any], quote: str) -> dict[str, Any]:
        """A record's fields: what the source bears out of a model's words, and nothing else of them."""
        made: dict[str, Any] = {"said": self._said(kind, fields)}
        if kind == "entity":
            name = fields["name"] if self._is_in_window(fields.get("name")) else quote
            made |= {"name": name, "type": _known(fields, _ENTITY_TYPES, "thing"), "same_as": self._entity(name, name)}
        if kind == "attribute":
            made |= {
                "type": _known(fields, _ATTRIBUTE_TYPES, "state"),
                "entity": self._entity(fields.get("entity"), quote),
            }
            made |= {key: _borne_out(fields.get(key), quote) for key in ("value", "unit")}
        if kind == "time":
            made |= self._time(fields.get("edtf"), quote)
        if kind == "quotation":
            speaker = fields.get("speaker")
            made |= {"speaker": self._entity(speaker, self._flat), "basis": "a model"}
        return made

    def _said(self, kind: str, fields: Mapping[str, Any]) -> dict[str, Any]:
        """What a model names or words in so many words of the window: names, aliases, participants, what happened."""
        said: dict[str, Any] = {}
        for key in _WORDED.get(kind, ()):
            value = fields.get(key)
            if isinstance(value, list):
                said[key] = [entry for entry in value[:_MOST_NAMES] if self._is_in_window(entry)]
            elif self._is_in_window(value):
                said[key] = value
        return said

    def _is_in_window(self, name: Any) -> bool:
        return isinstance(name, str) and bool(name.strip()) and _first_mention(name, self._flat) is not None

    def _entity(self, name: Any, text: str) -> str | None:
        """The id of the document's entity of that name, where the name stands in this text."""
        if not isinstance(name, str) or not name.strip() or _first_mention(name, text) is None:
            return None
        found = self._finder.found(name)
        return self._known.ids[found[0][2]] if found else None

    def _time(self, edtf: Any, quote: str) -> dict[str, Any]:
        """A time as our own rules read it in the quote; a model's own date is not taken on trust."""
        manner = self._known.manner
        mentions = list(times(quote, chinese=manner.chinese))
        if manner.hours is not None:
            mentions = with_hours(mentions, quote, manner.hours)
        values = {mention.edtf: mention.kind for mention in mentions if mention.edtf is not None}
        if isinstance(edtf, str) and edtf in values:
            return {"type": values[edtf], "edtf": edtf}
        if len(values) == 1:
            return {"type": next(iter(values.values())), "edtf": next(iter(values))}
        return {"type": mentions[0].kind if mentions else "date", "edtf": None}

    def _touched(self, span: Span) -> dict[str, Any]:
        """What the rules find in a model's quote, so that its records join the same entities."""
        known = self._known
        named = dict.fromkeys(known.ids[entity] for _, _, entity in self._finder.found(span.quote))
        finder = self._finder
        things = [known.thing_ids[word] for word in finder.things(finder.words(span.quote))]
        return {"participants": list(named), "things": things}


def _first_ones(found: Sequence[Mapping[str, Any]], refused: list[str]) -> Sequence[Mapping[str, Any]]:
    """The entries of a reply that are looked at; the others are refused."""
    refused += ["the reply has too many entries"] * (len(found) - MOST_ENTRIES)
    return found[:MOST_ENTRIES]


def _first_mention(name: str, text: str) -> int | None:
    """Where a name first stands as words of their own; None where it stands nowhere."""
    at = text.find(name)
    while at >= 0:
        if not _joined(text, at) and not _joined(text, at + len(name)):
            return at
        at = text.find(name, at + 1)
    return None


def _joined(text: str, at: int) -> bool:
    """Whether the characters before and at a place belong to one word of an alphabet."""
    return 0 < at < len(text) and all(char.isalnum() and not _IDEOGRAPH.match(char) for char in text[at - 1 : at + 1])


def _known(fields: Mapping[str, Any], types: tuple[str, ...], otherwise: str) -> str:
    return str(fields["type"]) if fields.get("type") in types else otherwise


def _borne_out(value: Any, quote: str) -> Any:
    """A value that stands in the quote, a number as a whole number of it; else None."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        numbers = (found.replace(",", "") for found in _NUMBER.findall(quote))
        same = (found.count(".") < 2 and len(found) < _MOST_DIGITS and float(found) == value for found in numbers)
        return value if any(same) else None
    if not isinstance(value, str) or not value.strip():
        return None
    return value if _first_mention(one_line(value).lower(), one_line(quote).lower()) is not None else None


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
    taken_of: Counter[frozenset[Any]] = Counter()
    for entry in _first_ones(found, refused):
        head, tail, kind, quote = (entry.get(key) for key in ("from", "to", "type", "quote"))
        if not isinstance(head, str) or not isinstance(tail, str) or not isinstance(kind, str):
            refused.append("it has no ends or type")
        elif frozenset((head, tail)) not in asked or kind not in EDGE_TYPES:
            refused.append("it is no candidate pair, or of no known type")
        elif taken_of[frozenset((head, tail))] == EDGES_A_PAIR:
            refused.append("there are edges enough for its pair")
        elif (basis := _basis(quote, (Grounds(one, by_id[one].span.quote) for one in (head, tail)))) is None:
            refused.append("its quote stands in neither record")
        else:
            taken_of[frozenset((head, tail))] += 1
            edges.append(edge(source.id, head, tail, kind, basis, provenance, CONFIDENCE, "review"))
    return Taken(edges=tuple(edges), refused=tuple(refused))


def _is_basis(quote: str) -> bool:
    """Whether a quote says enough to be a basis: eight letters or digits, an ideograph counting for three."""
    return sum(3 if _IDEOGRAPH.match(char) else int(char.isalnum()) for char in quote) >= _SHORTEST_BASIS


def _basis(quote: Any, texts: Iterable[Grounds]) -> str | None:
    """The source's own words for a quote that supports a relation; None where it stands nowhere or says too little."""
    if not isinstance(quote, str):
        return None
    long_enough = [text for text in texts if len(quote) <= _TIMES_LONGER * len(text.text)]
    if not long_enough or not _is_basis(quote):
        return None
    for text in long_enough:
        grounding = ground(Quote(quote), text)
        if grounding.status in ADMITTED and grounding.span is not None:
            return grounding.span.quote
        if grounding.status == "ambiguous" and quote in text.text:
            return quote
    return None


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
    basis = _basis(quote, (Grounds(one.id, context_of(text, one.span)) for one in (head, tail)))
    return (None, "") if basis is None else (True, basis)


def _is_verdict(value: Any) -> bool:
    return value is None or isinstance(value, bool)
