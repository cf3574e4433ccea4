"""Least squares for the additive variance diagnostic: dummies, and R2 by dropping groups of columns."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]


def dummies(labels: Sequence[str]) -> FloatArray:
    """One column of zeros and ones for each label but the first in order (items x labels - 1)."""
    if not labels:
        return np.empty((0, 0))
    _, codes = np.unique(np.asarray(labels), return_inverse=True)
    columns: FloatArray = np.eye(int(codes.max()) + 1)[codes][:, 1:]
    return columns


def standardised(columns: FloatArray) -> FloatArray:
    """Columns with mean 0 and deviation 1; columns without variance are left out."""
    centred = columns - columns.mean(axis=0)
    deviation = centred.std(axis=0)
    keep = deviation > 1e-12 * np.maximum(1.0, np.abs(columns).max(axis=0, initial=0.0))
    scaled: FloatArray = centred[:, keep] / deviation[keep]
    return scaled


def explained(target: FloatArray, groups: Sequence[FloatArray]) -> float:
    """The sum of squares of `target` about its mean that an intercept and the columns of `groups` explain."""
    design = np.hstack([np.ones((len(target), 1)), *groups])
    fitted = design @ np.linalg.lstsq(design, target, rcond=None)[0]
    deviation = fitted - target.mean()
    return float(deviation @ deviation)
