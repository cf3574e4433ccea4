"""What a scores file says of its run, and how its verdicts are found again (docs/protocol.md, rules 24, 27 and 28)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from wildtrace import __version__
from wildtrace.calls.ask import Asking
from wildtrace.calls.identity import Identity, address, decoding, digest, judged_task_digests, route
from wildtrace.calls.ledger import call_key
from wildtrace.calls.output import Output
from wildtrace.calls.provenance import data_hash, dates, flag_counts, now, request_times
from wildtrace.calls.record import Record, sent_times
from wildtrace.endpoints.base import Reply
from wildtrace.endpoints.config import Endpoint
from wildtrace.endpoints.offline import FINGERPRINT
from wildtrace.endpoints.retry import POLICY
from wildtrace.errors import DataError
from wildtrace.judge.panel import SAMPLES
from wildtrace.prompts import render
from wildtrace.scores.results import ResponsesFile, ScoresFile
from wildtrace.text.surrogates import replace_lone_surrogates
from wildtrace.types import Item, Judgement, Response

_OF_THE_ANSWERS = (
    "model",
    "base_url",
    "served_models",
    "endpoint_dates",
    "condition",
    "caps",
    "cap_source",
    "cap_as",
    "decoding",
    "prompt_hash",
    "documents_changed",
)


def judging_identity(given: ResponsesFile, judges: Iterable[Endpoint], items: Iterable[Item]) -> Identity:
    """What a run of judgements is known by: the settings of the answers, and the panel in whatever order."""
    signature = given.provenance.get("signature") or {}
    panel = [_judge_settings(judge) for judge in sorted(judges, key=lambda judge: judge.name)]
    settings = {
        **{name: value for name, value in signature.items() if name != "digest"},
        "judging": {"panel": panel, "prompt": render.digest("judge"), "samples": SAMPLES, "retry": POLICY},
    }
    return Identity(settings, judged_task_digests(items), ("question", "rubric"))


def _judge_settings(judge: Endpoint) -> dict[str, Any]:
    return {"name": judge.name, **route(judge), **decoding(judge)}


def judge_digest(judge: Endpoint) -> str:
    """A digest of what shapes one judge's verdicts beside the prompt."""
    return digest([_judge_settings(judge)])


def only_in_file(output: Output[ScoresFile], judges: Iterable[Endpoint]) -> Iterator[tuple[str, Record]]:
    """The verdicts of a scores file that its ledger lacks, by their keys.

    DataError where the file does not tell what one of them is on.
    """
    if output.file is None:
        return
    settings = {judge.name: judge_digest(judge) for judge in judges}
    panel = {row.get("name"): row for row in output.file.provenance.get("panel") or []}
    prompts = output.file.provenance.get("prompts") or {}
    for score in output.file.scores:
        for name, entry in score.judges.items():
            if name not in settings or not isinstance(entry, Judgement):
                continue
            if score.question_id not in prompts:
                raise DataError(
                    f"{output.path}: provenance.prompts says nothing of {score.question_id!r}, so its verdicts cannot "
                    "be read back; restore the file, or choose another output"
                )
            key = call_key(settings[name], prompts[score.question_id])
            replies = [record.reply for record in output.ledger.records(key) if record.reply is not None]
            if entry.reply not in [replace_lone_surrogates(reply.content)[0] for reply in replies]:
                yield key, _record_of(entry, panel.get(name) or {})


def _record_of(entry: Judgement, row: Mapping[str, Any]) -> Record:
    """What the ledger would say of a judgement in a scores file, which has times and models of its judge as a whole."""
    fingerprint = FINGERPRINT if "offline" in entry.flags else None
    return Record(
        reply=Reply(entry.reply, fingerprint=fingerprint, key_removed="key_removed" in entry.flags),
        sent_at=request_times(row.get("endpoint_dates")),
        served_models=tuple(row.get("served_models") or ()),
    )


def provenance_of(
    *,
    given: ResponsesFile,
    responses: Sequence[Response],
    identity: Identity,
    panel: Sequence[Asking[Judgement]],
    self_judging: bool,
    started: str,
) -> dict[str, Any]:
    """The provenance of a scores file: that of the answers, and the panel's.

    `prompts` are short digests of what the judges were shown, by question id; they tell which answers were judged.
    """
    answers = given.provenance
    prompts = {case.id: case.prompt[0] for asking in panel[:1] for case in asking.cases}
    return {
        "version": __version__,
        "signature": identity.signature,
        **{key: answers.get(key) for key in _OF_THE_ANSWERS},
        "judge_prompt_hash": identity.settings["judging"]["prompt"],
        "data_hash": data_hash(identity.tasks),
        "panel": [_panel_row(asking) for asking in panel],
        "retry_policy": POLICY,
        "self_judging": self_judging,
        "offline": {
            "contestant": bool(answers.get("offline")),
            "judges": [asking.targets[0].name for asking in panel if any(map(_is_offline, _judged(asking)))],
        },
        "flags": flag_counts(responses),
        "answered": {"started": answers.get("started"), "ended": answers.get("ended")},
        "started": started,
        "ended": now(),
        "tasks": dict(identity.tasks),
        "prompts": prompts,
    }


def _is_offline(record: Record) -> bool:
    return record.reply is not None and record.reply.fingerprint == FINGERPRINT


def _judged(asking: Asking[Judgement]) -> list[Record]:
    """The replies to the cases."""
    return [record for case in asking.cases for record in asking.records(case.id) if record.reply is not None]


def _panel_row(asking: Asking[Judgement]) -> dict[str, Any]:
    endpoint, records = asking.targets[0].endpoint, _judged(asking)
    return {
        "name": endpoint.name,
        **address(endpoint),
        "decoding": decoding(endpoint),
        "served_models": sorted({model for record in records for model in record.served_models}),
        "endpoint_dates": dates(sent_times(records)),
    }
