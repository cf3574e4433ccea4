"""A finished call as the ledger keeps it."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from wildtrace.endpoints.base import Reply
from wildtrace.endpoints.failures import CallError, ContextOverflow, RefusedError, RejectedError
from wildtrace.types import Response

FINISHED: Final = (RefusedError, ContextOverflow, RejectedError)
"""The failures that are the endpoint's word on a prompt: each is a finished call. All others are asked again."""
REJECTIONS: Final = 3
"""So many runs are rejected alike before a call is given up (docs/protocol.md, rule 12)."""


@dataclass(frozen=True, slots=True)
class Failure:
    """The endpoint's word where it gave no reply; `reason` is one of vocabulary.REASONS."""

    reason: str
    message: str
    attempts: int = 1


@dataclass(frozen=True, slots=True)
class Record:
    """What a call came to: a reply, a failure, or a response that was read back from a results file.

    `model` is the endpoint's name for the model, `cap` the document cap that the call was made under. `sent_at` are
    Unix times: one, or the first and the last of the calls that were read back together; `served_models` is then said
    of all of them too.
    """

    reply: Reply | None = None
    failure: Failure | None = None
    response: Response | None = None
    model: str = ""
    cap: int | None = None
    sent_at: tuple[float, ...] = ()
    served_models: tuple[str, ...] = ()

    @classmethod
    def of(cls, reply: Reply, model: str, cap: int | None = None) -> Record:
        """The record of a reply."""
        served = (reply.served_model,) if reply.served_model else ()
        return cls(reply=reply, model=model, cap=cap, sent_at=(round(reply.sent_at, 3),), served_models=served)

    @classmethod
    def of_failure(cls, error: CallError, cap: int | None = None) -> Record:
        """The record of one of the FINISHED failures."""
        failure = Failure(error.reason, str(error), error.attempts)
        return cls(failure=failure, cap=cap, sent_at=(round(time.time(), 3),))


def final_failure(records: Iterable[Record]) -> Failure | None:
    """The refusal among these records; also a rejection that was met alike in three runs (rule 12)."""
    rejections: dict[str, int] = {}
    for failure in (record.failure for record in records if record.failure is not None):
        if failure.reason in (RefusedError.reason, "refused_by_endpoint"):
            return failure
        if failure.reason == RejectedError.reason:
            rejections[failure.message] = rejections.get(failure.message, 0) + 1
            if rejections[failure.message] >= REJECTIONS:
                return replace(failure, reason="refused_by_endpoint")
    return None


def sent_times(records: Sequence[Record]) -> list[float]:
    """When the calls of these records were made."""
    return [moment for record in records for moment in record.sent_at]
