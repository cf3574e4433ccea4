"""Least squares against statsmodels."""

from __future__ import annotations

import numpy as np
import pytest
import statsmodels.api as sm

from wildtrace.diagnose.numeric.regression import dummies, explained, standardised


def test_dummies_leave_out_the_first_label() -> None:
    """Three labels give two columns; the first in order is the base."""
    assert [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0]] == dummies(["a", "c", "b"]).tolist()


def test_no_labels_give_no_columns() -> None:
    """An empty list has no base label to leave out."""
    assert (0, 0) == dummies([]).shape


def test_standardised_drops_columns_without_variance() -> None:
    """A constant column explains nothing and would be scaled by zero."""
    columns = standardised(np.array([[1.0, 1e9, 5.0], [1.0, 2e9, 6.0], [1.0, 4e9, 5.5]]))

    assert columns.shape == (3, 2)
    assert np.allclose(0.0, columns.mean(axis=0))
    assert np.allclose(1.0, columns.std(axis=0))


def test_explained_agrees_with_ordinary_least_squares() -> None:
    """The explained sum of squares is statsmodels', with a redundant column too."""
    rng = np.random.default_rng(1)
    columns = rng.normal(size=(60, 3))
    target = columns @ [1.0, 0.0, -2.0] + rng.normal(size=60)

    expected = sm.OLS(target, sm.add_constant(columns)).fit().ess

    assert expected == pytest.approx(explained(target, [columns]))
    assert expected == pytest.approx(explained(target, [columns, columns[:, :1] + columns[:, 1:2]]))
