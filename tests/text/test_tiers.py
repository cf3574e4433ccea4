"""Length tiers."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from wildtrace.text.tiers import tier_of

UPPER = {
    "L0": 128_000,
    "L1": 181_019,
    "L2": 256_000,
    "L3": 362_039,
    "L4": 512_000,
    "L5": 724_077,
    "L6": 1_000_000,
}


@given(st.integers(0, 2_000_000) | st.sampled_from([limit + delta for limit in UPPER.values() for delta in (-1, 0, 1)]))
def test_a_tier_is_the_first_whose_limit_is_not_passed(tokens: int) -> None:
    """By a plain search over the paper's limits."""
    assert next((tier for tier, limit in UPPER.items() if tokens <= limit), "L7") == tier_of(tokens)
