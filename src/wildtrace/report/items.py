"""The items behind a report's numbers: what was asked, what was answered, and what each judge gave for it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from wildtrace.report.document import Answers
from wildtrace.scores.loading import Loaded
from wildtrace.scores.table import STATUSES, FloatArray
from wildtrace.scores.tables import Run
from wildtrace.types import Item, JudgeFailure, Judgement, Score


def item_records(loaded: Loaded, answers: Answers) -> Iterator[dict[str, Any]]:
    """One record an item: its public and hidden parts, and what each system got for it (docs/report.md)."""
    full = [run for run in loaded.runs if run.provenance.condition == "full"]
    by_run = [(run, {score.question_id: score for score in run.file.scores}) for run in full]
    from_files = {run.model for run in full}
    means = loaded.scores.panel_mean()
    for at, question_id in enumerate(loaded.scores.tasks.question_ids):
        facts = _task_facts(loaded, at)
        shown = _item_facts(loaded.items[at]) if loaded.items else {}
        given = [_answer(run, scores[question_id], answers) for run, scores in by_run if question_id in scores]
        given += _matrix_answers(loaded, means, at, from_files)
        yield {"question_id": question_id, **facts, **shown, "answers": given}


def _task_facts(loaded: Loaded, at: int) -> dict[str, Any]:
    tasks = loaded.scores.tasks
    return {
        "source_id": tasks.source_ids[at],
        "tier": tasks.tiers[at],
        "source_family": tasks.families[at],
        "geometry": tasks.geometries[at],
    }


def _item_facts(item: Item) -> dict[str, Any]:
    return {
        "question": item.question.text,
        "reference_answer": item.reference_answer,
        "key_facts": list(item.key_facts),
        "rubric": [
            {"id": c.id, "points": c.points, "criterion": c.text, "spans": list(c.spans)} for c in item.rubric.criteria
        ],
        "clues": [
            {"span_id": c.span_id, "role": c.role, "quote": c.quote, "start": c.start, "end": c.end} for c in item.clues
        ],
        "edges": [{"from": edge.source, "to": edge.target, "type": edge.type} for edge in item.edges],
    }


def _answer(run: Run, score: Score, answers: Answers) -> dict[str, Any]:
    response = run.responses.get(score.question_id)
    flags = sorted({*score.flags, *(response.flags if response else ())})
    text = response.response if response else None
    record: dict[str, Any] = {
        "model": run.model,
        "status": score.status,
        "reason": score.reason,
        "score": score.score,
        "flags": flags,
        "chars": None if text is None else len(text),
        "judges": {name: _judge(entry, answers) for name, entry in score.judges.items()},
    }
    return {**record, "response": text} if answers == "embed" else record


def _judge(entry: Judgement | JudgeFailure, answers: Answers) -> dict[str, Any]:
    reply = {"reply": entry.reply} if answers == "embed" else {}
    if isinstance(entry, JudgeFailure):
        return {"error": entry.error, **reply}
    awarded = None if entry.points_awarded is None else list(entry.points_awarded)
    return {"score": entry.score, "total": entry.total, "points_awarded": awarded, "flags": list(entry.flags), **reply}


def _matrix_answers(loaded: Loaded, means: FloatArray, at: int, from_files: set[str]) -> Iterator[dict[str, Any]]:
    scores, mean = loaded.scores, means[:, at]
    for row, model in enumerate(scores.models):
        if model in from_files:
            continue
        reason = int(scores.reason[row, at])
        given = {name: float(scores.credit[row, at, place]) for place, name in enumerate(scores.judges)}
        yield {
            "model": model,
            "status": STATUSES[int(scores.status[row, at])],
            "reason": scores.reasons[reason] if reason >= 0 else None,
            "score": None if math.isnan(mean[row]) else float(mean[row]),
            "flags": [],
            "chars": None,
            "judges": {name: {"score": value} for name, value in given.items() if not math.isnan(value)},
        }
