"""Asking the construction roles: every call through the ledger, at most three samples, nothing finished asked again."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, TypeVar

from wildtrace.build.induction import known_of
from wildtrace.build.link.blocks import blocks
from wildtrace.build.roles import (
    WindowReader,
    entries,
    extractor_prompt,
    linker_prompt,
    take_edges,
    verdict,
    verifier_prompt,
)
from wildtrace.errors import ConfigError, IncompleteError
from wildtrace.models.base import Model, Request
from wildtrace.models.config import Endpoint, RunConfig
from wildtrace.models.failures import CallError, EndpointError, QuotaError
from wildtrace.pipeline.answering import call_key
from wildtrace.pipeline.evaluate import ModelOpener, default_opener
from wildtrace.pipeline.progress import Finished, Progress
from wildtrace.pipeline.signature import digest
from wildtrace.pipeline.stopping import Stopping, stopping
from wildtrace.pipeline.workers import work_through
from wildtrace.prompts.render import digest as prompt_digest
from wildtrace.store.ledger import Ledger, open_ledger
from wildtrace.text.surrogates import replace_lone_surrogates
from wildtrace.types import Edge, EvidenceGraph, Record, Source, Window

ROLES: Final = ("extractor", "linker", "verifier")
SAMPLES: Final = 3
IMPLICIT: Final = ("rule:explanations", "rule:branches", "rule:outcomes", "rule:parallels")
LEDGER: Final = "induce.ledger"

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class RolesJob:
    """The roles' endpoints, where their ledger stands, and how an endpoint is opened."""

    endpoints: Mapping[str, Endpoint]
    ledger: Path
    opener: ModelOpener = default_opener
    news: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, config: RunConfig, workspace: Path, opener: ModelOpener = default_opener) -> RolesJob:
        """The job of a configuration. ConfigError where it names no extractor, linker or verifier."""
        endpoints = {role: config.roles[role][0] for role in ROLES if config.roles.get(role)}
        if not endpoints:
            raise ConfigError(
                f"config.json names no roles; add extractor, linker or verifier under roles ({', '.join(ROLES)})"
            )
        return cls(endpoints, workspace / LEDGER, opener)

    @property
    def signature(self) -> dict[str, Any]:
        """What of these shapes the evidence: route, decoding and prompt of each role."""
        return {role: _signed(role, endpoint) for role, endpoint in self.endpoints.items()}


def _signed(role: str, endpoint: Endpoint) -> dict[str, Any]:
    return {
        "url": endpoint.public_url,
        "model": endpoint.model,
        "temperature": endpoint.temperature,
        "max_tokens": endpoint.max_tokens,
        "prompt": prompt_digest(role),
    }


@dataclass(frozen=True, slots=True)
class Call:
    """One prompt of a role; `whole` tells whether a reply is usable as it is or must be asked again."""

    prompt: str
    whole: Callable[[str, bool], bool]


@dataclass(slots=True)
class _Asking:
    """A role's way through its calls."""

    endpoint: Endpoint
    settings: str
    ledger: Ledger
    progress: Progress
    replies: dict[int, list[tuple[str, bool]]] = field(default_factory=dict)
    unanswered: int = 0
    stopped_by: EndpointError | None = None

    def take_over(self, place: int, call: Call) -> bool:
        """Use what the ledger has; whether nothing is left to ask."""
        kept = self.replies[place] = []
        for sample in range(SAMPLES):
            stored = self.ledger.find(call_key(self.settings, call.prompt, sample=sample), reply=str, cut=bool)
            if stored is None:
                return False
            kept.append((stored["reply"], stored["cut"]))
            if call.whole(*kept[-1]):
                return True
        return True

    async def ask(self, place: int, call: Call, model: Model) -> bool:
        """Ask until a reply is whole, three times at most; False where the endpoint need not be asked any more."""
        kept = self.replies[place]
        for sample in range(len(kept), SAMPLES):
            try:
                reply = await model.ask(Request(call.prompt))
            except EndpointError as failure:
                self.stopped_by = self.stopped_by or failure
                return False
            except CallError as failure:
                self.unanswered += 1
                self.progress.advance(Finished(failure.reason))
                return True
            content, _ = replace_lone_surrogates(reply.content)
            stored = {"reply": content, "cut": reply.finish_reason == "length", "usage": reply.usage}
            await self.ledger.add(call_key(self.settings, call.prompt, sample=sample), stored)
            kept.append((content, bool(stored["cut"])))
            if call.whole(*kept[-1]):
                break
        self.progress.advance(Finished("ok" if call.whole(*kept[-1]) else "unusable_reply", reply.usage))
        return True


def ask_all(job: RolesJob, role: str, calls: Sequence[Call], progress: Progress) -> list[list[tuple[str, bool]]]:
    """The replies to every call of a role, in order, each with whether it was cut.

    Raises ConfigError or IncompleteError where the endpoint does not answer; what it answered is in the ledger.
    """
    return asyncio.run(_ask_all(job, role, calls, progress))


async def _ask_all(job: RolesJob, role: str, calls: Sequence[Call], progress: Progress) -> list[list[tuple[str, bool]]]:
    endpoint = job.endpoints[role]
    with open_ledger(job.ledger) as ledger, stopping(progress) as stop:
        asking = _Asking(endpoint, digest(_signed(role, endpoint)), ledger, progress)
        open_ = [(place, call) for place, call in enumerate(calls) if not asking.take_over(place, call)]
        progress.start(role, len(calls), len(calls) - len(open_))
        try:
            if open_:
                await _work(job, asking, open_, stop)
        finally:
            await ledger.settle()
    _check(asking, len(open_), stop)
    return [asking.replies[place] for place in range(len(calls))]


async def _work(job: RolesJob, asking: _Asking, open_: Sequence[tuple[int, Call]], stop: Stopping) -> None:
    async with job.opener(asking.endpoint, stop.soon) as model:
        await work_through(open_, asking.endpoint.concurrency, lambda job_: asking.ask(*job_, model), stop)


def _check(asking: _Asking, asked: int, stop: Stopping) -> None:
    if isinstance(asking.stopped_by, QuotaError):
        raise IncompleteError(f"{asking.endpoint.name} has no quota left: {asking.stopped_by}; fund it and run again")
    if asking.stopped_by is not None:
        raise ConfigError(f"{asking.endpoint.name} cannot be asked: {asking.stopped_by}")
    if stop.status is not None:
        raise IncompleteError("stopped; what was answered is saved, run the same command again to go on")
    if asking.unanswered:
        raise IncompleteError(
            f"{asking.unanswered} of {asked} calls of {asking.endpoint.name} were not answered; "
            "run the same command again"
        )


def extract_by_model(
    job: RolesJob, source: Source, text: str, windows: Sequence[Window], known: bytes, progress: Progress
) -> list[Record]:
    """The records that the extractor adds, each grounded in its window; nothing where no extractor is configured."""
    if "extractor" not in job.endpoints:
        return []
    calls = [Call(extractor_prompt(source, window, text), _whole_records) for window in windows]
    provenance = f"extractor:{job.endpoints['extractor'].model}"
    found: dict[str, Record] = {}
    refused = review = 0
    for window, replies in zip(windows, ask_all(job, "extractor", calls, progress), strict=True):
        reader = WindowReader(source, window, text, known_of(known))
        for reply, cut in replies:
            taken = reader.take(entries(reply, "records", cut=cut).found, provenance)
            found.update((record.id, record) for record in taken.records)
            refused += len(taken.refused)
            review += len(taken.review)
    progress.say(f"extractor: {len(found)} records taken, {refused} refused, {review} for review")
    return list(found.values())


def _whole_records(reply: str, cut: bool) -> bool:
    return entries(reply, "records", cut=cut).whole


def _whole_edges(reply: str, cut: bool) -> bool:
    return entries(reply, "edges", cut=cut).whole


def link_by_model(job: RolesJob, source: Source, text: str, graph: EvidenceGraph, progress: Progress) -> list[Edge]:
    """The edges that the linker proposes among blocked pairs, as the verifier leaves them; for review without one."""
    if "linker" not in job.endpoints:
        return []
    asked = list(blocks(graph))
    calls = [Call(linker_prompt(source, records, pairs), _whole_edges) for records, pairs in asked]
    provenance = f"linker:{job.endpoints['linker'].model}"
    found: dict[str, Edge] = {}
    for (_, pairs), replies in zip(asked, ask_all(job, "linker", calls, progress), strict=True):
        for reply, cut in replies:
            taken = take_edges(source, graph, pairs, entries(reply, "edges", cut=cut).found, provenance)
            found.update((edge.id, edge) for edge in taken.edges)
    return verify_by_model(job, source, text, graph, list(found.values()), progress)


def verify_by_model(
    job: RolesJob, source: Source, text: str, graph: EvidenceGraph, edges: Sequence[Edge], progress: Progress
) -> list[Edge]:
    """These edges with the verifier's word on each: kept, for review, or left out; as they are where none is asked."""
    if "verifier" not in job.endpoints or not edges:
        return list(edges)
    by_id = {record.id: record for record in graph.records}
    ends = [(by_id[edge.head], by_id[edge.tail]) for edge in edges]
    calls = [
        Call(verifier_prompt(source, text, edge, head, tail), _usable(text, head, tail))
        for edge, (head, tail) in zip(edges, ends, strict=True)
    ]
    name = f"verifier:{job.endpoints['verifier'].model}"
    checked: list[Edge] = []
    for edge, (head, tail), replies in zip(edges, ends, ask_all(job, "verifier", calls, progress), strict=True):
        said = verdict(replies[-1][0], text, head, tail, cut=replies[-1][1])
        if said is None or said[0] is None:
            checked.append(replace(edge, status="review"))
        elif said[0]:
            basis = said[1] or edge.basis
            checked.append(replace(edge, status="kept", basis=basis, provenance=f"{edge.provenance}, {name}"))
    return checked


def _usable(text: str, head: Record, tail: Record) -> Callable[[str, bool], bool]:
    return lambda reply, cut: verdict(reply, text, head, tail, cut=cut) is not None


@dataclass(frozen=True, slots=True)
class PlannedCalls:
    """What a role would be asked: calls, tokens in, at most this many out, and the price where it is known."""

    role: str
    model: str
    calls: int
    tokens_in: int
    tokens_out: int
    cost: float | None


def role_cost(endpoint: Endpoint, tokens_in: int, tokens_out: int) -> float | None:
    """The price of so many tokens, or None where the configuration gives none."""
    if endpoint.prices is None:
        return None
    return (tokens_in * endpoint.prices.tokens_in + tokens_out * endpoint.prices.tokens_out) / 1e6
