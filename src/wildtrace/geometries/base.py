"""What a geometry is: a definition for people and prompts, conditions that code checks, and what hangs on its kind.

A geometry is one file with one class and one line in `GEOMETRIES`; nothing else knows one by name.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

BEARING = frozenset({"stated", "follows"})
"""The verdicts on which a trail may rest."""


@dataclass(frozen=True, slots=True)
class Layout:
    """A proposed trail as its geometry looks at it: facts by id with place, side and status, and typed edges.

    `start` is where each clue stands in the text, `side` the case or branch it belongs to, `edges` are
    (from, to, type).
    """

    start: Mapping[str, int]
    side: Mapping[str, str]
    status: Mapping[str, str]
    edges: tuple[tuple[str, str, str], ...]

    def of_type(self, types: Collection[str]) -> list[tuple[str, str]]:
        """The edges of these types, as (from, to)."""
        return [(one, other) for one, other, kind in self.edges if kind in types]

    def is_joined(self, types: Collection[str]) -> bool:
        """Whether edges of these types join all clues with each other, whichever way they run."""
        near: defaultdict[str, set[str]] = defaultdict(set)
        for one, other in self.of_type(types):
            near[one].add(other)
            near[other].add(one)
        return _reached(next(iter(self.start)), near) == set(self.start)

    def reached_from(self, fact: str, types: Collection[str]) -> set[str]:
        """The clues to which edges of these types lead from one, itself left out."""
        return _reached(fact, self._out(types)) - {fact}

    def has_cycle(self, types: Collection[str]) -> bool:
        """Whether edges of these types lead from a clue back to it."""
        out = self._out(types)
        return any(fact in _reached(other, out) for fact in self.start for other in out.get(fact, ()))

    def longest_path(self, types: Collection[str]) -> int:
        """The number of clues on the longest path of such edges, which must have no cycle."""
        out = self._out(types)
        longest: dict[str, int] = {}

        def clues_from(fact: str) -> int:
            if fact not in longest:
                longest[fact] = 1 + max((clues_from(other) for other in out.get(fact, ())), default=0)
            return longest[fact]

        return max(clues_from(fact) for fact in self.start)

    def _out(self, types: Collection[str]) -> dict[str, list[str]]:
        out: defaultdict[str, list[str]] = defaultdict(list)
        for one, other in self.of_type(types):
            out[one].append(other)
        return out


def _reached(fact: str, near: Mapping[str, Collection[str]]) -> set[str]:
    seen, open_ = {fact}, [fact]
    while open_:
        for other in near.get(open_.pop(), ()):
            if other not in seen:
                seen.add(other)
                open_.append(other)
    return seen


class Geometry(Protocol):
    """One evidence geometry."""

    @property
    def name(self) -> str:
        """Its name, as in an item."""
        ...

    @property
    def synonyms(self) -> tuple[str, ...]:
        """Other words that are read as its name."""
        ...

    @property
    def meaning(self) -> str:
        """What it is, in a few words, for tables and tooltips."""
        ...

    @property
    def definition(self) -> str:
        """What it is, in a sentence or two; the prompts show it."""
        ...

    @property
    def conditions(self) -> str:
        """What must hold for each of its trails; the prompts show it."""
        ...

    @property
    def seeds(self) -> tuple[str, ...]:
        """The kinds of seed that often lead to it."""
        ...

    @property
    def hides(self) -> str:
        """What the writer of an item must not give away."""
        ...

    @property
    def bearing(self) -> frozenset[str]:
        """The verdicts of edges on which such a trail may rest."""
        ...

    def faults(self, layout: Layout) -> Iterator[str]:
        """Why a proposed trail is none of this geometry, each in one sentence; nothing where it is one."""
        ...
