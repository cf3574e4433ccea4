"""What a reader is reminded of before it reads the next piece: a bounded part of what the chain has noted so far.

The cast that the piece names, the open items that matter most, and earlier facts that may bear on it. However long the
chain, the memory stays below MEMORY_TOKENS.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from wildtrace.construct.search import Index, occurs
from wildtrace.text.words import content_words
from wildtrace.types import CastMember, Fact, Link, OpenItem

CAST_SHOWN: Final = 50
OPENS_SHOWN: Final = 25
FACTS_SHOWN: Final = 50
"""So many of each were enough in the trials; a reader uses hardly more."""
FRESH: Final = 8
"""The newest facts are always shown: a piece goes on where the last one ended."""
MEMORY_TOKENS: Final = 9000
"""What the longest gists of all three lists come to."""

WORD_SHARE: Final = 5
"""A rare word weighs 3 to 6 by its index: about as much as a number that is shared, half of a person."""

_NUMBER: Final = re.compile(r"\d[\d.,:]*\d|\d")


@dataclass(slots=True)
class Memory:
    """All that a chain has noted, in the order of reading; `retired` are open items that are answered."""

    facts: list[Fact] = field(default_factory=list)
    cast: dict[str, CastMember] = field(default_factory=dict)
    links: list[Link] = field(default_factory=list)
    opens: dict[str, OpenItem] = field(default_factory=dict)
    same: list[tuple[str, str]] = field(default_factory=list)
    summaries: list[tuple[int, int, str]] = field(default_factory=list)
    retired: set[str] = field(default_factory=set)
    refused: Counter[str] = field(default_factory=Counter)
    by_id: dict[str, Fact] = field(default_factory=dict)
    _index: Index = field(default_factory=Index)
    _by_name: dict[str, str | None] = field(default_factory=dict)

    def add_fact(self, fact: Fact) -> None:
        """Note a fact."""
        self.facts.append(fact)
        self.by_id[fact.id] = fact
        self._index.add(f"{fact.gist} {' '.join(self._names(fact.who))} {fact.quote}")

    def add_member(self, member: CastMember) -> None:
        """Note a member, or one with more names; a name that two members bear is nobody's."""
        self.cast[member.id] = member
        for name in member.names:
            owner = self._by_name.setdefault(name.casefold(), member.id)
            if owner != member.id:
                self._by_name[name.casefold()] = None

    def member_named(self, name: str) -> str | None:
        """The id of the one member that bears a name."""
        return self._by_name.get(name.casefold())

    def cast_for(self, text: str) -> list[CastMember]:
        """The members that a piece names, the most often named in the facts first."""
        lowered = text.casefold()
        named = [each for each in self.cast.values() if any(occurs(name, lowered) for name in each.names)]
        return sorted(named, key=lambda each: -len(each.facts))[:CAST_SHOWN]

    def opens_for(self, text: str, cast: Iterable[CastMember]) -> list[OpenItem]:
        """The open items that are not answered, those that bear most on the piece first, then the oldest.

        What bears: members of the cast, numbers and telling words that the item shares with the piece. Each partial
        answer counts against an item, or questions that are dead in all but name stand in every prompt.
        """
        here, numbers, words = {each.id for each in cast}, set(_NUMBER.findall(text)), set(content_words(text))
        live = [each for each in self.opens.values() if each.id not in self.retired and each.fact in self.by_id]

        def bearing(item: OpenItem) -> float:
            fact = self.by_id[item.fact]
            shared = words.intersection(content_words(f"{item.gist} {fact.gist}"))
            return (
                2 * len(here.intersection(fact.who))
                + len(numbers.intersection(_NUMBER.findall(fact.quote)))
                + sum(self._index.weight(word) for word in shared) / WORD_SHARE
                - len(item.closed_by)
            )

        return sorted(live, key=lambda item: -bearing(item))[:OPENS_SHOWN]

    def facts_for(self, text: str, cast: Iterable[CastMember], opens: Iterable[OpenItem]) -> list[Fact]:
        """Facts that may bear on the piece, in order.

        The newest ones, those behind the first open items, the first and the last fact of each member that the piece
        names, and those that share most words with the piece.
        """
        cast = list(cast)
        chosen = {fact.id for fact in self.facts[-FRESH:]}
        chosen |= {item.fact for item in list(opens)[: FACTS_SHOWN // 3]}
        for member in cast[: FACTS_SHOWN // 4]:
            chosen |= {*member.facts[:1], *member.facts[-1:]}
        query = f"{text} {' '.join(name for member in cast for name in member.names)}"
        for number in self._index.best(query, FACTS_SHOWN + len(chosen)):
            if len(chosen) >= FACTS_SHOWN:
                break
            chosen.add(self.facts[number].id)
        return [fact for fact in self.facts if fact.id in chosen]

    def _names(self, who: Iterable[str]) -> list[str]:
        return [name for member in who if member in self.cast for name in self.cast[member].names]
