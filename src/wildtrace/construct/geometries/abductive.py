"""Abductive inference: observations that one explanation accounts for, which is stated with none of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations
from typing import Final

from wildtrace.construct.geometries.base import Found, Part, View, far
from wildtrace.types import Edge

_BESIDE: Final = 2500
_EXPLAINS: Final = frozenset({"explains"})


class Abductive:
    """Explanations with two observations, each far from it and from any other telling of it."""

    name = "abductive"
    definition = "Observations from several places and the latent explanation that accounts for them."
    constraints = (
        "at least two observations at places of their own, none of them asked, supposed or told with its cause",
        "one explanation accounts for them",
        "it is stated nowhere together with them",
    )
    missing = "no explanation shares enough with two observations far from it and from each other"

    def find(self, view: View) -> Iterator[Found]:
        """From explanations with several far observations; where one has a single one, from a second one beside it."""
        observed: defaultdict[str, list[Edge]] = defaultdict(list)
        explained = _with_their_causes(view)
        for edge in view.of_type("explains"):
            if view.supposed(edge.head) or view.supposed(edge.tail) or edge.tail in explained:
                continue
            if view.apart(edge.head, edge.tail) >= min(far(view), _BESIDE) and not self._told_beside(view, edge):
                observed[edge.head].append(edge)
        for explanation in sorted(observed, key=lambda at: (-len(observed[at]), view.place_of[at])):
            edges = observed[explanation]
            for pair in combinations(edges[:5], 2):
                if view.apart(pair[0].tail, pair[1].tail) >= _BESIDE:
                    yield self._found(view, explanation, list(pair))
                    break

    def _told_beside(self, view: View, edge: Edge) -> bool:
        """Whether the observation is explained where it stands, or an explanation of the same entities stands by."""
        beside = view.entering(edge.tail, _EXPLAINS)
        if any(view.apart(other.head, edge.tail) <= _BESIDE for other in beside):
            return True
        shared = set(view.shared(edge.head, edge.tail))
        for other in _around(view, edge.tail):
            if other == edge.head or "explains" not in view.marks(other):
                continue
            if len(shared.intersection(view.touches.get(other, {}))) > 1:
                return True
        return False

    def _found(self, view: View, explanation: str, edges: list[Edge]) -> Found:
        parts = [Part(view.by_id[edge.tail], "observation") for edge in edges]
        parts.append(Part(view.by_id[explanation], "latent explanation"))
        parts.sort(key=lambda part: part.record.span.start)
        about = tuple(dict.fromkeys(entity for edge in edges for entity in view.shared(edge.head, edge.tail)[:1]))
        why = {"accounts for": [edge.basis for edge in edges]}
        return Found(tuple(parts), tuple(edges), about, why)


def _with_their_causes(view: View) -> set[str]:
    """The events that tell why they happened."""
    relations = (record.fields for record in view.graph.records if record.kind == "relation")
    return {str(fields["event"]) for fields in relations if fields["type"] == "causes" and "event" in fields}


def _around(view: View, at: str) -> Iterator[str]:
    """The events within reach of one, itself among them."""
    place = view.place_of[at]
    for places in (range(place, -1, -1), range(place + 1, len(view.events))):
        for other in places:
            if view.apart(view.events[other].id, at) > _BESIDE:
                break
            yield view.events[other].id
