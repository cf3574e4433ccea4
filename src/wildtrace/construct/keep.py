"""Step 9, keep: trails with the same latent answer are one; the rest is ranked. No quota: none is a good answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from wildtrace.construct.document import Document
from wildtrace.construct.search import likeness
from wildtrace.types import Trail

SAME_ANSWER = 0.6
"""Answers that share so many of their words, and half of their clues, are one answer."""


def keep(trails: Sequence[Trail], document: Document) -> list[Trail]:
    """Accepted trails by rank, each latent answer once; then the rejected ones, those that came farthest first."""
    accepted = [replace(trail, score=score(trail, document)) for trail in trails if trail.status == "accepted"]
    accepted.sort(key=lambda trail: -trail.score)
    kept: dict[str, Trail] = {}
    rejected: dict[str, Trail] = {}
    for trail in accepted:
        same = next((other for other in kept.values() if _is_same(trail, other, document)), None)
        if same is None:
            kept[trail.id] = trail
        else:
            rejected[trail.id] = replace(trail, status="rejected", reason=f"its answer is that of {same.id}")
    fallen = [trail for trail in trails if trail.status != "accepted"]
    for trail in sorted(fallen, key=lambda trail: -len(trail.steps)):
        if trail.id not in kept:
            rejected.setdefault(trail.id, trail)
    return [*kept.values(), *(trail for trail in rejected.values() if trail.id not in kept)]


def score(trail: Trail, document: Document) -> float:
    """The mean of the critic's interest, the share of stated edges and the share of the document that it spans."""
    starts = [clue.start or 0 for clue in trail.clues]
    spread = (max(starts) - min(starts)) / max(len(document.text), 1)
    stated = sum(edge.verdict == "stated" for edge in trail.edges) / max(len(trail.edges), 1)
    return round((trail.interest / 5 + stated + spread) / 3, 4)


def _is_same(one: Trail, other: Trail, document: Document) -> bool:
    """Whether two trails have the same clues, or half of them and an answer in much the same words."""
    first, second = ({document.cluster(clue.span_id)[0] for clue in trail.clues} for trail in (one, other))
    shared = len(first & second)
    return first == second or (
        2 * shared >= min(len(first), len(second)) and likeness(one.answer, other.answer) >= SAME_ANSWER
    )
