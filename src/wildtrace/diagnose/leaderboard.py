"""Leaderboard: All with two intervals, Scored, coverage, and every reason for a zero (paper, Table 1).

The score is All: every item counts, and missing, failed, pending and out-of-context answers count zero. The first
interval resamples items; the second resamples source documents, because items that share one are not independent.
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from wildtrace.diagnose import plots
from wildtrace.diagnose.base import PERCENT, Cell, Column, Figure, Gap, Inputs, Settings, Statistic, Table
from wildtrace.diagnose.numeric.resampling import cluster_intervals, task_intervals
from wildtrace.scores.table import UNKNOWN, FloatArray, ScoreTable, exact_mean, few_documents, overall, ranking
from wildtrace.text.counting import counted
from wildtrace.vocabulary import REASONS, STATUSES

Interval = tuple[Cell, Cell]


def compute(inputs: Inputs) -> Table:
    """Rank systems by All; `ties_leader` marks the rows whose item interval overlaps the leader's."""
    scores = inputs.scores
    complete = scores.complete()
    filled = scores.zero_filled()[complete]
    means = overall(filled)
    order = ranking(means, [scores.models[model] for model in complete])
    by_item, by_document = _intervals(filled, scores, inputs.settings)
    zeros = [scores.zeros(model) for model in range(len(scores.models))]
    reasons = sorted(set().union(*zeros)) if zeros else []
    leader_low = by_item[order[0]][0] if order else Gap("no system")
    rows = []
    for place in order:
        rank = 1 + int(np.count_nonzero(np.round(means, 12) > round(float(means[place]), 12)))
        ties = _overlaps(leader_low, by_item[place][1]) or rank == 1
        head = (rank, PERCENT * float(means[place]), *by_item[place], ties, *by_document[place])
        rows.append(_row(scores, int(complete[place]), head, zeros, reasons))
    unjudged = scores.unjudged()
    for model in sorted(set(range(len(scores.models))) - set(complete.tolist()), key=lambda at: scores.models[at]):
        waiting = Gap(_waiting(scores.models[model], int(unjudged[model].sum())))
        rows.append(_row(scores, model, (waiting,) * 4 + (False,) + (waiting,) * 2, zeros, reasons))
    return Table(
        name="leaderboard",
        title="Leaderboard",
        columns=_columns(inputs.settings, reasons),
        rows=tuple(rows),
        row_drills=tuple({"model": [row[0]]} for row in rows),
        n=len(scores.tasks),
        notes=_notes(scores, inputs.settings),
    )


def _waiting(model: str, count: int) -> str:
    return counted(count, f"answer of {model} awaits a judge", f"answers of {model} await a judge")


def _columns(settings: Settings, reasons: list[str]) -> tuple[Column, ...]:
    level = f"{PERCENT * settings.level:g} %"
    judged = {"scored": True}
    return (
        Column("model", role="key"),
        Column("rank", "integer", role="count"),
        Column("score", "score", "points", about="All, in which every item counts"),
        Column("low", "score", "points", "low", about=f"{level} interval over items"),
        Column("high", "score", "points", "high", about=f"{level} interval over items"),
        Column("ties_leader", role="mark", about="the item interval overlaps the leader's"),
        Column("document_low", "score", "points", "low", about=f"{level} interval over source documents"),
        Column("document_high", "score", "points", "high", about=f"{level} interval over source documents"),
        Column("scored", "score", "points", about="mean over fully judged answers", drill=judged),
        Column("scored_n", "integer", "answers", "count", drill=judged),
        Column("n", "integer", "items", "count"),
        Column("coverage", "share", "of items", about="fully judged answers among all items", drill=judged),
        Column("cap_source", about="where the context cap came from"),
        *(_zero_column(reason) for reason in reasons),
    )


def _zero_column(reason: str) -> Column:
    word = reason.removeprefix("pending:")
    about = REASONS.meaning(word) or STATUSES.meaning(word)
    # A reason of another program is shown as it is.
    label = "" if about else f"zero: {reason}"
    return Column(f"zero: {reason}", "integer", "items", "count", about=about, label=label, drill={"zero": [reason]})


def _row(
    scores: ScoreTable, model: int, head: tuple[Cell, ...], zeros: list[Counter[str]], reasons: list[str]
) -> tuple[Cell, ...]:
    counts = [zeros[model][reason] for reason in reasons]
    source = scores.cap_source[model] or Gap("the scores do not say where the cap came from")
    return (scores.models[model], *head, *_scored(scores, model), source, *counts)


def _scored(scores: ScoreTable, model: int) -> tuple[Cell, Cell, Cell, Cell]:
    n = len(scores.tasks)
    if bool((scores.status[model] == UNKNOWN).any()):
        unknown = Gap("without a status, a zero and an answer worth nothing look alike: Scored is unknown")
        return unknown, unknown, n, unknown
    answered = scores.answered()[model]
    count = int(answered.sum())
    mean = exact_mean(scores.panel_mean()[model][answered])
    score: Cell = PERCENT * mean if count else Gap("no answer was scored by the full panel")
    return score, count, n, count / n


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


def figure(table: Table) -> Figure | None:
    """All with the interval over items, best first."""
    score = next(at for at, column in enumerate(table.columns) if column.name == "score")
    shown = [(at, table.row(row[0])) for at, row in enumerate(table.rows) if isinstance(row[score], float)]
    rows = [
        {
            "system": str(row["model"]),
            **{name: plots.number(row[name]) for name in ("score", "low", "high", "scored")},
            "drill": table.behind(at, score),
        }
        for at, row in shown
    ]
    if not rows:
        return None
    blue = plots.PALETTE[0]
    low = plots.amount("low", plots.SCORE)
    spec = {
        "data": plots.data(rows),
        "width": 520,
        "height": {"step": plots.STEP},
        "encoding": {
            "y": plots.nominal("system", sort=[str(row["system"]) for row in rows]),
            "tooltip": plots.tooltip("system", "score", "low", "high", "scored"),
        },
        "layer": [
            {"mark": {"type": "rule", "color": blue}, "encoding": {"x": low, "x2": {"field": "high"}}},
            {
                "mark": {"type": "circle", "color": blue, "size": 60, "opacity": 1},
                "encoding": {"x": plots.score_axis("score")},
            },
        ],
    }
    return plots.figure_of(table, "All, with its interval over items", spec)


STATISTIC = Statistic("leaderboard", "Leaderboard", "scores", compute, figure)
