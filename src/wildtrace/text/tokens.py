"""Token estimates from code points, at the protocol's rates.

They size plans and tiers; what a provider bills is in a reply's usage.
"""

from __future__ import annotations

EN_CHARS_PER_TOKEN = 3.3
CJK_CHARS_PER_TOKEN = 1.5


def estimate_tokens(chars: int, *, cjk: bool) -> int:
    """Tokens of a text of `chars` code points: 3.3 characters a token, 1.5 for CJK text (protocol, section 3)."""
    return round(chars / (CJK_CHARS_PER_TOKEN if cjk else EN_CHARS_PER_TOKEN))
