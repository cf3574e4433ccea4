"""The entities of a whole document, and which runs of words mean which: what a survey adds up to.

The English rules, in the order applied: a full name is one person under each of its nicknames; a title keeps Mr., Mrs.
and Miss of one family apart; a title with a surname joins the one full name that it can mean; a single name joins the
one person whose first name or surname it is, or whom it outweighs all others with; an abbreviation joins the words
whose initials it is. What could mean two stays an entity of its own.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from wildtrace.build.extract.survey import Seen, Survey
from wildtrace.text.english_places import PLACES
from wildtrace.text.given_names import gender_of
from wildtrace.text.names import (
    FEMALE_TITLES,
    MAIDEN_TITLES,
    MALE_TITLES,
    MARRIED_TITLES,
    NEUTRAL_TITLES,
    NICKNAMES,
    ORGANISATION_WORDS,
    PLACE_WORDS,
    TITLES,
    Words,
)

LEAST_MENTIONS: Final = 2
_OUTWEIGHS: Final = 4
_GENDERED: Final = 3
_TITLED_WORDS: Final = 3
_LONGEST_ACRONYM: Final = 6
_GIVEN: Final = frozenset(NICKNAMES.values())


@dataclass(frozen=True, slots=True)
class Entity:
    """One entity: `place` in the cast, its name, kind (person, place, organisation, thing) and gender where known.

    `first` and `length` tell where it is first mentioned, `aliases` how it is called, most frequent first.
    """

    place: int
    name: str
    kind: str
    gender: str | None
    aliases: tuple[str, ...]
    mentions: int
    first: int
    length: int


@dataclass(frozen=True, slots=True)
class Cast:
    """The entities of a document; `by_words` finds them by a run of words, `things` by a lower-case word or pair.

    `forms` are the forms in which English things occur.
    """

    entities: tuple[Entity, ...]
    by_words: Mapping[Words, int]
    things: Mapping[str, int]
    rarity: Mapping[str, float] = field(default_factory=dict)
    topics: frozenset[str] = frozenset()
    forms: Mapping[str, str] = field(default_factory=dict)


_Merge = Callable[[Words, Words], None]
"""Joins the cluster of the first name into that of the second."""


@dataclass(slots=True)
class _Group:
    """A cluster in the making."""

    names: list[Words]
    seen: Seen

    def join(self, other: _Group) -> None:
        self.names += other.names
        self.seen = self.seen.plus(other.seen)


def english_entities(survey: Survey) -> tuple[list[Entity], dict[Words, int]]:
    """The named entities of an English document, most mentioned first, and the runs that mean them."""
    known = {words: seen for words, seen in survey.names.items() if _is_name(words, seen, survey.words)}
    groups = _clustered(known)
    kept = sorted((group for group in groups if _is_kept(group)), key=lambda group: -group.seen.count)
    companies = _companies(known)
    entities = [_entity(place, group, known, companies) for place, group in enumerate(kept)]
    by_words = {words: place for place, group in enumerate(kept) for words in group.names}
    return entities, by_words


def _is_kept(group: _Group) -> bool:
    """Whether a name is worth an entity: met again, a well-known place, or a title with a full name."""
    if group.seen.count >= LEAST_MENTIONS:
        return True
    words = group.names[0]
    titled = len(words) >= _TITLED_WORDS and words[0].lower() in TITLES - NEUTRAL_TITLES
    return titled or " ".join(words).lower() in PLACES


def _companies(known: Iterable[Words]) -> frozenset[Words]:
    """What the names of organisations begin with: `Great Northern` of `Great Northern Railway Company`."""
    longer = [words for words in known if len(words) > 1 and _is_organisation(words)]
    return frozenset(words[:length] for words in longer if "of" not in words for length in range(1, len(words)))


def _is_organisation(words: Words) -> bool:
    """By its last word, or by the first before `of` (`Board of Trade`)."""
    return words[-1].lower() in ORGANISATION_WORDS or ("of" in words and words[0].lower() in ORGANISATION_WORDS)


def _is_name(words: Words, seen: Seen, lower: Mapping[str, int]) -> bool:
    """Whether a run names something: it stands inside sentences, and not mostly in small letters elsewhere."""
    if len(words) > 1:
        return seen.inside > 0 or seen.count > 1
    if words[0].lower() in TITLES:
        return seen.inside > _GENDERED and words[0].lower() not in (
            "old",
            "young",
            "mr",
            "mrs",
            "miss",
            "dr",
            "st",
            "m",
        )
    if not seen.inside and not (seen.speech and seen.count > 1):
        return False
    return lower.get(words[0].lower(), 0) < seen.inside * 0.5


def _clustered(known: Mapping[Words, Seen]) -> list[_Group]:
    groups = {words: _Group([words], seen) for words, seen in known.items()}
    owner = {words: words for words in known}

    def merge(words: Words, into: Words) -> None:
        one, other = owner[words], owner[into]
        if one != other:
            groups[other].join(groups.pop(one))
            owner.update(dict.fromkeys(groups[other].names, other))

    full = [words for words in known if len(_rest(words)) >= 2]
    _merge_full_names(full, known, merge)
    _merge_titled(known, owner, groups, merge)
    _merge_single(known, owner, groups, merge)
    _merge_initials(known, merge)
    return list(groups.values())


def _titles(words: Words) -> Words:
    return words[: len(words) - len(_rest(words))]


@lru_cache(maxsize=1 << 16)
def _rest(words: Words) -> Words:
    """A name without its titles; asked for many times as the names of a document are compared."""
    first = 0
    while first < len(words) - 1 and words[first].lower() in TITLES:
        first += 1
    return words[first:]


def _given(word: str) -> str:
    lowered = word.lower()
    return NICKNAMES.get(lowered, lowered)


@lru_cache(maxsize=1 << 16)
def _standing(words: Words) -> str:
    """What a title says that keeps namesakes apart: male, married, maiden, or nothing."""
    for title in _titles(words):
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


def _merge_full_names(full: Iterable[Words], known: Mapping[Words, Seen], merge: _Merge) -> None:
    """Join full names that differ in a nickname, a middle name or a title that does not contradict."""
    alike: defaultdict[tuple[str, str], list[Words]] = defaultdict(list)
    for words in full:
        rest = _rest(words)
        alike[_given(rest[0]), rest[-1]].append(words)
    for namesakes in alike.values():
        namesakes.sort(key=lambda words: -known[words].count)
        standings = {_standing(words) for words in namesakes} - {""}
        for words in namesakes[1:]:
            if len(standings) <= 1 or _standing(words) in ("", _standing(namesakes[0])):
                merge(words, namesakes[0])


def _merge_titled(
    known: Mapping[Words, Seen], owner: dict[Words, Words], groups: dict[Words, _Group], merge: _Merge
) -> None:
    """Join a title with a surname to the one full name that it can mean; unlike titles of one gender to each other."""
    by_surname: defaultdict[str, list[Words]] = defaultdict(list)
    for words in known:
        if len(_rest(words)) >= 2:
            by_surname[_rest(words)[-1]].append(words)
    for words in known:
        rest = _rest(words)
        if len(rest) != 1 or not _titles(words):
            continue
        owners = {owner[full] for full in by_surname.get(rest[0], ())}
        possible = [full for full in owners if _agrees(words, groups[full], known)]
        if len(possible) == 1 and not (_standing(words) == "married" and ("Miss", rest[0]) in known):
            merge(words, possible[0])


def _agrees(words: Words, group: _Group, known: Mapping[Words, Seen]) -> bool:
    standing = _standing(words)
    others = {_standing(name) for name in group.names} - {""}
    if standing and others:
        return standing in others
    gender = _gender(group.seen, group.names)
    wanted = "male" if standing == "male" else "female" if standing else None
    if wanted is None:
        wanted = _gender(known[words], [words])
    return gender is None or wanted is None or gender == wanted


def _merge_single(
    known: Mapping[Words, Seen], owner: dict[Words, Words], groups: dict[Words, _Group], merge: _Merge
) -> None:
    """Join a single name to the one person whose first name or surname it is, or who outweighs the others so called."""
    first_names: defaultdict[str, set[Words]] = defaultdict(set)
    surnames: defaultdict[str, set[Words]] = defaultdict(set)
    for words in known:
        rest = _rest(words)
        if len(rest) >= 2:
            first_names[rest[0]].add(owner[words])
        if len(rest) >= 2 or _titles(words):
            surnames[rest[-1]].add(owner[words])
    for words in known:
        if len(words) != 1 or words[0].lower() in TITLES:
            continue
        owners = {owner[name] for name in first_names.get(words[0], set()) | surnames.get(words[0], set())}
        chosen = _dominant([name for name in owners if name in groups], groups)
        if chosen is not None and _agrees(words, groups[chosen], known):
            merge(words, chosen)


def _dominant(owners: list[Words], groups: Mapping[Words, _Group]) -> Words | None:
    counted = sorted(owners, key=lambda name: -groups[name].seen.count)
    if len(counted) > 1 and groups[counted[0]].seen.count < _OUTWEIGHS * groups[counted[1]].seen.count:
        return None
    return counted[0] if counted else None


def _merge_initials(known: Mapping[Words, Seen], merge: _Merge) -> None:
    spelt: defaultdict[str, list[Words]] = defaultdict(list)
    for words in known:
        initials = "".join(word[0] for word in words if word[0].isupper())
        if len(initials) > 2:
            spelt[initials].append(words)
    for words in known:
        if len(words) == 1 and words[0].isupper() and len(spelt.get(words[0], ())) == 1:
            merge(words, spelt[words[0]][0])


def _entity(place: int, group: _Group, known: Mapping[Words, Seen], companies: Set[Words]) -> Entity:
    names = group.names
    if len(names) > 1:
        names = sorted(names, key=lambda words: -known[words].count)
    gender = _gender(group.seen, names)
    best = max(names[:4], key=lambda words: (len(_rest(words)), known[words].count))
    aliases = tuple(" ".join(words) for words in names)
    kind = _kind(names, group.seen, gender, companies)
    name = " ".join(best) if kind == "person" else aliases[0]
    only_gender = (gender or gender_of(aliases)) if kind == "person" else None
    return Entity(place, name, kind, only_gender, aliases, group.seen.count, group.seen.first, group.seen.length)


def _gender(seen: Seen, names: Iterable[Words]) -> str | None:
    standings = (_standing(words) or _lone_title(words) for words in names)
    stated = Counter("male" if standing == "male" else "female" for standing in standings if standing)
    if stated:
        return stated.most_common(1)[0][0]
    if seen.male >= _GENDERED and seen.male > 2 * seen.female:
        return "male"
    return "female" if seen.female >= _GENDERED and seen.female > 2 * seen.male else None


def _lone_title(words: Words) -> str:
    """What a title says that is all of a name (`the Countess`)."""
    title = words[0].lower() if len(words) == 1 else ""
    return "male" if title in MALE_TITLES else "female" if title in FEMALE_TITLES else ""


def _kind(names: list[Words], seen: Seen, gender: str | None, companies: Set[Words]) -> str:
    speaks = seen.speech * 10 > seen.count
    named = _kind_by_name(names, speaks=speaks)
    if named is not None:
        return named
    personal = (seen.male + seen.female) * 5 > seen.count or seen.speech * 8 > seen.count
    if names[0] in companies and not personal:
        return "organisation"
    if seen.place * 4 > seen.count and not speaks:
        return "place"
    return "person" if personal or gender is not None else "thing"


def _kind_by_name(names: list[Words], *, speaks: bool) -> str | None:
    """The kind that the names themselves tell, the most frequent one first."""
    first = names[0]
    if any(_standing(words) or words[0].lower() in TITLES for words in names[:3]):
        return "person"
    if " ".join(first).lower() in PLACES and not speaks:
        return "place"
    if len(first) > 1 and _given(first[0]) in _GIVEN:
        return "person"
    if _is_organisation(first) or _is_acronym(first):
        return "organisation"
    return "place" if first[-1].lower() in PLACE_WORDS and len(first) > 1 else None


def _is_acronym(words: Words) -> bool:
    """Whether a name is or ends in capitals alone, among other words: not one that is printed in capitals."""
    capitals = [word for word in words if word.isupper() and len(word) > 1]
    return words[-1] in capitals and len(words[-1]) <= _LONGEST_ACRONYM and (len(words) == 1 or len(capitals) == 1)
