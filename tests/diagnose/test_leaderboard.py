"""The leaderboard: All, both intervals, Scored, coverage, reasons for zeros, and its stated gaps."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from tests.diagnose.made import CAPS, MODELS
from wildtrace.diagnose import leaderboard
from wildtrace.diagnose.base import Gap, Inputs, Settings
from wildtrace.scores.table import FAILED, OK, OUT_OF_CONTEXT, PENDING, UNKNOWN, ScoreTable, Tasks
from wildtrace.types import Item


def small(credit: list[list[list[float]]], sources: tuple[str, ...] = ()) -> ScoreTable:
    """A table of systems a, b, .. on items q0, q1, .. by judges j0, j1, ..; each its own document by default."""
    array = np.array(credit)
    count = array.shape[1]
    ids = tuple(f"q{at}" for at in range(count))
    none = ("",) * count
    tasks = Tasks(ids, sources or ids, none, none, none)
    return ScoreTable.of(tasks, "abcdef"[: len(array)], [f"j{at}" for at in range(array.shape[2])], array)


def test_score_is_the_mean_over_all_items_with_zeros_filled(inputs: Inputs) -> None:
    """All of every system equals a plain mean in which out-of-context items count zero."""
    table = leaderboard.compute(inputs)

    for at, model in enumerate(MODELS):
        cells = [0.0 if np.isnan(cell).any() else float(cell.mean()) for cell in inputs.scores.credit[at]]
        assert 100 * sum(cells) / 481 == pytest.approx(table.row(model)["score"])


def test_rows_are_ranked_from_best_to_worst(inputs: Inputs) -> None:
    """Ranks count from 1 and follow the scores."""
    table = leaderboard.compute(inputs)

    scores = [cell for cell in table.column("score") if isinstance(cell, float)]
    assert sorted(scores, reverse=True) == scores
    assert tuple(range(1, 19)) == table.column("rank")


def test_equal_scores_share_a_rank() -> None:
    """Two systems with the same scores on other items are both first; the next is third."""
    table = leaderboard.compute(Inputs(scores=small([[[0.2], [0.4]], [[0.4], [0.2]], [[0.1], [0.1]]])))

    assert (1, 1, 3) == table.column("rank")


def test_intervals_agree_with_scipy(inputs: Inputs) -> None:
    """The 95 % task-bootstrap limits are scipy's up to the error of the draw (0.1 points)."""
    table = leaderboard.compute(inputs)

    filled = 100 * inputs.scores.zero_filled()
    theirs = stats.bootstrap((filled,), np.mean, axis=1, vectorized=True, method="percentile", n_resamples=5_000, rng=2)
    for at, model in enumerate(MODELS):
        row = table.row(model)
        assert theirs.confidence_interval.low[at] == pytest.approx(row["low"], abs=0.15)
        assert theirs.confidence_interval.high[at] == pytest.approx(row["high"], abs=0.15)


def test_bold_marks_overlap_with_the_leader() -> None:
    """A system within the leader's interval ties it; one far below does not."""
    rng = np.random.default_rng(0)
    leader, close = rng.uniform(0.6, 1.0, 100), rng.uniform(0.58, 1.0, 100)
    far = rng.uniform(0.0, 0.2, 100)
    table = leaderboard.compute(Inputs(scores=small(np.stack([leader, close, far])[:, :, None].tolist())))

    assert {"a": True, "b": True, "c": False} == dict(
        zip(table.column("model"), table.column("ties_leader"), strict=True)
    )


def test_scored_counts_judged_answers_alone(inputs: Inputs) -> None:
    """Scored leaves out what was out of context; coverage is its share of all items."""
    table = leaderboard.compute(inputs)

    for model in CAPS:
        row, at = table.row(model), MODELS.index(model)
        answered = ~np.isnan(inputs.scores.credit[at]).any(axis=1)
        assert 100 * inputs.scores.credit[at][answered].mean() == pytest.approx(row["scored"])
        assert int(answered.sum()) == row["scored_n"]
        assert answered.sum() / 481 == pytest.approx(row["coverage"])


def test_every_reason_for_a_zero_has_its_count() -> None:
    """Refusals, empty answers and out-of-context items are counted apart, by their stated reasons."""
    table = small([[[0.5], [np.nan], [np.nan], [np.nan]]])
    table.status[0] = [OK, FAILED, FAILED, OUT_OF_CONTEXT]
    table.reason[0] = [-1, 0, 1, -1]
    row = leaderboard.compute(Inputs(scores=replace(table, reasons=("refusal", "empty_stop")))).row("a")

    assert (1, 1, 1) == (row["zero: refusal"], row["zero: empty_stop"], row["zero: out_of_context_scope"])
    assert row["score"] == pytest.approx(12.5)


def test_a_status_without_a_reason_is_counted_as_itself() -> None:
    """A matrix may say that an answer failed and not why."""
    table = small([[[0.5], [np.nan], [np.nan]]])
    table.status[0] = [OK, FAILED, PENDING]

    row = leaderboard.compute(Inputs(scores=table)).row("a")
    assert (1, 1) == (row["zero: failed"], row["zero: pending"])


def test_a_system_that_awaits_judges_has_no_score() -> None:
    """A partial panel gives no All: the row says how many answers wait, and stands below the ranked ones."""
    table = leaderboard.compute(Inputs(scores=small([[[0.9, np.nan], [0.5, 0.5]], [[0.1, 0.1], [0.2, 0.2]]])))

    assert ("b", "a") == table.column("model")
    assert Gap("1 answer of a awaits a judge") == table.row("a")["score"]
    assert table.row("a")["scored"] == pytest.approx(50.0)


def test_without_a_status_scored_is_unknown() -> None:
    """A bare matrix cannot tell a zero from an answer worth nothing."""
    table = small([[[0.5], [0.0]]])
    table.status[:] = UNKNOWN
    row = leaderboard.compute(Inputs(scores=table)).row("a")

    assert row["score"] == pytest.approx(25.0)
    assert isinstance(row["scored"], Gap)
    assert isinstance(row["coverage"], Gap)


def test_one_item_has_no_interval() -> None:
    """One item is a stated gap, not an interval of width zero."""
    row = leaderboard.compute(Inputs(scores=small([[[0.5]]]))).row("a")

    assert Gap("n = 1, no interval") == row["low"]


def test_one_document_has_no_document_interval() -> None:
    """Items of a single document cannot be resampled by document."""
    row = leaderboard.compute(Inputs(scores=small([[[0.5], [0.7]]], sources=("s", "s")))).row("a")

    assert isinstance(row["low"], float)
    assert Gap("one document, no interval") == row["document_low"]


def test_the_seed_is_an_argument_and_is_stated(inputs: Inputs) -> None:
    """The same seed repeats the interval; another one moves it a little; the note names it."""
    first = leaderboard.compute(replace(inputs, settings=Settings(seed=1, resamples=500)))
    again = leaderboard.compute(replace(inputs, settings=Settings(seed=1, resamples=500)))
    other = leaderboard.compute(replace(inputs, settings=Settings(seed=2, resamples=500)))

    assert first.rows == again.rows
    assert first.column("low") != other.column("low")
    assert "seed 1" in first.notes[0]


def test_item_counts_of_the_paper_add_up(items: tuple[Item, ...]) -> None:
    """The made release has the paper's 481 items over 214 documents."""
    assert len(items) == 481
    assert len({item.source_id for item in items}) == 214
