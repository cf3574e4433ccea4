"""The codes that a window probe hides in its documents: two capitals, four digits, two capitals.

`CODE` is the one place that says what a code looks like: the probe plants and reads by it, and the offline model that
rehearses the probe repeats what it matches.
"""

from __future__ import annotations

import random
import re
from typing import Final

CODE: Final = re.compile(r"(?<![A-Za-z0-9])[A-Z]{2}[0-9]{4}[A-Z]{2}(?![A-Za-z0-9])")
# Without I and O, which a model may well write as digits.
_LETTERS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ"


def make_codes(count: int, rng: random.Random) -> tuple[str, ...]:
    """`count` different codes, drawn from `rng`."""
    codes: dict[str, None] = {}
    while len(codes) < count:
        letters = "".join(rng.choices(_LETTERS, k=4))
        codes[f"{letters[:2]}{rng.randrange(1000, 10000)}{letters[2:]}"] = None
    return tuple(codes)


def codes_in(text: str) -> tuple[str, ...]:
    """Every code that stands in a text, once, in order."""
    return tuple(dict.fromkeys(CODE.findall(text)))
