"""The panel's arithmetic."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from wildtrace.scores.aggregate import panel_score
from wildtrace.types import JudgeFailure, Judgement

CREDIT = st.integers(0, 1000)


@given(st.lists(CREDIT | st.none(), min_size=1, max_size=6))
def test_the_score_is_the_exact_mean_or_none(credits_given: list[int | None]) -> None:
    """Rounded once; in any order; none where any judge failed."""
    entries = {
        f"j{place}": JudgeFailure("no") if credit is None else Judgement(credit / 1000, credit / 10, None, (), "")
        for place, credit in enumerate(credits_given)
    }
    got = panel_score(list(entries), entries)
    assert got == panel_score(list(reversed(entries)), entries)
    known = [credit for credit in credits_given if credit is not None]
    if len(known) < len(credits_given):
        assert got is None
    else:
        assert got is not None
        assert abs(Fraction(got) - Fraction(sum(known), 1000 * len(known))) < Fraction(1, 10**15)


def test_equal_credits_have_themselves_as_their_mean() -> None:
    """Three times 0.7 is 0.7, where a sum of floating-point numbers gives 0.6999999999999998."""
    for credit in (0.7, 0.1, 0.55, 1 / 3):
        entry = Judgement(credit, 0.0, None, (), "")
        assert credit == panel_score(["a", "b", "c"], dict.fromkeys("abc", entry))
