"""A source with its reading, as the later steps look at it: facts by id, clusters, distances, contexts, a search."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Final

from wildtrace.construct.prompting import chars_for, cut
from wildtrace.construct.search import Index, occurs
from wildtrace.types import CastMember, Fact, Reading, Source

Range = tuple[int, int]

CONTEXT_TOKENS: Final = 180
"""About so many tokens of context on either side of a clue."""
PASSAGE_TOKENS: Final = 150
"""About so many tokens a passage that the search finds."""
LONGEST_GIST: Final = 400
NEAR_SHARE: Final = 100
"""Clues nearer than one part in so many of the document are one place with one context."""


class Document:
    """A source's text and what was read out of it."""

    def __init__(self, source: Source, text: str, sentences: Sequence[Range], reading: Reading) -> None:
        self.source = source
        self.text = text
        self.reading = reading
        self.sentences = sentences
        self.facts = {fact.id: fact for fact in reading.facts}
        self.cast = {member.id: member for member in reading.cast}
        self._cluster = {fact: cluster for cluster in reading.clusters for fact in cluster}
        self._starts = [start for start, _ in sentences]
        self._ends = [end for _, end in sentences]

    def cluster(self, fact: str) -> tuple[str, ...]:
        """The facts that make the same claim as this one, itself included."""
        return self._cluster.get(fact, (fact,))

    def add_fact(self, fact: Fact) -> None:
        """Add a fact that a critic quotes from a passage; the searches and the map do not have it."""
        self.facts[fact.id] = fact

    def distance(self, one: str, other: str) -> int:
        """Code points between two facts, each taken at the nearest telling of its claim."""
        starts = [[self.facts[each].start for each in self.cluster(fact)] for fact in (one, other)]
        return min(abs(first - second) for first in starts[0] for second in starts[1])

    def position(self, offset: int) -> str:
        """A place in percent of the text."""
        return f"{100 * offset / max(len(self.text), 1):.1f}%"

    def line(self, fact: Fact) -> str:
        """A fact in one line: id, position, gist, with its status, cast and time where there is more to say."""
        status = f" [{fact.status}]" if fact.status != "asserted" else ""
        level = f" [told by: {cut(fact.level, 60)}]" if fact.level else ""
        more = "; ".join(filter(None, (", ".join(fact.who), fact.when)))
        return f"{fact.id} | {self.position(fact.start)} | {cut(fact.gist, LONGEST_GIST)}{status}{level}" + (
            f" ({more})" if more else ""
        )

    def quoted_line(self, fact: Fact) -> str:
        """The same with its quote in a line below."""
        return f"{self.line(fact)}\n    > {' '.join(fact.quote.split())}"

    def member_line(self, member: CastMember) -> str:
        """A cast member in one line."""
        return f"{member.id}: {' / '.join(member.names)} | {cut(member.gist, 160)}"

    def context(self, start: int, end: int) -> Range:
        """A range with whole sentences around it, about CONTEXT_TOKENS on either side."""
        margin = chars_for(CONTEXT_TOKENS, self.text)
        first = bisect_right(self._ends, start - margin)
        last = bisect_left(self._starts, end + margin) - 1
        opening = self._starts[first] if first < len(self._starts) else start
        closing = self._ends[last] if last >= 0 else end
        # A sentence may itself be longer than a context ought to be.
        return max(min(start, opening), start - 3 * margin), min(max(end, closing), end + 3 * margin)

    @cached_property
    def passages(self) -> list[Range]:
        """The whole text in short stretches of whole sentences."""
        longest = chars_for(PASSAGE_TOKENS, self.text)
        found: list[Range] = []
        for start, end in self.sentences:
            if found and end - found[-1][0] <= longest:
                found[-1] = (found[-1][0], end)
            else:
                found.append((start, end))
        return found

    @cached_property
    def passage_index(self) -> Index:
        """The search over all passages."""
        return Index(self.text[start:end] for start, end in self.passages)

    @cached_property
    def fact_index(self) -> Index:
        """The search over all facts, by number in `reading.facts`."""
        return Index(f"{fact.gist} {fact.quote}" for fact in self.reading.facts)

    def names_in(self, text: str) -> list[CastMember]:
        """The cast members that a text names."""
        lowered = text.casefold()
        return [member for member in self.reading.cast if any(occurs(name, lowered) for name in member.names)]

    def places(self, facts: Iterable[str]) -> list[list[str]]:
        """Facts in text order, those nearer than a hundredth of the document together."""
        near = len(self.text) / NEAR_SHARE
        groups: list[list[str]] = []
        for fact in sorted(facts, key=lambda each: (self.facts[each].start, each)):
            if groups and self.facts[fact].start - self.facts[groups[-1][-1]].end < near:
                groups[-1].append(fact)
            else:
                groups.append([fact])
        return groups
