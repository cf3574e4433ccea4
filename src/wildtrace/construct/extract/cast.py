"""The entities of a whole document, and which runs of words mean which: what a survey adds up to.

The English rules, in the order applied: a full name is one person under each of its nicknames; a title keeps Mr., Mrs.
and Miss of one family apart; a title with a surname joins the one full name that it can mean; a single name joins the
one person whose first name or surname it is, or whom it outweighs all others with; an abbreviation joins the words
whose initials it is. What could mean two stays an entity of its own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import dataclass, field
from typing import Final

from wildtrace.construct.extract.cast_kinds import (
    are_titles,
    gender_by_name,
    given_of,
    is_organisation,
    is_personal,
    is_place_like,
    is_ship,
    kind_of,
    ranks_apart,
    rest_of,
    speaks,
    standing_of,
    titles_of,
    told_gender,
)
from wildtrace.construct.extract.survey import Seen, Survey
from wildtrace.languages.en.given_names import gender_of
from wildtrace.languages.en.names import LEANING_TITLES, NEUTRAL_TITLES, PLACE_WORDS, TITLES, Words
from wildtrace.languages.en.places import PLACES

LEAST_MENTIONS: Final = 2
_OUTWEIGHS: Final = 4
_LONE_TITLE: Final = 3
_TITLED_WORDS: Final = 3


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
    longer = [words for words in known if len(words) > 1 and is_organisation(words)]
    return frozenset(words[:length] for words in longer if "of" not in words for length in range(1, len(words)))


def _is_name(words: Words, seen: Seen, lower: Mapping[str, int]) -> bool:
    """Whether a run names something: it stands inside sentences, and not mostly in small letters elsewhere."""
    if len(words) > 1:
        return (seen.inside > 0 or seen.count > 1) and not _leans(words)
    if words[0].lower() in TITLES:
        return seen.inside > _LONE_TITLE and words[0].lower() not in LEANING_TITLES
    if not seen.inside and not (seen.speech and seen.count > 1):
        return False
    return lower.get(words[0].lower(), 0) < seen.inside * 0.5


def _leans(words: Words) -> bool:
    """Whether these are titles alone that want a name behind them (`Rev. Dr.`)."""
    return are_titles(words) and words[-1].lower() in LEANING_TITLES


def _clustered(known: Mapping[Words, Seen]) -> list[_Group]:
    groups = {words: _Group([words], seen) for words, seen in known.items()}
    owner = {words: words for words in known}

    def merge(words: Words, into: Words) -> None:
        one, other = owner[words], owner[into]
        if one != other:
            groups[other].join(groups.pop(one))
            owner.update(dict.fromkeys(groups[other].names, other))

    full = [words for words in known if len(rest_of(words)) >= 2]
    _merge_full_names(full, known, merge)
    _merge_ships(known, merge)
    _merge_titled(known, owner, groups, merge)
    _merge_single(known, owner, groups, merge)
    _merge_initials(known, merge)
    return list(groups.values())


def _merge_full_names(full: Iterable[Words], known: Mapping[Words, Seen], merge: _Merge) -> None:
    """Join full names that differ in a nickname, a middle name or a title that does not contradict."""
    alike: defaultdict[tuple[str, str], list[Words]] = defaultdict(list)
    for words in full:
        rest = rest_of(words)
        alike[given_of(rest[0]), rest[-1]].append(words)
    for namesakes in alike.values():
        namesakes.sort(key=lambda words: -known[words].count)
        standings = {standing_of(words) for words in namesakes} - {""}
        joined = namesakes[:1]
        for words in namesakes[1:]:
            alike_titled = len(standings) <= 1 or standing_of(words) in ("", standing_of(joined[0]))
            if (
                alike_titled
                and not ranks_apart(words, joined)
                and not (_of_a_husband(words) ^ _of_a_husband(joined[0]))
            ):
                merge(words, joined[0])
                joined.append(words)


def _merge_titled(
    known: Mapping[Words, Seen], owner: dict[Words, Words], groups: dict[Words, _Group], merge: _Merge
) -> None:
    """Join a title with a surname to the one full name that it can mean; unlike titles of one gender to each other."""
    by_surname: defaultdict[str, list[Words]] = defaultdict(list)
    for words in known:
        if len(rest_of(words)) >= 2:
            by_surname[rest_of(words)[-1]].append(words)
    _merge_stacked(known, merge)
    for words in known:
        rest = rest_of(words)
        if len(rest) != 1 or not titles_of(words):
            continue
        owners = {owner[full] for full in by_surname.get(rest[0], ())}
        possible = [full for full in owners if _agrees(words, groups[full], known)]
        married = standing_of(words) == "married" and ("Miss", rest[0]) in known
        if len(possible) == 1 and not married and not _is_another(words, groups[possible[0]]):
            merge(words, possible[0])


def _is_another(words: Words, group: _Group) -> bool:
    """Whether a title contradicts a group's titles or given name, though nobody else is called so."""
    standing = standing_of(words)
    told = gender_by_name(name for name in group.names if not _of_a_husband(name)) if standing else None
    return ranks_apart(words, group.names) or (
        told is not None and told != ("male" if standing == "male" else "female")
    )


def _of_a_husband(words: Words) -> bool:
    """Whether a woman is called by a man's name (`Mrs. Harry Collett`)."""
    return standing_of(words) == "married" and gender_by_name([words]) == "male"


def _merge_stacked(known: Mapping[Words, Seen], merge: _Merge) -> None:
    """Join a surname with several titles to itself with the last of them alone (`Hon. Mr. X`, `Mr. X`)."""
    for words in known:
        if len(titles_of(words)) > 1 and len(rest_of(words)) == 1 and words[-2:] in known:
            merge(words, words[-2:])


def _merge_ships(known: Mapping[Words, Seen], merge: _Merge) -> None:
    """Join a ship's name to what it is called with the prefix, where it is no place's or person's."""
    for words in known:
        name = words[1:]
        if is_ship(words) and name in known and not speaks(known[name]) and not is_place_like(name, known[name]):
            merge(name, words)


def _agrees(words: Words, group: _Group, known: Mapping[Words, Seen]) -> bool:
    standing = standing_of(words)
    others = {standing_of(name) for name in group.names} - {""}
    if standing and others:
        return standing in others
    gender = told_gender(group.seen, group.names)
    wanted = "male" if standing == "male" else "female" if standing else None
    if wanted is None:
        wanted = told_gender(known[words], [words])
    return gender is None or wanted is None or gender == wanted


def _merge_single(
    known: Mapping[Words, Seen], owner: dict[Words, Words], groups: dict[Words, _Group], merge: _Merge
) -> None:
    """Join a single name to the one person whose first name or surname it is, or who outweighs the others so called."""
    first_names: defaultdict[str, set[Words]] = defaultdict(set)
    surnames: defaultdict[str, set[Words]] = defaultdict(set)
    for words in known:
        rest = rest_of(words)
        if len(rest) >= 2:
            first_names[rest[0]].add(owner[words])
        if len(rest) >= 2 or titles_of(words):
            surnames[rest[-1]].add(owner[words])
    for words in known:
        if len(words) != 1 or words[0].lower() in TITLES:
            continue
        owners = {owner[name] for name in first_names.get(words[0], set()) | surnames.get(words[0], set())}
        chosen = _dominant([name for name in owners if name in groups], groups)
        if chosen is None or not _agrees(words, groups[chosen], known):
            continue
        if not is_place_like(words, known[words]) or _bears_a_place(words, groups[chosen]):
            merge(words, chosen)


def _bears_a_place(words: Words, group: _Group) -> bool:
    """Whether a name that stands as a place is the group's all the same: a person's, or a hotel's."""
    if is_personal(group.names, group.seen):
        return True
    known_place = words[0].lower() in PLACES
    return not known_place and any(name[-1].lower() in PLACE_WORDS for name in group.names)


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
    gender = told_gender(group.seen, names)
    best = max(names[:4], key=lambda words: (len(rest_of(words)), known[words].count))
    aliases = tuple(" ".join(words) for words in names)
    kind = kind_of(names, group.seen, gender, companies)
    name = " ".join(best) if kind == "person" else aliases[0]
    only_gender = (gender or gender_of(aliases)) if kind == "person" else None
    return Entity(place, name, kind, only_gender, aliases, group.seen.count, group.seen.first, group.seen.length)
