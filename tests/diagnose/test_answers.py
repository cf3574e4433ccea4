"""Answer length, flags, and access against reasoning."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
import statsmodels.formula.api as smf

from tests.diagnose.test_leaderboard import small
from wildtrace.diagnose import access, flags, lengths
from wildtrace.diagnose.base import Gap, Inputs
from wildtrace.scores.table import FAILED, MISSING, ScoreTable


@pytest.fixture(scope="module")
def long_answers(scores: ScoreTable) -> ScoreTable:
    """Lengths that rise with the score, differently by system and item."""
    rng = np.random.default_rng(1)
    mean = np.nan_to_num(scores.panel_mean())
    by_item = rng.uniform(0, 3000, size=(1, mean.shape[1]))
    chars = np.round(800 + 2000 * mean + rng.normal(0, 400, mean.shape) + by_item)
    return replace(scores, answer_chars=np.where(scores.answered(), np.maximum(chars, 50), np.nan))


def test_within_item_slope_is_that_of_item_dummies(long_answers: ScoreTable) -> None:
    """Points per 1,000 characters equal the slope of a regression with a dummy for every item (first 40 items)."""
    chosen = np.arange(40)
    part = ScoreTable.of(long_answers.tasks.select(chosen), long_answers.models, "xyz", long_answers.credit[:, :40])
    part = replace(part, status=long_answers.status[:, :40], answer_chars=long_answers.answer_chars[:, :40])
    used = part.answered()
    rows, columns = np.nonzero(used)
    frame = pd.DataFrame({"score": 100 * part.panel_mean()[used], "k": part.answer_chars[used] / 1000, "item": columns})

    expected = smf.ols("score ~ k + C(item)", data=frame).fit().params["k"]

    assert expected == pytest.approx(lengths.compute(Inputs(scores=part)).row("panel")["points_per_1000"])
    assert len(rows) == lengths.compute(Inputs(scores=part)).row("panel")["n"]


def test_within_item_correlation_is_of_centred_values(long_answers: ScoreTable) -> None:
    """The within-item r equals the correlation of scores and lengths after each item's means are taken away."""
    used = long_answers.answered()
    rows, items = np.nonzero(used)
    frame = pd.DataFrame({"item": items, "y": long_answers.panel_mean()[used], "x": long_answers.answer_chars[used]})
    centred = frame[["x", "y"]] - frame.groupby("item")[["x", "y"]].transform("mean")

    row = lengths.compute(Inputs(scores=long_answers)).row("panel")

    assert centred.x.corr(centred.y) == pytest.approx(row["r"])
    assert float(str(row["r"])) > 0.3
    assert len(rows) == row["n"]


def test_every_judge_has_its_own_length_row(long_answers: ScoreTable) -> None:
    """One can see which judge rewards length."""
    labels = lengths.compute(Inputs(scores=long_answers)).column("view")

    assert {f"judge: {judge}" for judge in long_answers.judges} <= set(labels)


def test_unknown_lengths_are_a_gap(inputs: Inputs) -> None:
    """Without responses no length is known; nothing is correlated."""
    table = lengths.compute(inputs)

    assert isinstance(table.row("panel")["r"], Gap)
    assert "No answer's length is known: give the responses files." in table.notes


def test_equal_lengths_have_no_correlation() -> None:
    """Answers of the same length everywhere leave nothing to correlate."""
    table = replace(small([[[0.1], [0.5]], [[0.4], [0.9]]]), answer_chars=np.full((2, 2), 100.0))

    assert isinstance(lengths.compute(Inputs(scores=table)).row("panel")["r"], Gap)


def test_flags_count_answers_not_judges() -> None:
    """A verdict planted in one answer counts once, though three judges flag it; absent flags count zero."""
    table = small([[[0.1, 0.2, 0.3], [0.5, 0.5, 0.5]], [[0.4, 0.4, 0.4], [0.9, 0.9, 0.9]]])
    planted = np.zeros((2, 2, 3), dtype=np.bool_)
    planted[0, 1] = True
    cut = np.zeros((2, 2), dtype=np.bool_)
    cut[1] = True
    flagged = replace(table, judge_flags={"planted": planted}, answer_flags={"suspected_truncation": cut})

    row_a, row_b = (flags.compute(Inputs(scores=flagged)).row(name) for name in "ab")

    assert (row_a["planted (judging)"], row_b["planted (judging)"]) == (1, 0)
    assert (row_a["suspected_truncation"], row_b["suspected_truncation"]) == (0, 2)
    assert row_a["judge_input_truncated (judging)"] == 0


def test_flags_that_are_new_get_their_column() -> None:
    """What a run flags beyond the known ones reaches the table too."""
    table = replace(small([[[0.1]]]), answer_flags={"lone_surrogate": np.ones((1, 1), dtype=np.bool_)})

    assert flags.compute(Inputs(scores=table)).row("a")["lone_surrogate"] == 1


def conditions() -> Inputs:
    """System a under three conditions on two items, b under the protocol's alone."""
    full = small([[[0.5], [0.7]], [[0.2], [0.2]]])
    evidence = small([[[0.9], [0.6]]])
    nothing = small([[[0.1], [0.0]]])
    return Inputs(scores=full, other_conditions={"evidence": evidence, "none": nothing})


def test_gaps_are_differences_of_conditions() -> None:
    """Access gap = evidence - full, reasoning gap = 100 - evidence, contamination = none."""
    table = access.compute(conditions())
    row = table.row("a")

    assert [60.0, 75.0, 5.0, 15.0, 25.0] == pytest.approx(
        [row[name] for name in ("full", "evidence", "contamination", "access_gap", "reasoning_gap")]
    )
    assert {row[0] for row in table.rows} == {"a"}


def test_a_negative_gap_is_printed() -> None:
    """Where the evidence alone does worse, the gap is negative, not clipped."""
    inputs = conditions()
    worse = replace(inputs, other_conditions={"evidence": small([[[0.1], [0.1]]])})
    row = access.compute(worse).row("a")

    assert row["access_gap"] == pytest.approx(-50.0)
    assert isinstance(row["contamination"], Gap)


def test_only_items_that_every_condition_asked_count() -> None:
    """An item that one condition was not asked is in no mean."""
    inputs = conditions()
    nothing = small([[[0.1], [np.nan]]])
    nothing.status[0, 1] = MISSING
    row = access.compute(replace(inputs, other_conditions={**inputs.other_conditions, "none": nothing})).row("a")

    assert row["n"] == 1
    assert row["full"] == pytest.approx(50.0)


def test_a_failed_answer_counts_zero_in_every_condition() -> None:
    """Zeros are filled as in All."""
    inputs = conditions()
    evidence = small([[[np.nan], [0.6]]])
    evidence.status[0, 0] = FAILED
    row = access.compute(replace(inputs, other_conditions={"evidence": evidence})).row("a")

    assert row["evidence"] == pytest.approx(30.0)


def test_a_condition_without_the_full_run_is_said() -> None:
    """A system that was never run with the document has no gaps."""
    inputs = conditions()
    stranger = replace(small([[[0.1], [0.1]]]), models=("z",))
    table = access.compute(replace(inputs, other_conditions={"none": stranger}))

    assert "z has no full-document run, so it has no gaps." in table.notes


def test_without_other_conditions_the_table_says_so(inputs: Inputs) -> None:
    """Nothing is printed that was not measured."""
    table = access.compute(inputs)

    assert table.rows == ()
    assert "No runs under --condition evidence or none were given." in table.notes


def test_an_item_with_one_answer_says_nothing_within_itself() -> None:
    """Only items with two answers of known length count, in every number of the row."""
    chars = np.array([[100.0, 900.0], [300.0, np.nan]])
    row = lengths.compute(Inputs(scores=replace(small([[[0.1], [0.5]], [[0.4], [0.9]]]), answer_chars=chars))).row(
        "panel"
    )

    assert (row["n"], row["items"], row["mean_length"]) == (2, 1, 200.0)
    assert row["points_per_1000"] == pytest.approx(30 / 0.2)
