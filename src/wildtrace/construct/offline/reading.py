"""Read a source by the annotators of its language: the sentences that state a cause, a date, a measure, a second name.

What it does not do: it resolves no pronoun, tells no narrator from a speaker, judges no importance, and knows a fact's
status by marking words alone. Its gists are the sentences themselves.
"""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_right
from collections import defaultdict
from dataclasses import dataclass, field, replace
from itertools import accumulate, pairwise
from typing import Final

from wildtrace.languages import language_of
from wildtrace.languages.base import Language, any_of
from wildtrace.languages.edtf import extent
from wildtrace.text.sentences import paragraphs
from wildtrace.types import CastMember, Fact, Link, Reading, Source, Span, Structure

Range = tuple[int, int]

_KINDS: Final = {
    "identities": "entity", "connectives": "relation", "times": "time", "references": "relation",
    "tables": "attribute", "measures": "attribute", "before": "event",
}  # fmt: skip
"""The kind of a fact by the first annotator that has something to say of it; `before` is what a cause is told in."""
_RESTS_ON: Final = frozenset({"finding", "conclusion", "recommendation"})
"""Parts of a report that explain what points to them; other parts give the evidence for it."""
_LEAST_MENTIONS: Final = 3
"""A name that an engine finds less often is as likely a slip of the engine's."""


@dataclass(slots=True)
class _Note:
    """What is noted of one sentence: which annotators found something, its dates, the designations in it, its head."""

    found_by: set[str] = field(default_factory=set)
    dates: list[str] = field(default_factory=list)
    named: set[str] = field(default_factory=set)
    head: Range | None = None


def offline_reading(source: Source, text: str, structure: Structure | None = None) -> Reading:
    """The facts, cast and links that the source's own words state; empty for a language without annotators.

    With `structure` no fact stands in a heading, a note, furniture or matter, and tables and numbered parts are known;
    without it paragraphs are what blank lines part, and every one of them is read.
    """
    language = language_of(source.language)
    if not language.offers():
        return Reading(source.id, len(text))
    return _Reader(source.id, text, language, structure).reading()


class _Reader:
    def __init__(self, source: str, text: str, language: Language, structure: Structure | None) -> None:
        self.source, self.text, self.language = source, text, language
        self.structure = structure or Structure()
        if structure is None:
            self.sentences = [each for bounds in paragraphs(text) for each in language.sentences(text, *bounds)]
        else:
            self.sentences = [(each.start, each.end) for each in structure.sentences]
        self._starts = [start for start, _ in self.sentences]
        self.notes: defaultdict[int, _Note] = defaultdict(_Note)
        self.links: list[tuple[int, int, str, str, str]] = []  # two sentences, the edge's type, why, the annotator

    def reading(self) -> Reading:
        self._times_and_measures()
        self._connectives()
        self._references()
        self._tables()
        members = self._cast()
        member_of = {name: member.id for member in members for name in member.names}
        facts = {at: self._fact(at, member_of) for at in sorted(self.notes) if self.notes[at].found_by}
        naming: defaultdict[str, list[str]] = defaultdict(list)
        for fact in facts.values():
            for member_id in fact.who:
                naming[member_id].append(fact.id)
        return Reading(
            self.source,
            len(self.text),
            tuple(facts.values()),
            tuple(replace(member, facts=tuple(naming[member.id])) for member in members),
            tuple(self._link(facts[one], facts[other], *rest) for one, other, *rest in self.links),
        )

    def _at(self, start: int, end: int) -> int | None:
        """The number of the sentence that a range lies in."""
        at = bisect_right(self._starts, start) - 1
        return at if at >= 0 and end <= self.sentences[at][1] else None

    def _times_and_measures(self) -> None:
        for time in self.language.times(self.text):
            at = self._at(time.start, time.end)
            if at is not None and extent(time.edtf) is not None:
                self.notes[at].found_by.add("times")
                self.notes[at].dates.append(time.edtf or "")
        for measure in self.language.measures(self.text):
            at = self._at(measure.start, measure.end)
            if at is not None:
                self.notes[at].found_by.add("measures")

    def _connectives(self) -> None:
        """Causes that a sentence states by itself, or of the sentence before it in its paragraph."""
        for at, (start, end) in enumerate(self.sentences):
            for found in self.language.connectives(self.text[start:end]):
                if found.cause is not None:
                    self.notes[at].found_by.add("connectives")
                elif at and "\n\n" not in self.text[self.sentences[at - 1][1] : start]:
                    self.notes[at].found_by.add("connectives")
                    self.notes[at - 1].found_by.add("before")
                    why = self.text[start:end][found.start : found.end].strip()
                    self.links.append((at - 1, at, "causes", why, "connectives"))

    def _references(self) -> None:
        """Sentences that point to a numbered part of the source, joined with the first sentence of that part."""
        targets = self._numbered_parts()
        for found in self.language.references(self.text) if targets else ():
            at = self._at(found.start, found.end)
            target = targets.get((found.kind, found.number), targets.get(("", found.number)))
            if at is not None and target is not None and target != at:
                self.notes[at].found_by.add("references")
                self.notes[target].found_by.add("references")
                kind = "explains" if found.kind in _RESTS_ON else "evidence_for"
                self.links.append((target, at, kind, self.text[found.start : found.end], "references"))

    def _numbered_parts(self) -> dict[tuple[str, str], int]:
        """The first sentence of each numbered section, and of each numbered item under a heading such as `Findings`."""
        found: dict[tuple[str, str], int] = {}
        for section in self.structure.sections:
            at = bisect_right(self._starts, section.heading.end)
            if section.numbering and at < len(self.sentences) and self.sentences[at][0] < section.end:
                found.setdefault(("", section.numbering), at)
        for item in self.structure.items:
            path = self.structure.sections_at(item.start)
            at = bisect_right(self._starts, item.end - 1) - 1
            number = item.marker.strip("().")
            if path and number and at >= 0 and self.sentences[at][1] > item.start:
                for kind in _RESTS_ON & {word.rstrip("s") for word in path[-1].title.lower().split()}:
                    found.setdefault((kind, number), at)
        return found

    def _tables(self) -> None:
        """Rows of the same name in two tables with the same columns: two values of one attribute."""
        rows: dict[tuple[str, ...], list[int]] = {}
        for table in self.structure.tables:
            if table.header is None:
                continue
            columns = tuple(self._words(cell.start, cell.end) for cell in table.header.cells)
            for row in table.rows:
                at = self._at(row.start, row.end)
                name = self._words(row.cells[0].start, row.cells[0].end) if row.cells else ""
                if at is not None and name:
                    self.notes[at].found_by.add("tables")
                    self.notes[at].head = table.header.start, table.header.end
                    rows.setdefault((*columns, name), []).append(at)
        for key, found in rows.items():
            for one, other in pairwise(found):
                if self._words(*self.sentences[one]) != self._words(*self.sentences[other]):
                    self.links.append((one, other, "same_attribute", key[-1], "tables"))

    def _words(self, start: int, end: int) -> str:
        return " ".join(self.text[start:end].split())

    def _cast(self) -> list[CastMember]:
        """The names of an engine in the noted sentences, where one is installed, and those of identity statements."""
        groups: list[list[str]] = []
        for found in self.language.identities(self.text):
            at = self._at(found.start, found.end)
            if at is not None:
                self.notes[at].found_by.add("identities")
                pair = [self._words(*found.name), self._words(*found.alias)]
                joined = [group for group in groups if set(group) & set(pair)]
                groups = [group for group in groups if group not in joined]
                groups.append(list(dict.fromkeys([name for group in joined for name in group] + pair)))
        aliases = {name for group in groups for name in group}
        named, kinds = self._engine_names()
        groups += [[name] for name in named if name not in aliases]
        named |= self._mentions(aliases)
        return [self._member(names, kinds, named) for names in groups]

    def _engine_names(self) -> tuple[dict[str, list[Range]], dict[str, str]]:
        """Where the names of the noted sentences stand, and their kinds.

        The engine reads no other sentence: they are 3 to 34 % of the text of five works.
        """
        noted = [self.sentences[at] for at in sorted(self.notes)]
        together = "\n".join(self.text[start:end] for start, end in noted)
        begins = list(accumulate((end - start + 1 for start, end in noted), initial=0))
        named: defaultdict[str, list[Range]] = defaultdict(list)
        kinds: dict[str, str] = {}
        for name in self.language.names(together) or ():
            at = bisect_right(begins, name.start) - 1
            start = noted[at][0] + name.start - begins[at]
            words = self._words(start, start + name.end - name.start)
            named[words].append((start, start + name.end - name.start))
            kinds.setdefault(words, name.kind)
        return {name: places for name, places in named.items() if len(places) >= _LEAST_MENTIONS}, kinds

    def _mentions(self, names: set[str]) -> dict[str, list[Range]]:
        """Where the names of identity statements stand."""
        if not names:
            return {}
        found: dict[str, list[Range]] = {name: [] for name in names}
        for match in re.finditer(f"(?<![A-Za-z0-9])(?:{any_of(names)})(?![A-Za-z0-9])", self.text):
            words = self._words(*match.span())
            if words in found:
                found[words].append(match.span())
        return found

    def _member(self, names: list[str], kinds: dict[str, str], named: dict[str, list[Range]]) -> CastMember:
        """A cast member; the sentences that name it are noted."""
        quotes = []
        for name in names:
            places = [place for place in named[name] if self._at(*place) is not None]
            quotes += [Span.of(self.text, *place) for place in places[:2]]
            for place in places:
                self.notes[self._at(*place) or 0].named.add(name)
        kind = next((kinds[name] for name in names if name in kinds), "")
        return CastMember(_id("c", self.source, *names), self.source, tuple(names), kind, quotes=tuple(quotes))

    def _fact(self, at: int, member_of: dict[str, str]) -> Fact:
        start, end = self.sentences[at]
        note = self.notes[at]
        annotator = next(each for each in _KINDS if each in note.found_by)
        bounds = [(start, end)] if note.head is None else [note.head, (start, end)]
        sentence = self._words(start, end)
        return Fact(
            _id("f", self.source, str(start), str(end)),
            self.source,
            _KINDS[annotator],
            tuple(Span.of(self.text, *each) for each in bounds),
            sentence,
            who=tuple(sorted({member_of[name] for name in note.named})),
            when="; ".join(dict.fromkeys(note.dates)),
            status=self.language.status(sentence),
            found_by=f"rule:{annotator}",
        )

    def _link(self, one: Fact, other: Fact, kind: str, why: str, annotator: str) -> Link:
        return Link(_id("l", one.id, other.id, kind), self.source, one.id, other.id, kind, why, f"rule:{annotator}")


def _id(letter: str, *parts: str) -> str:
    """A letter and 16 hexadecimal digits, made of what the thing is."""
    return letter + hashlib.sha256("\x1f".join(parts).encode()).hexdigest()[:16]
