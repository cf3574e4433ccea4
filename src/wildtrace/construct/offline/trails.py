"""Trails that a reading without a model can license: second names, aligned tables, pointers.

Each edge rests on what the text states: a statement that two names are one referent's, two rows of the same name under
the same columns, a pointer to a numbered part. None rests on shared words. Dated events told out of order are not
joined: in four trails of a report, the clues had no more in common than a name, and some were notes or titles.
A trail is a proposal for a person: `unverified`, its answer only what the statements give. What the rules cannot see is
whether the clues matter to each other and whether another passage tells it all at once, so they leave out trails whose
clues are told together elsewhere, and ask for whole sentences that name whom they speak of.
"""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final

from wildtrace.types import CastMember, Clue, Fact, Link, ProvedEdge, Reading, Trail, TrailStep

NEAR_SHARE: Final = 30
"""Clues nearer than one part in so many of the source may be one account of one thing: no rule can tell."""
SHORTEST, LONGEST = 30, 500
"""Code points of a sentence that can stand alone as a clue; Chinese ones say as much in a third."""
SIDE_BY_SIDE: Final = 600
"""Two names within so many code points of each other are told of one scene."""
_WHOLE: Final = re.compile(r"[.!?。！？][\"”’'」』）)\]]*$")
_OPENS_FOR_ITSELF: Final = re.compile(
    r"[\"“‘'(\[「『]|(?:He|She|It|They|We|I|This|These|That|Those|His|Her|Its|Their)\b"
)
"""How a sentence begins that speaks of what stands before it, or is part of a speech."""


def offline_trails(reading: Reading, text: str) -> tuple[Trail, ...]:
    """The trails of a reading, the most dispersed first; there may be none."""
    finder = _Finder(reading, text)
    found = {trail.id: trail for rule in (finder.bridged, finder.aligned, finder.pointed) for trail in rule()}
    return tuple(sorted(found.values(), key=lambda trail: (-trail.score, trail.id)))


class _Finder:
    def __init__(self, reading: Reading, text: str) -> None:
        self.reading, self.text = reading, text
        self.facts = {fact.id: fact for fact in reading.facts}
        self.near = max(1, len(text) // NEAR_SHARE)

    def _stands_alone(self, fact: Fact) -> bool:
        wide = sum(character > "\u2fff" for character in fact.gist)
        length = len(fact.gist) + 2 * wide
        whole = _WHOLE.search(fact.gist) is not None and _OPENS_FOR_ITSELF.match(fact.gist) is None
        return whole and SHORTEST <= length <= LONGEST

    def bridged(self) -> Iterator[Trail]:
        """A fact under one name and a fact under another, with the one statement that both are one referent's."""
        for member in self.reading.cast:
            stated = [self.facts[each] for each in member.facts if self.facts[each].found_by == "rule:identities"]
            names = [name for name in member.names if stated and name in stated[0].gist]
            if len(stated) != 1 or len(names) != 2 or self._meet_elsewhere(names, stated[0]):
                continue
            sides = [
                [fact for each in member.facts if self._names_only(fact := self.facts[each], name, member)]
                for name in names
            ]
            triples = [(one, stated[0], other) for one in sides[0] for other in sides[1]]
            apart = [
                facts for facts in triples if all(self._distance(*pair) >= self.near for pair in combinations(facts, 2))
            ]
            if apart:
                yield self._bridge(*max(apart, key=lambda facts: self._distance(facts[0], facts[2])), names)

    def _meet_elsewhere(self, names: Sequence[str], statement: Fact) -> bool:
        """Whether both names stand side by side in another place, where their being one may be known anyway."""
        first, second = (
            [match.start() for match in re.finditer(re.escape(name).replace(r"\ ", r"\s+"), self.text)]
            for name in names
        )
        return any(
            abs(one - other) < SIDE_BY_SIDE
            and not statement.start - SIDE_BY_SIDE <= one <= statement.end + SIDE_BY_SIDE
            for one in first
            for other in second[bisect_left(second, one - SIDE_BY_SIDE) : bisect_right(second, one + SIDE_BY_SIDE)]
        )

    def _names_only(self, fact: Fact, name: str, member: CastMember) -> bool:
        """Whether a fact that can stand alone names a member by this name and by no other."""
        others = [each for each in member.names if each != name and each not in name]
        return (
            self._stands_alone(fact)
            and name in fact.gist
            and not any(each in fact.gist for each in others)
            and fact.status == "asserted"
        )

    def _bridge(self, one: Fact, statement: Fact, other: Fact, names: Sequence[str]) -> Trail:
        edges = [
            ProvedEdge(one.id, statement.id, "same_entity", names[0]),
            ProvedEdge(statement.id, other.id, "same_entity", names[1]),
        ]
        answer = f"{names[0]} and {names[1]} are one: {one.gist} {other.gist}"
        needs = {
            one.id: f"what is said of {names[0]}",
            statement.id: "that both names are one referent's",
            other.id: f"what is said of {names[1]}",
        }
        return self._trail(
            "forward", [one, statement, other], edges, answer, needs, "a statement that two names are one"
        )

    def aligned(self) -> Iterator[Trail]:
        """Two tables with the same columns, in rows of the same names."""
        tables: defaultdict[tuple[str, str], list[Link]] = defaultdict(list)
        for link in self.reading.links:
            if link.found_by == "rule:tables":
                one, other = self.facts[link.from_fact], self.facts[link.to_fact]
                if self._distance(one, other) >= self.near:
                    tables[
                        one.spans[0].quote + str(one.spans[0].start), other.spans[0].quote + str(other.spans[0].start)
                    ].append(link)
        for found in tables.values():
            links = found[:2]
            if len(links) < 2:
                continue
            facts = [self.facts[each] for link in links for each in (link.from_fact, link.to_fact)]
            edges = [ProvedEdge(link.from_fact, link.to_fact, "same_attribute", link.why) for link in links]
            answer = " ".join(
                f"{link.why}: {self.facts[link.from_fact].gist} / {self.facts[link.to_fact].gist}." for link in links
            )
            needs = {fact.id: f"the value in this row: {fact.gist}" for fact in facts}
            sides = {fact.id: "ab"[number % 2] for number, fact in enumerate(facts)}
            yield self._trail(
                "comparative", facts, edges, answer, needs, "rows of the same name under the same columns", sides
            )

    def pointed(self) -> Iterator[Trail]:
        """A chain of pointers: a sentence, the numbered part that it points to, the part that that one points to."""
        onward = {link.to_fact: link for link in self.reading.links if link.found_by == "rule:references"}
        for first in onward.values():
            second = onward.get(first.from_fact)
            if second is None:
                continue
            facts = [self.facts[each] for each in (first.to_fact, first.from_fact, second.from_fact)]
            if all(self._stands_alone(fact) for fact in facts) and all(
                self._distance(*pair) >= self.near for pair in combinations(facts, 2)
            ):
                edges = [ProvedEdge(link.from_fact, link.to_fact, link.type, link.why) for link in (first, second)]
                needs = {fact.id: "where the text points next" for fact in facts}
                yield self._trail("forward", facts, edges, "", needs, "pointers to numbered parts")

    def _distance(self, one: Fact, other: Fact) -> int:
        first, second = sorted((one, other), key=lambda fact: fact.start)
        return max(0, second.start - first.end)

    def _trail(
        self,
        geometry: str,
        facts: Sequence[Fact],
        edges: Sequence[ProvedEdge],
        answer: str,
        needs: dict[str, str],
        why: str,
        sides: dict[str, str] | None = None,
    ) -> Trail:
        facts = sorted(facts, key=lambda fact: fact.start)
        clues = tuple(
            Clue(fact.id, fact.kind, fact.quote, fact.start, fact.end, {"side": sides[fact.id]} if sides else {})
            for fact in facts
        )
        spread = (facts[-1].start - facts[0].start) / max(1, len(self.text))
        key = "\x1f".join([geometry, *(fact.id for fact in facts)])
        return Trail(
            "t" + hashlib.sha256(key.encode()).hexdigest()[:16],
            self.reading.source,
            geometry,
            clues,
            tuple(edges),
            answer,
            needs=needs,
            reason="found without a model; nobody has verified it",
            score=round(spread, 4),
            steps=(TrailStep("seed", "rule", why),),
        )
