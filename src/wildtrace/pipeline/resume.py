"""Going on where an earlier run stopped, and refusing what another run made (decisions.md, rules 27 and 28)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import msgspec

from wildtrace.errors import DataError
from wildtrace.models.failures import ContextOverflow
from wildtrace.pipeline.answering import AnswerTask
from wildtrace.pipeline.provenance import now
from wildtrace.pipeline.signature import refuse_changed_tasks, refuse_other_run
from wildtrace.store.ledger import Ledger
from wildtrace.store.results import ResponsesFile, ScoresFile
from wildtrace.types import Judgement, Response

_SAID: Final = tuple(field.name for field in fields(Response) if field.name != "question_id")


def answer_record(response: Response, sent_at: float, cap: int | None) -> dict[str, Any]:
    """What the ledger keeps of a final response: its fields that say something, when it was asked, under which cap."""
    said = {name: value for name in _SAID if (value := getattr(response, name)) not in (None, ())}
    return {"response": said, "sent_at": sent_at, "cap": cap}


def recorded_answer(record: Mapping[str, Any], question_id: str) -> Response:
    """The response of a ledger's record; DataError where the record says nothing of the kind."""
    try:
        msgspec.convert([record["sent_at"], record["cap"]], tuple[float, int | None])
        return msgspec.convert({**record["response"], "question_id": question_id}, Response)
    except (KeyError, TypeError, msgspec.ValidationError):
        raise DataError(
            f"the ledger's record of {question_id!r} is torn or of another version; move the ledger away: the next run "
            "takes over what the output file beside it holds and asks only the rest"
        ) from None


def answering(
    out: Path,
    ledger: Ledger,
    before: ResponsesFile | None,
    signed: Mapping[str, Any],
    prints: Mapping[str, str],
    tasks: Mapping[str, AnswerTask],
) -> str:
    """Check that `out` is this run's and take over what its ledger lacks; when the run first started.

    Raises ConfigError, showing the difference, where the output was made under other settings or with other data.
    """
    started = _own(out, ledger, before, signed, prints, ("question", "document"))
    return started if before is None else _take_over(ledger, before, _finished(before, tasks, ledger), started)


def judging(
    out: Path,
    ledger: Ledger,
    before: ScoresFile | None,
    signed: Mapping[str, Any],
    prints: Mapping[str, str],
    replies: list[tuple[bytes, dict[str, Any]]],
) -> str:
    """Check that the scores in `out` are this run's and take over what the ledger lacks; when the run first started.

    Raises ConfigError, showing the difference, where the output was made under other settings or with other data.
    """
    started = _own(out, ledger, before, signed, prints, ("question", "rubric"))
    return started if before is None else _take_over(ledger, before, replies, started)


def _own(
    out: Path,
    ledger: Ledger,
    before: ResponsesFile | ScoresFile | None,
    signed: Mapping[str, Any],
    prints: Mapping[str, str],
    parts: tuple[str, str],
) -> str:
    """Refuse an output or a ledger that another run made; when the run first started.

    A run that finished no call leaves nothing to protect: a config that was mended goes on under its own name.
    """
    if not len(ledger) and (before is None or not _has_finished(before)):
        ledger.put(meta={"signature": dict(signed), "tasks": dict(prints), "started": now()})
    elif before is not None:
        refuse_other_run(str(out), before.provenance.get("signature", {}), signed)
        refuse_changed_tasks(str(out), before.provenance.get("tasks", {}), prints, parts)
    return claim(str(out), ledger, signed, prints, parts)


def _has_finished(before: ResponsesFile | ScoresFile) -> bool:
    """Whether a results file holds what a call was paid for."""
    if isinstance(before, ScoresFile):
        return any(isinstance(entry, Judgement) for score in before.scores for entry in score.judges.values())
    return any(row.status in ("ok", "failed") or row.reason == ContextOverflow.reason for row in before.responses)


def claim(
    out: str, ledger: Ledger, signed: Mapping[str, Any], prints: Mapping[str, str], parts: tuple[str, str]
) -> str:
    """Sign a new ledger, or check that the old one was signed alike; when the run first started."""
    signature = _meta(ledger, "signature", dict[str, Any])
    known = _meta(ledger, "tasks", dict[str, str]) or {}
    if signature is not None:
        refuse_other_run(out, signature, signed)
        refuse_changed_tasks(out, known, prints, parts)
    started = _meta(ledger, "started", str) or now()
    if signature is None or any(known.get(question_id) != mark for question_id, mark in prints.items()):
        ledger.put(meta={"signature": dict(signed), "tasks": {**known, **prints}, "started": started})
    return started


def _meta(ledger: Ledger, name: str, kind: Any) -> Any:
    """A named value of the ledger, or None; DataError where it is not of its kind."""
    value = ledger.meta(name)
    try:
        return value if value is None else msgspec.convert(value, kind)
    except msgspec.ValidationError:
        raise ledger.torn() from None


def _take_over(
    ledger: Ledger, before: ResponsesFile | ScoresFile, finished: list[tuple[bytes, Any]], started: str
) -> str:
    """Put what the output has beyond its ledger into the ledger; when the run first started."""
    meta = {}
    if not len(ledger):
        started = str(before.provenance.get("started", started))
        meta = {"started": started}
    missing = [(key, record) for key, record in finished if key not in ledger]
    if meta or missing:
        ledger.put(calls=missing, meta=meta)
    return started


def _finished(before: ResponsesFile, tasks: Mapping[str, AnswerTask], ledger: Ledger) -> list[tuple[bytes, Any]]:
    """The final answers of a responses file.

    A prompt of clue passages says more than question and document; beside other calls, only the ledger knows it.
    """
    sent_at = _first_request(before.provenance)
    return [
        (task.key, answer_record(response, sent_at, _cap_of(before.provenance, task)))
        for response in before.responses
        if response.status in ("ok", "failed") or response.reason == ContextOverflow.reason
        if (task := tasks.get(response.question_id)) is not None
        if task.key not in ledger and not (task.inserted and len(ledger))
    ]


def _cap_of(provenance: Mapping[str, Any], task: AnswerTask) -> int | None:
    """The cap that a task was asked under."""
    caps = provenance.get("caps")
    return caps.get("cjk" if task.facts.cjk else "en") if isinstance(caps, Mapping) else None


def _first_request(provenance: Mapping[str, Any]) -> float:
    dates = provenance.get("endpoint_dates") or {}
    try:
        return datetime.fromisoformat(str(dates.get("first"))).timestamp()
    except (ValueError, OverflowError):
        return 0.0
