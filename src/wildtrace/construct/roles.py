"""Asking the roles of construction: every reply in the ledger first, several endpoints a role, one seam (`Roles.ask`).

A call goes to whichever endpoint of its role is free; one that an endpoint cannot answer goes to the others. A reply
that is cut or no JSON object is asked for again, three samples at most. A finished call is never asked twice: replies
are looked up by route, prompt and sample.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from wildtrace.calls.identity import digest, query
from wildtrace.calls.ledger import Ledger, open_ledger
from wildtrace.calls.opening import ModelOpener, default_opener
from wildtrace.calls.progress import Finished, Progress, Silent
from wildtrace.calls.stopping import Stopping, stopping
from wildtrace.construct.replies import is_whole
from wildtrace.endpoints.base import Model, Request
from wildtrace.endpoints.config import Endpoint, RunConfig
from wildtrace.endpoints.failures import CallError, ContextOverflow, EndpointError, QuotaError, RefusedError
from wildtrace.errors import ConfigError, IncompleteError
from wildtrace.evaluate.plan import money
from wildtrace.evaluate.tasks import call_key
from wildtrace.text.surrogates import replace_lone_surrogates
from wildtrace.text.tokens import estimate_tokens

ROLES: Final = ("reader", "proposer", "verifier", "critic")
LEDGER: Final = "induce.ledger"
SAMPLES: Final = 3
LOST: Final = 3
"""So many calls in a row without a connection, each retried, mean that nobody is there."""
_AGAIN: Final = "run the same command again"


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


@dataclass(slots=True)
class _Line:
    """One endpoint of a role for as long as a run lasts; `name` tells it from the others in messages."""

    name: str
    endpoint: Endpoint
    settings: str
    in_flight: int = 0
    lost: int = 0
    stopped_by: CallError | None = None

    @property
    def load(self) -> float:
        """The share of its places that are taken."""
        return self.in_flight / self.endpoint.concurrency


class Roles:
    """The open endpoints of every role. Use `open_roles`."""

    def __init__(
        self,
        lines: Mapping[str, Sequence[_Line]],
        models: Mapping[str, Model],
        ledger: Ledger,
        stop: Stopping,
        progress: Progress,
        budget: float | None,
    ) -> None:
        self._lines = lines
        self._models = models
        self._ledger = ledger
        self._progress = progress
        self._budget = budget
        self._reserved = 0.0
        self._free = asyncio.Condition()
        self._running: dict[tuple[str, str], asyncio.Task[RoleReply]] = {}
        self.stop = stop
        self.spent = 0.0

    def models(self, role: str) -> frozenset[str]:
        """The models that serve a role."""
        return frozenset(line.endpoint.model for line in self._lines[role])

    async def ask(self, role: str, prompts: Sequence[str]) -> list[RoleReply]:
        """The replies to these prompts, in order; what is finished is taken from the ledger.

        Raises UnansweredError where a call got no reply, ConfigError or IncompleteError where no endpoint answers any
        more, the budget is spent or the run is stopped; calls in flight are finished and saved before that.
        """
        outcomes = await asyncio.gather(*(self._shared(role, prompt) for prompt in prompts), return_exceptions=True)
        replies = []
        for outcome in outcomes:
            if isinstance(outcome, BaseException):
                raise outcome
            replies.append(outcome)
        return replies

    async def _shared(self, role: str, prompt: str) -> RoleReply:
        """One call for all who ask the same at the same time."""
        task = self._running.get((role, prompt))
        if task is None:
            task = asyncio.create_task(self._until_whole(role, prompt))
            self._running[role, prompt] = task
            task.add_done_callback(lambda _: self._running.pop((role, prompt), None))
        return await asyncio.shield(task)

    async def _until_whole(self, role: str, prompt: str) -> RoleReply:
        lines = self._lines[role]
        tokens_in = tokens_out = 0
        cost: float | None = 0.0
        for sample in range(SAMPLES):
            line, stored = self._stored(lines, prompt, sample) or await self._call(role, prompt, sample)
            usage = stored.get("usage") or {}
            tokens = usage.get("prompt_tokens", 0), usage.get("completion_tokens", 0)
            paid = money(line.endpoint, *tokens)
            tokens_in, tokens_out = tokens_in + tokens[0], tokens_out + tokens[1]
            cost = None if cost is None or paid is None else cost + paid
            text, cut = stored["reply"], stored["cut"]
            if stored.get("refused") or (is_whole(text) and not cut):
                break
        return RoleReply(text, cut, line.endpoint.model, sample + 1, tokens_in, tokens_out, cost)

    def _stored(self, lines: Sequence[_Line], prompt: str, sample: int) -> tuple[_Line, dict[str, Any]] | None:
        for line in lines:
            stored = self._ledger.find(call_key(line.settings, prompt, sample=sample), reply=str, cut=bool)
            if stored is not None:
                return line, stored
        return None

    async def _call(self, role: str, prompt: str, sample: int) -> tuple[_Line, dict[str, Any]]:
        """Ask one endpoint after the other until one replies; what it says is committed before this returns."""
        failures: dict[str, CallError] = {}
        while (line := await self._take(role, failures)) is not None:
            reserved = self._reserve(line, prompt)
            try:
                stored = await self._request(line, prompt)
                stored = await self._ledger.add(call_key(line.settings, prompt, sample=sample), stored)
            except CallError as failure:
                failures[line.name] = failure
                self._failed(line, failure)
            else:
                line.lost = 0
                usage = stored.get("usage") or {}
                self.spent += (
                    money(line.endpoint, usage.get("prompt_tokens", 0), usage.get("completion_tokens", 0)) or 0
                )
                self._progress.advance(Finished("ok", usage))
                return line, stored
            finally:
                self._reserved -= reserved
                await self._release(line)
        return await self._refused_or_raise(role, prompt, sample, failures)

    async def _request(self, line: _Line, prompt: str) -> dict[str, Any]:
        reply = await self._models[line.name].ask(Request(prompt))
        content, _ = replace_lone_surrogates(reply.content)
        return {"reply": content, "cut": reply.finish_reason == "length", "usage": reply.usage}

    async def _take(self, role: str, failures: Mapping[str, CallError]) -> _Line | None:
        """A place at the least busy endpoint that has not failed this call; None where there is none left."""
        async with self._free:
            while True:
                self._check_stop()
                usable = [each for each in self._lines[role] if each.stopped_by is None and each.name not in failures]
                if not usable:
                    return None
                line = min(usable, key=lambda each: each.load)
                if line.load < 1:
                    line.in_flight += 1
                    return line
                await self._free.wait()

    async def _release(self, line: _Line) -> None:
        async with self._free:
            line.in_flight -= 1
            self._free.notify_all()

    def _check_stop(self) -> None:
        if self.stop.soon.is_set():
            stopped = IncompleteError(f"stopped; what was answered is saved, {_AGAIN} to go on")
            stopped.exit_status = self.stop.status or IncompleteError.exit_status
            raise stopped
        if self._budget is not None and self.spent + self._reserved >= self._budget:
            raise IncompleteError(
                f"the budget of {self._budget:,.2f} is spent; what was answered is saved, {_AGAIN} to go on"
            )

    def _reserve(self, line: _Line, prompt: str) -> float:
        """Set aside what sending a prompt costs at least, while it is in flight."""
        amount = money(line.endpoint, estimate_tokens(len(prompt), cjk=False), 0) or 0.0
        self._reserved += amount
        return amount

    def _failed(self, line: _Line, failure: CallError) -> None:
        """Note a failed call; an endpoint that would meet every call with it is asked no more."""
        line.lost += failure.reason == "connection"
        if line.stopped_by is None and (isinstance(failure, EndpointError) or line.lost >= LOST):
            line.stopped_by = failure
            self._progress.say(f"{line.name} is asked no more: {failure}")
        self._progress.advance(Finished(failure.reason, attempts=failure.attempts))

    async def _refused_or_raise(
        self, role: str, prompt: str, sample: int, failures: Mapping[str, CallError]
    ) -> tuple[_Line, dict[str, Any]]:
        """A refusal by every endpoint is final and stored; everything else is for another run."""
        lines = self._lines[role]
        if len(failures) == len(lines) and all(isinstance(each, RefusedError) for each in failures.values()):
            stored = {"reply": "", "cut": False, "refused": True, "usage": None}
            return lines[0], await self._ledger.add(call_key(lines[0].settings, prompt, sample=sample), stored)
        ended = [line for line in lines if line.stopped_by is not None]
        if len(ended) == len(lines):
            said = "; ".join(f"{line.name} cannot be asked: {line.stopped_by}" for line in ended)
            if all(isinstance(each.stopped_by, EndpointError) for each in ended) and not any(
                isinstance(each.stopped_by, QuotaError) for each in ended
            ):
                raise ConfigError(said)
            raise IncompleteError(f"{said}; {_AGAIN} when it answers")
        overflow = any(isinstance(each, ContextOverflow) for each in failures.values())
        reasons = "; ".join(dict.fromkeys(str(each) for each in failures.values()))
        why = "a prompt is longer than the model's window: give the role a larger one" if overflow else reasons
        raise UnansweredError(f"a call of the {role} was not answered ({why}); {_AGAIN}")


def role_lines(config: RunConfig) -> dict[str, tuple[_Line, ...]]:
    """The endpoints of each role of a configuration. ConfigError where a role is missing."""
    missing = [role for role in ROLES if role not in config.roles]
    if missing:
        raise ConfigError(f"{config.file} names no {', no '.join(missing)} under roles; one endpoint may serve several")
    return {role: tuple(_lines(role, config.roles[role])) for role in ROLES}


def _lines(role: str, endpoints: Sequence[Endpoint]) -> Iterator[_Line]:
    """Where two endpoints have one model, their addresses tell them apart."""
    models = Counter(endpoint.model for endpoint in endpoints)
    for number, endpoint in enumerate(endpoints, 1):
        place = f" at {endpoint.public_url}, {number}" if models[endpoint.model] > 1 else ""
        signed = {
            "url": endpoint.public_url,
            "query": query(endpoint),
            "model": endpoint.model,
            "temperature": endpoint.temperature,
            "max_tokens": endpoint.max_tokens,
        }
        yield _Line(f"{role} ({endpoint.model}{place})", endpoint, digest(signed))


def signature(config: RunConfig) -> dict[str, list[str]]:
    """What of the roles shapes a source's trails: the route and the decoding of each role's endpoints."""
    return {role: sorted(line.settings for line in lines) for role, lines in role_lines(config).items()}


@dataclass(frozen=True, slots=True)
class RolesJob:
    """What `open_roles` needs: the configuration, the folder of the ledger, and how an endpoint is opened."""

    config: RunConfig
    folder: Path
    budget: float | None = None
    opener: ModelOpener = field(default=default_opener)

    def check(self) -> None:
        """ConfigError where a role, a key or, with a budget, a price is missing."""
        for lines in role_lines(self.config).values():
            for line in lines:
                line.endpoint.api_key()
                if self.budget is not None and line.endpoint.prices is None:
                    raise ConfigError(f"{line.name} has no prices in {self.config.file}, which a budget needs")


@asynccontextmanager
async def open_roles(job: RolesJob, progress: Progress | None = None) -> AsyncIterator[Roles]:
    """Open the ledger and every endpoint of every role."""
    progress = progress or Silent()
    lines = role_lines(job.config)
    async with AsyncExitStack() as stack:
        ledger = stack.enter_context(open_ledger(job.folder / LEDGER))
        stop = stack.enter_context(stopping(progress))
        models = {
            line.name: await stack.enter_async_context(job.opener(line.endpoint, stop.soon))
            for each in lines.values()
            for line in each
        }
        roles = Roles(lines, models, ledger, stop, progress, job.budget)
        try:
            yield roles
        finally:
            await ledger.settle()
