"""Correlation and agreement: Pearson, Kendall's tau-b, Cohen's kappa, Krippendorff's alpha.

Every function returns None where the coefficient is undefined (fewer than two pairs, no variance, one label), never a
number that looks like agreement.
Sources: Kendall 1945 (tau-b), Cohen 1960 (kappa), Krippendorff 2004, chapter 11 (alpha with the interval metric).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]

# Sums of squares below this share of the values' own scale are rounding, not variance.
_FLAT = 1e-12
_BLOCK_ROWS = 1 << 18


def pearson(left: FloatArray, right: FloatArray) -> float | None:
    """Pearson's correlation of paired values; None with fewer than two pairs or a side without variance."""
    if len(left) < 2 or is_flat(left) or is_flat(right):
        return None
    a, b = left - left.mean(), right - right.mean()
    return float(np.clip((a @ b) / math.sqrt((a @ a) * (b @ b)), -1.0, 1.0))


def is_flat(values: FloatArray) -> bool:
    """Whether values differ by no more than rounding."""
    return _is_flat_range([(float(values.min()), float(values.max()))])


def _is_flat_range(ranges: Sequence[tuple[float, float]]) -> bool:
    low, high = min(low for low, _ in ranges), max(high for _, high in ranges)
    return high - low <= _FLAT * max(1.0, abs(low), abs(high))


def kendall_tau_b(left: FloatArray, right: FloatArray) -> float | None:
    """Kendall's tau-b of paired values; None when a side is all ties or there are fewer than two pairs.

    Quadratic in the number of pairs: it is meant for rankings of systems.
    """
    if len(left) < 2:
        return None
    a, b = (np.sign(side[:, None] - side[None, :]) for side in (_merge_ties(left), _merge_ties(right)))
    untied_a, untied_b = float((a * a).sum()), float((b * b).sum())
    if untied_a == 0 or untied_b == 0:
        return None
    return float((a * b).sum()) / math.sqrt(untied_a * untied_b)


def _merge_ties(values: FloatArray) -> FloatArray:
    # Means that differ in the last bits are ties: their order is the order of summation.
    return np.round(values, 12)


def cohen_kappa(left: Sequence[str], right: Sequence[str]) -> float | None:
    """Cohen's unweighted kappa of two annotators' labels; None without labels or with one label only."""
    n = len(left)
    if n == 0:
        return None
    observed = sum(a == b for a, b in zip(left, right, strict=True)) / n
    counts_left, counts_right = Counter(left), Counter(right)
    expected = sum(counts_left[label] * counts_right[label] for label in counts_left) / n**2
    return None if expected == 1.0 else (observed - expected) / (1.0 - expected)


def krippendorff_alpha(ratings: FloatArray) -> float | None:
    """Krippendorff's alpha with the interval metric.

    Args:
        ratings: units x raters, NaN where a rater gave none. Units with fewer than two ratings do not count.

    Returns:
        Alpha, or None when no unit has two ratings or no two pairable ratings differ.
    """
    blocks = [ratings[at : at + _BLOCK_ROWS] for at in range(0, len(ratings), _BLOCK_ROWS)]
    pairable = [block[np.count_nonzero(~np.isnan(block), axis=1) >= 2] for block in blocks]
    n = float(sum(np.count_nonzero(~np.isnan(block)) for block in pairable))
    ranges = [(float(np.nanmin(block)), float(np.nanmax(block))) for block in pairable if len(block)]
    if not ranges or _is_flat_range(ranges):
        return None
    centre = math.fsum(float(np.nansum(block)) for block in pairable) / n
    parts = [_alpha_parts(block - centre) for block in pairable]
    within, total, squares = (math.fsum(part[at] for part in parts) for at in range(3))
    expected = 2.0 * (n * squares - total**2) / (n * (n - 1.0))
    return 1.0 - (within / n) / expected


def _alpha_parts(block: FloatArray) -> tuple[float, float, float]:
    """The squared differences within units, the sum and the sum of squares of centred ratings."""
    counts = np.count_nonzero(~np.isnan(block), axis=1)
    sums, squares = np.nansum(block, axis=1), np.nansum(block**2, axis=1)
    within = 2.0 * (counts * squares - sums**2) / np.maximum(counts - 1.0, 1.0)
    return float(within.sum()), float(sums.sum()), float(squares.sum())
