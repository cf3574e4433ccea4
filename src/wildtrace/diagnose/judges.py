"""Judge reliability: level, agreement by answer and by rank, family bias, and each judge left out (paper, Table 9).

Only answers that every judge scored count. A coefficient that is undefined (one judge, no variance, one system) is a
stated gap, never 1.0.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from wildtrace.diagnose.base import PERCENT, Cell, Column, Gap, Inputs, Statistic, Table
from wildtrace.diagnose.numeric.agreement import kendall_tau_b, krippendorff_alpha, pearson
from wildtrace.scores.table import OK, UNKNOWN, BoolArray, FloatArray, ScoreTable, exact_mean
from wildtrace.text.counting import counted

Row = tuple[Cell, ...]


def compute(inputs: Inputs) -> Table:
    """One row for each diagnostic: its value, its unit and the number of cells or systems behind it."""
    scores = inputs.scores
    cells = scores.fully_judged()
    ratings = scores.credit[cells]
    rows: list[Row] = [*_levels(scores, ratings), *_by_answer(scores, ratings), *_by_rank(scores)]
    rows += [*_family_bias(scores, cells), *_left_out(scores)]
    return Table(
        name="judges",
        title="Judge reliability",
        columns=(
            Column("diagnostic", role="key"),
            Column("value", "number"),
            Column("unit"),
            Column("n", "integer", "cells or systems", "count"),
        ),
        rows=tuple(rows),
        drill={"every_judge": True},
        n=len(ratings),
        notes=_notes(scores, cells),
    )


def _levels(scores: ScoreTable, ratings: FloatArray) -> Iterator[Row]:
    for at, judge in enumerate(scores.judges):
        mean = exact_mean(ratings[:, at])
        value: Cell = PERCENT * mean if len(ratings) else Gap("no answer was scored by every judge")
        yield (f"{judge} grand mean", value, "points", len(ratings))


def _by_answer(scores: ScoreTable, ratings: FloatArray) -> Iterator[Row]:
    n = len(ratings)
    for left, right in combinations(range(len(scores.judges)), 2):
        name = f"{scores.judges[left]} vs. {scores.judges[right]} Pearson"
        yield (name, _or_gap(pearson(ratings[:, left], ratings[:, right]), name), "r over answers", n)
    alpha = krippendorff_alpha(ratings) if len(scores.judges) > 1 else None
    yield ("Krippendorff alpha (interval)", _or_gap(alpha, "Krippendorff alpha"), "alpha over answers", n)


def _by_rank(scores: ScoreTable) -> Iterator[Row]:
    means = [scores.judged_means([judge]) for judge in range(len(scores.judges))]
    for left, right in combinations(range(len(scores.judges)), 2):
        name = f"{scores.judges[left]} vs. {scores.judges[right]} Kendall tau-b"
        tau = kendall_tau_b(means[left][1], means[right][1])
        yield (name, _or_gap(tau, name), "tau-b over systems", len(means[left][0]))


def _family_bias(scores: ScoreTable, cells: BoolArray) -> Iterator[Row]:
    if len(scores.judges) < 2:
        return
    families = [scores.families.get(model, "") for model in scores.models]
    for at, judge in enumerate(scores.judges):
        family = scores.families.get(judge, "")
        own = np.array([bool(family) and name == family for name in families], dtype=np.bool_)
        if own.any():
            yield from _bias_rows(scores, cells, at, own)


def _bias_rows(scores: ScoreTable, cells: BoolArray, judge: int, own: BoolArray) -> Iterator[Row]:
    family, name = scores.families[scores.judges[judge]], f"{scores.judges[judge]} bias"
    others = [at for at in range(len(scores.judges)) if at != judge]
    values: list[float | None] = []
    for label, systems in ((f"on {family}", own), (f"on other families than {family}", ~own)):
        ratings = scores.credit[systems][cells[systems]]
        bias = PERCENT * exact_mean(ratings[:, judge] - ratings[:, others].mean(axis=1)) if len(ratings) else None
        values.append(bias)
        yield (f"{name} {label}", _or_gap(bias, f"{name} {label}"), "pp vs. the other judges' mean", len(ratings))
    on_own, on_others = values
    gap = None if on_own is None or on_others is None else on_own - on_others
    yield (f"{name} gap ({family})", _or_gap(gap, f"{name} gap"), "pp", int(cells.sum()))


def _left_out(scores: ScoreTable) -> Iterator[Row]:
    everyone = list(range(len(scores.judges)))
    if len(everyone) < 2:
        return
    systems, means = scores.judged_means(everyone)
    for judge in everyone:
        _, rest = scores.judged_means([at for at in everyone if at != judge])
        shift = PERCENT * float(np.abs(rest - means).max()) if systems else None
        name = f"without {scores.judges[judge]}: largest model shift"
        yield (name, _or_gap(shift, name), "points", len(systems))
        name = f"all judges vs. without {scores.judges[judge]} Kendall tau-b"
        yield (name, _or_gap(kendall_tau_b(means, rest), name), "tau-b over systems", len(systems))


def _or_gap(value: float | None, name: str) -> Cell:
    return Gap(f"{name}: undefined here (one judge, one system, or no variance)") if value is None else value


def _notes(scores: ScoreTable, cells: BoolArray) -> tuple[str, ...]:
    notes = []
    if len(scores.judges) == 1:
        notes.append("One judge: agreement between judges is undefined.")
    partial = int(((scores.status == OK) & ~cells).sum())
    if partial:
        notes.append(
            counted(partial, "answer lacks a judge and is left out.", "answers lack a judge and are left out.")
        )
    if bool((scores.status == UNKNOWN).any()):
        notes.append("Without a status, filled zeros look like judged answers and count as agreement.")
    return tuple(notes)


STATISTIC = Statistic("judges", "Judge reliability", "scores", compute)
