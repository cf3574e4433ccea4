"""Intersection: scattered conditions that one entity alone satisfies together."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, product
from typing import Final

from wildtrace.construct.geometries.base import NEAR, Found, Part, View, far, spoken_of
from wildtrace.types import Edge

_FEWEST, _MOST = 3, 400
_CONDITIONS: Final = 3
_CHOICES: Final = 10
_LOOKED_AT: Final = 160
_SHOWN: Final = 3
_Condition = tuple[str, Sequence[str]]
"""A thing, and the events that show that an entity shares it."""


class Intersection:
    """Entities that share each of three things with others, and all three with nobody."""

    name = "intersection"
    definition = "Conditions from several places that exactly one entity satisfies together."
    constraints = (
        "at least three conditions, each at a place of its own",
        "each condition alone holds for another entity as well, and none is named like another",
        "checked against every other entity, things too, by all that records tell: no other satisfies all of them",
    )
    missing = "no name shares three things with others that no other name shares all of"

    def find(self, view: View) -> Iterator[Found]:
        """Persons first, then other named entities, the more often mentioned the earlier."""
        holders = _Holders(view)
        named = [at for at in view.named if _FEWEST <= len(view.events_of.get(at, ())) <= _MOST]
        ranked = sorted(named, key=lambda at: (at not in view.persons, -len(view.events_of[at]), at))
        for entity in ranked[:_LOOKED_AT]:
            found = self._about(view, entity, holders)
            if found is not None:
                yield found

    def _about(self, view: View, entity: str, holders: _Holders) -> Found | None:
        """The first three conditions that no other entity satisfies, shown at three places."""
        for chosen in _unique(_conditions(view, entity, holders), holders):
            things = [thing for thing, _ in chosen]
            if not _differ([view.name(at) for at in (entity, *things)]) or not holders.alone(entity, things):
                continue
            for events in product(*(shown for _, shown in chosen)):
                if _scattered(view, events):
                    pairs = [(thing, event) for (thing, _), event in zip(chosen, events, strict=True)]
                    return self._found(view, entity, pairs, holders)
        return None

    def _found(self, view: View, entity: str, chosen: Sequence[tuple[str, str]], holders: _Holders) -> Found:
        ordered = sorted(chosen, key=lambda pair: view.place_of[pair[1]])
        parts = tuple(Part(view.by_id[event], f"condition: {view.name(thing)}") for thing, event in ordered)
        edges: list[Edge] = []
        for thing, event in ordered:
            edges += [view.touches[event][entity], view.touches[event][thing]]
        why = {
            "entity": view.name(entity),
            "conditions": {view.name(thing): holders.named[thing] for thing, _ in ordered},
            "satisfying all": 1,
        }
        return Found(parts, tuple(dict.fromkeys(edges)), (entity,), why)


class _Holders(dict[str, frozenset[str]]):
    """For each entity all the others, things too, that some event touches together with it, as asked for.

    `named` is how many of them have a name, exact where they are few; `few` are the entities for which they are, the
    rarest first, each with its rank: these may be conditions.
    """

    def __init__(self, view: View) -> None:
        super().__init__()
        self._view = view
        self._shown: dict[str, list[str]] = {}
        self._told: Mapping[str, set[str]] | None = None
        together: defaultdict[str, set[str]] = defaultdict(set)
        for touched in view.touches.values():
            names = view.named.intersection(touched)
            if names:
                for thing in touched:
                    others = together[thing]
                    if len(others) <= _COMMON + 1:  # what more share is no condition
                        others |= names
        self.named = {thing: len(names) - (thing in names) for thing, names in together.items()}
        few = [thing for thing, count in self.named.items() if 1 < count <= _COMMON]
        few.sort(key=lambda thing: (-view.rarity[thing], thing))
        self.few = {thing: place for place, thing in enumerate(few)}

    def __missing__(self, thing: str) -> frozenset[str]:
        held = map(self._view.touches.__getitem__, self._view.events_of.get(thing, ()))
        self[thing] = found = frozenset[str]().union(*held) - {thing}
        return found

    def alone(self, entity: str, things: Sequence[str]) -> bool:
        """Whether no other shares all of these things, also by events whose records tell more than edges are kept."""
        if self._told is None:
            self._told = _told_beyond_edges(self._view)
        all_of = [self[thing] | self._told.get(thing, frozenset()) for thing in things]
        return frozenset.intersection(*all_of).difference(things) == {entity}

    def shown(self, event: str) -> list[str]:
        """The possible conditions that an event surely touches."""
        if event not in self._shown:
            touched = self._view.touches[event]
            self._shown[event] = [
                thing for thing in touched if thing in self.few and touched[thing].confidence >= _SURE
            ]
        return self._shown[event]


def _told_beyond_edges(view: View) -> Mapping[str, set[str]]:
    """For each entity all that an event tells of together with it, from the events that tell more than edges join."""
    together: defaultdict[str, set[str]] = defaultdict(set)
    for event in view.events:
        told = spoken_of(event.fields)
        if not view.touches.get(event.id, {}).keys() >= set(told):
            for entity in told:
                together[entity].update(told)
    return together


def _unique(conditions: Sequence[_Condition], holders: _Holders) -> Iterator[tuple[_Condition, ...]]:
    """The threes of an entity's conditions that it alone satisfies."""
    for place, other in enumerate(conditions):
        for earlier in range(1, place):
            one = conditions[earlier]
            both = holders[one[0]] & holders[other[0]]
            for last in conditions[:earlier]:
                if len(both) == 1 or len(both & holders[last[0]]) == 1:
                    yield last, one, other


def _conditions(view: View, entity: str, holders: _Holders) -> list[_Condition]:
    """Things that an entity shares with a few others, rarest first, each with the events that show it and tell most."""
    shown: defaultdict[str, list[str]] = defaultdict(list)
    telling, place_of = view.telling, view.place_of
    for event in sorted(view.events_of[entity], key=lambda event: -telling[place_of[event]]):
        for thing in holders.shown(event):
            events = shown[thing]
            if len(events) < _SHOWN:
                events.append(event)
    shown.pop(entity, None)
    ranked = sorted(shown, key=holders.few.__getitem__)
    if len(ranked) > _CHOICES:
        step = len(ranked) / _CHOICES
        ranked = [ranked[int(at * step)] for at in range(_CHOICES)]
    return [(thing, shown[thing]) for thing in ranked]


_SURE: Final = 0.7
_COMMON: Final = 40


def _differ(names: Sequence[str]) -> bool:
    """Whether no name is part of another: `Fry` and `Admiral Fry` may be one."""
    return not any(one in other or other in one for one, other in combinations(map(str.lower, names), 2))


def _scattered(view: View, events: Sequence[str]) -> bool:
    """Whether events stand at places of their own, two of them far apart."""
    apart = [view.apart(one, other) for one, other in combinations(events, 2)]
    return min(apart) >= NEAR and max(apart) >= far(view)
