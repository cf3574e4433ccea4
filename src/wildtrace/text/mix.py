"""How many tokens a text is, counted by what it is made of: wide characters (Chinese, Japanese, Korean) and others.

The protocol's flat rates (text/tokens.py) decide tiers and caps. A bill follows the tokenizers: measured on 23 works
(novels and reports of 1839 to 2022, classical Chinese novels) with the tokenizers of five model families, English runs
at 3.7 to 4.9 characters a token and Chinese at 0.7 to 1.4, so that the protocol's 1.5 would promise too low a price.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_WIDE: Final = re.compile(
    r"[\u1100-\u11ff\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef\U00020000-\U000323af]+"
)


@dataclass(frozen=True, slots=True)
class TextMix:
    """A text's length in code points: `wide` ones (ideographs, kana, hangul, their punctuation) and `other` ones."""

    wide: int = 0
    other: int = 0

    def __add__(self, added: TextMix) -> TextMix:
        return TextMix(self.wide + added.wide, self.other + added.other)


@dataclass(frozen=True, slots=True)
class Rates:
    """Code points a token, for wide characters and for others."""

    wide: float
    other: float

    def tokens(self, mix: TextMix) -> float:
        """The tokens of a text, not rounded."""
        return mix.wide / self.wide + mix.other / self.other

    def of_length(self, tokens: float, *, wide: bool) -> TextMix:
        """The text of so many tokens, all of one kind."""
        return TextMix(wide=round(tokens * self.wide)) if wide else TextMix(other=round(tokens * self.other))


USUAL: Final = Rates(wide=1.15, other=4.2)
FEWEST_TOKENS: Final = Rates(wide=1.4, other=4.9)
MOST_TOKENS: Final = Rates(wide=0.7, other=3.6)


def mix_of(text: str) -> TextMix:
    """Count a text's wide and other code points."""
    if text.isascii():
        return TextMix(other=len(text))
    wide = sum(map(len, _WIDE.findall(text)))
    return TextMix(wide, len(text) - wide)
