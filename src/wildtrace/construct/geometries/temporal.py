"""Temporal reconstruction: the order in which things happened is not the order in which they are told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import itemgetter
from typing import Final

from wildtrace.construct.geometries.base import NEAR, Found, Part, View, far
from wildtrace.types import Edge

_ORDER: Final = "precedes"
_SURE: Final = frozenset({"rule:dates", "rule:tense"})
_Beside = tuple[float, int, Edge, str]
"""How sure an edge is, how far it reaches, the edge, the clue at its other end."""


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
        order = _Order(view)
        for edge in sorted(
            self._against(view), key=lambda edge: (-edge.confidence, -view.apart(edge.head, edge.tail), edge.id)
        ):
            third = self._third(view, order, edge)
            if third is not None:
                edges = [edge, third, *self._further(view, order, edge, third)]
                if _agree(view, edges):
                    yield self._found(view, edges)

    def _against(self, view: View) -> list[Edge]:
        return [
            edge
            for edge in view.by_type.get(_ORDER, ())
            if edge.provenance in _SURE or not edge.provenance.startswith("rule:")
            if view.place_of[edge.head] > view.place_of[edge.tail]
            and not (view.supposed(edge.head) or view.supposed(edge.tail))
        ]

    def _third(self, view: View, order: _Order, edge: Edge) -> Edge | None:
        """An edge of order at either end that reaches far, else, for a pair far apart already, the surest one."""
        ends = edge.head, edge.tail
        least = 0 if view.apart(*ends) >= far(view) else far(view)
        return _best(view, order, ends, ends, least, new=True) or _best(view, order, ends, ends, least, new=False)

    def _further(self, view: View, order: _Order, edge: Edge, third: Edge) -> list[Edge]:
        """One more edge of order at either end of the first that leads to a place of its own, where there is one."""
        ends = edge.head, edge.tail
        best = _best(view, order, ends, (*ends, third.head, third.tail), 0, new=True)
        return [] if best is None else [best]

    def _found(self, view: View, edges: list[Edge]) -> Found:
        told = sorted(
            {at for edge in edges for at in (edge.head, edge.tail)},
            key=lambda at: view.place_of[at],
        )
        story = _story_order(view, edges)
        parts = tuple(
            Part(view.by_id[at], f"told {place}, happened {story.index(at) + 1}") for place, at in enumerate(told, 1)
        )
        about = tuple(view.shared(edges[0].head, edges[0].tail)[:2])
        why = {"story order": [told.index(at) + 1 for at in story], "against the text": edges[0].basis}
        return Found(parts, tuple(edges), about, why)


class _Order(dict[str, list[_Beside]]):
    """The edges of order at a clue, the surest first, then what reaches furthest, as asked for."""

    def __init__(self, view: View) -> None:
        super().__init__()
        self._view = view

    def __missing__(self, at: str) -> list[_Beside]:
        view, starts = self._view, self._view.starts
        here = starts[at]
        beside = [(edge, edge.tail) for edge in view.out.get(at, ()) if edge.type == _ORDER]
        beside += [(edge, edge.head) for edge in view.into.get(at, ()) if edge.type == _ORDER]
        found = [(edge.confidence, abs(starts[other] - here), edge, other) for edge, other in beside]
        self[at] = found = _ranked(found)
        return found


def _ranked(found: list[_Beside]) -> list[_Beside]:
    """The surest first, then what reaches furthest, then by id: which takes long to make, and seldom decides."""
    if len({one[:2] for one in found}) == len(found):
        return sorted(found, key=itemgetter(0, 1), reverse=True)
    return sorted(found, key=lambda one: (one[0], one[1], one[2].id), reverse=True)


def _best(
    view: View, order: _Order, ends: Sequence[str], known: Sequence[str], least: int, *, new: bool
) -> Edge | None:
    """The surest edge from an end to none of the `known` clues, at least so far; to a place of its own where `new`."""
    starts = view.starts
    held = [starts[at] for at in known]
    found: list[_Beside] = []
    for at in ends:
        for one in order[at]:
            _, apart, _, other = one
            if apart < least or other in known:
                continue
            here = starts[other]
            if not new or min([abs(here - start) for start in held]) >= NEAR:
                found.append(one)
                break
    return _ranked(found)[0][2] if found else None


def _agree(view: View, edges: Sequence[Edge]) -> bool:
    """Whether no date, and no surer edge of order, puts two of the clues the other way round."""
    story = _story_order(view, edges)
    if not view.in_order(story):
        return False
    rank = {at: place for place, at in enumerate(story)}
    least = min([edge.confidence for edge in edges])
    for at, place in rank.items():
        for edge in view.out.get(at, ()):
            if rank.get(edge.tail, place) < place and edge.type == _ORDER and edge.confidence >= least:
                return False
    return True


def _story_order(view: View, edges: Sequence[Edge]) -> list[str]:
    """The clues in an order that all edges state; what they leave open stands as it is told."""
    left = {at for edge in edges for at in (edge.head, edge.tail)}
    order: list[str] = []
    while left:
        later = {edge.tail for edge in edges if edge.head in left}
        order.append(min(left - later or left, key=lambda at: view.place_of[at]))
        left.discard(order[-1])
    return order
