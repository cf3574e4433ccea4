"""Step 6, check: what code can tell of a draft by its clues, its edges and the conditions of its geometry."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Final

from wildtrace.construct.document import Document
from wildtrace.construct.draft import Draft
from wildtrace.construct.prompting import chars_for
from wildtrace.geometries import geometry_named
from wildtrace.vocabulary import EDGE_TYPES

FEWEST_CLUES: Final = 3
MOST_CLUES: Final = 8
ONE_SCENE_TOKENS: Final = 400
"""Clues that all stand within so many tokens are one scene, whatever the length of the document: readers' gold trails
spread over 691 Chinese or 2,233 English code points at least, which is 460 and 680 tokens."""


def faults(draft: Draft, document: Document) -> list[str]:
    """Why a draft is no trail, each in one sentence; nothing where it may be one."""
    geometry = geometry_named(draft.geometry)
    if geometry is None:
        return [f"there is no geometry {draft.geometry!r}"]
    found = list(_clue_faults(draft, document)) or list(_edge_faults(draft))
    if not draft.answer:
        found.append("it has no answer")
    return found or list(geometry.faults(draft.layout(document)))


def _clue_faults(draft: Draft, document: Document) -> Iterator[str]:
    facts = draft.facts
    unknown = [fact for fact in facts if fact not in document.facts]
    if unknown:
        yield f"it names facts that are not there: {', '.join(unknown)}"
        return
    if len(set(facts)) < len(facts):
        yield "it names a fact twice"
    if not FEWEST_CLUES <= len(facts) <= MOST_CLUES:
        yield f"it has {len(facts)} clues, not {FEWEST_CLUES} to {MOST_CLUES}"
        return
    for one, other in combinations(dict.fromkeys(facts), 2):
        if other in document.cluster(one):
            yield f"{one} and {other} make the same claim, which is one clue"
        elif document.facts[one].spans == document.facts[other].spans:
            yield f"{one} and {other} are the same sentence"
    near = chars_for(ONE_SCENE_TOKENS, document.text)
    if all(document.distance(one, other) < near for one, other in combinations(facts, 2)):
        yield "all its clues stand side by side in one scene, which tells the answer at one place"


def _edge_faults(draft: Draft) -> Iterator[str]:
    facts = set(draft.facts)
    for edge in draft.edges:
        if edge.type not in EDGE_TYPES:
            yield f"there is no type of edge {edge.type!r}"
        if not {edge.from_fact, edge.to_fact} <= facts or edge.from_fact == edge.to_fact:
            yield f"the edge {edge.from_fact} {edge.type} {edge.to_fact} does not join two of its clues"
    alone = facts - {end for edge in draft.edges for end in (edge.from_fact, edge.to_fact)}
    if alone:
        yield f"no edge joins {', '.join(sorted(alone))}"
