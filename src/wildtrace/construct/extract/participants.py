"""Who and what a unit speaks of: the entities it names, those that its pronouns can mean, the things worth following.

A pronoun is resolved only where one entity of its gender was named near before and no second one; else it is left. The
second person in speech is the last speaker's hearer only where turns alternate (`build.extract.quotations`).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Iterable, Set
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from wildtrace.construct.extract.cast import Cast
from wildtrace.construct.extract.page import Page
from wildtrace.languages.en.happenings import MODAL_WORDS
from wildtrace.languages.en.names import Words, mentions
from wildtrace.text.letters import pairs, small_letters

Found = tuple[int, int, int]
"""A mention: its start and end on the page, and the entity's place in the cast."""

MOST_NAMED: Final = 8
MOST_RARE: Final = 1
MOST_RECURRING: Final = 2
MOST_TOPICAL: Final = 2
MOST_THINGS: Final = 5
_NEAR: Final = 700
_MALE: Final = frozenset({"he", "him", "his", "himself"})
_FEMALE: Final = frozenset({"she", "her", "hers", "herself"})
_PRONOUNS: Final = (("male", _MALE), ("female", _FEMALE))


@dataclass(slots=True)
class Recent:
    """The persons named last on a page, with where."""

    last: OrderedDict[int, int] = field(default_factory=OrderedDict)

    def note(self, entity: int, place: int) -> None:
        """A person is named at `place`."""
        self.last.pop(entity, None)
        self.last[entity] = place

    def only(self, gender: str, cast: Cast, place: int) -> int | None:
        """The one person of `gender` named within the reach of a pronoun at `place`; None where there are two."""
        only: int | None = None
        for entity, at in reversed(self.last.items()):
            if place - at > _NEAR:
                break
            if cast.entities[entity].gender == gender:
                if only is not None:
                    return None
                only = entity
        return only

    def nearest(self, gender: str | None, cast: Cast, place: int) -> int | None:
        """The person of `gender` (of any: None) named last within reach of `place`."""
        for entity, at in reversed(self.last.items()):
            if place - at > _NEAR:
                return None
            if gender is None or cast.entities[entity].gender == gender:
                return entity
        return None


class Finder:
    """Finds the entities of a cast in the text of pages; it remembers what each run of words turned out to mean."""

    def __init__(self, cast: Cast, *, chinese: bool, pattern: str | None = None) -> None:
        self.cast = cast
        self.chinese = chinese
        self._pattern = re.compile(pattern) if pattern else None
        self.persons = frozenset(entity.place for entity in cast.entities if entity.kind == "person")
        self._meant: dict[Words, int | None] = {}
        # Things go by their rank, which sorts more quickly than the words: the rarest first, topics last.
        self._rarest = sorted(cast.rarity, key=lambda word: (word in cast.topics, -cast.rarity[word], word))
        self._first_topic = len(self._rarest) - len(cast.topics)
        ranks = {word: rank for rank, word in enumerate(self._rarest)}
        forms = zip(cast.things, cast.things, strict=True) if chinese else cast.forms.items()
        self._ranks = {token: ranks[word] for token, word in forms}
        self._telling = frozenset({*self._ranks, *_MALE, *_FEMALE, *MODAL_WORDS})

    def found(self, text: str) -> list[Found]:
        """The mentions of named entities in a page's text, in order."""
        if self.chinese:
            if self._pattern is None:
                return []
            by_words = self.cast.by_words
            return [(match.start(), match.end(), by_words[match[0],]) for match in self._pattern.finditer(text)]
        return [
            (start, end, entity)
            for start, end, words, _ in mentions(text)
            if (entity := self._entity(words)) is not None
        ]

    def _entity(self, words: Words) -> int | None:
        try:
            return self._meant[words]
        except KeyError:
            found = self._meant[words] = self._look_up(words)
            return found

    def _look_up(self, words: Words) -> int | None:
        """The entity of the run, else of its longest known beginning or end."""
        by_words = self.cast.by_words
        if len(words) == 1 or words in by_words:
            return by_words.get(words)
        for length in range(len(words) - 1, 0, -1):
            for part in (words[:length], words[-length:]):
                if part in by_words:
                    return by_words[part]
        return None

    def words(self, text: str) -> frozenset[str]:
        """Those lower-case words, or pairs of characters, of a text that tell a thing, a gender or a modality."""
        return self._telling.intersection(pairs(text) if self.chinese else small_letters(text).split())

    def words_of(self, page: Page, start: int, end: int) -> frozenset[str]:
        """The same of a part of a page, whose small letters are known."""
        return self._telling.intersection(
            pairs(page.text[start:end]) if self.chinese else page.small[start:end].split()
        )

    def things(self, tokens: Iterable[str]) -> list[str]:
        """The things of a unit, given its lower-case words or pairs: rare, recurring and topical ones, then others."""
        ranks = self._ranks
        ranked = sorted({ranks[token] for token in tokens if token in ranks})
        rare = bisect_left(ranked, self._first_topic)
        return [self._rarest[ranked[place]] for place in _chosen(rare, len(ranked) - rare)]


@lru_cache(maxsize=1 << 12)
def _chosen(rare: int, topical: int) -> tuple[int, ...]:
    """The places of the things to tell among so many rare ones, the rarest first, and topical ones behind them."""
    one, other = range(rare), range(rare, rare + topical)
    first = (*one[:MOST_RARE], *one[-MOST_RECURRING:], *other[:MOST_TOPICAL])
    return tuple(dict.fromkeys((*first, *reversed(one), *other)))[:MOST_THINGS]


def pronoun_genders(tokens: Set[str]) -> set[str]:
    """The genders that the pronouns among these lower-case words have."""
    return {gender for gender, forms in _PRONOUNS if not forms.isdisjoint(tokens)}
