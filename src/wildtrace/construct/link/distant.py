"""Edges between events far apart: an explanation and what puzzled, a branch and what happened, two parallel cases.

Each is proposed only where the two events share two entities or things at least, one of them told seldom but at length,
and only to the few with which they share the rarest; `LEAST_SHARED` is in units of the rarity of what a single event
touches. They are candidates of low confidence beside what cues and names state; a verifier may take them out.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from wildtrace.construct.link.board import MOST_RANKED, WIDEST, Among, Board, edge, nearest_in_meaning
from wildtrace.construct.link.scenes import WIDEST_SHARE
from wildtrace.types import Edge

NEAR: Final = 6
MOST_EACH: Final = 2
LEAST_SHARED: Final = 0.8
_SELDOM_LEAST: Final = 12
_SELDOM_SHARE: Final = 0.05
_ROUNDING: Final = 1e-6
_OBSERVED: Final = frozenset({"puzzles", "contrasts"})
_UNREAL: Final = frozenset({"counterfactual", "conditional"})
_TELLING: Final = frozenset({"causes", "explains", "contrasts", "counterfactual", "puzzles", "enables"})


def far_apart(board: Board) -> Iterator[Edge]:
    """Outcomes, explanations, branches and parallels, in this order."""
    told = Told.by(board)
    for rule in (_outcomes, _explanations, _branches, _parallels):
        yield from rule(board, told)


def _outcomes(board: Board, told: Told) -> Iterator[Edge]:
    """Between events that two causes far apart are said to bring about, where they tell of the same."""
    effects: set[int] = set()
    for record in board.of_kind("relation"):
        if record.fields["type"] in ("causes", "enables") and record.fields.get("second") in board.place_of:
            effects.add(board.place_of[record.fields["second"]])
    among = Among(board, effects)
    for place in sorted(effects):
        for score, other in _best(told, place, among, told.far):
            if place < other:
                yield _edge(board, place, other, "same_entity", "rule:outcomes", _confidence(score))


def _explanations(board: Board, told: Told) -> Iterator[Edge]:
    """From an event that explains to what puzzles, or runs against what was expected, and shares most with it.

    One near, two far off; what brings its own explanation asks for no other.
    """
    stated = enumerate(told.marks)
    puzzles = Among(board, [at for at, m in stated if m and "explains" not in m and not _OBSERVED.isdisjoint(m)])
    for place in told.marked("explains"):
        near, far = _bests(told, place, puzzles, (NEAR, told.far))
        for score, other in dict.fromkeys([*near[:1], *far]):
            yield _edge(board, place, other, "explains", "rule:explanations", _confidence(score))


def _branches(board: Board, told: Told) -> Iterator[Edge]:
    """From an event told as unreal to the nearest real event of the same persons, and to far ones it is most like."""
    real = Among(board, [at for at, marks in enumerate(told.marks) if not marks or _UNREAL.isdisjoint(marks)])
    for place in told.marked("counterfactual"):
        for other in _beside(told, place):
            yield _edge(board, place, other, "alternative_of", "rule:branches", 0.6)
        for score, other in _best(told, place, real, told.far):
            yield _edge(board, place, other, "alternative_of", "rule:branches", _confidence(score))


def _parallels(board: Board, told: Told) -> Iterator[Edge]:
    """Between events that tell a cause, a doubt or a contrast of the same things with other names, far apart."""
    telling = [at for at, marks in enumerate(told.marks) if marks and not _TELLING.isdisjoint(marks)]
    among = Among(board, telling)
    seen: set[tuple[int, int]] = set()
    for place in telling:
        named = board.named.intersection(board.touches[place])
        if not named:
            continue
        for score, other in _best(told, place, among, told.far):
            pair = (min(place, other), max(place, other))
            others = board.named.intersection(board.touches[other])
            if pair in seen or not others or not named.isdisjoint(others):
                continue
            seen.add(pair)
            yield _edge(board, *pair, "compares_with", "rule:parallels", _confidence(score))


def _edge(board: Board, place: int, other: int, kind: str, rule: str, confidence: float) -> Edge:
    head, tail = board.events[place].id, board.events[other].id
    return edge(board.source, head, tail, kind, _basis(board, place, other), rule, confidence)


@dataclass(frozen=True, slots=True)
class Told:
    """How often and how a document tells of things: `usual` are those that not too many of its events speak of.

    `telling` are those told seldom, but at length; `far` is how many events lie between two that stand far apart, and
    `least` how rare must be what two of them share. `marks` are what the cues of each event state.
    """

    board: Board
    marks: Sequence[Sequence[str]]
    usual: frozenset[str]
    telling: frozenset[str]
    far: int
    least: float

    @classmethod
    def by(cls, board: Board) -> Told:
        """A document's own measures."""
        events = len(board.events)
        seldom = max(_SELDOM_LEAST, _SELDOM_SHARE * events)
        counts = {entity: len(places) for entity, places in board.events_of.items()}
        usual = frozenset(entity for entity, count in counts.items() if count <= WIDEST_SHARE * events)
        telling = frozenset(entity for entity in usual & board.at_length if counts[entity] <= seldom)
        marks = [event.fields.get("marks", ()) for event in board.events]
        return cls(board, marks, usual, telling, max(2 * NEAR, events // 50), LEAST_SHARED * math.log(events + 1))

    def marked(self, mark: str) -> Iterator[int]:
        """The places of the events with a mark."""
        return (place for place, marks in enumerate(self.marks) if mark in marks)


def _best(told: Told, place: int, among: Among, gap: int) -> list[tuple[float, int]]:
    return _bests(told, place, among, (gap,))[0]


def _bests(told: Told, place: int, among: Among, gaps: Sequence[int]) -> list[list[tuple[float, int]]]:
    """For each of the widening gaps the far events that share most with one.

    Two things at least, one of them told seldom, but at length where it is: so no two leading persons and no two
    everyday words join events.
    """
    board = told.board
    mine = told.usual.intersection(board.touches[place])
    telling = told.telling & mine
    if not telling:
        return [[] for _ in gaps]
    more = sum(board.weight[entity] for entity in mine if len(among[entity]) > WIDEST) + _ROUNDING
    ranked = nearest_in_meaning(board, place, among, gaps[0])
    found = [_most_alike(told, mine, telling, ranked, more)]
    for gap in gaps[1:]:
        if len(ranked) < MOST_RANKED:  # all there are: what is farther is among them
            ranked = [(rarity, other) for rarity, other in ranked if not -gap < other - place < gap]
        else:
            ranked = nearest_in_meaning(board, place, among, gap)
        found.append(_most_alike(told, mine, telling, ranked, more))
    return found


def _most_alike(
    told: Told, mine: frozenset[str], telling: frozenset[str], ranked: Sequence[tuple[float, int]], more: float
) -> list[tuple[float, int]]:
    """The best of ranked events; `more` is how rare all is that the ranks leave out."""
    touches, weight, least = told.board.touches, told.board.weight, told.least
    found: list[tuple[float, int]] = []
    for rarity, other in ranked:
        if rarity + more < (found[-1][0] if len(found) == MOST_EACH else least):
            break
        if telling.isdisjoint(touches[other]):
            continue
        shared = mine.intersection(touches[other])
        if len(shared) < 2:
            continue
        whole = math.fsum(map(weight.__getitem__, shared))
        if whole < least or (len(found) == MOST_EACH and whole < found[-1][0]):
            continue
        distinct = _distinct(told.board, shared)
        score = math.fsum(map(weight.__getitem__, distinct))
        if len(distinct) > 1 and score >= least:
            found = sorted([*found, (score, other)], reverse=True)[:MOST_EACH]
    return found


def _distinct(board: Board, entities: Iterable[str]) -> list[str]:
    """Entities rarest first, without those whose name shares a word, or an ideograph, with a rarer one's."""
    told: set[str] = set()
    distinct: list[str] = []
    for _, entity in sorted([(-board.weight[entity], entity) for entity in entities]):
        words = _words(board.names[entity][1])
        if told.isdisjoint(words):
            distinct.append(entity)
        told |= words
    return distinct


@lru_cache(maxsize=1 << 14)
def _words(name: str) -> frozenset[str]:
    return frozenset(name.lower().split() if name.isascii() else name)


def _beside(told: Told, place: int) -> Iterator[int]:
    """The nearest event before, else behind, that is real and shares an entity."""
    board = told.board
    touched = set(board.touches[place])
    for other in (*range(place - 1, place - NEAR, -1), *range(place + 1, place + NEAR)):
        if not 0 <= other < len(board.events):
            continue
        if "counterfactual" not in told.marks[other] and not touched.isdisjoint(board.touches[other]):
            yield other
            return


def _basis(board: Board, place: int, other: int) -> str:
    shared = [entity for entity in board.touches[place] if entity in board.touches[other]]
    return "both speak of " + ", ".join([board.names[entity][1] for entity in shared])


def _confidence(score: float) -> float:
    return round(min(0.6, 0.25 + score / 60), 3)
