"""Percentile bootstrap and sign-flip permutation, vectorised in blocks so that memory does not grow with the task.

A bootstrap resample of n units is held as the count of each unit, so that any number of columns is summed by one
matrix product. Both functions take sums over units: a mean is a ratio of two of them, which is what a resample of
documents needs (documents hold unequal numbers of items).
Sources: Efron and Tibshirani 1993, chapter 13 (percentile interval); Phipson and Smyth 2010 (the added one in p).
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]

# Counting into a block that fits a core's second-level cache takes a third of the time of a larger one.
_BLOCK_CELLS = 1 << 15
# Counts held for one matrix product (8 MB): with fewer, the values are read from memory over and over.
_HELD_CELLS = 1 << 20
# Below this many clusters every sign pattern is tried instead of drawn.
_EXACT_CLUSTERS = 14
# Rounding of sums must not make a pattern equal to the observed one count as smaller.
_TIE = 1e-12


def resampled_sums(values: FloatArray, resamples: int, seed: int) -> FloatArray:
    """Sums of each column over `resamples` draws with replacement of the rows.

    Args:
        values: units x columns.
        resamples: how many resamples to draw.
        seed: the same seed, number of units and `resamples` draw the same units.

    Returns:
        resamples x columns.
    """
    units, columns = values.shape
    rng = np.random.default_rng(seed)
    held = max(1, min(resamples, _HELD_CELLS // units))
    counts = np.empty((held, units))
    sums = np.empty((resamples, columns))
    for start in range(0, resamples, held):
        size = min(held, resamples - start)
        _draw(rng, counts[:size])
        sums[start : start + size] = counts[:size] @ values
    return sums


def _draw(rng: np.random.Generator, counts: FloatArray) -> None:
    """Fill each row with how often each unit is drawn."""
    rows, units = counts.shape
    block = max(1, min(rows, _BLOCK_CELLS // units))
    offsets = (np.arange(block) * units)[:, None]
    for start in range(0, rows, block):
        size = min(block, rows - start)
        drawn = rng.integers(0, units, size=(size, units)) + offsets[:size]
        counts[start : start + size] = np.bincount(drawn.ravel(), minlength=size * units).reshape(size, units)


def task_intervals(scores: FloatArray, resamples: int, seed: int, level: float) -> FloatArray:
    """Percentile intervals of the mean of each row, resampling its columns.

    Each row is sorted first, so that its interval depends on its scores alone: neither on the order of the items or
    the rows nor on what they are called.

    Args:
        scores: systems x items.
        resamples: number of resamples.
        seed: of the generator.
        level: coverage, 0 to 1.

    Returns:
        systems x 2, the lower and the upper limit.
    """
    items = scores.shape[1]
    ordered = np.ascontiguousarray(np.sort(scores, axis=1).T)
    return _percentiles(resampled_sums(ordered, resamples, seed) / items, level)


def cluster_intervals(
    scores: FloatArray, cluster: npt.NDArray[np.intp], resamples: int, seed: int, level: float
) -> FloatArray:
    """Percentile intervals of the mean of each row, resampling whole clusters of columns.

    Args:
        scores: systems x items.
        cluster: for each item the number of its cluster, 0 to k - 1.
        resamples: number of resamples.
        seed: of the generator.
        level: coverage, 0 to 1.

    Returns:
        systems x 2, the lower and the upper limit.
    """
    sums, sizes = cluster_sums(scores, cluster)
    systems = len(sums)
    columns = np.empty((len(sizes), 2 * systems))
    for row in range(systems):
        # Sums that are equal but for the order in which they were added must tie, or the order of items would tell.
        order = np.lexsort((sizes, np.round(sums[row], 9)))
        columns[:, row] = sums[row][order]
        columns[:, systems + row] = sizes[order]
    totals = resampled_sums(columns, resamples, seed)
    return _percentiles(totals[:, :systems] / totals[:, systems:], level)


def cluster_sums(scores: FloatArray, cluster: npt.NDArray[np.intp]) -> tuple[FloatArray, FloatArray]:
    """The sum of each row within each cluster (systems x clusters) and the clusters' sizes."""
    clusters = int(cluster.max()) + 1
    sums = np.stack([np.bincount(cluster, weights=row, minlength=clusters).astype(np.float64) for row in scores])
    return sums, np.bincount(cluster, minlength=clusters).astype(np.float64)


def sign_flip_p(sums: FloatArray, resamples: int, seed: int) -> float:
    """Two-sided p of a zero total under free signs of `sums` (one per cluster): the paired permutation test.

    Up to 14 clusters every pattern of signs is tried and p is exact; beyond, `resamples` patterns are drawn and one
    is added to both counts.
    """
    observed = abs(math.fsum(sums)) * (1 - _TIE) - _TIE
    # Under free signs only the sizes tell, so that swapping the two sides draws the very same p.
    sums = np.sort(np.abs(sums[sums != 0]))
    if len(sums) == 0:
        return 1.0
    if len(sums) <= _EXACT_CLUSTERS:
        patterns = (np.arange(1 << len(sums))[:, None] >> np.arange(len(sums))) & 1
        return float(np.mean(np.abs((2.0 * patterns - 1.0) @ sums) >= observed))
    rng = np.random.default_rng(seed)
    block = max(1, _BLOCK_CELLS * 8 // len(sums))
    extreme = 0
    for start in range(0, resamples, block):
        size = min(block, resamples - start)
        signs = rng.integers(0, 2, size=(size, len(sums)), dtype=np.int8).astype(np.float64)
        extreme += int(np.count_nonzero(np.abs((2.0 * signs - 1.0) @ sums) >= observed))
    return (extreme + 1) / (resamples + 1)


def holm(p_values: FloatArray) -> FloatArray:
    """Holm's step-down adjustment of p values (Holm 1979), in the order given."""
    count = len(p_values)
    order = np.argsort(p_values, kind="stable")
    stepped = np.maximum.accumulate(p_values[order] * (count - np.arange(count)))
    adjusted = np.empty(count)
    adjusted[order] = np.minimum(stepped, 1.0)
    return adjusted


def _percentiles(estimates: FloatArray, level: float) -> FloatArray:
    tail = (1.0 - level) / 2.0
    limits: FloatArray = np.quantile(estimates, [tail, 1.0 - tail], axis=0).T
    return limits
