"""Temporal reconstruction: the order in which things happened is not the order in which they are told."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from wildtrace.geometries.base import Found, Part, View, far
from wildtrace.types import Edge

_ORDER: Final = frozenset({"precedes"})
_SURE: Final = frozenset({"rule:dates", "rule:tense"})


class Temporal:
    """Edges of order that run against the text, with a third clue far off that the same order takes in."""

    name = "temporal"
    definition = "Events whose order in the story must be recovered against the order of the document."
    constraints = (
        "at least three dated, tensed or otherwise ordered clues",
        "for at least one answer-critical pair the story's order is not the document's",
        "every pair used is joined by an edge of order",
    )

    def find(self, view: View) -> Iterator[Found]:
        """From every edge of order against the text, the furthest first among dates, then tenses."""
        for edge in sorted(
            self._against(view), key=lambda edge: (-edge.confidence, -view.apart(edge.head, edge.tail), edge.id)
        ):
            third = self._third(view, edge)
            if third is not None:
                yield self._found(view, edge, third)

    def _against(self, view: View) -> list[Edge]:
        return [
            edge
            for edge in view.by_type.get("precedes", ())
            if edge.provenance in _SURE or not edge.provenance.startswith("rule:")
            if view.place_of[edge.head] > view.place_of[edge.tail]
        ]

    def _third(self, view: View, edge: Edge) -> Edge | None:
        """An edge of order at either end that reaches far, else, for a pair far apart already, the surest one."""
        ends = (edge.head, edge.tail)
        beside = [
            other
            for at in ends
            for other in (*view.leaving(at, _ORDER), *view.entering(at, _ORDER))
            if {other.head, other.tail} != set(ends)
        ]
        wide = view.apart(*ends) >= far(view)
        reaching = [other for other in beside if wide or view.apart(other.head, other.tail) >= far(view)]
        return max(
            reaching, key=lambda other: (other.confidence, view.apart(other.head, other.tail), other.id), default=None
        )

    def _found(self, view: View, edge: Edge, third: Edge) -> Found:
        told = sorted({edge.head, edge.tail, third.head, third.tail}, key=lambda at: view.place_of[at])
        story = _story_order(edge, third)
        parts = tuple(
            Part(view.by_id[at], f"told {place}, happened {story.index(at) + 1}") for place, at in enumerate(told, 1)
        )
        about = tuple(view.shared(edge.head, edge.tail)[:2])
        why = {"story order": [told.index(at) + 1 for at in story], "against the text": edge.basis}
        return Found(parts, (edge, third), about, why)


def _story_order(edge: Edge, third: Edge) -> list[str]:
    """The three clues in the order that both edges state; what is open stands as the first edge has it."""
    order = [edge.head, edge.tail]
    if third.tail in order:
        order.insert(order.index(third.tail), third.head)
    else:
        order.insert(order.index(third.head) + 1, third.tail)
    return order
