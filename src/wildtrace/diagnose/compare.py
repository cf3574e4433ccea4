"""Comparison of two systems: is the difference real? Paired by item, clustered by source document.

Differences are A minus B in points. Interval: percentile bootstrap over documents. p: paired permutation of the signs
of documents, two-sided; slices are adjusted together by Holm's method. The detectable difference is
(z of 1 - alpha/2 + z of power) times the cluster-robust standard error, at alpha 0.05 and power 0.8.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from statistics import NormalDist

import numpy as np

from wildtrace.diagnose.base import PERCENT, Cell, Column, Gap, Settings, Statistic, Table
from wildtrace.diagnose.numeric.resampling import cluster_intervals, cluster_sums, holm, sign_flip_p
from wildtrace.diagnose.slices import slices
from wildtrace.scores.table import BoolArray, FloatArray, IndexArray, Tasks, exact_mean, few_documents

ALPHA = 0.05
POWER = 0.8
_TIED = 1e-9
ONE_DOCUMENT = Gap("one document: no interval, no test, no standard error")


@dataclass(frozen=True, slots=True, eq=False)
class Pair:
    """Two systems on the items that both have a number for.

    `a` and `b` are the zero-filled credits, `both` marks the items that both answered and the full panel judged (None
    where unknown). `only_a` and `only_b` are the ids that the other side lacks; `unjudged` those that await a judge.
    """

    tasks: Tasks
    name_a: str
    name_b: str
    a: FloatArray
    b: FloatArray
    both: BoolArray | None
    only_a: tuple[str, ...] = ()
    only_b: tuple[str, ...] = ()
    unjudged: tuple[str, ...] = ()
    settings: Settings = field(default_factory=Settings)
    marks: tuple[str, ...] = ()


def compute(pair: Pair) -> Table:
    """The rows All, answered by both, and every slice, each with its difference, interval, p and counts."""
    cluster = pair.tasks.clusters()
    everything = np.ones(len(pair.tasks), dtype=np.bool_)
    rows = [_row(pair, "All", everything, cluster)]
    if pair.both is not None:
        rows.append(_row(pair, "answered by both", pair.both, cluster))
    slices = [(label, mask) for label, mask in _slices(pair.tasks) if not mask.all()]
    rows += _adjusted([_row(pair, label, mask, cluster) for label, mask in slices])
    return Table(
        name="compare",
        title=f"{pair.name_a} minus {pair.name_b}",
        columns=_columns(pair),
        rows=tuple(rows),
        n=len(pair.tasks),
        notes=(*pair.marks, *_notes(pair)),
    )


def detectable(differences: FloatArray, cluster: IndexArray) -> float | None:
    """The smallest mean difference found with power 0.8 at alpha 0.05; None with fewer than two clusters."""
    sums, sizes = cluster_sums(differences[None, :], cluster)
    groups = np.count_nonzero(sizes)
    if groups < 2:
        return None
    residual = sums[0] - sizes * differences.mean()
    error = math.sqrt(groups / (groups - 1) * float(residual @ residual)) / len(differences)
    normal = NormalDist()
    return (normal.inv_cdf(1 - ALPHA / 2) + normal.inv_cdf(POWER)) * error


def _columns(pair: Pair) -> tuple[Column, ...]:
    level = f"{PERCENT * pair.settings.level:g} % interval over documents"
    return (
        Column("slice", role="key"),
        Column("n", "integer", "items", "count"),
        Column("documents", "integer", "documents", "count"),
        Column("a", "score", "points", about=pair.name_a),
        Column("b", "score", "points", about=pair.name_b),
        Column("difference", "signed", "points"),
        Column("low", "signed", "points", "low", about=level),
        Column("high", "signed", "points", "high", about=level),
        Column("p", "probability", about="paired permutation of documents, two-sided"),
        Column("p_holm", "probability", about="adjusted over all slices"),
        Column("wins", "integer", "items", "count"),
        Column("losses", "integer", "items", "count"),
        Column("ties", "integer", "items", "count"),
        Column("detectable", "score", "points", about="smallest difference found with power 0.8 at alpha 0.05"),
    )


def _slices(tasks: Tasks) -> Iterator[tuple[str, BoolArray]]:
    for facet in ("tier", "source family", "geometry"):
        for value, mask, _ in slices(tasks, facet):
            yield f"{facet}: {value}", mask


def _row(pair: Pair, label: str, mask: BoolArray, cluster: IndexArray) -> tuple[Cell, ...]:
    a, b = pair.a[mask], pair.b[mask]
    n = len(a)
    if n == 0:
        return (label, 0, 0, *(Gap("no items"),) * 7, 0, 0, 0, Gap("no items"))
    difference = a - b
    local = np.unique(cluster[mask], return_inverse=True)[1]
    documents = int(local.max()) + 1
    counts = (int((difference > _TIED).sum()), int((difference < -_TIED).sum()))
    return (
        label,
        n,
        documents,
        PERCENT * exact_mean(a),
        PERCENT * exact_mean(b),
        PERCENT * exact_mean(difference),
        *_inference(difference, local, documents, pair.settings),
        Gap("only slices are adjusted"),
        *counts,
        n - sum(counts),
        _detectable_cell(difference, local),
    )


def _inference(
    difference: FloatArray, cluster: IndexArray, documents: int, settings: Settings
) -> tuple[Cell, Cell, Cell]:
    if documents < 2:
        return ONE_DOCUMENT, ONE_DOCUMENT, ONE_DOCUMENT
    limits = cluster_intervals(difference[None, :], cluster, settings.resamples, settings.seed, settings.level)[0]
    sums = np.where(np.abs(difference) <= _TIED, 0.0, difference)
    parts = np.split(sums[np.argsort(cluster, kind="stable")], np.cumsum(np.bincount(cluster))[:-1])
    totals = np.array([math.fsum(part.tolist()) for part in parts])
    return (
        PERCENT * float(limits[0]),
        PERCENT * float(limits[1]),
        sign_flip_p(totals, settings.resamples, settings.seed),
    )


def _detectable_cell(difference: FloatArray, cluster: IndexArray) -> Cell:
    value = detectable(difference, cluster)
    return ONE_DOCUMENT if value is None else PERCENT * value


def _adjusted(rows: list[tuple[Cell, ...]]) -> list[tuple[Cell, ...]]:
    p_at, holm_at = 8, 9
    tested = [at for at, row in enumerate(rows) if isinstance(row[p_at], float)]
    p_values = [cell for cell in (rows[at][p_at] for at in tested) if isinstance(cell, float)]
    adjusted = dict(zip(tested, holm(np.array(p_values, dtype=np.float64)).tolist(), strict=True))
    missing = Gap("no test, so nothing to adjust")
    return [(*row[:holm_at], adjusted.get(at, missing), *row[holm_at + 1 :]) for at, row in enumerate(rows)]


def _notes(pair: Pair) -> Iterator[str]:
    yield (
        f"Paired by item, clustered by source document; {pair.settings.resamples:,} resamples, "
        f"seed {pair.settings.seed}; missing, failed, pending and out-of-context answers count zero; "
        "an item that one side has no row for is listed and not compared."
    )
    yield from few_documents(pair.tasks)
    if pair.both is None:
        yield "Without a status, which items both answered is unknown."
    yield from _listed(f"Only in {pair.name_a}, not compared", pair.only_a)
    yield from _listed(f"Only in {pair.name_b}, not compared", pair.only_b)
    yield from _listed("Await a judge, not compared", pair.unjudged)


def _listed(label: str, ids: Sequence[str]) -> Iterator[str]:
    if ids:
        yield f"{label} ({len(ids)}): {', '.join(ids)}."


STATISTIC = Statistic("compare", "Comparison of two systems", "pair", compute)
