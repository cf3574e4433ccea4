"""A task's score and the two means."""

from __future__ import annotations

import pytest

from wildtrace.scores.aggregate import aggregate, score_of, zero_reason
from wildtrace.types import JudgeFailure, Judgement, Response, Score

HALF = Judgement(0.5, 50, None, (), "")
FULL = Judgement(1.0, 100, None, (), "")


@pytest.mark.parametrize(
    ("response", "wanted"),
    [
        (None, Score("q", "missing", None)),
        (Response("q", "out_of_context_scope"), Score("q", "out_of_context_scope", 0.0)),
        (
            Response("q", "failed", "refusal", flags=("unverified",)),
            Score("q", "failed", None, {}, "refusal", ("unverified",)),
        ),
        (Response("q", "pending", "timeout"), Score("q", "pending", None, {}, "timeout")),
        (Response("q", "ok", response="a"), Score("q", "ok", 0.75, {"a": HALF, "b": FULL})),
    ],
)
def test_only_an_answer_has_a_panels_score(response: Response | None, wanted: Score) -> None:
    """Judges of what is no answer do not count; reason and flags are the response's."""
    assert wanted == score_of("q", response, ["a", "b"], {"a": HALF, "b": FULL})


def test_an_answer_that_lacks_a_judge_has_no_score_and_keeps_the_others() -> None:
    """Null, not the mean of those that spoke."""
    judged: dict[str, Judgement | JudgeFailure] = {"a": HALF, "b": JudgeFailure("down")}
    assert Score("q", "ok", None, judged) == score_of("q", Response("q", "ok", response="a"), ["a", "b"], judged)


def test_a_score_of_zero_is_scored() -> None:
    """It is no missing one."""
    total = aggregate([Score("a", "ok", 0.0), Score("b", "ok", 1.0)])
    assert (2, 0.5, 0.5, {}) == (total.scored_n, total.scored, total.all_tasks, total.zeros)


def test_no_tasks_have_no_mean() -> None:
    """Not zero."""
    total = aggregate([])
    assert (0, None, None) == (total.n_tasks, total.scored, total.all_tasks)


def test_all_failures_make_all_zero_and_scored_unknown() -> None:
    """Nothing was answered: All is 0, Scored has no value."""
    total = aggregate([Score("a", "failed", None, reason="empty_stop"), Score("b", "out_of_context_scope", 0.0)])
    assert (None, 0.0, {"empty_stop": 1, "out_of_context_scope": 1}) == (total.scored, total.all_tasks, total.zeros)


def test_a_zero_keeps_its_cause() -> None:
    """A failure's reason, pending ones marked as such, else the status."""
    scores = [
        Score("a", "failed", None, reason="refusal"),
        Score("b", "pending", None, reason="rate_limited"),
        Score("c", "missing", None),
        Score("d", "out_of_context_scope", 0.0),
    ]
    assert ["refusal", "pending:rate_limited", "missing", "out_of_context_scope"] == [zero_reason(s) for s in scores]
    assert ["missing", "out_of_context_scope", "pending:rate_limited", "refusal"] == list(aggregate(scores).zeros)


def test_means_are_rounded_once() -> None:
    """A sum of tenths is exact."""
    total = aggregate([Score(f"q{n}", "ok", 0.1) for n in range(10)])
    assert (0.1, 0.1) == (total.scored, total.all_tasks)
