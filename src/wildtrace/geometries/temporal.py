"""Temporal reconstruction: the order in which things happened is not the order in which they are told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from wildtrace.geometries.base import NEAR, Found, Part, View, far
from wildtrace.types import Edge

_ORDER: Final = "precedes"
_SURE: Final = frozenset({"rule:dates", "rule:tense"})


class Temporal:
    """Edges of order that run against the text, with one clue or two far off that the same order takes in."""

    name = "temporal"
    definition = "Events whose order in the story must be recovered against the order of the document."
    constraints = (
        "at least three dated, tensed or otherwise ordered clues",
        "for at least one answer-critical pair the story's order is not the document's",
        "every pair used is joined by an edge of order, and none puts two of the clues the other way round",
    )
    missing = "no date or pluperfect puts an event before one told earlier, with a third event in that order"

    def find(self, view: View) -> Iterator[Found]:
        """From every edge of order against the text, the furthest first among dates, then tenses."""
        for edge in sorted(
            self._against(view), key=lambda edge: (-edge.confidence, -view.apart(edge.head, edge.tail), edge.id)
        ):
            third = self._third(view, edge)
            if third is not None:
                further = self._further(view, [edge, third])
                edges = [edge, third, *further]
                if _agree(view, edges):
                    yield self._found(view, edges)

    def _against(self, view: View) -> list[Edge]:
        return [
            edge
            for edge in view.by_type.get(_ORDER, ())
            if edge.provenance in _SURE or not edge.provenance.startswith("rule:")
            if view.place_of[edge.head] > view.place_of[edge.tail]
        ]

    def _third(self, view: View, edge: Edge) -> Edge | None:
        """An edge of order at either end that reaches far, else, for a pair far apart already, the surest one."""
        ends = (edge.head, edge.tail)
        least = far(view)
        if view.apart(*ends) >= least:
            least = 0
        beside = [
            other
            for other in _at(view, ends)
            if (other.head not in ends or other.tail not in ends) and view.apart(other.head, other.tail) >= least
        ]
        return max(beside, key=lambda other: (_beyond(view, other, ends), *_preferred(view, other)), default=None)

    def _further(self, view: View, edges: list[Edge]) -> list[Edge]:
        """One more edge of order at either end of the first that leads to a place of its own, where there is one."""
        known = tuple(dict.fromkeys(at for edge in edges for at in (edge.head, edge.tail)))
        beside = [
            other
            for other in _at(view, known[:2])
            if not {other.head, other.tail} <= set(known) and _beyond(view, other, known)
        ]
        return sorted(beside, key=lambda other: _preferred(view, other))[-1:]

    def _found(self, view: View, edges: list[Edge]) -> Found:
        told = sorted(
            {at for edge in edges for at in (edge.head, edge.tail)},
            key=lambda at: view.place_of[at],
        )
        story = _story_order(edges)
        parts = tuple(
            Part(view.by_id[at], f"told {place}, happened {story.index(at) + 1}") for place, at in enumerate(told, 1)
        )
        about = tuple(view.shared(edges[0].head, edges[0].tail)[:2])
        why = {"story order": [told.index(at) + 1 for at in story], "against the text": edges[0].basis}
        return Found(parts, tuple(edges), about, why)


def _agree(view: View, edges: Sequence[Edge]) -> bool:
    """Whether no surer edge of order puts two of the clues the other way round."""
    rank = {at: place for place, at in enumerate(_story_order(edges))}
    least = min(edge.confidence for edge in edges)
    return not any(
        rank.get(edge.tail, len(rank)) < rank[at]
        for at in rank
        for edge in view.out.get(at, ())
        if edge.type == _ORDER and edge.confidence >= least
    )


def _at(view: View, ends: Sequence[str]) -> list[Edge]:
    return [
        other for at in ends for side in (view.out, view.into) for other in side.get(at, ()) if other.type == _ORDER
    ]


def _preferred(view: View, edge: Edge) -> tuple[float, int, str]:
    return edge.confidence, view.apart(edge.head, edge.tail), edge.id


def _beyond(view: View, edge: Edge, known: Sequence[str]) -> bool:
    """Whether an edge leads from one of these clues to a place of its own."""
    new = edge.tail if edge.head in known else edge.head
    starts = view.starts
    here = starts[new]
    return min([abs(here - starts[at]) for at in known]) >= NEAR


def _story_order(edges: Sequence[Edge]) -> list[str]:
    """The clues in an order that all edges state; what is open stands as the first edges have it."""
    order = [edges[0].head, edges[0].tail]
    for edge in edges[1:]:
        if edge.tail in order:
            order.insert(order.index(edge.tail), edge.head)
        else:
            order.insert(order.index(edge.head) + 1, edge.tail)
    return order
