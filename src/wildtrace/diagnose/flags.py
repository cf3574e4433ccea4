"""What the answers and the judges' replies were flagged with, for each system: a doubt beside every number.

Answers: suspected truncation, unverified length, replaced surrogates and whatever else a run flags. Replies: answers
cut for the judge (`judge_input_truncated`), planted verdicts, several verdicts, coerced or repaired replies, mismatched
points (decisions.md, rules 16 to 23).
"""

from __future__ import annotations

import numpy as np

from wildtrace.diagnose.base import Cell, Column, Inputs, Statistic, Table
from wildtrace.scores.table import OK, ranked_complete

EXPECTED_ANSWER = ("suspected_truncation", "unverified")
EXPECTED_JUDGE = ("judge_input_truncated", "planted", "several_verdicts")
JUDGE_SUFFIX = " (judging)"


def compute(inputs: Inputs) -> Table:
    """One row for each system: its answers, and how many carry each flag (a judging flag by any judge counts once)."""
    scores = inputs.scores
    answers = [*EXPECTED_ANSWER, *sorted(set(scores.answer_flags).difference(EXPECTED_ANSWER))]
    judging = [*EXPECTED_JUDGE, *sorted(set(scores.judge_flags).difference(EXPECTED_JUDGE))]
    order, _ = ranked_complete(scores)
    rest = sorted(set(range(len(scores.models))).difference(order), key=lambda at: scores.models[at])
    none = np.zeros(scores.status.shape, dtype=np.bool_)
    rows: list[tuple[Cell, ...]] = []
    for model in (*order, *rest):
        counts = [int(scores.answer_flags.get(flag, none)[model].sum()) for flag in answers]
        counts += [
            int(scores.judge_flags[flag][model].any(axis=1).sum()) if flag in scores.judge_flags else 0
            for flag in judging
        ]
        rows.append((scores.models[model], int((scores.status[model] == OK).sum()), *counts))
    return Table(
        name="flags",
        title="Flags on answers and judgements",
        columns=(
            Column("model", role="key"),
            Column("answers", "integer", "valid answers", "count"),
            *(Column(flag, "integer", "answers", "count") for flag in answers),
            *(Column(f"{flag}{JUDGE_SUFFIX}", "integer", "answers", "count") for flag in judging),
        ),
        rows=tuple(rows),
        n=len(scores.tasks),
        notes=(f"Flags ending in{JUDGE_SUFFIX} are of judges' replies; an answer counts once, however many judges.",),
    )


STATISTIC = Statistic("flags", "Flags on answers and judgements", "scores", compute)
