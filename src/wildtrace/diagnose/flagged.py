"""What is said of every table: which numbers rest on flagged answers, and where the caps came from (rules 8 and 16)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from wildtrace.scores.table import BoolArray, ScoreTable, ranked_complete
from wildtrace.tables.table import Drill, Table
from wildtrace.vocabulary import ANSWER_FLAGS, CAP_SOURCES

# Offline scores are marked as a whole.
_NO_DOUBT = ("offline",)
_NAMED = 4


def standing_notes(scores: ScoreTable) -> tuple[str, ...]:
    """Sentences for a table of these scores: the sources of the caps, and the flags on answers with their counts."""
    sources = [source for source in CAP_SOURCES.sorted(set(scores.cap_source)) if source]
    caps = "; ".join(f"{source} ({_few(_systems(scores, source))})" for source in sources)
    flags = ", ".join(f"{count} {flag}" for flag, count in flag_counts(scores).items())
    return (*([f"Context caps: {caps}."] if caps else []), *([f"Flagged answers: {flags}."] if flags else []))


def flag_counts(scores: ScoreTable) -> dict[str, int]:
    """How many answers carry each flag that casts doubt on the answer, in the vocabulary's order."""
    counts = {flag: int(scores.answer_flags[flag].sum()) for flag in ANSWER_FLAGS.sorted(set(scores.answer_flags))}
    return {flag: count for flag, count in counts.items() if count and flag not in _NO_DOUBT}


def marked(table: Table, scores: ScoreTable) -> Table:
    """The table with the positions of the numbers that rest on flagged answers, and the notes that say so.

    Where all of them do, the sentence says that and no number is marked. Counts are of answers, not made from them, and
    are not marked.
    """
    numbers = [
        (row, at)
        for at, column in enumerate(table.columns)
        if column.format != "text" and column.role in ("value", "low", "high")
        for row, cells in enumerate(table.rows)
        if isinstance(cells[at], float)
    ]
    rests = _rests_on_flagged(scores)
    flagged = {place for place in numbers if rests(table.behind(*place))}
    notes = standing_notes(scores)
    if flagged and len(flagged) == len(numbers):
        return table.with_notes((*notes, "Every number rests on flagged answers too."))
    if flagged:
        notes = (*notes, "† rests on flagged answers too.")
    return replace(table.with_notes(notes), flagged=frozenset(flagged))


def _rests_on_flagged(scores: ScoreTable) -> Callable[[Drill | None], bool]:
    """A test of a drill: whether any flagged answer is among those that it leads to.

    Facets are worked out over the flagged answers alone and once each: a table has thousands of cells.
    """
    raised = [scores.answer_flags[flag] for flag in flag_counts(scores)]
    doubtful = np.logical_or.reduce(raised) if raised else np.zeros(scores.status.shape, dtype=np.bool_)
    systems, items = np.nonzero(doubtful)
    tasks = scores.tasks
    labels = {
        "tier": tasks.tiers,
        "geometry": tasks.geometries,
        "family": tasks.families,
        "item": tasks.question_ids,
    }
    best, _ = ranked_complete(scores)

    @cache
    def fits(facet: str, value: Any) -> BoolArray:
        if facet in labels:
            return np.array([labels[facet][item] in value for item in items], dtype=np.bool_)
        if facet == "model":
            return np.array([scores.models[system] in value for system in systems], dtype=np.bool_)
        if facet in ("top", "complete"):
            chosen = best[:value] if facet == "top" else best
            return np.array([system in chosen for system in systems], dtype=np.bool_)
        if facet == "judge":
            return np.asarray(~np.isnan(scores.credit[systems, items, scores.judges.index(value)]))
        by_answer = {"scored": scores.answered, "every_judge": scores.fully_judged}
        return by_answer[facet]()[systems, items] if facet in by_answer else np.ones(len(items), dtype=np.bool_)

    def rests(drill: Drill | None) -> bool:
        if drill is None or drill.get("unit") == "items" or not len(items):
            return False
        fitting = np.ones(len(items), dtype=np.bool_)
        for facet, value in drill.items():
            fitting = fitting & fits(facet, tuple(value) if isinstance(value, list) else value)
        return bool(fitting.any())

    return rests


def _systems(scores: ScoreTable, source: str) -> list[str]:
    return [model for model, stated in zip(scores.models, scores.cap_source, strict=True) if stated == source]


def _few(names: list[str]) -> str:
    more = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {more} more" if more > 0 else "")
