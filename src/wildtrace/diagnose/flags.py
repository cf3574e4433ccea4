"""What the answers and the judges' replies were flagged with, for each system: a doubt beside every number.

The words and what they mean stand in `vocabulary` (protocol, rules 16 to 23). A flag that no answer carries has a
column only where its absence is worth saying.
"""

from __future__ import annotations

import numpy as np

from wildtrace.diagnose.base import Cell, Column, Drill, Inputs, Statistic, Table
from wildtrace.scores.table import OK, BoolArray, every_system
from wildtrace.tables.table import distinct
from wildtrace.vocabulary import ANSWER_FLAGS, JUDGE_FLAGS, Vocabulary

ALWAYS_ANSWER = ("suspected_truncation", "unverified")
ALWAYS_JUDGE = ("judge_input_truncated", "planted", "several_verdicts")
JUDGE_SUFFIX = " (judging)"


def compute(inputs: Inputs) -> Table:
    """One row for each system: its answers, and how many carry each flag (a judging flag by any judge counts once)."""
    scores = inputs.scores
    answers = ANSWER_FLAGS.sorted({*ALWAYS_ANSWER, *scores.answer_flags})
    judging = JUDGE_FLAGS.sorted({*ALWAYS_JUDGE, *scores.judge_flags})
    none: BoolArray = np.zeros(scores.status.shape, dtype=np.bool_)
    raised = [scores.answer_flags.get(flag, none) for flag in answers]
    raised += [
        np.asarray(scores.judge_flags[flag].any(axis=2)) if flag in scores.judge_flags else none for flag in judging
    ]
    rows: list[tuple[Cell, ...]] = []
    drills: list[Drill] = []
    for model in every_system(scores):
        counts = (int(flag[model].sum()) for flag in raised)
        rows.append((scores.models[model], int((scores.status[model] == OK).sum()), *counts))
        drills.append({"model": [scores.models[model]]})
    return Table(
        name="flags",
        title="Flags on answers and judgements",
        columns=distinct(
            (
                Column("model", role="key"),
                Column("answers", "integer", "valid answers", "count"),
                *(_column(flag, ANSWER_FLAGS, "", {"flag": flag}) for flag in answers),
                *(_column(flag, JUDGE_FLAGS, JUDGE_SUFFIX, {"judge_flag": flag}) for flag in judging),
            )
        ),
        rows=tuple(rows),
        row_drills=tuple(drills),
        n=len(scores.tasks),
        notes=(f"Flags ending in{JUDGE_SUFFIX} are of judges' replies; an answer counts once, however many judges.",),
    )


def _column(flag: str, words: Vocabulary, suffix: str, drill: Drill) -> Column:
    name = f"{flag}{suffix}"
    # A flag of another program is shown as it is.
    label = "" if flag in words else name
    return Column(name, "integer", "answers", "count", about=words.meaning(flag), label=label, drill=drill)


STATISTIC = Statistic("flags", "Flags on answers and judgements", "scores", compute)
