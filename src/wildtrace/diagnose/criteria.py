"""Credit by rubric criterion, which the loss views start from."""

from __future__ import annotations

from typing import Final

import numpy as np

from wildtrace.diagnose.base import Inputs
from wildtrace.scores.table import FloatArray, Points, ScoreTable

NO_POINTS: Final = "No judge's reply gives usable points by criterion, or the data holds no rubrics."


def usable_points(inputs: Inputs) -> Points | None:
    """The judges' points by criterion; None where no reply gives any, or the items are not known."""
    points = inputs.scores.points
    if points is None or not inputs.items or bool(np.isnan(points.awarded).all()):
        return None
    return points


def criterion_credit(scores: ScoreTable, points: Points) -> FloatArray:
    """Systems x criteria: the mean credit by the full panel, 0 to 1, NaN where a judge's points are not usable."""
    member = scores.panel[:, None, :]
    total = np.where(member, points.awarded, 0.0).sum(axis=2)
    credit: FloatArray = total / np.maximum(scores.panel.sum(axis=1), 1)[:, None]
    return credit
