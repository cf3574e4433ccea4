"""Comparison: the same aspects of two cases."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from wildtrace.geometries.base import BEARING, Layout

COMPARES: Final = frozenset({"contrasts", "compares_with", "same_attribute"})


class Comparative:
    """Two sides with a shared dimension."""

    name = "comparative"
    synonyms = ("comparison", "compare")
    meaning = "the same aspects of two cases, compared"
    definition = (
        "Two cases far apart that share a dimension (an act, a rule, a cause, a measure) and differ in what came of it "
        "or how it works; the answer is the difference of mechanism, not a list of two stories."
    )
    conditions = (
        'Two sides, "a" and "b", each with at least one clue; at least one contrasts, compares_with or same_attribute '
        "edge from one side to the other on the same dimension; the text does not draw the comparison itself."
    )
    seeds = ("two_cases", "one_quantity", "claim_and_denial")
    hides = "how the two cases differ; it may name the cases and the shared frame"
    bearing = BEARING

    def faults(self, layout: Layout) -> Iterator[str]:
        """There are two sides, and something compares them."""
        if len(set(layout.side.values())) != 2:
            yield 'its clues are not on two sides, "a" and "b"'
        elif not any(layout.side[one] != layout.side[other] for one, other in layout.of_type(COMPARES)):
            yield "no contrasts, compares_with or same_attribute edge joins the two sides"
