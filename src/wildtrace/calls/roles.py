"""Asking the roles of construction: several endpoints a role share one queue, and every reply is in the ledger.

A prompt is asked until a reply is usable, three times in all runs and endpoints together. A refusal is final only where
every endpoint of the role refuses.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, nullcontext
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

from wildtrace.calls.ask import Asking, Case, Target
from wildtrace.calls.identity import decoding, digest, route, text_digest
from wildtrace.calls.ledger import Ledger, open_ledger
from wildtrace.calls.opening import ModelOpener, default_opener
from wildtrace.calls.progress import Progress, Silent
from wildtrace.calls.reasoning import remove_reasoning
from wildtrace.calls.record import Record, final_failure
from wildtrace.calls.stopping import Stopping, stopping
from wildtrace.endpoints.base import Model, Reply, Request
from wildtrace.endpoints.config import Endpoint, RunConfig
from wildtrace.endpoints.failures import ContextOverflow, EndpointError, QuotaError
from wildtrace.errors import ConfigError, IncompleteError
from wildtrace.text.surrogates import replace_lone_surrogates
from wildtrace.text.tokens import estimate_tokens

SAMPLES: Final = 3
_TOO_LONG: Final = "a prompt is longer than the model's window: give the role an endpoint with a larger one"
_AGAIN: Final = "run the same command again"

IsUsable = Callable[[str, bool], bool]
"""Whether a reply serves, by its text without reasoning and whether it was cut."""


class UnansweredError(IncompleteError):
    """A call of a source was not answered; other sources may still be done."""


@dataclass(frozen=True, slots=True)
class RoleReply:
    """A role's reply: its text (empty where every endpoint refused), whether it was cut, and the model that gave it.

    `calls`, tokens and `cost` are those of all samples that it took, replayed ones included; `cost` is None where an
    endpoint has no prices.
    """

    text: str
    cut: bool
    model: str
    calls: int = 1
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float | None = None


@dataclass(frozen=True, slots=True)
class RolesJob:
    """What `open_roles` needs: the roles' endpoints, their ledger, and the most that they may cost.

    `is_usable` tells of every reply whether it serves.
    """

    config: RunConfig
    names: tuple[str, ...]
    ledger: Path
    is_usable: IsUsable
    budget: float | None = None
    opener: ModelOpener = default_opener

    def targets(self) -> dict[str, tuple[Target, ...]]:
        """The endpoints of each role, nothing asked yet. ConfigError where the configuration lacks a role."""
        missing = [name for name in self.names if name not in self.config.roles]
        if missing:
            raise ConfigError(
                f"{self.config.file} names no {', no '.join(missing)} under roles; one endpoint may serve several"
            )
        return {name: _targets(name, self.config.roles[name]) for name in self.names}

    def check(self) -> None:
        """ConfigError where a role, a key or, with a budget, a price is missing."""
        for target in (target for targets in self.targets().values() for target in targets):
            target.endpoint.api_key()
            if self.budget is not None and target.endpoint.prices is None:
                raise ConfigError(f"{target.name} has no prices in {self.config.file}, which a budget needs")

    def signature(self) -> dict[str, list[str]]:
        """What of the roles shapes what they reply: the route and the decoding of each role's endpoints."""
        return {name: sorted(target.settings for target in targets) for name, targets in self.targets().items()}


def _targets(role: str, endpoints: Sequence[Endpoint]) -> tuple[Target, ...]:
    """Where two endpoints of a role have one model, their addresses tell them apart in messages."""
    models = Counter(endpoint.model for endpoint in endpoints)
    return tuple(
        Target(
            endpoint,
            digest({**route(endpoint), **decoding(endpoint)}),
            f"{role} ({endpoint.model}{f' at {endpoint.public_url}' if models[endpoint.model] > 1 else ''})",
        )
        for endpoint in endpoints
    )


@dataclass(slots=True)
class Budget:
    """What the roles may cost together, and what they have: `reserved` is what calls in flight cost at least."""

    limit: float | None = None
    spent: float = 0.0
    reserved: float = 0.0

    def check(self) -> None:
        """IncompleteError where nothing may be asked any more."""
        if self.limit is not None and self.spent + self.reserved >= self.limit:
            raise IncompleteError(
                f"the budget of {self.limit:,.2f} is spent; what was answered is saved, {_AGAIN} to go on"
            )


@dataclass(slots=True)
class _Shared:
    """An open endpoint that several askings use at once: it takes `concurrency` calls, and none over the budget.

    One that would meet every call with the same failure is asked no more, also by those who wait for a place.
    """

    model: Model
    endpoint: Endpoint
    budget: Budget
    places: asyncio.Semaphore = field(init=False)
    ended_by: EndpointError | None = None

    def __post_init__(self) -> None:
        self.places = asyncio.Semaphore(self.endpoint.concurrency)

    async def ask(self, request: Request) -> Reply:
        """Ask the model when there is room."""
        async with self.places:
            if self.ended_by is not None:
                raise self.ended_by
            self.budget.check()
            least = self.endpoint.cost(estimate_tokens(len(request.before), cjk=False), 0) or 0.0
            self.budget.reserved += least
            try:
                reply = await self.model.ask(request)
            except EndpointError as failure:
                self.ended_by = failure
                raise
            finally:
                self.budget.reserved -= least
        usage = reply.usage or {}
        self.budget.spent += self.endpoint.cost(usage.get("prompt_tokens", 0), usage.get("completion_tokens", 0)) or 0.0
        return reply


class Roles:
    """The open endpoints of every role. Use `open_roles`."""

    def __init__(
        self,
        job: RolesJob,
        targets: Mapping[str, tuple[Target, ...]],
        models: Mapping[int, Model],
        ledger: Ledger,
        progress: Progress,
        stop: Stopping,
    ) -> None:
        self._job = job
        self._targets = targets
        self._models = models
        self._ledger = ledger
        self._progress = progress
        self._in_flight: dict[tuple[str, str], asyncio.Event] = {}
        self.stop = stop

    def models(self, role: str) -> frozenset[str]:
        """The models that serve a role."""
        return frozenset(target.endpoint.model for target in self._targets[role])

    async def ask(self, role: str, prompts: Sequence[str]) -> list[RoleReply]:
        """The replies to these prompts, in order; what is finished is taken from the ledger.

        Raises UnansweredError where a call got no reply, ConfigError or IncompleteError where no endpoint answers any
        more, the budget is spent or the run is stopped; calls in flight are finished and saved before that.
        """
        calls = {(role, prompt) for prompt in prompts}
        # Who asks the same at the same time waits, and then finds the reply in the ledger.
        while busy := [ended for call, ended in self._in_flight.items() if call in calls]:
            await busy[0].wait()
        ended = asyncio.Event()
        self._in_flight.update(dict.fromkeys(calls, ended))
        try:
            return await self._ask(role, prompts)
        finally:
            for call in calls:
                del self._in_flight[call]
            ended.set()

    async def _ask(self, role: str, prompts: Sequence[str]) -> list[RoleReply]:
        targets = self._targets[role]
        cases = [
            Case(
                id=text,
                prompt=(text_digest(text),),
                request=Request(text),
                read=partial(_read, self._job.is_usable),
                describe=partial(_describe, self._job.is_usable),
            )
            for text in dict.fromkeys(prompts)
        ]
        asking = Asking(cases, targets, self._ledger, samples=SAMPLES)
        await asking.run(lambda endpoint, _: nullcontext(self._models[id(endpoint)]), self._progress, self.stop)
        unanswered = [case.id for case in cases if asking.result(case) is None]
        if unanswered:
            raise _why_unanswered(role, asking, unanswered, self.stop)
        replies = {case.id: _reply(asking.result(case) or [], targets) for case in cases}
        return [replies[prompt] for prompt in prompts]


@asynccontextmanager
async def open_roles(job: RolesJob, progress: Progress | None = None) -> AsyncIterator[Roles]:
    """Open the ledger and every endpoint of every role."""
    progress, targets, budget = progress or Silent(), job.targets(), Budget(job.budget)
    async with AsyncExitStack() as stack:
        ledger = stack.enter_context(open_ledger(job.ledger))
        stop = stack.enter_context(stopping(progress))
        models: dict[int, Model] = {}
        for target in (target for each in targets.values() for target in each):
            model = await stack.enter_async_context(job.opener(target.endpoint, stop.soon))
            models[id(target.endpoint)] = _Shared(model, target.endpoint, budget)
        try:
            yield Roles(job, targets, models, ledger, progress, stop)
        finally:
            await ledger.settle()


@dataclass(frozen=True, slots=True)
class _Sample:
    """One finished call of a role: what it replied, or that every endpoint refused."""

    text: str
    cut: bool
    record: Record


def _read(is_usable: IsUsable, records: Sequence[Record]) -> list[_Sample] | None:
    """The samples of a prompt where they are enough: one that serves, three of any kind, or a refusal by all."""
    samples = [_sample(record) for record in records if record.reply is not None]
    if len(samples) >= SAMPLES or any(is_usable(sample.text, sample.cut) for sample in samples):
        return samples
    if not samples and final_failure(records) is not None:
        return [_Sample("", cut=False, record=records[-1])]
    return None


def _describe(is_usable: IsUsable, samples: Sequence[_Sample]) -> str:
    """The word of a progress line for what a prompt came to."""
    if samples[-1].record.reply is None:
        return "refusal"
    return "ok" if is_usable(samples[-1].text, samples[-1].cut) else "unusable_reply"


def _sample(record: Record) -> _Sample:
    reply = record.reply or Reply("")
    thought = remove_reasoning(replace_lone_surrogates(reply.content)[0])
    return _Sample(thought.answer, thought.unclosed or reply.finish_reason == "length", record)


def _reply(samples: Sequence[_Sample], targets: Sequence[Target]) -> RoleReply:
    """The last sample as the role's reply, with what all of them took."""
    endpoints = {target.endpoint.model: target.endpoint for target in targets}
    tokens_in = tokens_out = 0
    costs: list[float | None] = []
    for sample in samples:
        usage = (sample.record.reply and sample.record.reply.usage) or {}
        tokens = usage.get("prompt_tokens", 0), usage.get("completion_tokens", 0)
        tokens_in, tokens_out = tokens_in + tokens[0], tokens_out + tokens[1]
        endpoint = endpoints.get(sample.record.model)
        costs.append(None if endpoint is None else endpoint.cost(*tokens))
    cost = None if None in costs else sum(each for each in costs if each is not None)
    last = samples[-1]
    return RoleReply(last.text, last.cut, last.record.model, len(samples), tokens_in, tokens_out, cost)


def _why_unanswered(
    role: str, asking: Asking[list[_Sample]], unanswered: Sequence[str], stop: Stopping
) -> IncompleteError | ConfigError:
    """Why prompts have no reply: no endpoint can be asked, the run was stopped, or single calls failed."""
    ended = [(target.name, target.stopped_by) for target in asking.targets if target.stopped_by is not None]
    causes = [cause for _, cause in ended]
    if len(ended) == len(asking.targets):
        sentence = "; ".join(f"{name} cannot be asked: {cause}" for name, cause in ended)
        lasting = all(isinstance(cause, EndpointError) and not isinstance(cause, QuotaError) for cause in causes)
        return ConfigError(sentence) if lasting else IncompleteError(f"{sentence}; {_AGAIN} when it answers")
    if stop.soon.is_set():
        stopped = IncompleteError(f"stopped; what was answered is saved, {_AGAIN} to go on")
        stopped.exit_status = stop.status or IncompleteError.exit_status
        return stopped
    failures = [failure for case_id in unanswered for failure in asking.failures(case_id)] + causes
    # A cap, which helps a contestant, is no help here.
    reasons = dict.fromkeys(_TOO_LONG if isinstance(each, ContextOverflow) else str(each) for each in failures)
    return UnansweredError(
        f"{len(unanswered)} of {asking.asked} calls of the {role} were not answered "
        f"({'; '.join(list(reasons)[:3])}); {_AGAIN}"
    )
