"""Step 4, seeds: pairs of facts that promise a trail, found by code and licensed by what the reader noted.

A seed kind is one small function in `SEEDS`. Each names the two facts and says what matches. A seed is where to look,
never an edge.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from wildtrace.construct.document import Document
from wildtrace.construct.search import likeness
from wildtrace.types import Fact

FAR_SHARE: Final = 50
"""Facts nearer than one part in so many of the document seed nothing."""
ALIKE: Final = 0.2
"""Facts that share fewer of their words are not about one matter, where a seed asks for that."""
MOST_A_MEMBER: Final = 400
"""A cast member of more facts than this is met everywhere; its pairs are sought among neighbours in time alone."""


@dataclass(frozen=True, slots=True)
class Seed:
    """Two facts and what matches; `kind` is the name of the function that found it."""

    kind: str
    facts: tuple[str, str]
    matches: str


Found = Iterator[tuple[str, str, str]]


def open_and_close(document: Document) -> Found:
    """An open item and what explains, fulfils or resolves it much later."""
    for item in document.reading.opens:
        for fact, how in item.closed_by:
            if how in ("explains", "fulfils", "resolves"):
                yield item.fact, fact, f"what is open ({item.gist}) the second {how}"


def claim_and_denial(document: Document) -> Found:
    """A claim or promise and what contradicts it; a statement and its denial by the same cast."""
    for item in document.reading.opens:
        for fact, how in item.closed_by:
            if how == "contradicts":
                yield item.fact, fact, f"the second contradicts what was claimed ({item.gist})"
    denied = [fact for fact in document.reading.facts if fact.status in ("denied", "doubtful")]
    for one, other in _alike(document, denied, lambda fact: fact.status == "asserted"):
        yield one.id, other.id, f"{one.status} in the one, asserted in the other"


def what_if(document: Document) -> Found:
    """What is imagined, advised or planned, and what was the case."""
    for link in document.reading.links:
        if link.type == "alternative_of":
            yield link.from_fact, link.to_fact, f"the branch not taken: {link.why}"
    imagined = [fact for fact in document.reading.facts if fact.status in ("hypothetical", "planned")]
    for one, other in _alike(document, imagined, lambda fact: fact.status in ("asserted", "denied")):
        yield one.id, other.id, f"{one.status} in the one, {other.status} in the other"


def rule_and_breach(document: Document) -> Found:
    """A rule, standard or order and what breaks it."""
    for link in document.reading.links:
        if link.type in ("violates", "rules_out"):
            yield link.from_fact, link.to_fact, f"{link.type}: {link.why}"


def one_quantity(document: Document) -> Found:
    """One measured thing with two values, or a value and its limit."""
    by_unit: defaultdict[str, list[tuple[str, Fact]]] = defaultdict(list)
    for fact in document.reading.facts:
        for value, unit in _MEASURE.findall(fact.quote):
            by_unit[unit.casefold()].append((value, fact))
    for unit, measured in by_unit.items():
        if len(measured) > MOST_A_MEMBER:
            continue
        for place, (value, fact) in enumerate(measured):
            for other_value, other in measured[place + 1 :]:
                if value != other_value and set(fact.who) & set(other.who) and likeness(fact.gist, other.gist) >= ALIKE:
                    yield fact.id, other.id, f"{value} {unit} and {other_value} {unit}"


def two_names(document: Document) -> Found:
    """One referent under two designations, each in its own place."""
    for member in document.reading.cast:
        first_by_name: dict[str, Fact] = {}
        for name in member.names:
            named = (document.facts[fact] for fact in member.facts if fact in document.facts)
            fact = next((each for each in named if name in each.quote), None)
            if fact is not None:
                first_by_name[name] = fact
        for (name, one), (other_name, other) in pairwise(first_by_name.items()):
            yield one.id, other.id, f"{member.id} is {name} in the one and {other_name} in the other"


def chained_causes(document: Document) -> Found:
    """An effect that is another place's cause."""
    causes = [link for link in document.reading.links if link.type in ("causes", "enables")]
    by_cause: defaultdict[str, list[str]] = defaultdict(list)
    for link in causes:
        by_cause[document.cluster(link.from_fact)[0]].append(link.to_fact)
    for link in causes:
        for end in by_cause.get(document.cluster(link.to_fact)[0], ()):
            if end != link.from_fact:
                yield link.from_fact, end, f"the one leads to {link.to_fact}, which leads to the other"


def joint_causes(document: Document) -> Found:
    """Two causes, far from each other, of one outcome."""
    by_effect: defaultdict[str, list[str]] = defaultdict(list)
    for link in document.reading.links:
        if link.type in ("causes", "enables", "violates"):
            by_effect[document.cluster(link.to_fact)[0]].append(link.from_fact)
    for effect, causes in by_effect.items():
        for one, other in pairwise(dict.fromkeys(causes)):
            yield one, other, f"both contribute to {effect}"


def told_out_of_order(document: Document) -> Found:
    """What happened earlier and is told later."""
    for link in document.reading.links:
        if link.type == "precedes" and document.facts[link.from_fact].start > document.facts[link.to_fact].start:
            yield link.from_fact, link.to_fact, f"the first happened before and is told after: {link.why}"
    dated = [(years[0], fact) for fact in document.reading.facts if (years := _YEAR.findall(fact.when))]
    for (year, fact), (next_year, later) in pairwise(dated):
        if int(next_year) < int(year):
            yield later.id, fact.id, f"{next_year} is told after {year}"


def two_cases(document: Document) -> Found:
    """Two cases of one act or rule that end differently."""
    for link in document.reading.links:
        if link.type in ("contrasts", "compares_with", "same_attribute"):
            yield link.from_fact, link.to_fact, f"{link.type}: {link.why}"


def far_link(document: Document) -> Found:
    """Any other relation that the reader noted between far places."""
    for link in document.reading.links:
        if link.type in ("causes", "enables", "explains", "evidence_for", "same_entity", "part_of"):
            yield link.from_fact, link.to_fact, f"{link.type}: {link.why}"


SEEDS: Final[tuple[Callable[[Document], Found], ...]] = (
    open_and_close,
    claim_and_denial,
    what_if,
    rule_and_breach,
    joint_causes,
    chained_causes,
    told_out_of_order,
    two_names,
    two_cases,
    one_quantity,
    far_link,
)

_MEASURE: Final = re.compile(r"(\d+(?:[.,]\d+)*)\s*(%|°C?|[^\W\d_]{1,12})")
_YEAR: Final = re.compile(r"\b(1\d{3}|20\d{2})\b")


def _alike(document: Document, facts: list[Fact], wanted: Callable[[Fact], bool]) -> Iterator[tuple[Fact, Fact]]:
    """Each fact with the one it is most like among those wanted that share its cast."""
    all_facts = document.reading.facts
    for fact in facts:
        cast = set(fact.who)

        def fits(number: int, fact: Fact = fact, cast: set[str] = cast) -> bool:
            other = all_facts[number]
            return other.id != fact.id and bool(cast & set(other.who)) and wanted(other)

        for number in document.fact_index.best(fact.gist, 1, fits):
            if likeness(fact.gist, all_facts[number].gist) >= ALIKE:
                yield fact, all_facts[number]


def find_seeds(document: Document) -> list[Seed]:
    """The seeds of a document, the kinds in turn, within a kind the farthest first; a pair is one seed."""
    far = len(document.text) / FAR_SHARE
    by_kind: list[list[Seed]] = []
    seen: set[frozenset[str]] = set()
    for kind in SEEDS:
        found = []
        for one, other, matches in kind(document):
            pair = frozenset((document.cluster(one)[0], document.cluster(other)[0]))
            if len(pair) == 2 and pair not in seen and document.distance(one, other) >= far:
                seen.add(pair)
                found.append(Seed(kind.__name__, (one, other), matches))
        by_kind.append(sorted(found, key=lambda seed: -document.distance(*seed.facts)))
    return [seeds[turn] for turn in range(max(map(len, by_kind), default=0)) for seeds in by_kind if turn < len(seeds)]
