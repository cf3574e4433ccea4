"""Correlation and agreement against scipy, scikit-learn and krippendorff, and against the paper's numbers."""

from __future__ import annotations

import krippendorff
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from sklearn.metrics import cohen_kappa_score

from wildtrace.diagnose.numeric.agreement import cohen_kappa, kendall_tau_b, krippendorff_alpha, pearson

credit = st.sampled_from([0.0, 0.25, 0.4, 0.5, 0.75, 1.0])
pairs = st.lists(st.tuples(credit, credit), min_size=2, max_size=25)
LABELS = [f"g{at}" for at in range(7)]


@given(pairs)
def test_pearson_agrees_with_scipy(values: list[tuple[float, float]]) -> None:
    """The same r as scipy's, or None where a side does not vary."""
    left, right = np.array(values).T
    if np.ptp(left) == 0 or np.ptp(right) == 0:
        assert pearson(left, right) is None
    else:
        assert stats.pearsonr(left, right).statistic == pytest.approx(pearson(left, right))


@given(pairs)
def test_kendall_agrees_with_scipy(values: list[tuple[float, float]]) -> None:
    """The same tau-b as scipy's, ties included, or None where a side is all ties."""
    left, right = np.array(values).T
    if np.ptp(left) == 0 or np.ptp(right) == 0:
        assert kendall_tau_b(left, right) is None
    else:
        assert stats.kendalltau(left, right).statistic == pytest.approx(kendall_tau_b(left, right))


def test_kendall_takes_rounding_for_ties() -> None:
    """Means that differ in the sixteenth digit are the same rank."""
    left = np.array([0.1 + 0.2, 0.3, 0.5])

    assert kendall_tau_b(np.array([0.3, 0.3, 0.5]), np.array([1.0, 2.0, 3.0])) == kendall_tau_b(
        left, np.array([1.0, 2.0, 3.0])
    )


@given(st.lists(st.tuples(st.sampled_from(LABELS), st.sampled_from(LABELS)), min_size=2, max_size=40))
def test_kappa_agrees_with_scikit_learn(values: list[tuple[str, str]]) -> None:
    """The same kappa as scikit-learn's, or None where both annotators used one and the same label throughout."""
    left, right = [pair[0] for pair in values], [pair[1] for pair in values]
    if len({*left, *right}) == 1:
        assert cohen_kappa(left, right) is None
    else:
        assert cohen_kappa_score(left, right) == pytest.approx(cohen_kappa(left, right))


@pytest.mark.parametrize(("same", "agreement", "kappa"), [(92, 0.939, 0.929), (88, 0.898, 0.881), (89, 0.908, 0.893)])
def test_kappa_of_the_paper(same: int, agreement: float, kappa: float) -> None:
    """92, 88 and 89 equal labels of 98 balanced over 7 give the paper's Table 5.

    Differing labels are moved in a cycle over the geometries, so that both margins stay as balanced as they can.
    """
    left = [label for label in LABELS for _ in range(14)]
    right = list(left)
    moved = [14 * (at % 7) + at // 7 for at in range(98 - same)]
    for place, source in zip(moved, moved[1:] + moved[:1], strict=True):
        right[place] = left[source]

    equal = sum(a == b for a, b in zip(left, right, strict=True))

    assert agreement == pytest.approx(equal / 98, abs=0.0006)
    assert kappa == pytest.approx(cohen_kappa(left, right), abs=0.0006)


ratings = st.lists(st.lists(st.one_of(credit, st.just(float("nan"))), min_size=3, max_size=3), min_size=2, max_size=20)


@given(ratings)
def test_alpha_agrees_with_krippendorff(rows: list[list[float]]) -> None:
    """The same alpha as the krippendorff package, missing ratings included, or None where nothing varies."""
    table = np.array(rows)
    pairable = table[(~np.isnan(table)).sum(axis=1) >= 2]
    values = pairable[~np.isnan(pairable)]
    if len(values) == 0 or np.ptp(values) == 0:
        assert krippendorff_alpha(table) is None
    else:
        expected = krippendorff.alpha(reliability_data=table.T, level_of_measurement="interval")
        assert expected == pytest.approx(krippendorff_alpha(table), abs=1e-9)


def test_coefficients_of_nothing_are_undefined() -> None:
    """One pair, no labels, one rater: None, never 1.0."""
    one = np.array([0.5])

    assert (None, None, None, None) == (
        pearson(one, one),
        kendall_tau_b(one, one),
        cohen_kappa([], []),
        krippendorff_alpha(np.array([[0.1], [0.9]])),
    )
