"""Temporal reconstruction: the order in which things happened, told in another order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from wildtrace.geometries.base import BEARING, Layout

ORDER: Final = frozenset({"precedes", "causes", "enables"})


class Temporal:
    """An order of events that differs from the order of telling."""

    name = "temporal"
    synonyms = ("temporal_reconstruction", "temporal_order")
    meaning = "the order in which things happened, told in another order"
    definition = (
        "The true order of events that the document tells in another order, or dates by reference to each other; the "
        "answer is an order, an overlap or an interval that matters, which no passage gives."
    )
    conditions = (
        "precedes edges (causes or enables where the one brought the other about) give one order of all clues; at "
        "least one of them runs against the order of telling; each edge rests on dates, hours or stated sequence."
    )
    seeds = ("told_out_of_order", "open_and_close", "far_link")
    hides = "the order of the events and the dates that give it"
    bearing = BEARING

    def faults(self, layout: Layout) -> Iterator[str]:
        """Story order joins all clues, in no circle, and is not that of telling."""
        if layout.has_cycle(ORDER):
            yield "its order runs in a circle"
        if not layout.is_joined(ORDER):
            yield "precedes edges do not put all clues in one order"
        if not any(layout.start[one] > layout.start[other] for one, other in layout.of_type(ORDER)):
            yield "its events are told in the order in which they happened"
