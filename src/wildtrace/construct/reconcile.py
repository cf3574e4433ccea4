"""Step 2, reconcile: what was noted twice is settled once for the whole source.

Facts that make the same claim become one cluster, and all designations of one referent one member of the cast. Code
finds the pairs (near-equal words, the same numbers, a shared name), the model confirms them.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from wildtrace.construct.account import Asker
from wildtrace.construct.memory import Memory
from wildtrace.construct.prompting import cut, prompt
from wildtrace.construct.replies import read_object
from wildtrace.construct.search import Index, likeness
from wildtrace.types import CastMember, Fact, Reading, Source

Pair = tuple[str, str]

LIKE: Final = 0.45
"""Gists that share fewer of their words say different things (restatements share half or more)."""
LIKE_WHERE_CLAIMED: Final = 0.2
"""Where the reader itself says that two facts are the same claim, so much is enough to believe it at once."""
CANDIDATES: Final = 4
PAIRS_EACH: Final = 40
"""Pairs a prompt, of facts and of cast together."""
_NUMBER: Final = re.compile(r"\d[\d.,:]*\d|\d")


async def reconcile(asker: Asker, source: Source, chains: Sequence[Memory]) -> Reading:
    """One reading of what the chains noted, clusters and cast settled."""
    facts = sorted((fact for memory in chains for fact in memory.facts), key=lambda fact: (fact.start, fact.end))
    cast = [member for memory in chains for member in memory.cast.values()]
    by_id = {fact.id: fact for fact in facts}
    claimed = list(dict.fromkeys(pair for memory in chains for pair in memory.same))
    sure = [pair for pair in claimed if likeness(*(by_id[each].gist for each in pair)) >= LIKE_WHERE_CLAIMED]
    asked = list(dict.fromkeys([*(pair for pair in claimed if pair not in sure), *same_claims(facts)]))
    asked = [pair for pair in asked if pair not in sure and pair[::-1] not in sure]
    members = list(same_referents(cast))
    same, merged = await _confirmed(asker, source, asked, members, by_id, {each.id: each for each in cast})
    joined = _groups([*sure, *same])
    owner = {each: group[0] for group in _groups(merged) for each in group}
    return Reading(
        source.id,
        source.chars,
        tuple(replace(fact, who=tuple(dict.fromkeys(owner.get(at, at) for at in fact.who))) for fact in facts),
        tuple(_merged_cast(cast, owner)),
        tuple(link for memory in chains for link in memory.links),
        tuple(item for memory in chains for item in memory.opens.values()),
        tuple(tuple(sorted(group, key=lambda each: by_id[each].start)) for group in joined),
        tuple(summary for memory in chains for summary in memory.summaries),
    )


def same_claims(facts: Sequence[Fact]) -> Iterator[Pair]:
    """Pairs of facts that may make one claim: the same numbers, a shared name if both have any, near-equal words."""
    index = Index(fact.gist for fact in facts)
    numbers = [frozenset(_NUMBER.findall(fact.gist)) for fact in facts]
    for place, fact in enumerate(facts):
        for other in index.best(fact.gist, CANDIDATES, lambda number, place=place: number < place):  # type: ignore[misc]
            later = facts[other]
            shared = set(fact.who) & set(later.who) or not (fact.who and later.who)
            same_mood = fact.status == later.status
            if shared and same_mood and numbers[place] == numbers[other] and likeness(fact.gist, later.gist) >= LIKE:
                yield later.id, fact.id


def same_referents(cast: Sequence[CastMember]) -> Iterator[Pair]:
    """Pairs of cast members that share a designation, or the words of one."""
    index = Index(" ".join(member.names) for member in cast)
    for place, member in enumerate(cast):
        for other in index.best(" ".join(member.names), CANDIDATES, lambda number, place=place: number < place):  # type: ignore[misc]
            earlier = cast[other]
            if not member.kind or not earlier.kind or member.kind == earlier.kind:
                yield earlier.id, member.id


async def _confirmed(
    asker: Asker,
    source: Source,
    claims: Sequence[Pair],
    members: Sequence[Pair],
    facts: dict[str, Fact],
    cast: dict[str, CastMember],
) -> tuple[list[Pair], list[Pair]]:
    """The pairs that the model confirms."""
    chars = max(source.chars, 1)

    def fact_line(fact: str) -> str:
        return f"{fact} | {100 * facts[fact].start / chars:.1f}% | {cut(facts[fact].gist, 300)}"

    def member_line(member: str) -> str:
        return f"{member}: {' / '.join(cast[member].names)} | {cut(cast[member].gist, 160)}"

    prompts, batches = [], []
    for start in range(0, max(len(claims), len(members)), PAIRS_EACH):
        batch = claims[start : start + PAIRS_EACH], members[start : start + PAIRS_EACH]
        batches.append(batch)
        prompts.append(
            prompt(
                "reconcile",
                source=source.id,
                pairs=_numbered(batch[0], fact_line),
                members=_numbered(batch[1], member_line),
            )
        )
    same: list[Pair] = []
    merged: list[Pair] = []
    for batch, reply in zip(batches, await asker.ask_all("reconcile", "reader", prompts), strict=True):
        found = read_object(reply.text)
        same += _chosen(batch[0], found.get("same_claim"))
        merged += _chosen(batch[1], found.get("same_referent"))
    return same, merged


def _numbered(pairs: Iterable[Pair], line: Callable[[str], str]) -> str:
    return "\n".join(f"{at}. {line(one)}\n   {line(other)}" for at, (one, other) in enumerate(pairs, 1)) or "(none)"


def _chosen(pairs: Sequence[Pair], numbers: Any) -> list[Pair]:
    """The pairs of these numbers, counted from 1; what is no such number is nothing."""
    chosen = numbers if isinstance(numbers, list) else []
    return [pairs[at - 1] for at in chosen if isinstance(at, int) and not isinstance(at, bool) and 0 < at <= len(pairs)]


def _groups(pairs: Iterable[Pair]) -> list[list[str]]:
    """What pairs join, together; in the order in which it first stands."""
    group_of: dict[str, list[str]] = {}
    for one, other in pairs:
        first, second = group_of.setdefault(one, [one]), group_of.setdefault(other, [other])
        if first is not second:
            first += second
            for each in second:
                group_of[each] = first
    return list({id(group): group for group in group_of.values()}.values())


def _merged_cast(cast: Sequence[CastMember], owner: dict[str, str]) -> Iterator[CastMember]:
    """The cast with each merged group as its first member."""
    groups: defaultdict[str, list[CastMember]] = defaultdict(list)
    for member in cast:
        groups[owner.get(member.id, member.id)].append(member)
    for first, group in groups.items():
        names = tuple(dict.fromkeys(name for member in group for name in member.names))
        yield CastMember(
            first,
            group[0].source,
            names,
            next((member.kind for member in group if member.kind), ""),
            cut("; ".join(dict.fromkeys(member.gist for member in group if member.gist)), 400),
            tuple(dict.fromkeys(fact for member in group for fact in member.facts)),
            tuple(quote for member in group for quote in member.quotes),
        )
