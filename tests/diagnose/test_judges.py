"""Judge reliability against scipy, krippendorff and plain arithmetic, and its undefined cases."""

from __future__ import annotations

from dataclasses import replace

import krippendorff
import numpy as np
import pytest
from scipy import stats

from tests.diagnose.made import JUDGES, MODELS
from tests.diagnose.test_leaderboard import small
from wildtrace.diagnose import judge_means, judges
from wildtrace.diagnose.base import Gap, Inputs, Table
from wildtrace.scores.table import ScoreTable


@pytest.fixture(scope="module")
def table(inputs: Inputs) -> Table:
    """The made panel's reliability."""
    return judges.compute(inputs)


@pytest.fixture(scope="module")
def ratings(inputs: Inputs) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Answers x judges, those that every judge scored."""
    flat = inputs.scores.credit.reshape(-1, 3)
    return flat[~np.isnan(flat).any(axis=1)]


def means(credit: np.ndarray[tuple[int, ...], np.dtype[np.float64]], chosen: list[int]) -> list[float]:
    """The mean of each system by the chosen judges over what it answered."""
    return [float(np.nanmean(system[:, chosen])) for system in credit]


def test_grand_means_are_in_points(table: Table, ratings: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> None:
    """Each judge's mean over the common answers, with their number."""
    for at, judge in enumerate(JUDGES):
        row = table.row(f"{judge} grand mean")
        assert 100 * ratings[:, at].mean() == pytest.approx(row["value"])
        assert len(ratings) == row["n"]


def test_pearson_is_over_answers(table: Table, ratings: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> None:
    """Pairwise r equals scipy's."""
    expected = stats.pearsonr(ratings[:, 0], ratings[:, 2]).statistic
    assert expected == pytest.approx(table.row(f"{JUDGES[0]} vs. {JUDGES[2]} Pearson")["value"])


def test_alpha_is_over_answers(inputs: Inputs) -> None:
    """Alpha equals the krippendorff package's (thirty items, since that one is quadratic in distinct scores)."""
    chosen = np.arange(0, 481, 16)
    scores = inputs.scores
    part = ScoreTable.of(scores.tasks.select(chosen), scores.models, scores.judges, scores.credit[:, chosen])
    part.status[:] = scores.status[:, chosen]
    flat = part.credit.reshape(-1, 3)

    alpha = krippendorff.alpha(reliability_data=flat[~np.isnan(flat).any(axis=1)].T, level_of_measurement="interval")

    assert alpha == pytest.approx(judges.compute(Inputs(scores=part)).row("Krippendorff alpha (interval)")["value"])


def test_kendall_is_over_systems(inputs: Inputs, table: Table) -> None:
    """Pairwise tau-b of the rankings by single judges equals scipy's."""
    credit = inputs.scores.credit
    for left, right in ((0, 1), (0, 2), (1, 2)):
        expected = stats.kendalltau(means(credit, [left]), means(credit, [right])).statistic
        row = table.row(f"{JUDGES[left]} vs. {JUDGES[right]} Kendall tau-b")
        assert expected == pytest.approx(row["value"])
        assert row["n"] == 18


def test_family_bias_compares_with_the_other_judges(inputs: Inputs, table: Table) -> None:
    """Bias on own-family and other outputs is the judge minus the mean of the others; the gap is their difference."""
    own = [model.startswith("cedar") for model in MODELS]

    def bias(credit: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> float:
        return float(100 * np.nanmean(credit[..., 2] - credit[..., :2].mean(axis=-1)))

    on_own = bias(inputs.scores.credit[np.array(own)])
    on_rest = bias(inputs.scores.credit[~np.array(own)])
    assert on_own == pytest.approx(table.row("cedar-judge bias on cedar")["value"])
    assert on_rest == pytest.approx(table.row("cedar-judge bias on other families than cedar")["value"])
    assert on_own - on_rest == pytest.approx(table.row("cedar-judge bias gap (cedar)")["value"])


def test_judges_without_relatives_have_no_bias_rows(table: Table) -> None:
    """No family bias is printed for a judge none of whose relatives is a contestant."""
    assert not [row for row in table.rows if str(row[0]).startswith("quill-judge bias")]


@pytest.mark.parametrize("judge", range(3))
def test_each_judge_is_left_out_in_turn(inputs: Inputs, table: Table, judge: int) -> None:
    """The largest shift of a system's mean and the rank tau against the full panel."""
    credit = inputs.scores.credit
    everyone, rest = means(credit, [0, 1, 2]), means(credit, [at for at in range(3) if at != judge])
    shift = 100 * max(abs(a - b) for a, b in zip(everyone, rest, strict=True))
    assert shift == pytest.approx(table.row(f"without {JUDGES[judge]}: largest model shift")["value"])
    tau = stats.kendalltau(everyone, rest).statistic
    assert tau == pytest.approx(table.row(f"all judges vs. without {JUDGES[judge]} Kendall tau-b")["value"])


def test_only_cells_that_every_judge_scored_count() -> None:
    """An answer that lacks a judge is left out of every judge's mean, and counted in a note."""
    table = judges.compute(Inputs(scores=small([[[0.0, 1.0], [1.0, np.nan], [0.5, 0.5]]])))

    assert table.row("j0 grand mean")["value"] == pytest.approx(25.0)
    assert table.n == 2
    assert "1 answer lacks a judge and is left out." in table.notes


def test_one_judge_has_no_agreement() -> None:
    """A single judge agrees with nobody: a gap and a sentence, never 1.0."""
    table = judges.compute(Inputs(scores=small([[[0.2], [0.8]], [[0.1], [0.3]]])))

    assert isinstance(table.row("Krippendorff alpha (interval)")["value"], Gap)
    assert "One judge: agreement between judges is undefined." in table.notes


def test_a_judge_without_variance_has_no_correlation() -> None:
    """A judge that always gives the same score has no r and no tau."""
    table = judges.compute(Inputs(scores=small([[[0.2, 0.5], [0.8, 0.5]], [[0.1, 0.5], [0.3, 0.5]]])))

    assert isinstance(table.row("j0 vs. j1 Pearson")["value"], Gap)
    assert isinstance(table.row("j0 vs. j1 Kendall tau-b")["value"], Gap)


def test_one_system_has_no_ranking() -> None:
    """Rank agreement over a single system is undefined."""
    table = judges.compute(Inputs(scores=small([[[0.2, 0.5], [0.8, 0.6]]])))

    assert isinstance(table.row("j0 vs. j1 Kendall tau-b")["value"], Gap)
    assert isinstance(table.row("j0 vs. j1 Pearson")["value"], float)


def test_out_of_context_cells_do_not_count_as_agreement(inputs: Inputs) -> None:
    """Zeros of items that were never sent are no judgements: filling them in changes nothing."""
    table = judges.compute(replace(inputs, scores=inputs.scores))

    assert table.n == int((~np.isnan(inputs.scores.credit).any(axis=2)).sum())


def test_every_system_has_its_mean_by_each_judge(inputs: Inputs) -> None:
    """Means over common answers, best system first, with the range between judges."""
    table = judge_means.compute(inputs)

    row = table.row("elm-3")
    credit = inputs.scores.credit[MODELS.index("elm-3")]
    by_judge = [100 * float(np.nanmean(credit[:, at])) for at in range(3)]
    assert by_judge == pytest.approx([row[f"judge: {judge}"] for judge in JUDGES])
    assert max(by_judge) - min(by_judge) == pytest.approx(row["range"])
    assert row["n"] == int((~np.isnan(credit).any(axis=1)).sum())
    panel = [cell for cell in table.column("panel") if isinstance(cell, float)]
    assert sorted(panel, reverse=True) == panel


def test_one_judge_has_no_range() -> None:
    """With a single judge there is nothing between judges."""
    table = judge_means.compute(Inputs(scores=small([[[0.2], [0.8]]])))

    assert Gap("one judge, no range") == table.row("a")["range"]
