"""What the names of an entity and what stands around them tell: its titles, its gender, its kind.

A title tells a person, a ship's prefix a thing, its last word a place or an organisation; else the pronouns behind the
name, `the` before it and what it does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Set
from functools import lru_cache
from typing import Final

from wildtrace.construct.extract.survey import Seen
from wildtrace.languages.en.given_names import FEMALE, MALE
from wildtrace.languages.en.names import (
    CALENDAR_WORDS,
    FEMALE_TITLES,
    LEADING_PLACE_WORDS,
    LEANING_TITLES,
    LEARNED_TITLES,
    LONE_PLACE_WORDS,
    MAIDEN_TITLES,
    MALE_TITLES,
    MARRIED_TITLES,
    NICKNAMES,
    NOBLE_TITLES,
    ORGANISATION_WORDS,
    PARTS_OF_PLACES,
    PLACE_WORDS,
    SHIP_PREFIXES,
    TITLES,
    Words,
)
from wildtrace.languages.en.places import PLACES

_GENDERED: Final = 3
_AS_VESSEL: Final = 2
_SEEN_AS_PLACE: Final = 3
_OF_THINGS_TOO: Final = frozenset({"old", "young"})
_LONGEST_ACRONYM: Final = 6
_GIVEN: Final = frozenset(NICKNAMES.values())


def titles_of(words: Words) -> Words:
    """The titles that a name begins with."""
    return words[: len(words) - len(rest_of(words))]


@lru_cache(maxsize=1 << 16)
def rest_of(words: Words) -> Words:
    """A name without its titles; asked for many times as the names of a document are compared."""
    first = 0
    while first < len(words) - 1 and words[first].lower() in TITLES:
        first += 1
    return words[first:]


def given_of(word: str) -> str:
    """A given name in small letters, a nickname as the name it stands for."""
    lowered = word.lower()
    return NICKNAMES.get(lowered, lowered)


@lru_cache(maxsize=1 << 16)
def standing_of(words: Words) -> str:
    """What a title says that keeps namesakes apart: male, married, maiden, or nothing."""
    # Of titles alone the last is what one is called (`Reverend Mother`).
    for title in reversed(words) if are_titles(words) else titles_of(words):
        lowered = title.lower()
        if lowered in MALE_TITLES:
            return "male"
        if lowered in MARRIED_TITLES:
            return "married"
        if lowered in MAIDEN_TITLES:
            return "maiden"
        if lowered in FEMALE_TITLES:
            return "female"
    return ""


def are_titles(words: Words) -> bool:
    """Whether there are several words, all of them titles."""
    return len(words) > 1 and all(word.lower() in TITLES for word in words)


def ranks_apart(words: Words, names: Iterable[Words]) -> bool:
    """Whether a name's title is none that who bears one of `names` has: no Sir is Mr., and no Dr. is Miss."""
    own = _rank(words)
    others = {_rank(name) for name in names}
    if own == "learned":
        return "lady" in others and own not in others
    return {own, *others} >= {"mr", "noble"}


@lru_cache(maxsize=1 << 16)
def _rank(words: Words) -> str:
    """What a name's titles say of rank: learned, noble, Mr., a lady (Mrs., Miss), or nothing."""
    said = {title.lower() for title in titles_of(words)}
    if not said:
        return ""
    if said & LEARNED_TITLES:
        return "learned"
    if said & NOBLE_TITLES:
        return "noble"
    return "mr" if "mr" in said else "lady" if said & (MARRIED_TITLES | MAIDEN_TITLES) else ""


def is_ship(words: Words) -> bool:
    """Whether a name begins with what is written before a ship's (`MV Rena`)."""
    return len(words) > 1 and words[0] in SHIP_PREFIXES


def is_place_like(words: Words, seen: Seen) -> bool:
    """Whether a single name is a well-known place, or mostly stands as one; not one that speaks."""
    return not speaks(seen) and (" ".join(words).lower() in PLACES or _stands_as_place(seen))


def _stands_as_place(seen: Seen) -> bool:
    return seen.place >= _SEEN_AS_PLACE and seen.place * 2 > seen.count and seen.article * 2 <= seen.count


def speaks(seen: Seen) -> bool:
    """Whether a name speaks, as persons do."""
    return seen.speech * 10 > seen.count


def is_personal(names: Iterable[Words], seen: Seen) -> bool:
    """Whether these are plainly a person's names: by a title, a given name or speech."""
    return speaks(seen) or any(titles_of(words) or _is_given(words) for words in names)


def gender_by_name(names: Iterable[Words]) -> str | None:
    """Male or female where the first given name among full names says so."""
    for words in names:
        own = rest_of(words)
        first = own[0].lower()
        if len(own) > 1 and (first in MALE or first in FEMALE):
            return "male" if first in MALE else "female"
    return None


def _is_given(words: Words) -> bool:
    first = words[0].lower()
    return len(words) > 1 and (given_of(first) in _GIVEN or first in MALE or first in FEMALE)


def is_organisation(words: Words) -> bool:
    """By its last word, or by the first before `of` (`Board of Trade`)."""
    return words[-1].lower() in ORGANISATION_WORDS or ("of" in words and words[0].lower() in ORGANISATION_WORDS)


def told_gender(seen: Seen, names: Iterable[Words]) -> str | None:
    """Male or female, by the titles of a name, else by the pronouns behind it."""
    told = (standing_of(words) or _lone_title(words) for words in names)
    stated = Counter("male" if standing == "male" else "female" for standing in told if standing)
    if stated:
        return stated.most_common(1)[0][0]
    if seen.male >= _GENDERED and seen.male > 2 * seen.female:
        return "male"
    return "female" if seen.female >= _GENDERED and seen.female > 2 * seen.male else None


def _lone_title(words: Words) -> str:
    """What a title says that is all of a name (`the Countess`)."""
    title = words[0].lower() if len(words) == 1 else ""
    return "male" if title in MALE_TITLES else "female" if title in FEMALE_TITLES else ""


def kind_of(names: list[Words], seen: Seen, gender: str | None, companies: Set[Words]) -> str:
    """Person, place, organisation or thing; `names` are the most frequent first, `companies` begin those of others."""
    behind_article = seen.article * 2 > seen.count
    titled = any(map(standing_of, names))
    personal = (seen.male + seen.female) * 5 > seen.count or seen.speech * 8 > seen.count
    if any(map(is_ship, names)) or (seen.vessel and seen.article >= _AS_VESSEL and not titled and not personal):
        return "thing"
    named = _kind_by_name(names, speaks=speaks(seen), behind_article=behind_article)
    if named is not None:
        return named
    if names[0] in companies and not personal:
        return "organisation"
    if seen.place * 4 > seen.count and not speaks(seen):
        return "place"
    if personal:
        return "place" if gender is None and _is_kind_of_place(names[-1]) and not _is_given(names[-1]) else "person"
    # Behind `the` stand few persons: a pronoun now and then means another.
    told = gender is not None and (titled or not behind_article)
    return "person" if told else "thing"


def _kind_by_name(names: list[Words], *, speaks: bool, behind_article: bool) -> str | None:
    """The kind that the names themselves tell, the most frequent one first."""
    first = names[0]
    if any(_is_titled(words, behind_article=behind_article) for words in names[:3]):
        return "person"
    if " ".join(first).lower() in PLACES and not speaks:
        return "place"
    if len(first) > 1 and given_of(first[0]) in _GIVEN:
        return "person"
    if first[-1].lower() in CALENDAR_WORDS and len(first) > 1 and not _is_given(first):
        return "thing"
    if is_organisation(first) or _is_acronym(first):
        return "organisation"
    return "place" if _is_kind_of_place(first) else None


def _is_titled(words: Words, *, behind_article: bool) -> bool:
    """Whether a title says that this is a person: `the Old Bailey` and `the Old Ship Hotel` are none."""
    first = words[0].lower()
    if first in _OF_THINGS_TOO and (behind_article or words[-1].lower() in PLACE_WORDS):
        return False
    office = behind_article and len(words) > 1 and "of" not in words and words[-1].lower() in TITLES - LEANING_TITLES
    return office or bool(standing_of(words)) or first in TITLES


def _is_kind_of_place(words: Words) -> bool:
    if len(words) == 1:
        return words[0].lower() in LONE_PLACE_WORDS
    lowered = [word.lower() for word in words]
    if lowered[0] in PARTS_OF_PLACES and " ".join(lowered[1:]) in PLACES:
        return True
    leads = lowered[0] in LEADING_PLACE_WORDS and ORGANISATION_WORDS.isdisjoint(lowered)
    return leads or lowered[-1] in PLACE_WORDS


def _is_acronym(words: Words) -> bool:
    """Whether a name is or ends in capitals alone, among other words: not one that is printed in capitals."""
    capitals = [word for word in words if word.isupper() and len(word) > 1]
    return words[-1] in capitals and len(words[-1]) <= _LONGEST_ACRONYM and (len(words) == 1 or len(capitals) == 1)
