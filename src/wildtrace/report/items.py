"""The items behind a report's numbers: what was asked, what was answered, and what each judge gave for it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from wildtrace.report.document import Answers
from wildtrace.scores.build import Run
from wildtrace.scores.loading import FULL, Loaded
from wildtrace.scores.table import STATUSES, ScoreTable
from wildtrace.types import Item, JudgeFailure, Judgement, Score


def item_records(loaded: Loaded, answers: Answers) -> Iterator[dict[str, Any]]:
    """One record an item: its public and hidden parts, and what each system got for it (docs/report.md)."""
    runs = {run.model: run for run in loaded.runs if run.provenance.condition == FULL}
    rows = {model: {score.question_id: score for score in run.file.scores} for model, run in runs.items()}
    zero = loaded.scores.counts_zero()
    for at, question_id in enumerate(loaded.scores.tasks.question_ids):
        shown = _item_facts(loaded.items[at]) if loaded.items else {}
        given = []
        for place, model in enumerate(loaded.scores.models):
            record = _standing(loaded.scores, place, at, counts_zero=bool(zero[place, at]))
            if model in runs:
                record |= _texts(runs[model], rows[model].get(question_id), question_id, answers)
            given.append(record)
        yield {"question_id": question_id, **_task_facts(loaded, at), **shown, "answers": given}


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


def _standing(scores: ScoreTable, place: int, at: int, *, counts_zero: bool) -> dict[str, Any]:
    """What the score table knows of an answer."""
    reason, mean, chars = int(scores.reason[place, at]), scores.panel_mean()[place, at], scores.answer_chars[place, at]
    credits_given = zip(scores.judges, scores.credit[place, at].tolist(), strict=True)
    return {
        "model": scores.models[place],
        "status": STATUSES[int(scores.status[place, at])],
        "reason": scores.reasons[reason] if reason >= 0 else None,
        "zero": scores.zero_reason(place, at) if counts_zero else None,
        "score": None if np.isnan(mean) else float(mean),
        "flags": sorted(flag for flag, raised in scores.answer_flags.items() if raised[place, at]),
        "chars": None if np.isnan(chars) else int(chars),
        "judges": {name: {"score": credit} for name, credit in credits_given if not np.isnan(credit)},
    }


def _texts(run: Run, score: Score | None, question_id: str, answers: Answers) -> dict[str, Any]:
    """What only a run's files know of an answer: its text, the judges' points and replies."""
    judges = {name: _judge(entry, answers) for name, entry in score.judges.items()} if score else {}
    record: dict[str, Any] = {"reason": score.reason if score else None, "judges": judges}
    if answers == "embed":
        response = run.responses.get(question_id)
        record["response"] = response.response if response else None
    return record


def _judge(entry: Judgement | JudgeFailure, answers: Answers) -> dict[str, Any]:
    reply = {"reply": entry.reply} if answers == "embed" else {}
    if isinstance(entry, JudgeFailure):
        return {"error": entry.error, **reply}
    awarded = None if entry.points_awarded is None else list(entry.points_awarded)
    return {"score": entry.score, "total": entry.total, "points_awarded": awarded, "flags": list(entry.flags), **reply}
