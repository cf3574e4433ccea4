"""What a results file says about how it came to be (docs/formats.md)."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

import orjson

from wildtrace import __version__
from wildtrace.calls.identity import decoding, digest, route, with_digest
from wildtrace.endpoints.caps import Route
from wildtrace.endpoints.config import Endpoint
from wildtrace.endpoints.retry import POLICY
from wildtrace.types import DocumentFacts, Response

_YEAR_9999: Final = 253_370_764_800
_OF_A_RUN: Final = ("version", "started", "ended")


def now() -> str:
    """This moment, in UTC, to the second."""
    return iso(time.time())


def iso(seconds: float) -> str:
    """A Unix time as ISO 8601 in UTC."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def dates(sent: Iterable[float]) -> dict[str, str] | None:
    """The first and the last request to an endpoint."""
    times = sorted(sent)
    return {"first": iso(times[0]), "last": iso(times[-1])} if times else None


def request_dates(dates: Mapping[str, str] | None) -> list[float]:
    """The first and the last request that `endpoint_dates` tells, in Unix time; only dates since 1970."""
    times = []
    for date in (dates or {}).values():
        with suppress(ValueError, OverflowError):
            times.append(datetime.fromisoformat(date).timestamp())
    return sorted(moment for moment in times if 0 <= moment < _YEAR_9999)


def data_hash(prints: Mapping[str, str]) -> str:
    """One digest of all tasks' prints, whatever their order and the release form."""
    return digest(sorted(prints.items()), 64)


def flag_counts(responses: Iterable[Response]) -> dict[str, int]:
    """How many responses carry each flag."""
    return dict(sorted(Counter(flag for response in responses for flag in response.flags).items()))


def tells_otherwise(old: Mapping[str, Any], new: Mapping[str, Any]) -> bool:
    """Whether a provenance, made now, tells something else than that of the file that it is for.

    Which version ran when is no news where the rest is none.
    """
    read_back = orjson.loads(orjson.dumps(new))
    return any(old.get(key) != read_back[key] for key in new if key not in _OF_A_RUN)


@dataclass(slots=True)
class PanelNews:
    """What a judge's replies tell about its endpoint."""

    sent: list[float] = field(default_factory=list)
    served_models: set[str] = field(default_factory=set)
    offline: bool = False

    def add(self, sent_at: Iterable[float], served_models: Iterable[str], *, offline: bool) -> None:
        """Take the word of one reply, or of an earlier run's."""
        self.sent.extend(sent_at)
        self.served_models.update(served_models)
        self.offline = self.offline or offline


def answering_provenance(
    *,
    endpoint: Endpoint,
    route_caps: Route,
    cap_as: str | None,
    signature: Mapping[str, Any],
    prints: Mapping[str, str],
    facts: Iterable[DocumentFacts],
    responses: tuple[Response, ...],
    sent: Iterable[float],
    started: str,
) -> dict[str, Any]:
    """The provenance of a responses file."""
    return {
        "version": __version__,
        "signature": with_digest(signature),
        **route(endpoint),
        "served_models": sorted({response.served_model for response in responses if response.served_model}),
        "endpoint_dates": dates(sent),
        "condition": signature["protocol"]["condition"],
        "caps": {"en": route_caps.cap.en, "cjk": route_caps.cap.cjk},
        "cap_source": route_caps.source,
        "cap_as": cap_as,
        "decoding": signature["decoding"],
        "prompt_hash": signature["protocol"]["prompt"],
        "data_hash": data_hash(prints),
        "panel": None,
        "retry_policy": POLICY,
        "offline": any("offline" in response.flags for response in responses),
        "flags": flag_counts(responses),
        "documents_changed": sorted(known.corpus_file for known in facts if known.changed),
        "started": started,
        "ended": now(),
        "tasks": prints,
    }


def judging_provenance(
    *,
    answers: Mapping[str, Any],
    responses: tuple[Response, ...],
    signature: Mapping[str, Any],
    prints: Mapping[str, str],
    prompts: Mapping[str, str],
    panel: Mapping[str, tuple[Endpoint, PanelNews]],
    self_judging: bool,
    started: str,
) -> dict[str, Any]:
    """The provenance of a scores file: that of the answers, and the panel's.

    `prompts` are short digests of what the judges were shown, by question id; they tell which answers were judged.
    """
    kept = (
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
    return {
        "version": __version__,
        "signature": with_digest(signature),
        **{key: answers.get(key) for key in kept},
        "judge_prompt_hash": signature["judging"]["prompt"],
        "data_hash": data_hash(prints),
        "panel": [_panel_row(name, endpoint, news) for name, (endpoint, news) in panel.items()],
        "retry_policy": POLICY,
        "self_judging": self_judging,
        "offline": {
            "contestant": bool(answers.get("offline")),
            "judges": [name for name, (_, news) in panel.items() if news.offline],
        },
        "flags": flag_counts(responses),
        "answered": {"started": answers.get("started"), "ended": answers.get("ended")},
        "started": started,
        "ended": now(),
        "tasks": prints,
        "prompts": dict(prompts),
    }


def _panel_row(name: str, endpoint: Endpoint, news: PanelNews) -> dict[str, Any]:
    return {
        "name": name,
        **route(endpoint),
        "decoding": decoding(endpoint),
        "served_models": sorted(news.served_models),
        "endpoint_dates": dates(news.sent),
    }
