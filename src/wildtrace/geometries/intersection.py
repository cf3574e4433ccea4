"""Intersection: scattered conditions that one entity alone satisfies together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final

from wildtrace.geometries.base import NEAR, Found, Part, View, far
from wildtrace.types import Edge

_FEWEST, _MOST = 3, 400
_CONDITIONS: Final = 3
_CHOICES: Final = 10
_LOOKED_AT: Final = 160


class Intersection:
    """Entities that share each of three things with others, and all three with nobody."""

    name = "intersection"
    definition = "Conditions from several places that exactly one entity satisfies together."
    constraints = (
        "at least three conditions, each at a place of its own",
        "each condition alone holds for another entity as well",
        "checked against every other entity: no other satisfies all of them",
    )
    missing = "no name shares three things with others that no other name shares all of"

    def find(self, view: View) -> Iterator[Found]:
        """Persons first, then other named entities, the more often mentioned the earlier."""
        holders = _Holders(view)
        named = [record.id for record in view.graph.records if _is_named(record.provenance, record.kind)]
        named = [entity for entity in named if _FEWEST <= len(view.events_of.get(entity, ())) <= _MOST]
        ranked = sorted(named, key=lambda at: (at not in view.persons, -len(view.events_of[at]), at))
        for entity in ranked[:_LOOKED_AT]:
            found = self._about(view, entity, holders)
            if found is not None:
                yield found

    def _about(self, view: View, entity: str, holders: _Holders) -> Found | None:
        """The first three conditions that no other entity satisfies, at three places if there are such, else at two."""
        conditions = _conditions(view, entity, holders)
        second: Sequence[tuple[str, str]] = ()
        for chosen in combinations(conditions, _CONDITIONS):
            satisfying = frozenset.intersection(*(holders[thing] for thing, _ in chosen))
            events = [event for _, event in chosen]
            if satisfying != {entity} or not _scattered(view, events):
                continue
            if all(view.apart(one, other) >= NEAR for one, other in combinations(events, 2)):
                return self._found(view, entity, chosen, holders)
            second = second or chosen
        return self._found(view, entity, second, holders) if second else None

    def _found(self, view: View, entity: str, chosen: Sequence[tuple[str, str]], holders: _Holders) -> Found:
        ordered = sorted(chosen, key=lambda pair: view.place_of[pair[1]])
        parts = tuple(Part(view.by_id[event], f"condition: {view.name(thing)}") for thing, event in ordered)
        edges: list[Edge] = []
        for thing, event in ordered:
            edges += [view.touches[event][entity], view.touches[event][thing]]
        why = {
            "entity": view.name(entity),
            "conditions": {view.name(thing): len(holders[thing]) for thing, _ in ordered},
            "satisfying all": 1,
        }
        return Found(parts, tuple(dict.fromkeys(edges)), (entity,), why)


def _is_named(provenance: str, kind: str) -> bool:
    return kind == "entity" and provenance != "rule:things"


class _Holders(dict[str, frozenset[str]]):
    """For each entity the named entities that some event touches together with it, as asked for."""

    def __init__(self, view: View) -> None:
        super().__init__()
        self._events_of = view.events_of
        named = {record.id for record in view.graph.records if _is_named(record.provenance, record.kind)}
        self._named = {event: named.intersection(entities) for event, entities in view.touches.items()}

    def __missing__(self, thing: str) -> frozenset[str]:
        together = frozenset[str]().union(*map(self._named.__getitem__, self._events_of.get(thing, ())))
        self[thing] = found = together - {thing}
        return found


def _conditions(view: View, entity: str, holders: _Holders) -> list[tuple[str, str]]:
    """Things that an entity shares with a few others, each with the event that shows it and tells most; the rarest."""
    shown: dict[str, str] = {}
    telling, place_of = view.telling, view.place_of
    known = {entity}
    for event in sorted(view.events_of[entity], key=lambda event: -telling[place_of[event]]):
        for thing, edge in view.touches[event].items():
            if thing not in known and edge.confidence >= _SURE:
                known.add(thing)
                if 1 < len(holders[thing]) <= _COMMON:
                    shown[thing] = event
    ranked = sorted(shown, key=lambda thing: (-view.rarity[thing], thing))
    if len(ranked) > _CHOICES:
        step = len(ranked) / _CHOICES
        ranked = [ranked[int(at * step)] for at in range(_CHOICES)]
    return [(thing, shown[thing]) for thing in ranked]


_SURE: Final = 0.7
_COMMON: Final = 40


def _scattered(view: View, events: Sequence[str]) -> bool:
    if len(set(events)) < len(events):
        return False
    return max(view.apart(one, other) for one, other in combinations(events, 2)) >= far(view)
