"""What a judge is shown of one answer, and what its finished calls say of it (docs/protocol.md, rule 24)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from wildtrace.calls.record import Record
from wildtrace.endpoints.failures import CallError
from wildtrace.endpoints.offline import FINGERPRINT
from wildtrace.judge.prompt import JudgePrompt
from wildtrace.judge.reply import read_judgement
from wildtrace.text.surrogates import replace_lone_surrogates
from wildtrace.types import JudgeFailure, Judgement, Rubric

NOT_ASKED: Final = "not asked yet"
"""The error of a judgement that no call was made for."""


@dataclass(frozen=True, slots=True)
class Grading:
    """An answer to grade: its rubric and the prompt that shows both."""

    rubric: Rubric
    prompt: JudgePrompt

    def first_usable(self, records: Sequence[Record]) -> Judgement | None:
        """The verdict of the first usable reply, None where there is none yet."""
        read = (self._read(record) for record in records)
        return next((entry for entry in read if isinstance(entry, Judgement)), None)

    def entry(self, records: Sequence[Record], failures: Sequence[CallError]) -> Judgement | JudgeFailure:
        """The verdict, else why there is none: the failure of this run, or what the last reply lacks."""
        if (judgement := self.first_usable(records)) is not None:
            return judgement
        read = [entry for record in records if isinstance(entry := self._read(record), JudgeFailure)]
        if not failures:
            return read[-1] if read else JudgeFailure(NOT_ASKED)
        replies = [entry.reply for entry in read if entry.reply is not None]
        return JudgeFailure(str(failures[-1]), replies[-1] if replies else None)

    def _read(self, record: Record) -> Judgement | JudgeFailure:
        if record.reply is None:
            failure = record.failure
            return JudgeFailure(NOT_ASKED if failure is None else f"{failure.reason}: {failure.message}")
        content, _ = replace_lone_surrogates(record.reply.content)
        entry = read_judgement(
            content,
            self.rubric,
            self.prompt.answer,
            finish_reason=record.reply.finish_reason,
            refused=record.reply.refused,
            truncated=self.prompt.truncated,
        )
        raised = {"offline": record.reply.fingerprint == FINGERPRINT, "key_removed": record.reply.key_removed}
        flags = tuple(flag for flag, is_raised in raised.items() if is_raised)
        return replace(entry, flags=(*entry.flags, *flags)) if flags and isinstance(entry, Judgement) else entry
