"""Forward chain: each clue is needed to know what to look for next."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from wildtrace.geometries.base import BEARING, Layout

STEPS: Final = frozenset({"causes", "enables", "precedes", "explains", "part_of", "violates"})


class Forward:
    """A chain of at least three steps in one direction."""

    name = "forward"
    synonyms = ("forward_chain", "forward_chaining", "chain")
    meaning = "a chain: each clue is needed to know what to look for next"
    definition = (
        "A chain: each step brings about, makes possible or leads on to the next one, from an origin to an end that "
        "nobody would connect with it without the steps between."
    )
    conditions = (
        "At least three clues on one path of causes, enables, explains or precedes edges, all running forward, at "
        "least one of them no mere precedes; no step can be skipped; the end is not told beside the origin."
    )
    seeds = ("chained_causes", "open_and_close", "far_link", "rule_and_breach")
    hides = "the steps between origin and end, and how many there are"
    bearing = BEARING

    def faults(self, layout: Layout) -> Iterator[str]:
        """A chain that branches apart, runs in a circle or is too short is none."""
        if layout.has_cycle(STEPS):
            yield "its steps run in a circle"
        elif layout.longest_path(STEPS) < 3:
            yield "it has no path of three clues along causes, enables, explains or precedes edges"
        elif layout.longest_path(STEPS) * 2 <= len(layout.start):
            yield "most of its clues are no steps of one chain"
        if not layout.of_type(STEPS - {"precedes"}):
            yield "its clues only follow each other in time: that is temporal, or nothing"
