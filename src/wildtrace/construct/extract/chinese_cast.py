"""The named entities of a Chinese document: what a survey's candidates add up to, checked against the whole text.

宝玉 joins 贾宝玉 where a surname stands before it often enough; 施公 and 施大人 stay names of their own unless one
person alone bears the surname, since a title with a surname says no more than the family.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Final

from wildtrace.construct.extract.cast import Entity
from wildtrace.construct.extract.survey import Survey
from wildtrace.languages.en.names import Words
from wildtrace.languages.tries import phrase_pattern
from wildtrace.languages.zh.names import FEMALE_TITLES, SURNAMES, is_plausible, title_of
from wildtrace.languages.zh.places import is_place

LEAST_SPEECHES: Final = 2
MANY_SPEECHES: Final = 8
LEAST_TITLED: Final = 3
LEAST_ACTS: Final = 6
LEAST_FRAMES: Final = 2
LEAST_RECURRING: Final = 4
LEAST_FOLLOWED: Final = 4
LEAST_SHARE: Final = 0.5
LEAST_FRAME_SHARE: Final = 0.1
_SURNAME_SHARE: Final = 0.06
_LEAST_FULL: Final = 2
_OUTWEIGHS: Final = 4


def chinese_entities(survey: Survey, text: str) -> tuple[list[Entity], dict[Words, int]]:
    """The named entities of a Chinese document, most mentioned first, and the names that mean them."""
    people, sites = _candidates(survey)
    people |= _recurring(survey, text, people | sites)
    if not people and not sites:
        return [], {}
    counts, firsts, before = _in_text(text, people | sites)
    full_of = _full_names(people, counts, before)
    groups: defaultdict[str, set[str]] = defaultdict(set)
    for name in sorted(people | sites):
        groups[full_of.get(name, name)].update((name, full_of.get(name, name)))
    _join_titles(groups, counts)
    return _entities(groups, sites, counts, firsts)


def _candidates(survey: Survey) -> tuple[set[str], set[str]]:
    kinds = survey.chinese
    speaking, acting = kinds.get("speakers", Counter()), kinds.get("actors", Counter())
    people = {
        name
        for name, count in speaking.items()
        if count >= MANY_SPEECHES
        or (count >= LEAST_SPEECHES and count + acting[name] > LEAST_SPEECHES and is_plausible(name))
        or (name[0] in SURNAMES and count + acting[name] > LEAST_SPEECHES and is_plausible(name))
    }
    people |= {name for name, count in acting.items() if count >= LEAST_ACTS and speaking[name] * 8 >= count}
    people |= {name for name in kinds.get("named", ()) if name[0] in SURNAMES or name in speaking}
    people |= {name for name, count in kinds.get("titled", Counter()).items() if count >= LEAST_TITLED}
    sites = {name for name, count in kinds.get("places", Counter()).items() if is_place(name, count)} - people
    return _whole(people), sites


def _recurring(survey: Survey, text: str, known: set[str]) -> set[str]:
    """Full names that no verb of speech gives away: two characters that mostly stand behind one surname.

    What follows them must vary (`费大小` is always followed by 姐). A given name that acts alone is a name too.
    """
    framed = survey.chinese.get("recurring", Counter())
    pairs, acting = survey.words, survey.chinese.get("actors", Counter())
    possible = [
        name
        for name, count in framed.items()
        if count >= LEAST_FRAMES
        and name not in known
        and title_of(name) is None
        and count >= LEAST_FRAME_SHARE * pairs[name[1:]]
    ]
    if not possible:
        return set()
    counts: Counter[str] = Counter()
    followed: defaultdict[str, set[str]] = defaultdict(set)
    for match in re.finditer(phrase_pattern(possible), text):
        counts[match[0]] += 1
        followed[match[0]].add(text[match.end() : match.end() + 1])
    full = {
        name
        for name, count in counts.items()
        if count >= LEAST_RECURRING and count >= LEAST_SHARE * pairs[name[1:]] and len(followed[name]) >= LEAST_FOLLOWED
    }
    return full | {name[1:] for name in full if acting[name[1:]] and is_plausible(name[1:])}


def _whole(people: set[str]) -> set[str]:
    """Names without those that are another one with a word behind it (`貴興大喜`) or cut short (`譚紹`)."""
    longer = {name for name in people if len(name) > 2 and name[:-1] in people and name[0] not in SURNAMES}
    return {name for name in people - longer if not (len(name) == 4 and (name[:2] in people or name[:3] in people))}


def _in_text(text: str, names: Iterable[str]) -> tuple[Counter[str], dict[str, int], dict[str, Counter[str]]]:
    """How often each name stands in the text, where first, and which characters stand before it."""
    counts: Counter[str] = Counter()
    firsts: dict[str, int] = {}
    before: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for match in re.finditer(phrase_pattern(names), text):
        name = match[0]
        counts[name] += 1
        firsts.setdefault(name, match.start())
        before[name][text[match.start() - 1 : match.start()]] += 1
    return counts, firsts, before


def _full_names(people: set[str], counts: Counter[str], before: Mapping[str, Counter[str]]) -> dict[str, str]:
    """For a given name the name with its surname: a known one that ends in it, else a surname often before it."""
    by_end: defaultdict[str, list[str]] = defaultdict(list)
    for name in sorted(people):
        if len(name) == 3 and name[0] in SURNAMES and title_of(name) is None:
            by_end[name[1:]].append(name)
    full: dict[str, str] = {}
    for name in sorted(people):
        if len(name) != 2 or title_of(name) is not None:
            continue
        known = by_end.get(name, [])
        known = sorted(known, key=lambda candidate: -counts[candidate])
        if known and (len(known) == 1 or counts[known[0]] > _OUTWEIGHS * counts[known[1]]):
            full[name] = known[0]
        elif not known and name[0] not in SURNAMES:
            surname, times = max(
                ((mark, times) for mark, times in before.get(name, Counter()).items() if mark in SURNAMES),
                key=lambda pair: pair[1],
                default=("", 0),
            )
            if times >= _LEAST_FULL and times >= _SURNAME_SHARE * counts[name]:
                full[name] = surname + name
                counts[surname + name] += 0
    return full


def _join_titles(groups: defaultdict[str, set[str]], counts: Counter[str]) -> None:
    """Join 施公, 施大人 and 施老爷 to each other where they are titles of one rank and sex under one surname."""
    ranked: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for name in list(groups):
        title = title_of(name)
        if title in ("公", "大人", "老爷", "老爺", "爷", "爺", "大老爷", "大老爺"):
            ranked[name[0], "lord"].append(name)
    for names in ranked.values():
        names.sort(key=lambda name: -counts[name])
        for name in names[1:]:
            groups[names[0]] |= groups.pop(name)


def _entities(
    groups: Mapping[str, set[str]], sites: set[str], counts: Counter[str], firsts: Mapping[str, int]
) -> tuple[list[Entity], dict[Words, int]]:
    sized = sorted(
        ((sum(counts[name] for name in names), full, names) for full, names in groups.items()),
        key=lambda group: (-group[0], group[1]),
    )
    entities: list[Entity] = []
    by_words: dict[Words, int] = {}
    for count, full, names in sized:
        present = [name for name in names if name in firsts]
        if count < 2 or not present:
            continue
        first = min(present, key=lambda name: firsts[name])
        aliases = tuple(sorted(present, key=lambda name: (-counts[name], name)))
        kind = "place" if full in sites else "person"
        gender = "female" if title_of(full) in FEMALE_TITLES else None
        by_words.update({(name,): len(entities) for name in (*present, full)})
        entities.append(Entity(len(entities), full, kind, gender, aliases, count, firsts[first], len(first)))
    return entities, by_words
