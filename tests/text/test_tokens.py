"""Token estimates."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from wildtrace.text.tokens import estimate_tokens


@given(st.integers(0, 10_000_000), st.booleans())
def test_an_estimate_is_within_half_a_token_of_the_rate(chars: int, cjk: bool) -> None:
    """By exact fractions."""
    exact = Fraction(chars) / (Fraction(3, 2) if cjk else Fraction(33, 10))
    assert abs(estimate_tokens(chars, cjk=cjk) - exact) <= Fraction(1, 2)
