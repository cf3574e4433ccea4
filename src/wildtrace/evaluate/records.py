"""Answers as the ledger keeps them, and as they are read back from a responses file (decisions.md, rule 28)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Final

import msgspec

from wildtrace.calls import identity as signature
from wildtrace.calls.ledger import Ledger
from wildtrace.calls.provenance import request_dates
from wildtrace.calls.resume import Earlier, Output, Record, earlier_of, is_overflow
from wildtrace.endpoints.caps import Route
from wildtrace.endpoints.config import RunConfig
from wildtrace.errors import DataError
from wildtrace.evaluate.respond import Condition
from wildtrace.evaluate.tasks import AnswerTask, answer_key
from wildtrace.scores.results import ResponsesFile
from wildtrace.types import Response

_SAID: Final = tuple(field.name for field in fields(Response) if field.name != "question_id")


def answer_record(response: Response, sent_at: Sequence[float], cap: int | None) -> Record:
    """What is kept of a final response: its fields that say something, when it was asked, and under which cap.

    `sent_at` is one Unix time, or the first and the last of the run that it comes from.
    """
    said = {name: value for name in _SAID if (value := getattr(response, name)) not in (None, ())}
    return {"response": said, "sent_at": sent_at, "cap": cap}


def known_answer(earlier: Earlier, task: AnswerTask, route: Route) -> tuple[Response, list[float]] | None:
    """What earlier runs have of a task, and when it was asked; None where it is to be asked.

    An overflow counts under its own cap alone (decisions.md, rule 13). DataError where a record is none.
    """
    record = earlier.find(task.key)
    if record is None:
        return None
    response, sent_at, cap = _recorded(record, task.question_id)
    if response.is_overflow and cap != route.limit(task.facts):
        return None
    return response, sent_at


def _recorded(record: Record, question_id: str) -> tuple[Response, list[float], int | None]:
    try:
        sent_at, cap = msgspec.convert([record["sent_at"], record["cap"]], tuple[list[float], int | None])
        return msgspec.convert({**record["response"], "question_id": question_id}, Response), sent_at, cap
    except (KeyError, TypeError, msgspec.ValidationError):
        raise DataError(
            f"the ledger's record of {question_id!r} is torn or of another version; move the ledger away: the next run "
            "takes over what the output file beside it holds and asks only the rest"
        ) from None


def earlier_answers(
    output: Output[ResponsesFile], tasks: Mapping[str, AnswerTask], config: RunConfig, condition: Condition
) -> Earlier:
    """What earlier runs left in an output of answers. Raises what `earlier_of` raises."""
    signed = signature.answering(config.contestant, condition)
    prints = {question_id: task.mark for question_id, task in tasks.items()}
    finder = _Answers(signature.digest(signed), condition, tasks)
    return earlier_of(output, finder, signed, prints, ("question", "document", "passages"))


@dataclass(frozen=True, slots=True)
class _Answers:
    """How a run finds its answers in a responses file; `settings` is the digest of its signature."""

    settings: str
    condition: Condition
    tasks: Mapping[str, AnswerTask]

    def beyond(self, ledger: Ledger, file: ResponsesFile) -> Iterator[tuple[bytes, Record]]:
        """The final answers of a file that are not in the ledger, or there only as an overflow, by their keys.

        DataError where the file does not tell which question and document one of them is on.
        """
        prints = file.provenance.get("tasks", {})
        sent_at = request_dates(file.provenance.get("endpoint_dates"))
        for response in file.responses:
            if not response.is_finished:
                continue
            if response.question_id not in prints:
                raise DataError(
                    f"provenance.tasks says nothing of {response.question_id!r}, so its answer cannot be taken over; "
                    "restore the file, or choose another output"
                )
            key = answer_key(self.settings, prints[response.question_id], self.condition)
            if key not in ledger or (is_overflow(ledger.find(key)) and not response.is_overflow):
                yield key, answer_record(response, sent_at, self._cap(file, response.question_id))

    def _cap(self, file: ResponsesFile, question_id: str) -> int | None:
        """The cap that a task was asked under, where both are known."""
        caps, task = file.provenance.get("caps"), self.tasks.get(question_id)
        return None if task is None or not caps else caps["cjk" if task.facts.cjk else "en"]
