"""A trail in the making: what a proposer or a critic gave as data, read tolerantly, and the trail it becomes."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from wildtrace.construct.document import Document
from wildtrace.construct.prompting import cut
from wildtrace.construct.replies import Entry, entries, text_of
from wildtrace.geometries import Layout, geometry_named
from wildtrace.types import Clue, Leak, ProvedEdge, Trail, TrailStep
from wildtrace.vocabulary import EDGE_TYPES

LONGEST_ANSWER = 1500


@dataclass(frozen=True, slots=True)
class DraftClue:
    """A fact that a trail rests on, its role, and the side it stands on."""

    fact: str
    role: str = ""
    side: str = ""


@dataclass(frozen=True, slots=True)
class Draft:
    """A proposed trail; `steps` say what became of it so far."""

    geometry: str
    clues: tuple[DraftClue, ...]
    edges: tuple[ProvedEdge, ...]
    answer: str
    hedge: str = ""
    needs: dict[str, str] = field(default_factory=dict)
    interest: int = 0
    leaks: tuple[Leak, ...] = ()
    steps: tuple[TrailStep, ...] = ()

    @property
    def facts(self) -> tuple[str, ...]:
        """The ids of its facts, in the order given."""
        return tuple(clue.fact for clue in self.clues)

    @property
    def key(self) -> tuple[Any, ...]:
        """What tells it from others: geometry, clues and edges; two drafts of one key are one."""
        return (self.geometry, frozenset(self.facts), frozenset((e.from_fact, e.to_fact, e.type) for e in self.edges))

    def layout(self, document: Document) -> Layout:
        """The draft as its geometry looks at it."""
        facts = [document.facts[fact] for fact in self.facts]
        return Layout(
            {fact.id: fact.start for fact in facts},
            {clue.fact: clue.side.strip().lower() for clue in self.clues},
            {fact.id: fact.status for fact in facts},
            tuple((edge.from_fact, edge.to_fact, edge.type) for edge in self.edges),
        )


def read_draft(entry: Entry, steps: Sequence[TrailStep], names: dict[str, str] | None = None) -> Draft:
    """A trail of a reply; `names` are other names that the reply may give to facts. It may be wrong in every way."""
    ids = names or {}
    clues = tuple(
        DraftClue(ids.get(fact, fact), cut(text_of(clue.get("role")), 200), text_of(clue.get("side")))
        for clue in entries(entry.get("clues"))
        if (fact := text_of(clue.get("fact")) or _passage_name(clue))
    )
    edges = []
    for edge in entries(entry.get("edges")):
        one, other = text_of(edge.get("from")), text_of(edge.get("to"))
        kind = text_of(edge.get("type"))
        edges.append(
            ProvedEdge(
                ids.get(one, one),
                ids.get(other, other),
                EDGE_TYPES.read(kind) or kind,
                cut(text_of(edge.get("why")), 300),
            )
        )
    needs = entry.get("needs")
    geometry = geometry_named(text_of(entry.get("geometry")))
    return Draft(
        geometry.name if geometry else text_of(entry.get("geometry")),
        clues,
        tuple(edges),
        cut(text_of(entry.get("answer")), LONGEST_ANSWER),
        cut(text_of(entry.get("hedge")), 400),
        {ids.get(fact, fact): cut(text_of(need), 300) for fact, need in needs.items() if isinstance(fact, str)}
        if isinstance(needs, dict)
        else {},
        steps=tuple(steps),
    )


def _passage_name(clue: Entry) -> str:
    """The name of a clue that a critic took from a passage: P7."""
    number = text_of(clue.get("passage")).upper().removeprefix("P")
    return f"P{number}" if number else ""


def as_trail(draft: Draft, document: Document, status: str, reason: str) -> Trail:
    """The draft as it is kept; a fact that is not there is left out, which only a rejected draft can name."""
    clues = []
    for clue in draft.clues:
        fact = document.facts.get(clue.fact)
        if fact is not None:
            extra: dict[str, Any] = {"side": clue.side, "gist": fact.gist}
            if len(fact.spans) > 1:
                extra["spans"] = [[span.start, span.end] for span in fact.spans]
            clues.append(Clue(fact.id, clue.role, fact.quote, fact.start, fact.end, extra))
    clues.sort(key=lambda clue: (clue.start or 0, clue.span_id))
    named = repr(
        (
            document.source.id,
            draft.geometry,
            sorted(draft.facts),
            [(e.from_fact, e.to_fact, e.type) for e in draft.edges],
        )
    )
    return Trail(
        f"t{hashlib.blake2b(named.encode(), digest_size=8).hexdigest()}",
        document.source.id,
        draft.geometry,
        tuple(clues),
        draft.edges,
        draft.answer,
        draft.hedge,
        draft.needs,
        status,
        reason,
        draft.interest,
        0.0,
        draft.leaks,
        draft.steps,
    )
