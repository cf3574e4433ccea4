"""The bootstrap and the permutation test against scipy, against loops, and against arithmetic by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.multitest import multipletests

from wildtrace.diagnose.numeric.resampling import (
    cluster_intervals,
    cluster_sums,
    holm,
    resampled_sums,
    sign_flip_p,
    task_intervals,
)

unit = st.floats(0, 1, allow_nan=False)


def test_resample_draws_as_many_units_as_there_are() -> None:
    """Every resample has the size of the original: a column of ones sums to the number of units."""
    sums = resampled_sums(np.ones((37, 1)), 500, seed=1)

    assert [37.0] * 500 == sums[:, 0].tolist()


def test_resample_draws_each_unit_equally_often() -> None:
    """Counts of a unit over resamples have the binomial's mean and variance."""
    sums = resampled_sums(np.eye(20), 20_000, seed=2)

    assert np.allclose(1.0, sums.mean(axis=0), atol=0.04)
    assert np.allclose(19 / 20, sums.var(axis=0), atol=0.06)


@pytest.mark.parametrize("units", [1, 2, 481, 70_000])
def test_blocks_do_not_change_the_shape(units: int) -> None:
    """From one unit to more than a block holds, there is one row of sums for each resample."""
    assert (7, 2) == resampled_sums(np.ones((units, 2)), 7, seed=0).shape


def test_task_interval_agrees_with_scipy_percentile_bootstrap() -> None:
    """Limits equal scipy.stats.bootstrap's percentile limits up to the error of 10,000 resamples."""
    scores = np.random.default_rng(3).beta(2, 1, size=(4, 200))

    ours = task_intervals(scores, 10_000, 5, 0.95)

    theirs = stats.bootstrap(
        (scores,), np.mean, axis=1, vectorized=True, method="percentile", n_resamples=10_000, rng=6
    )
    limits = np.stack([theirs.confidence_interval.low, theirs.confidence_interval.high], axis=1)
    assert np.abs(limits - ours).max() < 0.06 * (limits[:, 1] - limits[:, 0]).max()


def test_cluster_interval_agrees_with_a_loop_over_drawn_documents() -> None:
    """Resampling documents gives the same limits as drawing them one by one and pooling their items."""
    rng = np.random.default_rng(4)
    cluster = np.repeat(np.arange(40), rng.integers(1, 6, size=40)).astype(np.intp)
    scores = (rng.normal(0, 0.3, size=40)[cluster] + rng.normal(0, 0.1, size=len(cluster)))[None, :]

    ours = cluster_intervals(scores, cluster, 10_000, 1, 0.9)[0]

    members = [scores[0, cluster == at] for at in range(40)]
    means = [np.concatenate([members[at] for at in rng.integers(0, 40, size=40)]).mean() for _ in range(10_000)]
    expected = np.quantile(means, [0.05, 0.95])
    assert np.abs(expected - ours).max() < 0.06 * (expected[1] - expected[0])


def test_document_interval_is_wider_where_documents_differ() -> None:
    """Items of one document that share a score hold less information than as many independent ones."""
    cluster = np.repeat(np.arange(20), 10).astype(np.intp)
    scores = (cluster % 2).astype(np.float64)[None, :]

    by_item = np.ptp(task_intervals(scores, 4_000, 0, 0.95))
    by_document = np.ptp(cluster_intervals(scores, cluster, 4_000, 0, 0.95))

    assert by_document > 2.5 * by_item


@given(st.lists(unit, min_size=2, max_size=30), st.randoms(use_true_random=False))
def test_interval_does_not_depend_on_the_order_of_items(values: list[float], random: object) -> None:
    """Shuffled items give bit for bit the same limits."""
    shuffled = list(values)
    random.shuffle(shuffled)  # type: ignore[attr-defined]

    expected = task_intervals(np.array([values]), 200, 9, 0.95)

    assert np.array_equal(expected, task_intervals(np.array([shuffled]), 200, 9, 0.95))


@given(st.lists(unit, min_size=1, max_size=20))
def test_interval_lies_within_the_values(values: list[float]) -> None:
    """A percentile interval of a mean cannot leave the range of the data."""
    low, high = task_intervals(np.array([values]), 100, 0, 0.95)[0]

    assert min(values) - 1e-9 <= low <= high <= max(values) + 1e-9


def test_cluster_sums_add_up_each_document() -> None:
    """Sums and sizes belong to the numbered clusters."""
    sums, sizes = cluster_sums(np.array([[1.0, 2.0, 4.0], [0.0, 1.0, 0.0]]), np.array([1, 0, 1]))

    assert [[2.0, 5.0], [1.0, 0.0]] == sums.tolist()
    assert [1.0, 2.0] == sizes.tolist()


@pytest.mark.parametrize("seed", range(4))
def test_exact_permutation_agrees_with_scipy(seed: int) -> None:
    """With few clusters every pattern counts: scipy's exhaustive paired test gives the same p."""
    differences = np.round(np.random.default_rng(seed).normal(0.3, 1, size=9), 2)

    expected = stats.permutation_test(
        (differences, np.zeros(9)), lambda x, y: np.mean(x - y), permutation_type="samples", n_resamples=np.inf
    ).pvalue

    assert expected == pytest.approx(sign_flip_p(differences, 10, 0))


def test_drawn_permutation_agrees_with_scipy() -> None:
    """With many clusters p equals scipy's up to the error of the draw."""
    differences = np.random.default_rng(8).normal(0.15, 1, size=150)

    expected = stats.permutation_test(
        (differences, np.zeros(150)), lambda x, y, axis: np.mean(x - y, axis=axis), permutation_type="samples",
        n_resamples=20_000, vectorized=True, rng=1,
    ).pvalue  # fmt: skip

    assert expected == pytest.approx(sign_flip_p(differences, 20_000, 3), abs=0.015)


def test_no_difference_at_all_has_p_one() -> None:
    """Ties everywhere are no evidence."""
    assert sign_flip_p(np.zeros(30), 1_000, 0) == 1.0


def test_drawn_p_is_never_zero() -> None:
    """However clear the difference, p is at least one in resamples + 1."""
    assert 1 / 1_001 == sign_flip_p(np.ones(60), 1_000, 0)


@settings(max_examples=15, deadline=None)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_agrees_with_statsmodels(p_values: list[float]) -> None:
    """Adjusted p values are statsmodels' in the order given."""
    expected = multipletests(p_values, method="holm")[1]

    assert np.allclose(expected, holm(np.array(p_values)))


def test_swapping_the_sides_draws_the_same_p() -> None:
    """Beyond fourteen clusters signs are drawn; the p of A against B is that of B against A to the last digit."""
    sums = np.random.default_rng(3).normal(0.2, 1.0, 40)
    assert sign_flip_p(sums, 2_000, 0) == sign_flip_p(-sums, 2_000, 0)
