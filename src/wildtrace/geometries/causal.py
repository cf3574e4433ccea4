"""Causal attribution: several contributors to one outcome."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from wildtrace.geometries.base import BEARING, Layout

CAUSAL: Final = frozenset({"causes", "enables", "explains", "violates"})


class Causal:
    """Contributors from several places to one outcome."""

    name = "causal"
    synonyms = ("causal_attribution", "causal_fan_in", "causation")
    meaning = "several contributors to one outcome"
    definition = (
        "Several contributors, from different places, to one outcome; the answer is how they work together, and none "
        "of them is enough."
    )
    conditions = (
        "At least two clues lead by causes or enables edges to one outcome clue; each contribution is stated or "
        "follows, in its direction, as no question and nothing supposed; the document does not list them at one place."
    )
    seeds = ("joint_causes", "rule_and_breach", "chained_causes", "far_link")
    hides = "the contributors and how they work together"
    bearing = BEARING

    def faults(self, layout: Layout) -> Iterator[str]:
        """Some clue is brought about by at least two others."""
        if layout.has_cycle(CAUSAL):
            yield "its causes run in a circle"
        contributors = {
            outcome: sum(outcome in layout.reached_from(fact, CAUSAL) for fact in layout.start)
            for outcome in layout.start
        }
        if max(contributors.values()) < 2:
            yield "no outcome is reached from two contributors by causes or enables edges"
