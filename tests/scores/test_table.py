"""The score table: which cells are zeros, which are missing, and what waits for a judge."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.diagnose.test_leaderboard import small
from wildtrace.scores.table import (
    FAILED,
    MISSING,
    OK,
    OUT_OF_CONTEXT,
    PENDING,
    UNKNOWN,
    Tasks,
    exact_mean,
    present,
    ranking,
)

NAN = float("nan")


def test_a_partial_panel_has_no_mean() -> None:
    """Two of three judges make no score: missing, not the mean of two, not zero."""
    table = small([[[0.2, 0.4, NAN], [0.3, 0.3, 0.6]]])

    assert np.isnan(table.panel_mean()[0, 0])
    assert table.panel_mean()[0, 1] == pytest.approx(0.4)
    assert [[True, False]] == table.unjudged().tolist()


@pytest.mark.parametrize("status", [OUT_OF_CONTEXT, FAILED, PENDING, MISSING, UNKNOWN])
def test_zeros_are_filled_for_what_was_not_answered(status: int) -> None:
    """Missing, failed, pending and out-of-context answers count zero in All, and nowhere else."""
    table = small([[[NAN, NAN], [0.5, 0.5]]])
    table.status[0, 0] = status

    assert [[0.0, 0.5]] == table.zero_filled().tolist()
    assert [[False, True]] == table.answered().tolist()
    assert np.isnan(table.panel_mean()[0, 0])
    assert len(table.incomplete_notes()) == 0


def test_an_answer_that_awaits_a_judge_is_no_zero() -> None:
    """A valid answer without its judges stays without a number, and its system without an All."""
    table = small([[[NAN, NAN], [0.5, 0.5]], [[0.1, 0.1], [0.2, 0.2]]])

    assert np.isnan(table.zero_filled()[0, 0])
    assert [1] == table.complete().tolist()
    assert table.incomplete_notes() == ("a: 1 answer awaits a judge, so it has no All and is left out.",)


def test_unknown_status_with_some_judges_awaits_the_others() -> None:
    """In a matrix without statuses, a half-judged cell is half-judged; an empty one counts zero."""
    table = small([[[0.5, NAN], [NAN, NAN], [0.5, 0.7]]])
    table.status[:] = UNKNOWN

    assert [[True, False, False]] == table.unjudged().tolist()


def test_judges_outside_a_systems_panel_do_not_count() -> None:
    """With panels mixed on request, each system is scored by its own."""
    table = small([[[0.2, NAN]], [[0.4, 0.6]]])
    mixed = replace(table, panel=np.array([[True, False], [True, True]]))

    assert [[0.2], [0.5]] == mixed.zero_filled().tolist()
    assert [[False], [True]] == mixed.fully_judged().tolist()


def test_fully_judged_leaves_out_what_was_not_answered() -> None:
    """A failed answer with stray scores is no judged answer."""
    table = small([[[0.5, 0.5], [0.5, NAN], [0.0, 0.0]]])
    table.status[0] = [OK, OK, FAILED]

    assert [[True, False, False]] == table.fully_judged().tolist()


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30), st.randoms(use_true_random=False))
def test_the_exact_mean_does_not_know_the_order(values: list[float], random: object) -> None:
    """Shuffled values have bit for bit the same mean."""
    shuffled = list(values)
    random.shuffle(shuffled)  # type: ignore[attr-defined]

    assert exact_mean(np.array(values)) == exact_mean(np.array(shuffled))


def test_no_values_have_no_mean() -> None:
    """The mean of nothing is not zero."""
    assert np.isnan(exact_mean(np.array([])))


def test_means_equal_up_to_rounding_are_ranked_by_name() -> None:
    """The order of summation does not decide who is first."""
    assert [1, 0] == ranking(np.array([0.3, 0.1 + 0.2]), ["b", "a"])


def test_labels_are_ordered_as_given_then_by_name() -> None:
    """Known labels keep their order, others follow, empty ones are no label."""
    assert ["L1", "L0", "A", "Z"] == present(["Z", "L0", "", "L1", "A", "L0"], ("L1", "L0", "L9"))


def test_items_without_a_source_are_documents_of_their_own() -> None:
    """Unknown sources do not lump items together."""
    none = ("",) * 4
    tasks = Tasks(("q0", "q1", "q2", "q3"), ("", "s", "", "s"), none, none, none)

    clusters = tasks.clusters().tolist()

    assert clusters[1] == clusters[3]
    assert len(set(clusters)) == 3


def test_selecting_keeps_facts_together() -> None:
    """The same items in another order, with their structure."""
    tasks = Tasks(("q0", "q1"), ("s", "t"), ("L0", "L1"), ("f", "g"), ("x", "y"), {"clues": np.array([2.0, 3.0])})

    picked = tasks.select(np.array([1, 0]))

    assert (picked.question_ids, picked.tiers, picked.structure["clues"].tolist()) == (
        ("q1", "q0"),
        ("L1", "L0"),
        [3.0, 2.0],
    )
