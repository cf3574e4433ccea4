"""Expert validation: do the panel's means agree with people who scored the same answers? (paper, Table 10).

The consensus of a criterion is the row of the annotator called `consensus` where there is one (an adjudication), else
the mean of the annotators. An answer counts when every criterion has a consensus.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from wildtrace.diagnose.base import Cell, Column, Gap, Statistic, Table
from wildtrace.diagnose.numeric.agreement import FloatArray, pearson
from wildtrace.diagnose.strata import BINS
from wildtrace.scores.table import exact_mean

CONSENSUS = "consensus"


@dataclass(frozen=True, slots=True)
class ExpertCell:
    """An answer of the sample: its panel mean (0 to 1), its strata, and the points of each criterion by its id."""

    cell_id: str
    panel: float
    score_bin: str
    family: str
    geometry: str
    rubric: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class PointRow:
    """The points one annotator gave for one criterion of one answer."""

    cell_id: str
    criterion_id: str
    annotator: str
    points: float


@dataclass(frozen=True, slots=True)
class ExpertStudy:
    """The sample and what the annotators gave."""

    cells: tuple[ExpertCell, ...]
    points: tuple[PointRow, ...]


def compute(study: ExpertStudy) -> Table:
    """Composition of the sample, consensus against panel, and the annotators against each other."""
    by_annotator = {name: _credits(study, name) for name in sorted({row.annotator for row in study.points})}
    consensus = _consensus(study)
    rows = [*_composition(study), *_against_panel(study, consensus), *_between(by_annotator)]
    people = [name for name in by_annotator if name != CONSENSUS]
    missing = len(study.cells) - len(consensus)
    notes = [f"Annotators: {', '.join(people) or 'none'}."]
    if CONSENSUS in by_annotator:
        notes.append("Adjudicated points stand for the annotators' mean where they were given.")
    if missing:
        notes.append(f"{missing} of {len(study.cells)} answers are not completely scored and do not count.")
    return Table(
        name="expert",
        title="Expert validation of the panel",
        columns=(
            Column("result", role="key"),
            Column("value", "number"),
            Column("unit"),
            Column("n", "integer", "answers", "count"),
        ),
        rows=tuple(rows),
        n=len(consensus),
        notes=tuple(notes),
    )


def _credits(study: ExpertStudy, annotator: str) -> dict[str, float]:
    """The credits of the answers that the annotator scored completely."""
    given: dict[str, dict[str, float]] = defaultdict(dict)
    for row in study.points:
        if row.annotator == annotator:
            given[row.cell_id][row.criterion_id] = row.points
    return {cell.cell_id: _credit(given[cell.cell_id], cell) for cell in study.cells if _is_whole(given, cell)}


def _is_whole(given: Mapping[str, Mapping[str, float]], cell: ExpertCell) -> bool:
    return cell.cell_id in given and set(given[cell.cell_id]) >= set(cell.rubric)


def _credit(points: Mapping[str, float], cell: ExpertCell) -> float:
    return sum(points[criterion] for criterion in cell.rubric) / sum(cell.rubric.values())


def _consensus(study: ExpertStudy) -> dict[str, float]:
    rows: dict[tuple[str, str], list[PointRow]] = defaultdict(list)
    for row in study.points:
        rows[(row.cell_id, row.criterion_id)].append(row)
    agreed: dict[str, dict[str, float]] = defaultdict(dict)
    for (cell_id, criterion_id), given in rows.items():
        settled = [row.points for row in given if row.annotator == CONSENSUS] or [row.points for row in given]
        agreed[cell_id][criterion_id] = exact_mean(np.array(settled))
    return {cell.cell_id: _credit(agreed[cell.cell_id], cell) for cell in study.cells if _is_whole(agreed, cell)}


def _composition(study: ExpertStudy) -> Iterator[tuple[Cell, ...]]:
    n = len(study.cells)
    bins = Counter(cell.score_bin for cell in study.cells)
    for name in BINS:
        yield (f"sample: score bin {name}", bins[name], "answers", n)
    for family, count in sorted(Counter(cell.family for cell in study.cells).items()):
        yield (f"sample: {family or 'no family'}", count, "answers", n)
    geometries = Counter(cell.geometry for cell in study.cells)
    yield ("sample: geometries", len(geometries), "geometries", n)
    yield ("sample: fewest answers of a geometry", min(geometries.values(), default=0), "answers", n)


def _against_panel(study: ExpertStudy, consensus: Mapping[str, float]) -> Iterator[tuple[Cell, ...]]:
    panel = {cell.cell_id: cell.panel for cell in study.cells}
    ours = np.array([panel[cell_id] for cell_id in consensus])
    yield from _pair_rows("consensus vs. panel", np.array(list(consensus.values())), ours)


def _between(by_annotator: Mapping[str, Mapping[str, float]]) -> Iterator[tuple[Cell, ...]]:
    people = [name for name in by_annotator if name != CONSENSUS]
    for left, right in combinations(people, 2):
        shared = sorted(set(by_annotator[left]) & set(by_annotator[right]))
        a, b = (np.array([by_annotator[name][cell] for cell in shared]) for name in (left, right))
        yield from _pair_rows(f"{left} vs. {right}", a, b)


def _pair_rows(label: str, left: FloatArray, right: FloatArray) -> Iterator[tuple[Cell, ...]]:
    n = len(left)
    r = pearson(left, right)
    yield (f"{label}: Pearson", Gap(f"{label}: fewer than two answers, or no variance") if r is None else r, "r", n)
    gap = Gap(f"{label}: no answer was scored by both")
    absolute: Cell = exact_mean(np.abs(left - right)) if n else gap
    signed: Cell = exact_mean(left - right) if n else gap
    yield (f"{label}: mean absolute difference", absolute, "of 1", n)
    yield (f"{label}: mean signed difference", signed, "of 1", n)


STATISTIC = Statistic("expert", "Expert validation of the panel", "study", compute)
