"""The paired comparison against scipy and loops, its counts, and its stated gaps."""

from __future__ import annotations

import math

import numpy as np
import pytest
import statsmodels.api as sm
from scipy import stats
from statsmodels.stats.multitest import multipletests

from wildtrace.diagnose import compare
from wildtrace.diagnose.base import Gap, Settings, Table
from wildtrace.diagnose.compare import Pair, detectable
from wildtrace.scores.table import ScoreTable, Tasks


def pair_of(scores: ScoreTable, a: int, b: int) -> Pair:
    """Two systems of the made table."""
    filled = scores.zero_filled()
    answered = scores.answered()
    return Pair(scores.tasks, scores.models[a], scores.models[b], filled[a], filled[b], answered[a] & answered[b])


def plain(a: list[float], b: list[float], sources: list[str]) -> Pair:
    """Two systems on items of the given documents."""
    none = ("",) * len(a)
    tasks = Tasks(tuple(f"q{at}" for at in range(len(a))), tuple(sources), none, none, none)
    return Pair(tasks, "A", "B", np.array(a), np.array(b), np.ones(len(a), dtype=np.bool_))


@pytest.fixture(scope="module")
def table(scores: ScoreTable) -> Table:
    """The second system against the third."""
    return compare.compute(pair_of(scores, 1, 2))


def test_difference_is_the_paired_mean(scores: ScoreTable, table: Table) -> None:
    """A minus B in points, over all items."""
    filled = 100 * scores.zero_filled()

    assert (filled[1] - filled[2]).mean() == pytest.approx(table.row("All")["difference"])


def test_p_agrees_with_scipy_over_documents(scores: ScoreTable, table: Table) -> None:
    """The permutation flips the sign of whole documents, as scipy does with document totals."""
    cluster = scores.tasks.clusters()
    totals = np.bincount(cluster, weights=scores.zero_filled()[1] - scores.zero_filled()[2])

    expected = stats.permutation_test(
        (totals, np.zeros(len(totals))), lambda x, y, axis: np.sum(x - y, axis=axis), permutation_type="samples",
        n_resamples=10_000, vectorized=True, rng=1,
    ).pvalue  # fmt: skip

    assert expected == pytest.approx(table.row("All")["p"], abs=0.02)


def test_slices_are_adjusted_by_holm(table: Table) -> None:
    """Adjusted p values of the slices are statsmodels'; All is not part of the family."""
    rows = [row for row in table.rows if isinstance(row[9], float)]

    expected = multipletests([row[8] for row in rows], method="holm")[1]

    assert len(rows) == 8 + 3 + 7
    assert np.allclose(expected, [float(row[9]) for row in rows if isinstance(row[9], float)])
    assert isinstance(table.row("All")["p_holm"], Gap)


def test_wins_losses_and_ties_add_up() -> None:
    """Scores that differ by rounding alone are ties."""
    row = compare.compute(plain([0.5, 0.1 + 0.2, 0.2, 0.9], [0.4, 0.3, 0.7, 0.9], list("wxyz"))).row("All")

    assert (1, 1, 2) == (row["wins"], row["losses"], row["ties"])


def test_detectable_difference_uses_the_cluster_robust_error() -> None:
    """It is 2.80 times statsmodels' cluster-robust standard error of the mean difference."""
    rng = np.random.default_rng(5)
    cluster = np.repeat(np.arange(50), rng.integers(1, 5, 50)).astype(np.intp)
    difference = rng.normal(0, 0.2, 50)[cluster] + rng.normal(0, 0.1, len(cluster))

    fit = sm.OLS(difference, np.ones(len(difference))).fit()
    robust = fit.get_robustcov_results(cov_type="cluster", groups=cluster, df_correction=True)
    # statsmodels also scales by (n - 1) / (n - k), which is one for a mean.
    expected = (stats.norm.ppf(0.975) + stats.norm.ppf(0.8)) * robust.bse[0]

    assert expected == pytest.approx(detectable(difference, cluster))


def test_power_at_the_detectable_difference_is_eighty_per_cent() -> None:
    """Runs whose true difference is the detectable one are significant in about four of five."""
    rng = np.random.default_rng(11)
    error, found = 0.02, 0
    for _ in range(400):
        found += abs(rng.normal((stats.norm.ppf(0.975) + stats.norm.ppf(0.8)) * error, error)) > 1.96 * error

    assert found / 400 == pytest.approx(0.8, abs=0.06)


def test_a_real_difference_is_found_and_an_absent_one_is_not() -> None:
    """Five points on every item have a small p; noise around zero a large one."""
    rng = np.random.default_rng(2)
    base = rng.uniform(0.2, 0.8, 200)
    sources = [f"s{at // 2}" for at in range(200)]
    noise = rng.normal(0, 0.05, 200)
    real = compare.compute(plain((base + 0.05 + noise).tolist(), base.tolist(), sources)).row("All")
    absent = compare.compute(plain((base + noise - noise.mean()).tolist(), base.tolist(), sources)).row("All")

    assert float(str(real["p"])) < 0.001
    assert float(str(absent["p"])) > 0.5
    assert isinstance(real["low"], float)
    assert real["low"] > 0


def test_shared_documents_widen_the_interval() -> None:
    """Items of one document that move together count as one observation."""
    a = [0.9] * 10 + [0.1] * 10
    together = compare.compute(plain(a, [0.5] * 20, ["s"] * 10 + ["t"] * 10)).row("All")
    apart = compare.compute(plain(a, [0.5] * 20, [f"s{at}" for at in range(20)])).row("All")

    def width(row: dict[str, object]) -> float:
        return float(str(row["high"])) - float(str(row["low"]))

    assert width(dict(together)) > 1.5 * width(dict(apart))


def test_ids_missing_on_one_side_are_listed(scores: ScoreTable) -> None:
    """What cannot be paired is named, with its number."""
    pair = pair_of(scores, 0, 1)
    table = compare.compute(
        Pair(pair.tasks, "A", "B", pair.a, pair.b, None, only_a=("x1",), only_b=("y1", "y2"), unjudged=("z",))
    )

    assert "Only in A, not compared (1): x1." in table.notes
    assert "Only in B, not compared (2): y1, y2." in table.notes
    assert "Await a judge, not compared (1): z." in table.notes


def test_order_of_items_changes_nothing(scores: ScoreTable) -> None:
    """Shuffled items and renamed ids give the same rows."""
    pair = pair_of(scores, 0, 3)
    order = np.random.default_rng(0).permutation(481)
    shuffled = pair.tasks.select(order)
    renamed = Tasks(
        tuple(f"z{at}" for at in range(481)), tuple(f"d-{name[::-1]}" for name in shuffled.source_ids),
        shuffled.tiers, shuffled.families, shuffled.geometries,
    )  # fmt: skip
    assert pair.both is not None
    other = Pair(renamed, pair.name_a, pair.name_b, pair.a[order], pair.b[order], pair.both[order])

    for expected, actual in zip(compare.compute(pair).rows, compare.compute(other).rows, strict=True):
        for left, right in zip(expected, actual, strict=True):
            assert left == (pytest.approx(right) if isinstance(right, float) else right)


def test_one_document_has_no_test() -> None:
    """One document cannot show whether a difference would come again."""
    row = compare.compute(plain([0.9, 0.8], [0.1, 0.2], ["s", "s"])).row("All")

    assert all(isinstance(row[name], Gap) for name in ("low", "high", "p", "detectable"))
    assert row["difference"] == pytest.approx(70.0)


def test_a_slice_of_no_items_is_a_gap() -> None:
    """Systems that never answered the same item have no "answered by both"."""
    pair = plain([0.9, 0.0], [0.0, 0.8], ["s", "t"])
    empty = Pair(pair.tasks, "A", "B", pair.a, pair.b, np.zeros(2, dtype=np.bool_), settings=Settings(resamples=100))

    row = compare.compute(empty).row("answered by both")

    assert row["n"] == 0
    assert isinstance(row["difference"], Gap)


def test_detectable_needs_two_documents() -> None:
    """A standard error over one cluster is undefined."""
    assert detectable(np.array([0.1, 0.2]), np.zeros(2, dtype=np.intp)) is None
    assert math.isfinite(detectable(np.array([0.1, 0.2]), np.arange(2)) or math.nan)
