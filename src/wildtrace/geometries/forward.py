"""Forward chain: one thing leads to the next, at least three supported edges in one direction."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from wildtrace.geometries.base import NEAR, Found, Part, View, far
from wildtrace.types import Edge

_ONWARD: Final = frozenset({"causes", "enables", "explains", "precedes"})
_STATED: Final = frozenset({"causes", "enables", "explains"})
LENGTH: Final = 3
_WIDTH: Final = 4


class Forward:
    """Chains that start from a stated cause and go on through what it leads to."""

    name = "forward"
    definition = "A chain in which each clue leads to the next."
    constraints = (
        "at least three edges in one direction",
        "no clue twice",
        "at least one edge states a cause, not only an order",
        "neighbouring clues share an entity, or a cue joins them",
    )
    missing = "no stated cause leads on by two edges more"

    def find(self, view: View) -> Iterator[Found]:
        """From every stated cause, surest first: onward to the far, once before it where the chain is short."""
        starts = sorted(
            (edge for kind in sorted(_STATED) for edge in view.of_type(kind)),
            key=lambda edge: (-edge.confidence, view.place_of[edge.head]),
        )
        for first in starts:
            chain = self._longest(view, [first])
            if len(chain) < LENGTH:
                chain = [*self._before(view, chain), *chain]
            if len(chain) >= LENGTH:
                yield self._found(view, chain)

    def _longest(self, view: View, chain: list[Edge]) -> list[Edge]:
        """The chain made longer, each time by an edge that leads to another place, else by a stated cause."""
        seen = {chain[0].head, chain[0].tail}
        while len(chain) < LENGTH + 1:
            onward = [edge for edge in view.leaving(chain[-1].tail, _ONWARD) if edge.tail not in seen]
            if not onward:
                break
            best = max(
                onward[: _WIDTH * 4],
                key=lambda edge: (
                    min(view.apart(edge.head, edge.tail), far(view)) // NEAR,
                    edge.type in _STATED,
                    edge.confidence,
                    view.weight(edge.tail),
                ),
            )
            chain = [*chain, best]
            seen.add(best.tail)
        return chain

    def _before(self, view: View, chain: list[Edge]) -> list[Edge]:
        """Edges that lead to the chain's first clue, from far off where there are such."""
        seen = {chain[0].head, *(edge.tail for edge in chain)}
        before: list[Edge] = []
        at = chain[0].head
        while len(before) + len(chain) < LENGTH:
            entering = [edge for edge in view.entering(at, _ONWARD) if edge.head not in seen]
            if not entering:
                break
            best = max(
                entering,
                key=lambda edge: (
                    min(view.apart(edge.head, edge.tail), far(view)) // NEAR,
                    edge.confidence,
                    view.weight(edge.head),
                ),
            )
            before.insert(0, best)
            at = best.head
            seen.add(at)
        return before

    def _found(self, view: View, chain: list[Edge]) -> Found:
        ids = [chain[0].head, *(edge.tail for edge in chain)]
        roles = ["start", *(f"step {step}" for step in range(1, len(ids) - 1)), "end"]
        parts = tuple(Part(view.by_id[at], role) for at, role in zip(ids, roles, strict=True))
        about = tuple(view.shared(ids[0], ids[1])[:2])
        return Found(parts, tuple(chain), about, {"direction": [edge.type for edge in chain]})
