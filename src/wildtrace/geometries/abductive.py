"""Abduction: the explanation that the traces leave and the text does not tell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from wildtrace.geometries.base import BEARING, Layout

EXPLAINS: Final = frozenset({"explains", "causes", "enables", "rules_out"})


class Abductive:
    """Observations that one latent explanation accounts for."""

    name = "abductive"
    synonyms = ("abduction", "abductive_inference", "abductive_explanation")
    meaning = "the explanation that the traces leave and the text does not tell"
    definition = (
        "Puzzling observations from different places and the one explanation that accounts for all of them better than "
        "any rival; the document gives what it is made of and does not draw it, or draws it for one observation alone."
    )
    conditions = (
        "An explanation clue with explains edges (or evidence_for edges from traces to it) that joins at least two "
        "observations; rivals are ruled out by clues, not by taste; no narrator, witness or report states the "
        "explanation of these observations."
    )
    seeds = ("open_and_close", "two_names", "claim_and_denial", "far_link")
    hides = "the explanation itself and that there is one to be found"
    bearing = BEARING

    def faults(self, layout: Layout) -> Iterator[str]:
        """At least two explaining edges meet: in an explanation of two observations, or in what two clues explain."""
        edges = [*layout.of_type(EXPLAINS), *((other, one) for one, other in layout.of_type({"evidence_for"}))]
        out, into = Counter(one for one, _ in edges), Counter(other for _, other in edges)
        if max([*out.values(), *into.values()], default=0) < 2:
            yield "no explanation joins two observations by explains or evidence_for edges"
        elif not layout.of_type({"explains", "evidence_for"}):
            yield "it explains nothing: it has causes alone, which is causal or forward"
