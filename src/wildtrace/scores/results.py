"""Responses and scores files: JSON, one object, written whole (docs/formats.md).

Reading is strict: an empty, cut or foreign file is one sentence, and so is one whose rows do not fit their digest.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from pathlib import Path
from typing import Any

import msgspec
import orjson

from wildtrace.calls.provenance import is_same_provenance
from wildtrace.errors import CorruptFileError, DataError, ForeignFileError
from wildtrace.files import write_atomically
from wildtrace.text.json_faults import json_fault
from wildtrace.types import Aggregate, JudgeFailure, Judgement, Response, Score

RESPONSES_FORMAT = "wildtrace.responses/1"
SCORES_FORMAT = "wildtrace.scores/1"
_SAME = 1e-9
_SCORES = {"failed": (None,), "pending": (None,), "missing": (None,), "out_of_context_scope": (None, 0.0)}
_LARGEST = 2.0**53


class _Caps(msgspec.Struct, frozen=True):
    """The caps of a run."""

    en: int
    cjk: int


class _Offline(msgspec.Struct, frozen=True):
    """Which models of a judged run were offline ones."""

    contestant: bool = False
    judges: tuple[str, ...] = ()


class _PanelRow(msgspec.Struct, frozen=True):
    """What is read of a judge's row of the panel."""

    name: str | None = None
    served_models: tuple[str, ...] | None = None
    endpoint_dates: dict[str, str] | None = None


class _Provenance(msgspec.Struct, frozen=True):
    """What is read of a provenance, all of which may be absent; a scores file repeats what its answers lack as null."""

    signature: dict[str, Any] = {}
    tasks: dict[str, str] = {}
    prompts: dict[str, str] = {}
    started: str = ""
    ended: str = ""
    data_hash: str = ""
    self_judging: bool = False
    flags: dict[str, int] = {}
    offline: bool | _Offline = False
    model: str | None = None
    base_url: str | None = None
    served_models: tuple[str, ...] | None = None
    endpoint_dates: dict[str, str] | None = None
    condition: str | None = None
    caps: _Caps | None = None
    cap_source: str | None = None
    cap_as: str | None = None
    decoding: dict[str, Any] | None = None
    prompt_hash: str | None = None
    documents_changed: tuple[str, ...] | None = None
    panel: list[_PanelRow] | None = None
    answered: dict[str, str | None] | None = None


@dataclass(frozen=True, slots=True)
class ResponsesFile:
    """A responses file as read."""

    provenance: dict[str, Any]
    responses: tuple[Response, ...]

    @property
    def has_finished(self) -> bool:
        """Whether it holds what a call was made for."""
        return any(response.is_finished for response in self.responses)


@dataclass(frozen=True, slots=True)
class ScoresFile:
    """A scores file as read; `scores` in the file's order."""

    provenance: dict[str, Any]
    n_tasks: int
    scored_n: int
    scored_overall: float | None
    all_tasks_overall: float | None
    zeros: dict[str, int]
    judges: tuple[str, ...]
    scores: tuple[Score, ...]

    @property
    def has_finished(self) -> bool:
        """Whether it holds what a call was made for."""
        return any(isinstance(entry, Judgement) for score in self.scores for entry in score.judges.values())


def read_responses(path: Path) -> ResponsesFile:
    """Read a responses file. DataError names the file, the row and what is wrong."""
    data = _read(path, RESPONSES_FORMAT, "wildtrace eval")
    rows = _rows(data, "responses", path)
    responses = tuple(_convert(row, Response, path, "responses", index) for index, row in enumerate(rows))
    _refuse_duplicates([response.question_id for response in responses], path)
    for index, response in enumerate(responses):
        if response.status == "ok" and response.response is None:
            raise DataError(f"{path}: responses[{index}] is ok and has no response; mend or remove this row")
    return ResponsesFile(_provenance(data, path), responses)


def read_scores(path: Path) -> ScoresFile:
    """Read a scores file. DataError names the file, the row and what is wrong.

    A row's score is the mean of its judges where the whole panel gave one, 0 (or null) out of scope and else null, and
    `n_tasks` is the number of rows.
    """
    data = _read(path, SCORES_FORMAT, "wildtrace judge")
    rows = _rows(data, "scores", path)
    scores = tuple(_score(row, path, index) for index, row in enumerate(rows))
    _refuse_duplicates([score.question_id for score in scores], path)
    known = {"n_tasks", "scored_n", "scored_overall", "all_tasks_overall", "zeros", "judges"}
    head: _PlainScores = _convert({key: data.get(key) for key in known}, _PlainScores, path, "file", 0)
    for index, score in enumerate(scores):
        _check_score(score, head.judges, f"{path}: scores[{index}] ({score.question_id})")
    if head.n_tasks != len(scores):
        raise DataError(
            f"{path} says n_tasks {head.n_tasks} and holds {len(scores)} rows; name a complete file, or mend the count"
        )
    return ScoresFile(_provenance(data, path), scores=scores, **{key: getattr(head, key) for key in known})


def _read(path: Path, wanted: str, maker: str) -> dict[str, Any]:
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise DataError(f"{path} cannot be read ({error.strerror}); name a file that {maker} wrote") from None
    if not raw.strip():
        raise CorruptFileError(f"{path} is empty; move it away, or name a file that {maker} wrote")
    try:
        data = orjson.loads(raw)
    except orjson.JSONDecodeError as error:
        fault = json_fault(raw)
        said = "is truncated or no JSON" if fault is None else f"holds {fault}"
        advice = "move it away" if fault is None else "mend that value"
        kind = CorruptFileError if fault is None else DataError
        raise kind(f"{path} {said} (line {error.lineno}); {advice}, or name a file that {maker} wrote") from None
    found = data.get("format") if isinstance(data, dict) else None
    if not isinstance(data, dict) or found != wanted:
        said = f"says {found!r}" if isinstance(found, str) else "names no format"
        raise ForeignFileError(f"{path} {said} where {wanted!r} is needed; name a file that {maker} wrote")
    return data


def _rows(data: Mapping[str, Any], key: str, path: Path) -> list[Any]:
    rows = data.get(key)
    if not isinstance(rows, list):
        raise DataError(f"{path} has no list of {key}; name a complete file")
    if "rows_digest" in data and data["rows_digest"] != rows_digest(rows):
        raise CorruptFileError(
            f"{path} was changed after it was written: its {key} do not fit their digest; restore it from a copy, or "
            "move it away and run the command that wrote it, which makes it anew from its ledger"
        )
    return rows


def rows_digest(rows: Iterable[Any]) -> str:
    """A digest over rows as they are written."""
    digest = hashlib.blake2b(digest_size=16)
    for row in rows:
        digest.update(orjson.dumps(row) + b"\n")
    return digest.hexdigest()


def _provenance(data: Mapping[str, Any], path: Path) -> dict[str, Any]:
    provenance = data.get("provenance")
    if not isinstance(provenance, dict):
        raise DataError(f"{path} has no provenance; name a complete file")
    try:
        msgspec.convert(provenance, _Provenance)
    except msgspec.ValidationError as error:
        name = str(error).rpartition("`$.")[2].rstrip("`")
        raise DataError(
            f"{path}: provenance.{name} is nothing that this program writes; name a complete file"
        ) from None
    try:
        orjson.dumps(provenance)
    except orjson.JSONEncodeError:
        raise DataError(f"{path}: provenance is nested too deeply; name a complete file") from None
    return provenance


def _convert(row: Any, kind: type, path: Path, key: str, index: int) -> Any:
    try:
        return msgspec.convert(row, kind)
    except msgspec.ValidationError as error:
        raise DataError(f"{path}: {key}[{index}]: {error}; mend or remove this row") from None


def _score(row: Any, path: Path, index: int) -> Score:
    judges = row.get("judges", {}) if isinstance(row, dict) else None
    if not isinstance(judges, dict):
        raise DataError(f"{path}: scores[{index}] is no score; mend or remove this row")
    read = {name: _convert(entry, _kind_of(entry), path, "scores", index) for name, entry in judges.items()}
    plain: _PlainScore = _convert(row, _PlainScore, path, "scores", index)
    return Score(plain.question_id, plain.status, plain.score, read, plain.reason, plain.flags)


def _check_score(score: Score, panel: Sequence[str], where: str) -> None:
    """DataError where a judge is a stranger, or a score is none or not what the row's status and judges bear out."""
    for name, entry in score.judges.items():
        if name not in panel:
            raise DataError(f"{where} has a judge {name!r} that the file's list of judges lacks; mend the row")
        if isinstance(entry, Judgement) and not 0.0 <= entry.score <= 1.0:
            raise DataError(f"{where} has the score {entry.score:g} by {name}; scores are from 0 to 1")
    if score.score is not None and not 0.0 <= score.score <= 1.0:
        raise DataError(f"{where} has the score {score.score:g}; scores are from 0 to 1")
    if score.status == "ok":
        _check_mean(score, panel, where)
    elif score.score not in _SCORES.get(score.status, (score.score,)):
        raise DataError(
            f"{where} has the score {score.score:g} and the status {score.status!r}; mend or remove this row"
        )


def _check_mean(score: Score, panel: Sequence[str], where: str) -> None:
    """DataError where an answer's score is not the mean of its whole panel, or not none where that is not whole."""
    given = [entry.score for entry in score.judges.values() if isinstance(entry, Judgement)]
    if not given or len(given) != len(set(panel)):
        if score.score is not None:
            raise DataError(f"{where} has the score {score.score:g} and lacks judges; mend or remove this row")
        return
    mean = fsum(given) / len(given)
    if score.score is None or abs(score.score - mean) > _SAME:
        said = "no score" if score.score is None else f"the score {score.score:g}"
        raise DataError(f"{where} has {said} where the mean of its judges is {mean:g}; mend or remove this row")


@dataclass(frozen=True, slots=True)
class _PlainScores:
    """A scores file's own fields, without its rows."""

    n_tasks: int
    scored_n: int
    scored_overall: float | None
    all_tasks_overall: float | None
    zeros: dict[str, int]
    judges: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _PlainScore:
    """A score's own fields; its judges are of two kinds and are read one by one."""

    question_id: str
    status: str
    score: float | None
    reason: str | None = None
    flags: tuple[str, ...] = ()


def _kind_of(entry: Any) -> type[Judgement | JudgeFailure]:
    return JudgeFailure if isinstance(entry, dict) and "error" in entry else Judgement


def _refuse_duplicates(ids: Sequence[str], path: Path) -> None:
    seen: set[str] = set()
    for question_id in ids:
        if question_id in seen:
            raise DataError(f"{path} holds question_id {question_id!r} twice; keep one of the rows")
        seen.add(question_id)


def _parts(head: Mapping[str, Any], key: str, rows: Sequence[Mapping[str, Any]]) -> Iterator[bytes]:
    """A JSON object with a list of rows, a row a line, and the digest over them."""
    yield orjson.dumps(head)[:-1] + b',"' + key.encode() + b'":['
    for place, row in enumerate(rows):
        yield (b",\n" if place else b"\n") + orjson.dumps(row)
    yield b'\n],"rows_digest":"' + rows_digest(rows).encode() + b'"}\n'


def write_responses(path: Path, provenance: Mapping[str, Any], responses: Iterable[Response]) -> None:
    """Write a responses file, whole or not at all; one response a line."""
    head = {"format": RESPONSES_FORMAT, "provenance": provenance}
    write_atomically(path, _parts(head, "responses", [_response_row(response) for response in responses]))


def update_responses(
    path: Path, before: ResponsesFile | None, provenance: Mapping[str, Any], responses: tuple[Response, ...]
) -> None:
    """Write a responses file, unless what is there says the same."""
    if before is None or before.responses != responses or not is_same_provenance(before.provenance, provenance):
        write_responses(path, provenance, responses)


def _response_row(response: Response) -> dict[str, Any]:
    return {name: getattr(response, name) for name in Response.__dataclass_fields__}


def write_scores(
    path: Path, provenance: Mapping[str, Any], aggregate: Aggregate, judges: Sequence[str], scores: Iterable[Score]
) -> None:
    """Write a scores file, whole or not at all; one task a line."""
    head = {
        "format": SCORES_FORMAT,
        "provenance": provenance,
        "n_tasks": aggregate.n_tasks,
        "scored_n": aggregate.scored_n,
        "scored_overall": aggregate.scored,
        "all_tasks_overall": aggregate.all_tasks,
        "overall": aggregate.all_tasks,
        "zeros": aggregate.zeros,
        "judges": list(judges),
    }
    write_atomically(path, _parts(head, "scores", [_score_row(score) for score in scores]))


def update_scores(
    path: Path,
    before: ScoresFile | None,
    provenance: Mapping[str, Any],
    aggregate: Aggregate,
    judges: Sequence[str],
    scores: tuple[Score, ...],
) -> None:
    """Write a scores file, unless what is there says the same."""
    if before is None or before.scores != scores or not is_same_provenance(before.provenance, provenance):
        write_scores(path, provenance, aggregate, judges, scores)


def _score_row(score: Score) -> dict[str, Any]:
    judges = {name: _judge_row(entry) for name, entry in score.judges.items()}
    row = {"question_id": score.question_id, "status": score.status, "reason": score.reason, "score": score.score}
    return {**row, "flags": score.flags, "judges": judges}


def _judge_row(entry: Judgement | JudgeFailure) -> dict[str, Any]:
    if isinstance(entry, JudgeFailure):
        return {"error": entry.error, "reply": entry.reply}
    return {
        "score": entry.score,
        "total": _as_given(entry.total),
        "points_awarded": None if entry.points_awarded is None else [_as_given(one) for one in entry.points_awarded],
        "flags": entry.flags,
        "reply": entry.reply,
    }


def _as_given(points: float) -> float:
    """Points the way rubrics and judges write them: 25, not 25.0."""
    return int(points) if points.is_integer() and abs(points) < _LARGEST else points
