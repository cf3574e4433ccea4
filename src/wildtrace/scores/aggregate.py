"""A task's score, why it counts zero, and the two means over tasks (docs/protocol.md, rules 19, 24 and 26).

These are the only places where a panel's mean and the reason of a zero come from: judging, the score table and the
report call them. A missing score is never 0; zeros are filled in only in the means over all tasks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import fsum
from typing import Final

from wildtrace.types import Aggregate, JudgeFailure, Judgement, Response, Score

OUT_OF_SCOPE: Final = "out_of_context_scope"
MISSING: Final = "missing"


def panel_mean(credits_given: Sequence[float]) -> float:
    """The simple mean of a full panel's credits, 0 to 1, rounded once, so that no order of judges changes it."""
    # Sums of floating-point numbers would make three judges' 0.7 a 0.6999999999999998.
    return float(sum(map(Fraction, credits_given)) / len(credits_given))


def panel_score(judges: Sequence[str], judgements: Mapping[str, Judgement | JudgeFailure]) -> float | None:
    """The mean credit over `judges`; None while any of them has no usable reply (rule 19)."""
    given = [entry.score for name in judges if isinstance(entry := judgements.get(name), Judgement)]
    return panel_mean(given) if given and len(given) == len(judges) else None


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
        scored=mean(judged),
        all_tasks=mean([*judged, *(0.0 for _ in range(len(scores) - len(judged)))]) if complete else None,
        zeros=dict(sorted(zeros.items())),
        pending=sum(score.status == "pending" for score in scores),
        unjudged=unjudged,
    )


def mean(values: Sequence[float]) -> float | None:
    """The mean with an exactly rounded sum, so that the order of the values changes nothing; None of no values."""
    return fsum(values) / len(values) if values else None


def zero_reason(score: Score) -> str:
    """Why a task counts as zero in All: its reason, else its status; `pending` is named beside its reason."""
    return zero_label(score.status, score.reason)


def zero_label(status: str, reason: str | None) -> str:
    """The same, of a status and a reason; a matrix has the whole label for a reason."""
    if status == "pending" and reason and not reason.startswith("pending:"):
        return f"pending:{reason}"
    return reason or status
