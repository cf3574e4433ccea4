"""Intersection: constraints from several places that together single out one thing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from wildtrace.geometries.base import BEARING, Layout

SAME: Final = frozenset({"same_entity", "same_attribute", "part_of"})


class Intersection:
    """At least three clues on one referent that no other fits."""

    name = "intersection"
    synonyms = ("intersect", "conjunction")
    meaning = "constraints from several places that together single out one thing"
    definition = (
        "Constraints from several places that together single out one person, thing, place or moment of the document; "
        "each constraint alone fits others as well."
    )
    conditions = (
        "At least three clues on the same referent, joined by same_entity (or same_attribute) edges; by the document "
        "exactly one candidate satisfies all of them, and for each clue there is another candidate that satisfies the "
        "rest; no clue names the referent together with the other constraints."
    )
    seeds = ("two_names", "one_quantity", "far_link")
    hides = "the referent's usual name and whatever singles it out by itself"
    bearing = BEARING

    def faults(self, layout: Layout) -> Iterator[str]:
        """All clues must speak of one referent."""
        if not layout.is_joined(SAME):
            yield "same_entity or same_attribute edges do not join all clues as constraints on one referent"
