"""The skeleton of a text: its letters and digits alone, folded, with a map back to the text; and an index of its words.

Two texts that differ in white space, punctuation, quotation marks, dashes, accents, case, width or script variant have
the same skeleton, so a search in it finds every place that might be meant; whether the place really says the same is
judged afterwards on the text itself.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import accumulate
from typing import NamedTuple

from wildtrace.text.normalise import CJK, LETTER, skeleton_character

Postings = dict[str, "array[int]"]

_RUN = f"[{CJK}]+|[^\\W_{CJK}]+"
_FREQUENT = 4000
_KEYS = 14
BUCKET = 24
_LEAST_SHARE = 0.25


class Region(NamedTuple):
    """Where a quote may begin in a skeleton, up to two `BUCKET` later, and the share of its rarer words there."""

    start: int
    share: float


class Skeleton:
    """The folded letters and digits of one text (`bones`), searchable, each place mapped back to the text's offsets.

    Memory is about six bytes a code point of text, three times that once `regions` has been asked.
    """

    def __init__(self, text: str) -> None:
        folds = {character: skeleton_character(character) for character in set(text) if LETTER.match(character)}
        uneven = "".join(re.escape(character) for character, folded in folds.items() if len(folded) != 1)
        # A character that leaves no bone or several is a run of its own, so that every other run maps one to one.
        runs = re.compile(f"[{uneven}]|(?:(?![{uneven}])[{CJK}])+|[^\\W_{CJK}{uneven}]+" if uneven else _RUN)
        pieces = runs.findall(text)
        odd = {character for character, folded in folds.items() if len(folded) != 1}
        lengths = array("I", map(len, pieces))
        self._uneven = {run for run, piece in enumerate(pieces) if piece in odd} if odd else set()
        for run in self._uneven:
            lengths[run] = len(folds[pieces[run]])
        self._starts = array("I", map(re.Match.start, runs.finditer(text)))
        self._places = array("I", accumulate(lengths, initial=0))
        self.bones = "".join(pieces).translate({ord(character): folded for character, folded in folds.items()})
        self._postings: Postings | None = None

    def find_all(self, bones: str, limit: int) -> Iterator[int]:
        """The places of `bones` in this skeleton, overlapping ones too, at most `limit`."""
        place = self.bones.find(bones)
        while place >= 0 and limit > 0:
            yield place
            limit -= 1
            place = self.bones.find(bones, place + 1)

    def offset(self, place: int) -> int:
        """The text's offset of the character that left the bone at `place`."""
        run = bisect_right(self._places, place) - 1
        return self._starts[run] + (0 if run in self._uneven else place - self._places[run])

    def regions(self, quote: Skeleton, limit: int) -> list[Region]:
        """The regions that share the most rare words (ideograph pairs) with `quote`, best first, at most `limit`."""
        postings = self._index()
        known = [(key, at) for key, at in quote.words() if len(postings.get(key, ())) <= _FREQUENT]
        rarest = sorted(known, key=lambda pair: len(postings.get(pair[0], ())) or _FREQUENT)[:_KEYS]
        votes: Counter[int] = Counter()
        for key, at in rarest:
            votes.update({(place - at) // BUCKET for place in postings.get(key, ())})
        return _best_buckets(votes, len(rarest), limit)

    def words(self) -> Iterator[tuple[str, int]]:
        """Words, and pairs of neighbouring ideographs, each with its place."""
        for start, end in zip(self._places, self._places[1:], strict=False):
            if self.bones[start : start + 1] < "\u2e80":
                yield self.bones[start:end], start
            else:
                yield from ((self.bones[at : at + 2], at) for at in range(start, end - 1))

    def _index(self) -> Postings:
        if self._postings is None:
            postings: defaultdict[str, array[int]] = defaultdict(lambda: array("I"))
            for key, at in self.words():
                postings[key].append(at)
            self._postings = dict(postings)
        return self._postings


def _best_buckets(votes: Counter[int], keys: int, limit: int) -> list[Region]:
    """Buckets by the votes of each and its neighbour, since an edit moves what follows it across a boundary."""
    least = max(2.0, _LEAST_SHARE * keys)
    sums = ((bucket, count + votes.get(bucket + 1, 0)) for bucket, count in votes.items())
    joint = {bucket: count for bucket, count in sums if count >= least}
    best: list[int] = []
    for bucket in sorted(joint, key=lambda place: (-joint[place], place)):
        if len(best) == limit:
            break
        if all(abs(bucket - other) > 1 for other in best):
            best.append(bucket)
    return [Region(max(0, bucket * BUCKET), joint[bucket] / keys) for bucket in best]
