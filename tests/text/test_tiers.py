"""Length tiers."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from wildtrace.text.tiers import tier_of, tier_of_text

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


def test_the_tier_of_a_text_is_that_of_its_estimated_tokens() -> None:
    """3.3 code points a token, 1.5 of Chinese (protocol, section 1)."""
    assert ("L0", "L1") == (tier_of_text(422_000, cjk=False), tier_of_text(423_000, cjk=False))
    assert ("L0", "L1") == (tier_of_text(191_000, cjk=True), tier_of_text(193_000, cjk=True))
