"""Document length tiers, by token estimate (paper, Table 4; docs/protocol.md, rule 30)."""

from __future__ import annotations

from bisect import bisect_left

from wildtrace.text.tokens import estimate_tokens

TIER_LIMITS = (128_000, 181_019, 256_000, 362_039, 512_000, 724_077, 1_000_000)


def tier_of(tokens: int) -> str:
    """The tier of a document of `tokens` tokens; the limits belong to the lower tier."""
    return f"L{bisect_left(TIER_LIMITS, tokens)}"


def tier_of_text(chars: int, *, cjk: bool) -> str:
    """The tier of a text of `chars` code points, by the protocol's rates."""
    return tier_of(estimate_tokens(chars, cjk=cjk))
