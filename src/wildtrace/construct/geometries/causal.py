"""Causal attribution: at least two contributors to one outcome."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Final

from wildtrace.construct.geometries.base import Found, Part, View, far
from wildtrace.types import Edge

_CAUSAL: Final = frozenset({"causes", "enables"})
_SAME: Final = frozenset({"same_entity"})


class Causal:
    """Outcomes that two stated causes lead to, at one place or where the document tells of the outcome again.

    An outcome that is told twice has two sides: each telling with its contributor.
    """

    name = "causal"
    definition = "Contributors from several places that together account for one outcome."
    constraints = (
        "at least two contributors to one outcome",
        "each contribution is stated, in its direction, as no question and nothing supposed",
        "the contributors stand at places of their own, and no date puts one behind the outcome",
    )
    missing = "no outcome has two stated causes that stand far apart"

    def find(self, view: View) -> Iterator[Found]:
        """From outcomes told twice, then from outcomes with several stated causes."""
        for same in view.of_type("same_entity"):
            causes = [_contributions(view, at) for at in (same.head, same.tail)]
            if all(causes) and view.apart(same.head, same.tail) >= far(view):
                yield self._found(view, [causes[0][0], causes[1][0]], same)
        for outcome in view.events:
            entering = _contributions(view, outcome.id)
            for pair in combinations(entering[:4], 2):
                if view.apart(pair[0].head, pair[1].head) >= far(view):
                    yield self._found(view, list(pair), None)

    def _found(self, view: View, causes: list[Edge], same: Edge | None) -> Found:
        ids = [edge.head for edge in causes]
        outcomes = list(dict.fromkeys(edge.tail for edge in causes))
        sides = range(1, 3) if len(outcomes) > 1 else (0, 0)
        parts = [Part(view.by_id[at], "contributor", side) for side, at in zip(sides, ids, strict=True)]
        parts += [Part(view.by_id[at], "outcome", side) for side, at in zip(sides, outcomes, strict=False)]
        parts.sort(key=lambda part: part.record.span.start)
        edges = (*causes, *([same] if same else []))
        about = tuple(view.shared(outcomes[0], outcomes[-1])[:2])
        why = {"outcome": [view.name(entity) for entity in about], "contributors": len(ids)}
        return Found(tuple(parts), edges, about, why)


def _contributions(view: View, outcome: str) -> list[Edge]:
    """What is said to lead to an outcome, where neither is asked or supposed and no date puts it later."""
    entering = view.entering(outcome, _CAUSAL)
    if not entering or view.supposed(outcome):
        return []
    return [edge for edge in entering if not view.supposed(edge.head) and view.in_order((edge.head, outcome))]
