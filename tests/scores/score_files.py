"""Scores, responses and data files of the made release, written by the project's own writers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from wildtrace.release.formats import to_json
from wildtrace.scores.aggregate import aggregate
from wildtrace.scores.results import write_responses, write_scores
from wildtrace.scores.table import STATUSES, ScoreTable
from wildtrace.types import Item, Judgement, Response, Score

ANSWER = "The pump failed because the valve had been left open. 泵失效是因为阀门一直开着。"


def provenance(model: str, **changes: Any) -> dict[str, Any]:
    """A provenance as eval and judge write it."""
    protocol = {"prompt": "p1", "condition": "full", "retry": {"count": 5}}
    judging = {"panel": [{"name": name} for name in ("cedar-judge", "quill-judge", "reed-judge")], "prompt": "j1"}
    fields: dict[str, Any] = {
        "version": "0.1.0",
        "model": model,
        "condition": "full",
        "cap_source": "table",
        "offline": {"contestant": False, "judges": []},
        "signature": {"route": {"model": model}, "protocol": protocol, "judging": judging, "digest": "d"},
    }
    return {**fields, **changes}


def with_setting(fields: Mapping[str, Any], part: str, **changes: Any) -> dict[str, Any]:
    """A provenance whose signature has other settings in `part`."""
    signature = {**fields["signature"], part: {**fields["signature"][part], **changes}}
    return {**fields, "signature": signature}


def write_data(path: Path, items: Sequence[Item]) -> Path:
    """The nested release form."""
    path.write_bytes(to_json(items))
    return path


def recounted(file: Mapping[str, Any]) -> dict[str, Any]:
    """A scores file's contents with the counts of its head made anew from its rows, and without a digest of them."""
    file = {key: value for key, value in file.items() if key != "rows_digest"}
    rows = file["scores"]
    lost = [row for row in rows if row["status"] != "ok"]
    pending = {"pending": "pending:"}
    reasons = [pending.get(row["status"], "") + (row["reason"] or row["status"]) for row in lost]
    scored = sum(row["status"] == "ok" and row["score"] is not None for row in rows)
    return {**file, "n_tasks": len(rows), "scored_n": scored, "zeros": dict(Counter(reasons))}


def write_run(
    folder: Path,
    scores: ScoreTable,
    items: Sequence[Item],
    model: str,
    fields: Mapping[str, Any] | None = None,
    length: int | None = None,
) -> tuple[Path, Path]:
    """The scores and responses files of one system of a made table; answers of different lengths, or of `length`."""
    row = scores.models.index(model)
    rows = [_score(scores, items, row, at) for at in range(len(items))]
    responses = [_response(score, at, length) for at, score in enumerate(rows)]
    stated = dict(fields or provenance(model))
    answers = {key: value for key, value in stated.items() if key != "judging"}
    paths = folder / f"{model}.scores.json", folder / f"{model}.responses.json"
    write_scores(paths[0], stated, aggregate(rows), sorted(scores.judges), rows)
    write_responses(paths[1], answers, responses)
    return paths


def _score(scores: ScoreTable, items: Sequence[Item], row: int, at: int) -> Score:
    item, status = items[at], STATUSES[int(scores.status[row, at])]
    if status != "ok":
        return Score(item.question_id, status, 0.0 if status == "out_of_context_scope" else None)
    judges = {name: _judgement(scores, item, row, at, place) for place, name in enumerate(scores.judges)}
    return Score(item.question_id, status, float(np.mean([entry.score for entry in judges.values()])), judges)


def _judgement(scores: ScoreTable, item: Item, row: int, at: int, judge: int) -> Judgement:
    credit = float(scores.credit[row, at, judge])
    awarded = None
    if scores.points is not None:
        mine = scores.points.awarded[row, scores.points.item == at, judge]
        awarded = tuple(float(got * c.points) for got, c in zip(mine, item.rubric.criteria, strict=True))
    total = credit * item.rubric.points
    return Judgement(credit, total, awarded, (), f'{{"points_awarded": [], "total": {total:g}}}')


def _response(score: Score, at: int, length: int | None) -> Response:
    size = length or 60 + 13 * (at % 50)
    text = (ANSWER * (1 + size // len(ANSWER)))[:size]
    answer = text if score.status == "ok" else None
    return Response(score.question_id, score.status, response=answer)  # type: ignore[arg-type]
