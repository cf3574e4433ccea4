"""Going on where an earlier run stopped, and refusing what another run made (decisions.md, rules 27 and 28).

An output and its ledger are one store. While a run goes on, what it finishes is in the ledger. When a run is complete,
its results file is on disk and holds every text, and the ledger hands its records over: it forgets them. What a file
would not hold any more when it is written anew (another `--limit`, a changed cap or answer, fewer tasks) goes back to
the ledger first. Keys are made of what the file says, so that each of its rows can be found by its call.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec

from wildtrace.errors import DataError
from wildtrace.models.failures import ContextOverflow
from wildtrace.pipeline.answering import AnswerTask, answer_key
from wildtrace.pipeline.provenance import now
from wildtrace.pipeline.signature import digest, refuse_changed_tasks, refuse_other_run
from wildtrace.store.ledger import Ledger
from wildtrace.store.results import ResponsesFile, ScoresFile
from wildtrace.types import Judgement, Response

Record = dict[str, Any]
File = TypeVar("File", ResponsesFile, ScoresFile)
_SAID: Final = tuple(field.name for field in fields(Response) if field.name != "question_id")
_HANDED_OVER: Final = "handed_over"


@dataclass(frozen=True, slots=True)
class Earlier:
    """What earlier runs left: the ledger, and by their keys the calls that the output file holds.

    `signature`, `tasks` (the prints of every task known) and `started` are what the ledger is to be signed with.
    """

    ledger: Ledger
    in_file: Mapping[bytes, Record]
    signature: Mapping[str, Any]
    tasks: Mapping[str, str]
    started: str

    def find(self, key: bytes, **wanted: type) -> Record | None:
        """The record of a finished call, or None. DataError where its fields are not of the kinds `wanted`."""
        record: Record | None = self.ledger.find(key, **wanted)
        return self.in_file.get(key) if record is None else record

    def sign(self) -> None:
        """Sign the ledger, before a call is put into it."""
        self.ledger.put(meta=self._signed())

    def set_aside(self, standing: Collection[bytes]) -> None:
        """Keep in the ledger what the file holds and will not when it is written anew with the calls `standing`."""
        lost = [(key, record) for key, record in self.in_file.items() if key not in standing and key not in self.ledger]
        if lost:
            self.ledger.put(calls=lost, meta={**self._signed(), _HANDED_OVER: len(self.in_file) - len(lost)})

    def hand_over(self, standing: Collection[bytes], prints: Mapping[str, str]) -> None:
        """Let the ledger forget the calls `standing` in a complete file, on disk, that has the tasks of `prints`."""
        held = {key for key in standing if key in self.ledger}
        if held:
            tasks = {question_id: mark for question_id, mark in self.tasks.items() if question_id not in prints}
            self.ledger.forget(held, meta={"tasks": tasks, _HANDED_OVER: len(standing)})

    def _signed(self) -> Record:
        return {"signature": dict(self.signature), "tasks": dict(self.tasks), "started": self.started}


def answering(
    out: Path,
    ledger: Ledger,
    before: ResponsesFile | None,
    signed: Mapping[str, Any],
    prints: Mapping[str, str],
    tasks: Mapping[str, AnswerTask],
) -> Earlier:
    """What earlier runs left of the answers in `out`.

    Raises ConfigError, showing the difference, where they were made under other settings or with other data, and
    DataError where the file that the ledger handed its records over to is gone.
    """

    def answers_in(file: ResponsesFile) -> dict[bytes, Record]:
        return _answers_in(file, _keys_of(file, signed, tasks, empty=not len(ledger)), tasks)

    return _own(out, ledger, before, answers_in, signed, prints, ("question", "document"))


def judging(
    out: Path,
    ledger: Ledger,
    before: ScoresFile | None,
    verdicts_in: Callable[[ScoresFile], Mapping[bytes, Record]],
    signed: Mapping[str, Any],
    prints: Mapping[str, str],
) -> Earlier:
    """What earlier runs left of the scores in `out`, by the same rules."""
    return _own(out, ledger, before, verdicts_in, signed, prints, ("question", "rubric"))


def _own(
    out: Path,
    ledger: Ledger,
    before: File | None,
    records_in: Callable[[File], Mapping[bytes, Record]],
    signed: Mapping[str, Any],
    prints: Mapping[str, str],
    parts: tuple[str, str],
) -> Earlier:
    """Refuse an output or a ledger that another run made.

    A run that finished no call leaves nothing to protect: a config that was mended goes on under its own name.
    """
    known = _meta(ledger, "tasks", dict[str, str]) or {}
    started = _meta(ledger, "started", str)
    signature = _meta(ledger, "signature", dict[str, Any])
    gone = before is None and _meta(ledger, _HANDED_OVER, int)
    held = len(ledger) or gone
    if not held and (before is None or not _has_finished(before)):
        return Earlier(ledger, {}, signed, prints, now())
    if before is not None:
        refuse_other_run(str(out), before.provenance.get("signature", {}), signed)
        refuse_changed_tasks(str(out), before.provenance.get("tasks", {}), prints, parts)
    if held and signature is not None:
        refuse_other_run(str(out), signature, signed)
        refuse_changed_tasks(str(out), known, prints, parts)
    if before is None:
        refuse_gone(out, ledger)
        return Earlier(ledger, {}, signed, {**known, **prints}, started or now())
    if not len(ledger):
        started = before.provenance.get("started")
    tasks = {**before.provenance.get("tasks", {}), **known, **prints}
    return Earlier(ledger, records_in(before), signed, tasks, started or now())


def refuse_gone(out: Path, ledger: Ledger) -> None:
    """DataError where the results file, which is not there, is the one that the ledger handed its records over to."""
    gone = _meta(ledger, _HANDED_OVER, int)
    if gone:
        raise DataError(
            f"{out} is gone, and with it {gone} finished calls that its ledger handed over to it; restore the file, or "
            f"move {ledger.path} away to ask everything again"
        )


def _has_finished(before: ResponsesFile | ScoresFile) -> bool:
    """Whether a results file holds what a call was paid for."""
    if isinstance(before, ScoresFile):
        return any(isinstance(entry, Judgement) for score in before.scores for entry in score.judges.values())
    return any(_is_finished(row) for row in before.responses)


def _is_finished(response: Response) -> bool:
    return response.status in ("ok", "failed") or response.reason == ContextOverflow.reason


def _meta(ledger: Ledger, name: str, kind: Any) -> Any:
    """A named value of the ledger, or None; DataError where it is not of its kind."""
    value = ledger.meta(name)
    try:
        return value if value is None else msgspec.convert(value, kind)
    except msgspec.ValidationError:
        raise ledger.torn() from None


def answer_record(response: Response, sent_at: Sequence[float], cap: int | None) -> Record:
    """What is kept of a final response: its fields that say something, when it was asked, and under which cap.

    `sent_at` is one Unix time, or the first and the last of the run that it comes from.
    """
    said = {name: value for name in _SAID if (value := getattr(response, name)) not in (None, ())}
    return {"response": said, "sent_at": sent_at, "cap": cap}


def recorded_answer(record: Record, question_id: str) -> Response:
    """The response of a record; DataError where the record says nothing of the kind."""
    try:
        msgspec.convert([record["sent_at"], record["cap"]], tuple[list[float], int | None])
        return msgspec.convert({**record["response"], "question_id": question_id}, Response)
    except (KeyError, TypeError, msgspec.ValidationError):
        raise DataError(
            f"the ledger's record of {question_id!r} is torn or of another version; move the ledger away: the next run "
            "takes over what the output file beside it holds and asks only the rest"
        ) from None


def _keys_of(
    file: ResponsesFile, signed: Mapping[str, Any], tasks: Mapping[str, AnswerTask], *, empty: bool
) -> dict[str, bytes]:
    """The keys of a file's answers, by question id.

    A prompt of clue passages is more than question and document, which is what the file's prints tell; unless the
    ledger is `empty`, only it knows which passages were shown.
    """
    own = {question_id: task.key for question_id, task in tasks.items()}
    if any(task.inserted for task in tasks.values()):
        return own if empty else {}
    settings = digest(signed)
    prints = file.provenance.get("tasks", {})
    return {**own, **{question_id: answer_key(settings, mark) for question_id, mark in prints.items()}}


def _answers_in(file: ResponsesFile, keys: Mapping[str, bytes], tasks: Mapping[str, AnswerTask]) -> dict[bytes, Record]:
    """The final answers of a responses file, by their keys."""
    sent_at = request_dates(file.provenance.get("endpoint_dates"))
    return {
        keys[response.question_id]: answer_record(response, sent_at, _cap_of(file, tasks.get(response.question_id)))
        for response in file.responses
        if _is_finished(response) and response.question_id in keys
    }


def _cap_of(file: ResponsesFile, task: AnswerTask | None) -> int | None:
    """The cap that a task was asked under, where both are known."""
    caps = file.provenance.get("caps")
    return None if task is None or not caps else caps["cjk" if task.facts.cjk else "en"]


def request_dates(dates: Mapping[str, str] | None) -> list[float]:
    """The first and the last request of a provenance's `endpoint_dates`, in Unix time; none where it tells none."""
    try:
        return sorted(datetime.fromisoformat(date).timestamp() for date in (dates or {}).values())
    except (ValueError, OverflowError):
        return []
