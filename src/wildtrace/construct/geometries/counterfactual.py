"""Counterfactual branching: what happened, and the other branch that the source itself tells of."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from wildtrace.construct.geometries.base import Found, Part, View, far
from wildtrace.types import Edge

_LEADS: Final = frozenset({"causes", "enables", "precedes", "contrasts"})


class Counterfactual:
    """Alternative branches far from the actual path, the path with the clue that it leads to or comes from."""

    name = "counterfactual"
    definition = "The actual path and an alternative branch, both in the source."
    constraints = (
        "an alternative branch told as not real, or as what should have been",
        "the actual path, told as real at each of its clues",
        "both stand in the source, far apart",
    )
    missing = "no unreal branch stands far from a real event that it shares enough with"

    def find(self, view: View) -> Iterator[Found]:
        """From every alternative far from its actual path, surest first."""
        for edge in view.of_type("alternative_of"):
            if view.apart(edge.head, edge.tail) >= far(view) and view.happened(edge.tail):
                yield self._found(view, edge)

    def _found(self, view: View, edge: Edge) -> Found:
        beside = self._path(view, edge)
        actual = [edge.tail] if beside is None else [beside.head, beside.tail]
        parts = [Part(view.by_id[at], "actual path", 1) for at in actual]
        parts.append(Part(view.by_id[edge.head], "alternative branch", 2))
        parts.sort(key=lambda part: part.record.span.start)
        about = tuple(view.shared(edge.head, edge.tail)[:2])
        edges = (edge, *([beside] if beside else []))
        return Found(tuple(parts), edges, about, {"branch": edge.basis})

    def _path(self, view: View, edge: Edge) -> Edge | None:
        """An edge of the actual path near its clue, both its ends told as real; a stated cause first."""
        at = edge.tail
        near = [
            other
            for other in (*view.leaving(at, _LEADS), *view.entering(at, _LEADS))
            if view.apart(other.head, other.tail) < far(view)
            and edge.head not in (other.head, other.tail)
            and view.happened(other.tail if other.head == at else other.head)
        ]
        return max(
            near,
            key=lambda other: (
                other.type != "precedes",
                other.confidence,
                view.weight(other.head) + view.weight(other.tail),
                other.id,
            ),
            default=None,
        )
