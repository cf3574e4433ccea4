"""Which document length to try next, and the cap that comes of it. Pure.

Two short documents first (they calibrate the token count), then the longest, then bisection by the geometric mean until
the shortest that does not fit is at most 3 % longer than the longest that does.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Final

from wildtrace.probe.documents import CODES
from wildtrace.text.tokens import CJK_CHARS_PER_TOKEN, EN_CHARS_PER_TOKEN

PRECISION: Final = 0.03
SECOND: Final = 4


@dataclass(frozen=True, slots=True)
class Search:
    """A search between `lower` and `upper` characters: `fits` is the longest that fitted, `fails` the shortest not."""

    lower: int
    upper: int
    fits: int = 0
    fails: int | None = None

    def next(self) -> int | None:
        """The next length to try, or None when the search is over."""
        if self.fails is None:
            return self._upwards()
        if not self.fits or self.fails <= self.fits * (1 + PRECISION):
            return None
        return math.isqrt(self.fits * self.fails)

    def _upwards(self) -> int | None:
        if not self.fits:
            return self.lower
        if self.fits >= self.upper:
            return None
        return min(SECOND * self.lower, self.upper) if self.fits == self.lower else self.upper

    def after(self, chars: int, *, fits: bool) -> Search:
        """The search after `chars` was tried."""
        if fits:
            return replace(self, fits=max(self.fits, chars))
        return replace(self, fails=chars if self.fails is None else min(self.fails, chars))

    def dearest(self) -> tuple[int, ...]:
        """The lengths of the search that takes the most characters of all, whatever the window turns out to be."""
        chars = self.next()
        if chars is None:
            return ()
        rests = (self.after(chars, fits=fits).dearest() for fits in (True, False))
        return (chars, *max(rests, key=sum))


def round_down(chars: int) -> int:
    """Three significant digits, downwards."""
    step: int = 10 ** max(0, len(str(chars)) - 3)
    return chars // step * step


def cap_of(
    fits: int, *, chars_read: int | None, limited: bool, counted: bool, max_tokens: int, cjk: bool
) -> int | None:
    """The cap, in characters, that a finished search allows; None where nothing is left of it.

    `chars_read` is the least that a cut left of a document: the window cannot be longer. Without a token count
    (`counted` False) a cut may hide between two codes, so a gap is taken off. Where a limit was met (`limited`) the
    budget of the answer is taken off, since prompt and answer may share the window. Rounded down to three digits.
    """
    chars = fits if chars_read is None else min(fits, chars_read)
    if not counted:
        chars = chars * (CODES - 2) // (CODES - 1)
    if limited:
        chars -= math.ceil(max_tokens * (CJK_CHARS_PER_TOKEN if cjk else EN_CHARS_PER_TOKEN))
    return round_down(chars) if chars > 0 else None
