"""Leaderboard: All with two intervals, Scored, coverage, and every reason for a zero (paper, Table 1).

The score is All: every item counts, and missing, failed, pending and out-of-context answers count zero. The first
interval resamples items; the second resamples source documents, because items that share one are not independent.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from wildtrace.diagnose.base import PERCENT, Cell, Column, Gap, Inputs, Settings, Statistic, Table
from wildtrace.diagnose.numeric.resampling import cluster_intervals, task_intervals
from wildtrace.scores.table import (
    OK,
    STATUSES,
    UNKNOWN,
    BoolArray,
    FloatArray,
    ScoreTable,
    exact_mean,
    few_documents,
    overall,
    ranking,
)
from wildtrace.text.counting import counted

Interval = tuple[Cell, Cell]


@dataclass(frozen=True, slots=True, eq=False)
class _Cells:
    """The cells of a table, worked out once for all systems."""

    scores: ScoreTable
    mean: FloatArray
    unjudged: BoolArray
    answered: BoolArray


def compute(inputs: Inputs) -> Table:
    """Rank systems by All; `ties_leader` marks the rows whose item interval overlaps the leader's."""
    scores = inputs.scores
    cells = _Cells(scores, scores.panel_mean(), scores.unjudged(), scores.answered())
    complete = scores.complete()
    filled = scores.zero_filled()[complete]
    means = overall(filled)
    order = ranking(means, [scores.models[model] for model in complete])
    by_item, by_document = _intervals(filled, scores, inputs.settings)
    zeros = [_zeros(cells, model) for model in range(len(scores.models))]
    reasons = sorted(set().union(*zeros)) if zeros else []
    leader_low = by_item[order[0]][0] if order else Gap("no system")
    rows = []
    for place in order:
        rank = 1 + int(np.count_nonzero(np.round(means, 12) > round(float(means[place]), 12)))
        ties = _overlaps(leader_low, by_item[place][1]) or rank == 1
        head = (rank, PERCENT * float(means[place]), *by_item[place], ties, *by_document[place])
        rows.append(_row(cells, int(complete[place]), head, zeros, reasons))
    for model in sorted(set(range(len(scores.models))) - set(complete.tolist()), key=lambda at: scores.models[at]):
        waiting = Gap(_waiting(scores.models[model], int(cells.unjudged[model].sum())))
        rows.append(_row(cells, model, (waiting,) * 4 + (False,) + (waiting,) * 2, zeros, reasons))
    return Table(
        name="leaderboard",
        title="Leaderboard",
        columns=_columns(inputs.settings, reasons),
        rows=tuple(rows),
        n=len(scores.tasks),
        notes=_notes(scores, inputs.settings),
    )


def _waiting(model: str, count: int) -> str:
    return counted(count, f"answer of {model} awaits a judge", f"answers of {model} await a judge")


def _columns(settings: Settings, reasons: list[str]) -> tuple[Column, ...]:
    level = f"{PERCENT * settings.level:g} %"
    return (
        Column("model", role="key"),
        Column("rank", "integer", role="count"),
        Column("score", "score", "points", about="All, in which every item counts"),
        Column("low", "score", "points", "low", about=f"{level} interval over items"),
        Column("high", "score", "points", "high", about=f"{level} interval over items"),
        Column("ties_leader", role="mark", about="the item interval overlaps the leader's"),
        Column("document_low", "score", "points", "low", about=f"{level} interval over source documents"),
        Column("document_high", "score", "points", "high", about=f"{level} interval over source documents"),
        Column("scored", "score", "points", about="mean over fully judged answers"),
        Column("scored_n", "integer", "answers", "count"),
        Column("n", "integer", "items", "count"),
        Column("coverage", "share", "of items", about="fully judged answers among all items"),
        Column("cap_source", about="where the context cap came from"),
        *(Column(f"zero: {reason}", "integer", "items", "count") for reason in reasons),
    )


def _row(
    cells: _Cells, model: int, head: tuple[Cell, ...], zeros: list[Counter[str]], reasons: list[str]
) -> tuple[Cell, ...]:
    counts = [zeros[model][reason] for reason in reasons]
    source = cells.scores.cap_source[model] or Gap("the scores do not say where the cap came from")
    return (cells.scores.models[model], *head, *_scored(cells, model), source, *counts)


def _scored(cells: _Cells, model: int) -> tuple[Cell, Cell, Cell, Cell]:
    n = len(cells.scores.tasks)
    if bool((cells.scores.status[model] == UNKNOWN).any()):
        unknown = Gap("without a status, a zero and an answer worth nothing look alike: Scored is unknown")
        return unknown, unknown, n, unknown
    answered = cells.answered[model]
    count = int(answered.sum())
    mean = exact_mean(cells.mean[model][answered])
    score: Cell = PERCENT * mean if count else Gap("no answer was scored by the full panel")
    return score, count, n, count / n


def _zeros(cells: _Cells, model: int) -> Counter[str]:
    scores = cells.scores
    counts: Counter[str] = Counter()
    for item in np.flatnonzero((scores.status[model] != OK) & ~cells.unjudged[model]):
        status = int(scores.status[model, item])
        if status == UNKNOWN and not np.isnan(cells.mean[model, item]):
            continue
        reason = int(scores.reason[model, item])
        counts[STATUSES[status] if reason < 0 else scores.reasons[reason]] += 1
    stated = scores.zeros.get(scores.models[model], {})
    return Counter(stated) if sum(stated.values()) == counts.total() else counts


def _intervals(filled: FloatArray, scores: ScoreTable, settings: Settings) -> tuple[list[Interval], list[Interval]]:
    if not len(filled):
        return [], []
    cluster = scores.tasks.clusters()
    items, documents = filled.shape[1], int(cluster.max()) + 1
    seed, resamples, level = settings.seed, settings.resamples, settings.level
    by_item: list[Interval] = [(Gap("n = 1, no interval"), Gap("n = 1, no interval"))] * len(filled)
    by_document: list[Interval] = [(Gap("one document, no interval"), Gap("one document, no interval"))] * len(filled)
    if items > 1:
        by_item = _cells(task_intervals(filled, resamples, seed, level))
    if documents > 1:
        by_document = _cells(cluster_intervals(filled, cluster, resamples, seed, level))
    return by_item, by_document


def _cells(limits: FloatArray) -> list[Interval]:
    return [(PERCENT * float(low), PERCENT * float(high)) for low, high in limits]


def _overlaps(leader_low: Cell, high: Cell) -> bool:
    return isinstance(leader_low, float) and isinstance(high, float) and high >= leader_low


def _notes(scores: ScoreTable, settings: Settings) -> tuple[str, ...]:
    documents = int(scores.tasks.clusters().max()) + 1 if len(scores.tasks) else 0
    intervals = (
        f"Intervals: percentile bootstrap, {settings.resamples:,} resamples, seed {settings.seed}; "
        f"over {counted(len(scores.tasks), 'item')}, and over the {counted(documents, 'document')} they share."
    )
    return (intervals, *few_documents(scores.tasks), *scores.incomplete_notes())


STATISTIC = Statistic("leaderboard", "Leaderboard", "scores", compute)
