"""Counterfactual branching: what would have come of the branch that was not taken."""

from __future__ import annotations

from collections.abc import Iterator

from wildtrace.geometries.base import BEARING, Layout


class Counterfactual:
    """The actual path and an alternative branch, both in the source."""

    name = "counterfactual"
    synonyms = ("counterfactual_reasoning", "counterfactual_branch", "counterfactual_branching")
    meaning = "what would have come of the branch that was not taken"
    definition = (
        "The path that was taken and another that the document itself holds out (advised, planned or possible, or what "
        "would have followed); the answer keeps both and says what turned on the branch."
    )
    conditions = (
        'Clues on two sides, "actual" and "alternative"; at least one alternative_of edge from the branch not taken to '
        "the actual path or back; the alternative and what would have come of it are the document's, never the "
        "reader's guess; the document does not weigh both at one place."
    )
    seeds = ("what_if", "rule_and_breach", "claim_and_denial")
    hides = "where the paths part and what the other one would have led to"
    bearing = BEARING | {"hypothetical"}

    def faults(self, layout: Layout) -> Iterator[str]:
        """Both branches are there, and an edge says where they part."""
        if len(set(layout.side.values())) != 2:
            yield 'its clues are not on two sides, "actual" and "alternative"'
        if not layout.of_type({"alternative_of"}):
            yield "no alternative_of edge says where the branches part"
