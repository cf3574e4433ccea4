"""Mining: ask every geometry of a graph, keep what is dispersed, rank it, and keep a varied few.

Dispersion is part of the query (paper, Table 7): the spread is the largest minus the smallest clue offset over the
document's length; the gap is the smallest distance between clue groups (the sides of a comparison, the branches of a
counterfactual, else the two clusters furthest apart), never between clues of one group.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, pairwise
from operator import attrgetter
from typing import Final

from wildtrace.construct.extract.identity import content_id
from wildtrace.construct.geometries import GEOMETRIES, Geometry
from wildtrace.construct.geometries.base import NEAR, Found, Part, View, lay_out, spoken_of
from wildtrace.types import Clue, Edge, EvidenceGraph, Record, Span, Trail

MOST_CANDIDATES: Final = 3_000
KEPT: Final = 60
LEAST_SPREAD: Final = 0.05
LEAST_GAP_SHARE: Final = 0.01
LEAST_GAP: Final = 500
FEWEST_FOLDED: Final = 3
_PER_ENTITY: Final = 4
_PER_REGION: Final = 8
_REGIONS: Final = 20
_SUBJECTS: Final = 2
_TELLING: Final = 30.0
"""The rarity of all that a clue speaks of at which it tells as much as any."""


@dataclass(frozen=True, slots=True)
class Dispersion:
    """How far apart clues stand: `spread` is a share of the document, `gap` is code points between clue groups."""

    spread: float
    gap: int


Offset = tuple[int, int, int]
"""Where a clue starts and ends, and its group."""
Ranked = tuple[float, Dispersion, Found]
"""A candidate with its score and dispersion."""


@dataclass(frozen=True, slots=True)
class Report:
    """What came of one geometry: candidates looked at, whether the cap ended the search, and why nothing was kept."""

    geometry: str
    candidates: int
    kept: int
    capped: bool
    dropped: Mapping[str, int] = field(default_factory=dict)
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Mined:
    """The trails of one source, by geometry and rank, and a report for each geometry."""

    trails: tuple[Trail, ...]
    reports: tuple[Report, ...]


def mine(graph: EvidenceGraph, kept: int = KEPT, most: int = MOST_CANDIDATES) -> Mined:
    """Query all geometries of a graph; at most `kept` trails each, out of at most `most` candidates each."""
    view = lay_out(graph)
    trails: list[Trail] = []
    reports: list[Report] = []
    for geometry in GEOMETRIES:
        found, report = _mine_one(view, geometry, kept, most)
        trails += found
        reports.append(report)
    return Mined(tuple(trails), tuple(reports))


def dispersion(offsets: Sequence[Offset], chars: int) -> Dispersion:
    """The dispersion of clues given as (start, end, group); group 0 means that the clues have no groups.

    ValueError where there are fewer than two clues.
    """
    if len(offsets) < 2:
        raise ValueError("dispersion needs two clues at least")
    ordered = sorted(offsets)
    spread = (ordered[-1][0] - ordered[0][0]) / chars
    if len({group for _, _, group in offsets}) < 2:
        return Dispersion(spread, max([0, *[after[0] - before[1] for before, after in pairwise(ordered)]]))
    return Dispersion(spread, min([_between(one, other) for one in ordered for other in ordered if one[2] < other[2]]))


def _between(one: Offset, other: Offset) -> int:
    return max(0, other[0] - one[1], one[0] - other[1])


def _mine_one(view: View, geometry: Geometry, kept: int, most: int) -> tuple[list[Trail], Report]:
    dropped: Counter[str] = Counter()
    ranked: dict[tuple[str, ...], Ranked] = {}
    candidates = 0
    for candidate in islice(geometry.find(view), most):
        candidates += 1
        found = _told(view, candidate)
        offsets = [(part.record.span.start, part.record.span.end, part.group) for part in found.parts]
        far_apart = dispersion(offsets, view.graph.chars)
        objection = _objection(view, offsets, far_apart) or _repeated(found.parts)
        if objection is not None:
            dropped[objection] += 1
            continue
        ids = tuple([part.record.id for part in found.parts])
        if ids not in ranked:
            ranked[ids] = _score(view, found, offsets, far_apart), far_apart, found
    best = [rest for _, rest in sorted(ranked.items(), key=lambda entry: (-entry[1][0], entry[0]))]
    varied = _varied(view, best, dropped)
    chosen = [_trail(view, geometry.name, *rest) for rest in islice(varied, kept)]
    reason = _reason(geometry, candidates, chosen, dropped)
    return chosen, Report(geometry.name, candidates, len(chosen), candidates >= most, dict(dropped), reason)


def _objection(view: View, offsets: Sequence[Offset], far_apart: Dispersion) -> str | None:
    for one, other in pairwise(offsets):
        if one[0] < other[1] and other[0] < one[1]:
            return "a clue stands in another"
    if far_apart.spread < LEAST_SPREAD:
        return "the clues stand too close together"
    if far_apart.gap < max(LEAST_GAP, LEAST_GAP_SHARE * view.graph.chars):
        return "the groups of clues stand too close together"
    return None


_LONG: Final = 40
"""From this many code points on, the same words at two places are a sentence told again, and one clue."""


def _repeated(parts: Sequence[Part]) -> str | None:
    said = [part.record.span.quote for part in parts if len(part.record.span.quote) >= _LONG]
    words = {" ".join(quote.split()).casefold() for quote in said}
    return "a clue says again what another says" if len(words) < len(said) else None


def _told(view: View, found: Found) -> Found:
    """The clues in text order; a stated cause and its effect as one, where that leaves clues enough."""
    parts = {part.record.id: part for part in found.parts}
    if len(parts) > FEWEST_FOLDED and not found.parts[0].group:
        _fold(view, parts, found.edges)
    return Found(tuple(sorted(parts.values(), key=_PLACE)), found.edges, found.about, found.why)


_PLACE: Final = attrgetter("record.span.start", "record.span.end")


def _fold(view: View, parts: dict[str, Part], edges: Iterable[Edge]) -> None:
    """Put the relation that states an edge in the place of its ends, while there are clues enough outside of it."""
    for edge in edges:
        if edge.type not in _CAUSAL:
            continue
        stated = view.stated.get((edge.head, edge.tail, edge.type))
        if stated is None or len(parts) <= FEWEST_FOLDED or not parts.keys() >= {edge.head, edge.tail}:
            continue
        others = (part.record.span for at, part in parts.items() if at not in (edge.head, edge.tail))
        if any(_overlap(stated.span, other) for other in others):
            continue
        one, other = parts.pop(edge.head), parts.pop(edge.tail)
        role = one.role if one.role == other.role else f"{one.role} and {other.role}"
        parts[stated.id] = Part(stated, role)


_CAUSAL: Final = frozenset({"causes", "enables", "explains"})


def _overlap(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end


def _score(view: View, found: Found, offsets: Sequence[Offset], far_apart: Dispersion) -> float:
    """How sure its edges are, how scattered it is, how rare what it is about is, how much its clues tell: 0 to 1."""
    support = sum([edge.confidence for edge in found.edges]) / max(1, len(found.edges))
    rarity = sum([min(1.0, view.rarity.get(entity, 0.0) / 8) for entity in found.about]) / max(1, len(found.about))
    scattered = (min(1.0, far_apart.spread * 2) + _scattered(offsets)) / 2
    telling = sum([min(1.0, view.weight(part.record.id) / _TELLING) for part in found.parts]) / len(found.parts)
    return round(0.4 * support + 0.3 * scattered + 0.1 * rarity + 0.2 * telling, 4)


def _scattered(offsets: Sequence[Offset]) -> float:
    """The share of neighbouring clues that stand at places of their own; clues of one group may stand together."""
    beside = [
        (group != 0 and group == other) or start - end >= NEAR
        for (_, end, group), (start, _, other) in pairwise(offsets)
    ]
    return sum(beside) / max(1, len(beside))


def _trail(view: View, geometry: str, score: float, far_apart: Dispersion, found: Found) -> Trail:
    ids = [part.record.id for part in found.parts]
    edges = tuple(edge.id for edge in found.edges)
    why = {
        **found.why,
        "about": [view.name(entity) for entity in found.about or _subjects(view, found.parts)],
        "spread": round(far_apart.spread, 4),
        "gap": far_apart.gap,
        "groups": {part.record.id: part.group for part in found.parts if part.group},
    }
    trail_id = content_id("t", view.graph.source, geometry, *ids, *edges)
    clues = tuple(_clue(part) for part in found.parts)
    return Trail(trail_id, view.graph.source, geometry, clues, edges, score, why)


def _subjects(view: View, parts: Iterable[Part]) -> list[str]:
    """What most of the clues speak of, of equals the rarest; where they share nothing the rarest that one speaks of."""
    spoken = Counter(entity for part in parts for entity in _spoken(view, part.record))
    ordered = sorted(spoken, key=lambda entity: (-spoken[entity], -view.rarity.get(entity, 0.0), entity))
    shared = [entity for entity in ordered if spoken[entity] > 1]
    return shared[:_SUBJECTS] or ordered[:1]


def _spoken(view: View, clue: Record) -> set[str]:
    """The entities that a clue speaks of, by its edges or its fields; a relation speaks of what its two ends do."""
    ends = [clue, *(view.by_id[clue.fields[end]] for end in ("first", "second") if end in clue.fields)]
    told = {entity for one in ends for entity in (*view.touches.get(one.id, ()), *spoken_of(one.fields))}
    return {entity for entity in told if entity in view.by_id}


def _clue(part: Part) -> Clue:
    span = part.record.span
    return Clue(part.record.id, part.role, span.quote, span.start, span.end)


def _varied(view: View, ranked: Iterable[Ranked], dropped: Counter[str]) -> Iterator[Ranked]:
    """Trails best first, few about one entity or in one region, and no two that share more than one clue."""
    entities: Counter[str] = Counter()
    regions: Counter[int] = Counter()
    uses: defaultdict[str, list[int]] = defaultdict(list)
    for place, (score, far_apart, found) in enumerate(ranked):
        ids = [part.record.id for part in found.parts]
        overlaps = Counter(other for clue in ids for other in uses.get(clue, ()))
        region = found.parts[0].record.span.start * _REGIONS // view.graph.chars
        if overlaps and max(overlaps.values()) > 1:
            dropped["it repeats a better one"] += 1
        elif any(entities[entity] >= _PER_ENTITY for entity in found.about[:1]) or regions[region] >= _PER_REGION:
            dropped["there are enough of its entity or place"] += 1
        else:
            entities.update(found.about[:1])
            regions[region] += 1
            for clue in ids:
                uses[clue].append(place)
            yield score, far_apart, found


def _reason(geometry: Geometry, candidates: int, chosen: Sequence[Trail], dropped: Mapping[str, int]) -> str | None:
    if chosen:
        return None
    if not candidates:
        return geometry.missing
    return "; ".join(f"{why} ({count})" for why, count in sorted(dropped.items(), key=lambda pair: -pair[1]))
