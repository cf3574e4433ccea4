"""Scores and their two means (protocol, section 5; docs/protocol.md, rules 19, 24 and 26).

A missing score is never 0; zeros are filled in only here, in the mean over all tasks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import fsum

from wildtrace.scores.panel import panel_score
from wildtrace.types import Aggregate, JudgeFailure, Judgement, Response, Score

OUT_OF_SCOPE = "out_of_context_scope"
MISSING = "missing"


def score_of(
    question_id: str,
    response: Response | None,
    judges: Sequence[str],
    judgements: Mapping[str, Judgement | JudgeFailure],
) -> Score:
    """A task's score: 0.0 out of scope, the mean of the full panel for an answer, else None."""
    if response is None:
        return Score(question_id, MISSING, None)
    if response.status == "ok":
        score, entries = panel_score(judges, judgements), judgements
    else:
        score, entries = 0.0 if response.status == OUT_OF_SCOPE else None, {}
    return Score(question_id, response.status, score, entries, response.reason, response.flags)


def aggregate(scores: Sequence[Score]) -> Aggregate:
    """Scored and All over every task, with the count of each reason for a zero; means are 0 to 1."""
    judged = [score.score for score in scores if score.status == "ok" and score.score is not None]
    unjudged = sum(score.status == "ok" and score.score is None for score in scores)
    zeros = Counter(zero_reason(score) for score in scores if score.status != "ok")
    complete = unjudged == 0 and bool(scores)
    return Aggregate(
        n_tasks=len(scores),
        scored_n=len(judged),
        scored=fsum(judged) / len(judged) if judged else None,
        all_tasks=fsum(judged) / len(scores) if complete else None,
        zeros=dict(sorted(zeros.items())),
        pending=sum(score.status == "pending" for score in scores),
        unjudged=unjudged,
    )


def zero_reason(score: Score) -> str:
    """Why a task counts as zero in All: its status, with the reason where it has one."""
    if score.status == "pending":
        return f"pending:{score.reason}"
    return score.reason or score.status
