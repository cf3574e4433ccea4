"""What a responses file says of its run, and how its answers are found again (docs/protocol.md, rules 27 and 28)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from wildtrace import __version__
from wildtrace.calls.ask import Asking
from wildtrace.calls.identity import Identity, address, decoding, route
from wildtrace.calls.ledger import call_key
from wildtrace.calls.output import Output
from wildtrace.calls.provenance import data_hash, dates, flag_counts, now, request_times
from wildtrace.calls.record import Record, final_failure, sent_times
from wildtrace.endpoints.caps import Route
from wildtrace.endpoints.config import RunConfig
from wildtrace.endpoints.retry import POLICY
from wildtrace.errors import DataError
from wildtrace.evaluate.tasks import AnswerTask, Condition, prompt_digest, prompt_name
from wildtrace.prompts import render
from wildtrace.scores.results import ResponsesFile
from wildtrace.types import DocumentFacts, Response


def answering_identity(config: RunConfig, condition: Condition, tasks: Iterable[AnswerTask]) -> Identity:
    """What a run of answers is known by."""
    settings = {
        "route": route(config.contestant),
        "decoding": decoding(config.contestant),
        "protocol": {
            "prompt": render.digest(prompt_name(condition)),
            "condition": condition,
            "retry": POLICY,
            "strip_reasoning": config.contestant.strip_reasoning,
        },
    }
    return Identity(settings, {task.question_id: task.digest for task in tasks}, ("question", "document", "passages"))


def only_in_file(
    output: Output[ResponsesFile], identity: Identity, condition: Condition, tasks: Sequence[AnswerTask]
) -> Iterator[tuple[str, Record]]:
    """The finished calls of a responses file that its ledger lacks, by their keys.

    DataError where the file does not tell which question and document one of them is on.
    """
    if output.file is None:
        return
    provenance = output.file.provenance
    digests, caps = provenance.get("tasks", {}), provenance.get("caps")
    is_cjk = {task.question_id: task.facts.cjk for task in tasks}
    sent_at = request_times(provenance.get("endpoint_dates"))
    for response in output.file.responses:
        question_id = response.question_id
        if not response.is_finished:
            continue
        if question_id not in digests:
            raise DataError(
                f"{output.path}: provenance.tasks says nothing of {question_id!r}, so its answer cannot be read back; "
                "restore the file, or choose another output"
            )
        key = call_key(identity.digest, prompt_digest(digests[question_id], condition))
        records = output.ledger.records(key)
        if not any(map(_is_final, records)) and not (response.is_overflow and records):
            cap = caps["cjk" if is_cjk[question_id] else "en"] if caps and question_id in is_cjk else None
            yield key, Record(response=response, cap=cap, sent_at=sent_at)


def _is_final(record: Record) -> bool:
    """Whether a call needs no other, whatever the cap."""
    if record.response is not None:
        return not record.response.is_overflow
    return record.reply is not None or final_failure([record]) is not None


def provenance_of(
    config: RunConfig,
    route_: Route,
    identity: Identity,
    documents: Mapping[str, DocumentFacts],
    responses: Sequence[Response],
    asking: Asking[Response],
    started: str,
) -> dict[str, Any]:
    """The provenance of a responses file."""
    finished = [case for case in asking.cases if asking.result(case) is not None]
    sent = sent_times([record for case in finished for record in asking.records(case.id)])
    return {
        "version": __version__,
        "signature": identity.signature,
        **address(config.contestant),
        "served_models": sorted({response.served_model for response in responses if response.served_model}),
        "endpoint_dates": dates(sent),
        "condition": identity.settings["protocol"]["condition"],
        "caps": {"en": route_.cap.en, "cjk": route_.cap.cjk},
        "cap_source": route_.source,
        "cap_as": config.cap_as,
        "decoding": identity.settings["decoding"],
        "prompt_hash": identity.settings["protocol"]["prompt"],
        "data_hash": data_hash(identity.tasks),
        "panel": None,
        "retry_policy": POLICY,
        "offline": any("offline" in response.flags for response in responses),
        "flags": flag_counts(responses),
        "documents_changed": sorted(name for name, facts in documents.items() if facts.changed),
        "started": started,
        "ended": now(),
        "tasks": dict(identity.tasks),
    }
