"""A search by content words over the facts or the passages of one source: rarer words count more.

It finds where to look, for the reader's memory, for a seed's neighbours and for the leak test; no relation is ever made
of what it finds.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from heapq import nlargest
from typing import Final

from wildtrace.text.words import content_words

COMMONEST: Final = 400
"""A word in more entries than this, and in a tenth of them, tells nothing; it bounds what a search costs."""


class Index:
    """Texts by number, in the order in which they are added."""

    def __init__(self, texts: Iterable[str] = ()) -> None:
        self._postings: defaultdict[str, list[int]] = defaultdict(list)
        self._size = 0
        for text in texts:
            self.add(text)

    def __len__(self) -> int:
        return self._size

    def add(self, text: str) -> None:
        """Add a text under the next number."""
        for word in set(content_words(text)):
            self._postings[word].append(self._size)
        self._size += 1

    def weight(self, word: str) -> float:
        """How much a word tells: 0 where it stands in no text, or in too many."""
        count = len(self._postings.get(word, ()))
        if not count or (count > COMMONEST and count * 10 > self._size):
            return 0.0
        return math.log(1 + self._size / count)

    def best(self, query: str, most: int, wanted: Callable[[int], bool] | None = None) -> list[int]:
        """The numbers of the texts that share the most telling words with a query, best first, then in order."""
        scores: Counter[int] = Counter()
        for word in sorted(set(content_words(query))):
            weight = self.weight(word)
            if weight:
                for number in self._postings[word]:
                    scores[number] += weight  # type: ignore[assignment]  # a Counter of weights
        found = scores if wanted is None else [number for number in scores if wanted(number)]
        return nlargest(most, found, key=lambda number: (scores[number], -number))


def likeness(one: str, other: str) -> float:
    """The share of their content words that two texts have in common, 0 to 1."""
    first, second = set(content_words(one)), set(content_words(other))
    return len(first & second) / len(first | second) if first and second else 0.0


def occurs(name: str, lowered: str) -> bool:
    """Whether a designation stands in a text (case-folded), and not inside a longer word of letters with gaps."""
    wanted = name.casefold()
    at = lowered.find(wanted) if wanted else -1
    while at >= 0:
        before, after = lowered[at - 1 : at], lowered[at + len(wanted) : at + len(wanted) + 1]
        if not (_joins(before, wanted[0]) or _joins(wanted[-1], after)):
            return True
        at = lowered.find(wanted, at + 1)
    return False


def _joins(one: str, other: str) -> bool:
    """Whether two neighbouring characters belong to one word: letters of a script that writes words apart."""
    return bool(one and other) and one.isalnum() and other.isalnum() and one < "\u2e80" and other < "\u2e80"
