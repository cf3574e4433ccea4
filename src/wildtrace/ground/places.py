"""The places where a quote may stand in a text, each judged by what the text really says there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from wildtrace.ground.agreement import objection
from wildtrace.ground.alignment import locate
from wildtrace.ground.boundaries import whole
from wildtrace.ground.difference import Change, Difference, Hunk, difference
from wildtrace.ground.lexemes import Lexeme, Reading, read
from wildtrace.ground.skeleton import BUCKET, Region, Skeleton
from wildtrace.ground.vocabulary import Vocabulary
from wildtrace.text.normalise import fold_character

_MOST_PLACES = 5000
_MOST_READINGS = 300
_MOST_READ = 2_000_000
_MOST_REGIONS = 4
_NEIGHBOURHOOD = 1000
_LEAST_MEANING = 4


@dataclass(frozen=True, slots=True)
class Place:
    """Where a quote may stand: offsets in the source, how well it fits, and what differs.

    `score` is 1 for the same words, else the share of characters in common; an unsupported place has its `reason`.
    """

    start: int
    end: int
    status: Literal["exact", "normalised", "fuzzy", "unsupported"]
    score: float = 1.0
    changes: tuple[Change, ...] = ()
    reason: str | None = None

    def is_within(self, bounds: tuple[int, int]) -> bool:
        """Whether the whole place lies in the half-open range `bounds`."""
        return bounds[0] <= self.start and self.end <= bounds[1]


class Source:
    """A named text that quotes are grounded in; its index is built when the first quote needs it."""

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self.text = text
        self._vocabulary = Vocabulary(text)
        self._built: Skeleton | None = None

    @property
    def _skeleton(self) -> Skeleton:
        if self._built is None:
            self._built = Skeleton(self.text)
        return self._built

    def places(self, quote: str) -> list[Place]:
        """Every exact and normalised place of `quote`, in order; without any, the near places, the best first.

        A place that would cut a number or a word in two is not exact: it is judged as what the source says there.
        """
        bare = quote.strip()
        if not bare:
            return []
        exact = [*self._exact(quote)] or [*self._exact(bare)]
        bones = Skeleton(bare)
        if not bones.bones:
            return exact
        taken = {place.start for place in exact}
        same = self._same_bones(bare, bones)
        others = [place for place in same if place.status == "normalised" and place.start not in taken]
        if exact or others:
            return sorted(exact + others, key=lambda place: place.start)
        near = same + self._near(bare, bones)
        return sorted(set(near), key=lambda place: (place.status != "fuzzy", -place.score, place.start))

    def _exact(self, quote: str) -> Iterator[Place]:
        at, count = self.text.find(quote), 0
        while at >= 0 and count < _MOST_PLACES:
            bounds = at, at + len(quote)
            if whole(self.text, bounds) == bounds:
                yield Place(*bounds, "exact")
            at, count = self.text.find(quote, at + 1), count + 1

    def _same_bones(self, quote: str, bones: Skeleton) -> list[Place]:
        reading = read(quote)
        found: list[Place] = []
        # A long quote is read again at each place: as many places as a bounded amount of reading allows.
        limit = max(2, min(_MOST_READINGS, _MOST_READ // len(quote)))
        for place in self._skeleton.find_all(bones.bones, limit) if reading.lexemes else ():
            first = self._skeleton.offset(place)
            last = self._skeleton.offset(place + len(bones.bones) - 1)
            start, end = whole(self.text, (first, last + 1))
            found.append(self._judge(reading, reading.like(self.text[start:end]), start))
        return found

    def _near(self, quote: str, bones: Skeleton) -> list[Place]:
        reading = read(quote)
        places = (self._in_region(reading, bones, region) for region in self._skeleton.regions(bones, _MOST_REGIONS))
        return [place for place in places if place is not None]

    def _in_region(self, quote: Reading, bones: Skeleton, region: Region) -> Place | None:
        size = len(bones.bones)
        slack = 3 * BUCKET + size // 8
        first_bone, last_bone = region.start - slack, region.start + size + slack
        # Signs and currencies leave no bones: at either end of the text, all of it belongs to the region.
        low = self._skeleton.offset(first_bone) if first_bone > 0 else 0
        is_inside = last_bone < len(self._skeleton.bones) - 1
        high = self._skeleton.offset(last_bone) + 1 if is_inside else len(self.text)
        around = quote.like(self.text[low:high])
        first, past = locate(quote.forms, around.forms)
        if first >= past:
            return None
        bounds = low + around.lexemes[first].start, low + around.lexemes[past - 1].end
        start, end = whole(self.text, bounds)
        # Two numerals of a Chinese number are two lexemes: what a cut leaves out belongs to the place.
        while first > 0 and low + around.lexemes[first - 1].end > start:
            first -= 1
        while past < len(around.lexemes) and low + around.lexemes[past].start < end:
            past += 1
        return self._judge(quote, around.cut(first, past), low)

    def _judge(self, quote: Reading, source: Reading, offset: int) -> Place:
        """The place of `source`, which was read from the text at `offset`."""
        found = difference(quote, source)
        start, end = offset + source.lexemes[0].start, offset + source.lexemes[-1].end
        if found.is_none:
            return Place(*self._with_marks(quote, start, end), "normalised")
        reason = objection(found, self._vocabulary) or self._stitched(found, start, end)
        place = Place(start, end, "unsupported", round(found.likeness, 4), found.changes, reason)
        if reason is not None:
            return place
        start, end = self._with_marks(quote, start, end)
        return replace(place, start=start, end=end, status="fuzzy")

    def _stitched(self, found: Difference, start: int, end: int) -> str | None:
        """Whether differing words of the quote stand elsewhere in the source: two of them near by, three anywhere.

        Four ideographs in a row, two words' worth, are rare enough to count anywhere.
        """
        near = Skeleton(self.text[max(0, start - _NEIGHBOURHOOD) : end + _NEIGHBOURHOOD])
        for hunk in found.hunks:
            words = found.quote.lexemes[hunk.quote_start : hunk.quote_end]
            weight = sum(word.weight for word in words)
            telling = 2 if all(word.kind == "ideograph" for word in words) else 3
            bones = Skeleton(" ".join(word.form for word in words)).bones
            is_moved = hunk.source_start < hunk.source_end and weight == 1 and _carries_meaning(words[0])
            if is_moved and any(pair in near.bones for pair in _pairs(found.quote, hunk)):
                return "what differs stands elsewhere"
            if (weight >= 1.5 and bones in near.bones) or (weight >= telling and bones in self._skeleton.bones):
                return "fragments of several places are joined"
        return None

    def _with_marks(self, quote: Reading, start: int, end: int) -> tuple[int, int]:
        """Take in the marks that the quote has before its first and after its last word, where the source has them."""
        for mark in reversed(_marks(quote.gaps[0])):
            before = start - 1
            while before > 0 and self.text[before].isspace():
                before -= 1
            if before < 0 or fold_character(self.text[before]) != mark:
                break
            start = before
        for mark in _marks(quote.gaps[-1]):
            after = end
            while after < len(self.text) and self.text[after].isspace():
                after += 1
            if after >= len(self.text) or fold_character(self.text[after]) != mark:
                break
            end = after + 1
        return start, end


def _pairs(quote: Reading, hunk: Hunk) -> Iterator[str]:
    """The bones of a differing word with the word before it, and with the one behind it, where those say something."""
    word = quote.forms[hunk.quote_start]
    before = quote.lexemes[hunk.quote_start - 1 : hunk.quote_start] if hunk.quote_start else ()
    after = quote.lexemes[hunk.quote_end : hunk.quote_end + 1]
    yield from (Skeleton(each.form + word).bones for each in before if _carries_meaning(each))
    yield from (Skeleton(word + each.form).bones for each in after if _carries_meaning(each))


def _carries_meaning(word: Lexeme) -> bool:
    """Whether a word is likely to say what happens: short ones mostly only join others."""
    return word.kind == "word" and len(word.form) >= _LEAST_MEANING


def _marks(gap: str) -> str:
    return "".join(gap.split())
