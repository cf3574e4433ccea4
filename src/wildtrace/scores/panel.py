"""The panel's arithmetic: the simple mean of the full configured panel, or none (docs/protocol.md, rule 19)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from wildtrace.types import JudgeFailure, Judgement


def panel_score(judges: Sequence[str], judgements: Mapping[str, Judgement | JudgeFailure]) -> float | None:
    """The mean credit over `judges`, 0 to 1, rounded once; None while any of them has no usable reply."""
    given = [entry.score for name in judges if isinstance(entry := judgements.get(name), Judgement)]
    if not given or len(given) != len(judges):
        return None
    # Sums of floating-point numbers would make three judges' 0.7 a 0.6999999999999998.
    return float(sum(map(Fraction, given)) / len(given))
