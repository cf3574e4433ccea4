"""Drawing the studies' samples: balanced margins by integer flow, even strata by filling the emptiest first.

Everything is drawn from a seed and from candidates in a fixed order, so that the same scores give the same study.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from wildtrace.errors import DataError

BINS = ("low", "middle", "high")
_EDGES = (1 / 3, 2 / 3)
LEAST_PER_GEOMETRY = 7

Key = Hashable


@dataclass(frozen=True, slots=True)
class Candidate:
    """An answer that may be drawn: who gave it to which item, its panel score and its strata."""

    model: str
    question_id: str
    score: float
    family: str
    geometry: str

    @property
    def bin(self) -> str:
        """The score bin: [0, 1/3), [1/3, 2/3), [2/3, 1]."""
        return BINS[sum(self.score >= edge - 1e-12 for edge in _EDGES)]


def draw_balanced(candidates: Sequence[Candidate], size: int, seed: int) -> list[Candidate]:
    """Answers in equal shares by score bin and by family, spread over geometries (paper, Table 10).

    Geometries get as equal shares as the other margins allow, at least 7 each where `size` allows it. DataError says
    which stratum is too small.
    """
    families = sorted({candidate.family for candidate in candidates})
    geometries = sorted({candidate.geometry for candidate in candidates})
    supply: Counter[Key] = Counter((c.bin, c.family) for c in candidates)
    bins, shares = _even(BINS, size), _even(families, size)
    cells = _flow(bins, shares, supply)
    if cells is None:
        raise DataError(_shortage(bins, shares, candidates, size))
    fine: Counter[Key] = Counter(((c.bin, c.family), c.geometry) for c in candidates)
    least = min(LEAST_PER_GEOMETRY, size // max(1, len(geometries)))
    counts = _spread_geometries(cells, geometries, fine, size, least)
    if counts is None:
        raise DataError(
            f"the answers do not hold {least} of every geometry within {size} balanced by bin and family; "
            "choose a smaller --size, or add scores files"
        )
    return _pick(candidates, counts, lambda c: ((c.bin, c.family), c.geometry), seed)


def draw_even(candidates: Sequence[Candidate], size: int, seed: int) -> list[Candidate]:
    """Answers spread evenly over geometry and score bin (paper, Table 11); DataError when there are too few."""
    if len(candidates) < size:
        raise DataError(f"only {len(candidates)} answers are fully judged, {size} are wanted; choose a smaller --size")
    supply = Counter((c.geometry, c.bin) for c in candidates)
    counts: Counter[Key] = Counter()
    for _ in range(size):
        open_strata = [key for key in sorted(supply) if counts[key] < supply[key]]
        counts[min(open_strata, key=lambda key: (counts[key], key))] += 1
    return _pick(candidates, counts, lambda c: (c.geometry, c.bin), seed)


def draw_items(geometry_of: Mapping[str, str], per_geometry: int, seed: int) -> list[str]:
    """Question ids, `per_geometry` of each geometry, in random order (paper, Table 5). DataError names a short one."""
    groups: dict[str, list[str]] = defaultdict(list)
    for question_id in sorted(geometry_of):
        if geometry_of[question_id]:
            groups[geometry_of[question_id]].append(question_id)
    rng = random.Random(seed)
    drawn: list[str] = []
    for geometry, ids in sorted(groups.items()):
        if len(ids) < per_geometry:
            raise DataError(
                f"geometry {geometry} has {len(ids)} items, {per_geometry} are wanted; choose a smaller --size"
            )
        drawn += rng.sample(ids, per_geometry)
    rng.shuffle(drawn)
    return drawn


def _even(names: Sequence[str], size: int) -> dict[Key, int]:
    share, rest = divmod(size, max(1, len(names)))
    return {name: share + (at < rest) for at, name in enumerate(names)}


def _flow(left: Mapping[Key, int], right: Mapping[Key, int], supply: Mapping[Key, int]) -> Counter[Key] | None:
    """How many to take of each (left, right) pair so that all of `left` is used and `right` not exceeded; or None.

    Units are added one by one where most is still wanted, rerouting earlier ones along residual paths (Ford and
    Fulkerson 1956); the numbers are those of a sample, so this takes no time.
    """
    taken: Counter[Key] = Counter()
    used_left: Counter[Key] = Counter()
    used_right: Counter[Key] = Counter()
    for _ in range(sum(left.values())):
        start = max(left, key=lambda name: (left[name] - used_left[name], str(name)))
        path = _path(start, left, right, used_right, taken, supply)
        if path is None:
            return None
        for at in range(0, len(path) - 1, 2):
            taken[(path[at], path[at + 1])] += 1
            if at + 2 < len(path):
                taken[(path[at + 2], path[at + 1])] -= 1
        used_left[start] += 1
        used_right[path[-1]] += 1
    return taken


def _path(
    start: Key,
    left: Mapping[Key, int],
    right: Mapping[Key, int],
    used: Mapping[Key, int],
    taken: Mapping[Key, int],
    supply: Mapping[Key, int],
) -> list[Key] | None:
    """The shortest alternating path from a left name to a right one that has room: left, right, left, .., right."""
    queue: list[list[Key]] = [[start]]
    seen: set[Key] = {start}
    while queue:
        path = queue.pop(0)
        open_right = [
            name for name in right if name not in seen and taken[(path[-1], name)] < supply.get((path[-1], name), 0)
        ]
        open_right.sort(key=lambda name: (used[name] - right[name], taken[(path[-1], name)], str(name)))
        for name in open_right:
            if used[name] < right[name]:
                return [*path, name]
        for name in open_right:
            seen.add(name)
            for back in left:
                if back not in seen and taken[(back, name)] > 0:
                    seen.add(back)
                    queue.append([*path, name, back])
    return None


def _spread_geometries(
    cells: Mapping[Key, int], geometries: Sequence[str], supply: Mapping[Key, int], size: int, least: int
) -> Counter[Key] | None:
    """Split each (bin, family) count over geometries: the flattest split whose every geometry has at least `least`."""
    wanted = {cell: count for cell, count in cells.items() if count}
    smallest = -(-size // max(1, len(geometries)))
    for most in range(smallest, size + 1):
        counts = _flow(wanted, dict.fromkeys(geometries, most), supply)
        if counts is not None:
            return _raised(counts, wanted, geometries, supply, least)
    return None


def _raised(
    counts: Counter[Key], cells: Mapping[Key, int], geometries: Sequence[str], supply: Mapping[Key, int], least: int
) -> Counter[Key] | None:
    """Move units within a (bin, family) from geometries above `least` to those below it, until none is below."""
    totals = Counter({g: sum(counts[(cell, g)] for cell in cells) for g in geometries})
    while short := [g for g in geometries if totals[g] < least]:
        moves = [
            (cell, rich, short[0])
            for cell, rich in product(cells, geometries)
            if totals[rich] > least
            and counts[(cell, rich)]
            and counts[(cell, short[0])] < supply.get((cell, short[0]), 0)
        ]
        if not moves:
            return None
        cell, rich, poor = max(moves, key=lambda move: (totals[move[1]], str(move)))
        counts[(cell, rich)] -= 1
        counts[(cell, poor)] += 1
        totals[rich] -= 1
        totals[poor] += 1
    return counts


def _pick(
    candidates: Sequence[Candidate], counts: Mapping[Key, int], stratum: Callable[[Candidate], Key], seed: int
) -> list[Candidate]:
    """Draw the wanted number of each stratum at random, an item not yet drawn before one that is; in random order."""
    rng = random.Random(seed)
    pools: dict[Key, list[Candidate]] = defaultdict(list)
    for candidate in sorted(candidates, key=lambda c: (c.question_id, c.model)):
        pools[stratum(candidate)].append(candidate)
    drawn: list[Candidate] = []
    items: set[str] = set()
    for key in sorted(pools, key=lambda key: (len(pools[key]), str(key))):
        pool = pools[key]
        rng.shuffle(pool)
        for _ in range(counts.get(key, 0)):
            at = next((at for at, candidate in enumerate(pool) if candidate.question_id not in items), 0)
            items.add(pool[at].question_id)
            drawn.append(pool.pop(at))
    rng.shuffle(drawn)
    return drawn


def _shortage(bins: Mapping[Key, int], families: Mapping[Key, int], candidates: Sequence[Candidate], size: int) -> str:
    by_bin, by_family = Counter(c.bin for c in candidates), Counter(c.family for c in candidates)
    short = [
        f"score bin {name} has {by_bin[str(name)]} of {want}" for name, want in bins.items() if by_bin[str(name)] < want
    ]
    short += [
        f"{name} has {by_family[str(name)]} of {want}" for name, want in families.items() if by_family[str(name)] < want
    ]
    words = "; ".join(short) or "the bins and families do not combine"
    return f"{size} balanced answers cannot be drawn: {words}; choose a smaller --size, or add scores files"
