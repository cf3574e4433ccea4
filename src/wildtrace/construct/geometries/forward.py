"""Forward chain: one thing leads to the next, at least three supported edges in one direction."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from wildtrace.construct.geometries.base import NEAR, Found, Part, View, far
from wildtrace.types import Edge

_ONWARD: Final = frozenset({"causes", "enables", "explains", "precedes"})
_STATED: Final = frozenset({"causes", "enables", "explains"})
LENGTH: Final = 3
_WIDTH: Final = 16


class Forward:
    """Chains that start from a stated cause and go on through what it leads to."""

    name = "forward"
    definition = "A chain in which each clue leads to the next."
    constraints = (
        "at least three edges in one direction",
        "no clue twice",
        "at least one edge states a cause, not only an order",
        "neighbouring clues share an entity, or a cue joins them",
        "no date puts a clue before one that leads to it",
    )
    missing = "no stated cause leads on by two edges more"

    def find(self, view: View) -> Iterator[Found]:
        """From every stated cause, surest first: made longer at either end, by what leads furthest."""
        starts = sorted(
            (edge for kind in sorted(_STATED) for edge in view.of_type(kind)),
            key=lambda edge: (-edge.confidence, view.place_of[edge.head]),
        )
        for first in starts:
            chain = self._longest(view, first)
            if len(chain) >= LENGTH and view.in_order(_clues(chain)):
                yield self._found(view, chain)

    def _longest(self, view: View, first: Edge) -> list[Edge]:
        """The chain made longer, each time by the edge that leads furthest, a stated cause where two lead as far.

        A chain that is long enough goes on to places of their own alone.
        """
        chain = [first]
        seen = {first.head, first.tail}
        widest = far(view)
        while len(chain) <= LENGTH:
            clues = _clues(chain)
            onward = view.leaving(clues[-1], _ONWARD)[:_WIDTH]
            onward = [edge for edge in onward if edge.tail not in seen and view.in_order((*clues, edge.tail))]
            before = view.entering(clues[0], _ONWARD)[:_WIDTH]
            before = [edge for edge in before if edge.head not in seen and view.in_order((edge.head, *clues))]
            best = max((*onward, *before), key=lambda edge: self._reach(view, edge, seen, widest), default=None)
            if best is None or (len(chain) >= LENGTH and view.apart(best.head, best.tail) < NEAR):
                break
            chain = [*chain, best] if best in onward else [best, *chain]
            seen |= {best.head, best.tail}
        return chain

    def _reach(self, view: View, edge: Edge, seen: set[str], widest: int) -> tuple[int, bool, float, float]:
        """How far an edge leads, whether it states a cause, how sure it is, how much its new clue tells."""
        new = edge.tail if edge.head in seen else edge.head
        apart = min(view.apart(edge.head, edge.tail), widest) // NEAR
        return apart, edge.type in _STATED, edge.confidence, view.telling[view.place_of[new]]

    def _found(self, view: View, chain: list[Edge]) -> Found:
        ids = _clues(chain)
        roles = ["start", *(f"step {step}" for step in range(1, len(ids) - 1)), "end"]
        parts = tuple(Part(view.by_id[at], role) for at, role in zip(ids, roles, strict=True))
        about = tuple(view.shared(ids[0], ids[1])[:2])
        return Found(parts, tuple(chain), about, {"direction": [edge.type for edge in chain]})


def _clues(chain: list[Edge]) -> list[str]:
    return [chain[0].head, *(edge.tail for edge in chain)]
