"""Verdicts as the ledger keeps them, and as they are read back from a scores file (decisions.md, rules 24 and 28)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from wildtrace.calls.ledger import Ledger
from wildtrace.calls.provenance import request_dates
from wildtrace.calls.resume import Record
from wildtrace.endpoints.base import Reply
from wildtrace.endpoints.offline import FINGERPRINT
from wildtrace.errors import DataError
from wildtrace.evaluate.tasks import call_key
from wildtrace.scores.results import ScoresFile
from wildtrace.text.surrogates import replace_lone_surrogates
from wildtrace.types import Judgement

KINDS: Final[Mapping[str, type]] = {"reply": str, "sent_at": list, "served_models": list}
"""The fields of a record that a run reads, and what they are."""


def verdict_key(settings: str, shown: str, sample: int = 0) -> bytes:
    """The ledger's key of a judge's reply: the judge's settings, the digest of what it was shown, and the sample."""
    return call_key(settings, shown, sample=sample)


def verdict_record(reply: Reply) -> Record:
    """What is kept of a judge's reply."""
    content, _ = replace_lone_surrogates(reply.content)
    record = {
        "reply": content,
        "finish_reason": reply.finish_reason,
        "refused": reply.refused or None,
        "sent_at": [round(reply.sent_at, 3)],
        "served_models": [reply.served_model] if reply.served_model else [],
        "fingerprint": reply.fingerprint,
        "usage": reply.usage,
        "key_removed": reply.key_removed or None,
    }
    return {name: value for name, value in record.items() if value is not None}


@dataclass(frozen=True, slots=True)
class Verdicts:
    """How a run finds its judges' verdicts in a scores file: by the digest of each judge's settings, by name."""

    settings: Mapping[str, str]

    def beyond(self, ledger: Ledger, file: ScoresFile) -> Iterator[tuple[bytes, Record]]:
        """The verdicts of a file that are not in the ledger, by the keys of the first samples that it has not.

        DataError where the file does not tell what one of them is on.
        """
        news = {row.get("name"): _news_of(row) for row in file.provenance.get("panel") or []}
        shown = file.provenance.get("prompts") or {}
        for score in file.scores:
            for name, entry in score.judges.items():
                if name not in self.settings or not isinstance(entry, Judgement):
                    continue
                if score.question_id not in shown:
                    raise DataError(
                        f"provenance.prompts says nothing of {score.question_id!r}, so its verdicts cannot be taken "
                        "over; restore the file, or choose another output"
                    )
                key = _free(ledger, self.settings[name], shown[score.question_id], entry.reply)
                if key is not None:
                    yield key, _record_of(entry, news.get(name, _news_of({})))


def _free(ledger: Ledger, settings: str, shown: str, reply: str) -> bytes | None:
    """The key of the first sample that the ledger has not; None where it has this reply."""
    sample = 0
    while (record := ledger.find(key := verdict_key(settings, shown, sample), **KINDS)) is not None:
        if record["reply"] == reply:
            return None
        sample += 1
    return key


def _news_of(row: Mapping[str, Any]) -> Record:
    """What a panel's row tells of all verdicts of its judge, as a record has it."""
    return {
        "sent_at": request_dates(row.get("endpoint_dates")),
        "served_models": list(row.get("served_models") or []),
    }


def _record_of(entry: Judgement, news: Record) -> Record:
    """What the ledger would say of a judgement in a scores file, which has news of its judge as a whole."""
    return {
        "reply": entry.reply,
        "fingerprint": FINGERPRINT if "offline" in entry.flags else None,
        "key_removed": "key_removed" in entry.flags,
        **news,
    }
