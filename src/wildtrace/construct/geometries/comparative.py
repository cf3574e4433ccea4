"""Comparative: two cases that share a dimension and differ in it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from wildtrace.construct.geometries.base import Found, Part, View, far
from wildtrace.types import Edge

_WITHIN: Final = frozenset({"causes", "contrasts", "explains", "enables", "precedes"})


class Comparative:
    """Pairs of far cases joined by a comparison, each with the clue beside it that carries its story."""

    name = "comparative"
    definition = "Two cases aligned on one shared dimension, in which they differ."
    constraints = (
        "two cases of different entities, far apart",
        "one shared dimension: a thing or an attribute both speak of",
        "a difference: other persons or other named things",
        "clues of one case are joined within it",
    )
    missing = "no two far cases of different names share a thing"

    def find(self, view: View) -> Iterator[Found]:
        """From every edge of comparison or far contrast, surest first."""
        for edge in [*view.of_type("compares_with"), *view.of_type("contrasts")]:
            if view.apart(edge.head, edge.tail) < far(view):
                continue
            shared = view.shared(edge.head, edge.tail)
            dimension = [entity for entity in shared if entity not in view.named]
            differing = [_named(view, at) - set(shared) for at in (edge.head, edge.tail)]
            if dimension and all(differing):
                yield self._found(view, edge, dimension, differing)

    def _found(self, view: View, edge: Edge, dimension: list[str], differing: list[set[str]]) -> Found:
        parts: list[Part] = []
        edges = [edge]
        for group, at in enumerate((edge.head, edge.tail), 1):
            beside = _beside(view, at)
            ids = [at] if beside is None else sorted((at, _other_end(beside, at)), key=lambda one: view.place_of[one])
            parts += [Part(view.by_id[one], "case" if one == at else "its story", group) for one in ids]
            edges += [] if beside is None else [beside]
        why = {
            "dimension": [view.name(entity) for entity in dimension],
            "cases": [sorted(view.name(person) for person in persons) for persons in differing],
        }
        return Found(tuple(parts), tuple(edges), (dimension[0], *(min(persons) for persons in differing)), why)


def _named(view: View, at: str) -> set[str]:
    return {entity for entity in view.touches.get(at, {}) if entity in view.named}


def _beside(view: View, at: str) -> Edge | None:
    """The surest edge to a clue of the same case: near, and of the same persons."""
    near = [
        edge
        for edge in (*view.leaving(at, _WITHIN), *view.entering(at, _WITHIN))
        if view.apart(edge.head, edge.tail) < far(view)
    ]
    joined = [edge for edge in near if edge.type != "precedes" or _named(view, edge.head) & _named(view, edge.tail)]
    return max(
        joined,
        key=lambda edge: (edge.type != "precedes", edge.confidence, view.weight(_other_end(edge, at)), edge.id),
        default=None,
    )


def _other_end(edge: Edge, at: str) -> str:
    return edge.tail if edge.head == at else edge.head
