"""Asking the construction roles: one queue of calls a role, shared by its endpoints, every reply in the ledger first.

A call goes to whichever endpoint is free; one that an endpoint cannot answer goes to the others. An endpoint that would
meet every call with the same failure is asked no more. A reply is kept under its endpoint's own key, and every
endpoint's key is looked up: what one of them finished is asked of none.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from wildtrace.calls.ledger import Ledger, open_ledger
from wildtrace.calls.opening import ModelOpener, default_opener
from wildtrace.calls.progress import Finished, Progress
from wildtrace.calls.stopping import Stopping, stopping
from wildtrace.calls.workers import work_through
from wildtrace.construct.role_lines import Line, lines_of
from wildtrace.endpoints.base import Model, Reply, Request
from wildtrace.endpoints.config import RunConfig
from wildtrace.endpoints.failures import CallError, ContextOverflow, EndpointError, QuotaError, RefusedError
from wildtrace.errors import ConfigError, IncompleteError
from wildtrace.evaluate.tasks import call_key
from wildtrace.text.surrogates import replace_lone_surrogates

ROLES: Final = ("extractor", "linker", "verifier")
SAMPLES: Final = 3
LOST: Final = 3
"""So many calls in a row without a connection, each retried, mean that nobody is there."""
LEDGER: Final = "induce.ledger"
_TOO_LONG: Final = "a prompt is longer than the model's window: give the role an endpoint with a larger one"


class UnansweredError(IncompleteError):
    """Some calls of a source were not answered; other sources may still be done."""


@dataclass(frozen=True, slots=True)
class Call:
    """One prompt of a role; `whole` tells of a reply and whether it was cut if it is usable as it is.

    `most` is how many edges a reply may propose.
    """

    prompt: str
    whole: Callable[[str, bool], bool]
    most: int = 0


@dataclass(frozen=True, slots=True)
class Said:
    """A reply: its text, whether it was cut, the model that gave it, and whether the endpoint refused instead."""

    text: str
    cut: bool
    model: str
    refused: bool = False


@dataclass(frozen=True, slots=True)
class RolesJob:
    """The roles' endpoints, where their ledger stands, and how an endpoint is opened."""

    lines: Mapping[str, tuple[Line, ...]]
    ledger: Path
    opener: ModelOpener = default_opener

    @classmethod
    def of(cls, config: RunConfig, workspace: Path, opener: ModelOpener = default_opener) -> RolesJob:
        """The job of a configuration, whose other roles are other stages' business.

        ConfigError where it names no extractor, linker or verifier.
        """
        if not config.roles.keys() & set(ROLES):
            raise ConfigError(f"{config.file} names no roles for this; add extractor, linker or verifier under roles")
        lines = {role: lines_of(role, config.roles[role]) for role in ROLES if role in config.roles}
        return cls(lines, workspace / LEDGER, opener)

    @property
    def signature(self) -> dict[str, Any]:
        """What of these shapes the evidence: route, decoding, prompt and schema of each role's endpoints."""
        return {role: sorted(line.settings for line in lines) for role, lines in self.lines.items()}

    def check_keys(self) -> None:
        """ConfigError where a variable that an endpoint's `api_key_env` names is not set."""
        for line in (line for lines in self.lines.values() for line in lines):
            line.endpoint.api_key()

    def asks(self, role: str) -> bool:
        """Whether a role has an endpoint."""
        return role in self.lines

    def ask(self, role: str, calls: Sequence[Call], progress: Progress, title: str) -> list[list[Said]]:
        """The replies to every call of a role about the source of that title, in order.

        Raises UnansweredError where some calls got none, ConfigError or IncompleteError where no endpoint answers any
        more; what was answered is in the ledger.
        """
        return asyncio.run(_ask(self, role, calls, progress, f"{role} on {title}"))


def stored_replies(ledger: Ledger, lines: Sequence[Line], call: Call) -> tuple[list[Said], bool]:
    """What the ledger has of a call from any of a role's endpoints, and whether nothing is left to ask."""
    models = {line.settings: line.endpoint.model for line in lines}
    kept: list[Said] = []
    for sample in range(SAMPLES):
        said = _stored(ledger, models, call, sample)
        if said is None:
            return kept, False
        kept.append(said)
        if said.refused or call.whole(said.text, said.cut):
            return kept, True
    return kept, True


def _stored(ledger: Ledger, models: Mapping[str, str], call: Call, sample: int) -> Said | None:
    for settings in sorted(models):
        stored = ledger.find(call_key(settings, call.prompt, sample=sample), reply=str, cut=bool)
        if stored is not None:
            return Said(stored["reply"], stored["cut"], models[settings], bool(stored.get("refused")))
    return None


@dataclass(slots=True)
class _Open:
    """A call that is still to be answered: what it got so far, and by which lines it failed."""

    place: int
    call: Call
    kept: list[Said]
    failures: dict[int, CallError] = field(default_factory=dict)


@dataclass(slots=True)
class _Queue:
    """The open calls of a role; a line that is free takes the first one that it has not failed yet."""

    lines: Sequence[Line]
    waiting: deque[_Open]
    in_flight: int = 0
    closed: bool = False
    unanswered: list[_Open] = field(default_factory=list)
    _news: asyncio.Event = field(default_factory=asyncio.Event)

    async def take(self, line: int, stop: Stopping) -> _Open | None:
        """The next call for a line; None where none can come any more."""
        while not (self.closed or stop.soon.is_set() or self.lines[line].stopped_by):
            for at, open_ in enumerate(self.waiting):
                if line not in open_.failures:
                    del self.waiting[at]
                    self.in_flight += 1
                    return open_
            if not self.in_flight:
                return None
            self._news.clear()
            await self._news.wait()
        return None

    def give_back(self, open_: _Open, line: int, failure: CallError) -> bool:
        """Leave a call to the other lines; whether there is one."""
        open_.failures[line] = failure
        others = [at for at, other in enumerate(self.lines) if at not in open_.failures and not other.stopped_by]
        if others:
            self.waiting.append(open_)
        return bool(others)

    def is_refused_by_all(self, open_: _Open) -> bool:
        """Whether every line refuses a call: one that failed otherwise, or ended, may answer it in another run."""
        said = [open_.failures.get(at) for at in range(len(self.lines))]
        return all(isinstance(failure, RefusedError) for failure in said)

    def landed(self) -> None:
        """A call is no longer in flight."""
        self.in_flight -= 1
        self._news.set()


@dataclass(slots=True)
class _Asking:
    """A role's way through its open calls."""

    queue: _Queue
    ledger: Ledger
    progress: Progress
    stop: Stopping

    async def serve(self, line: int, model: Model) -> bool:
        """Let one line take calls until there is none for it."""
        while (open_ := await self.queue.take(line, self.stop)) is not None:
            try:
                await self._one(open_, line, model)
            except BaseException:
                self.queue.closed = True
                raise
            finally:
                self.queue.landed()
        return True

    async def _one(self, open_: _Open, at: int, model: Model) -> None:
        line = self.queue.lines[at]
        try:
            outcome, usage = await self._until_whole(open_, line, model)
        except CallError as failure:
            await self._failed(open_, at, failure)
        else:
            self.progress.advance(Finished(outcome, usage))

    async def _failed(self, open_: _Open, at: int, failure: CallError) -> None:
        """Leave a call to the other lines; a refusal by all is final, everything else is for another run."""
        line = self.queue.lines[at]
        left_to_others = self.queue.give_back(open_, at, failure)
        line.lost += failure.reason == "connection"
        if isinstance(failure, EndpointError) or line.lost >= LOST:
            first, line.stopped_by = line.stopped_by is None, line.stopped_by or failure
            if first and any(other.stopped_by is None for other in self.queue.lines):
                self.progress.say(f"{line.name} is asked no more: {failure}; the other endpoints go on")
        elif left_to_others and not line.failed:
            line.failed = True
            self.progress.say(f"{line.name} could not answer a call: {failure}; such calls go to the other endpoints")
        if left_to_others or self.stop.soon.is_set():
            return
        if self.queue.is_refused_by_all(open_):
            await self._keep(open_, line, {"reply": "", "cut": False, "refused": True})
        else:
            self.queue.unanswered.append(open_)
        if not isinstance(failure, EndpointError):
            self.progress.advance(Finished(failure.reason, attempts=failure.attempts))

    async def _until_whole(self, open_: _Open, line: Line, model: Model) -> tuple[str, dict[str, int]]:
        """Ask until a reply is whole, three times at most; the outcome and the tokens of all of them."""
        usage: dict[str, int] = {}
        while len(open_.kept) < SAMPLES:
            reply = await model.ask(Request(open_.call.prompt, schema=line.schema))
            self._learn(line, reply)
            for side, count in (reply.usage or {}).items():
                usage[side] = usage.get(side, 0) + count
            if reply.refused:
                raise RefusedError("the endpoint's filter kept the reply back")
            content, _ = replace_lone_surrogates(reply.content)
            stored = {"reply": content, "cut": reply.finish_reason == "length", "usage": reply.usage}
            said = await self._keep(open_, line, stored)
            if open_.call.whole(said.text, said.cut):
                return "ok", usage
        return "unusable_reply", usage

    def _learn(self, line: Line, reply: Reply) -> None:
        line.spent.add(reply.usage)
        line.lost = 0
        if reply.without_schema and not line.plain:
            line.plain = True
            self.progress.say(f"{line.name} takes no JSON schema; it is asked without")

    async def _keep(self, open_: _Open, line: Line, stored: dict[str, Any]) -> Said:
        stored = await self.ledger.add(call_key(line.settings, open_.call.prompt, sample=len(open_.kept)), stored)
        said = Said(stored["reply"], stored["cut"], line.endpoint.model, bool(stored.get("refused")))
        open_.kept.append(said)
        return said


async def _ask(job: RolesJob, role: str, calls: Sequence[Call], progress: Progress, what: str) -> list[list[Said]]:
    lines = job.lines[role]
    replies: list[list[Said]] = []
    with open_ledger(job.ledger) as ledger, stopping(progress) as stop:
        waiting: deque[_Open] = deque()
        known: dict[str, list[Said]] = {}
        for place, call in enumerate(calls):
            if (shared := known.get(call.prompt)) is not None:
                replies.append(shared)
                continue
            kept, done = stored_replies(ledger, lines, call)
            known[call.prompt] = kept
            replies.append(kept)
            if not done:
                waiting.append(_Open(place, call, kept))
        queue, asked = _Queue(lines, waiting), len(waiting)
        progress.start(what, len(known), len(known) - asked)
        try:
            if waiting:
                await _work(job, _Asking(queue, ledger, progress, stop))
        finally:
            await ledger.settle()
    _check(role, queue, asked, stop)
    return replies


async def _work(job: RolesJob, asking: _Asking) -> None:
    """Open every line that is not stopped, and let each serve as many calls at once as it may."""
    async with AsyncExitStack() as stack:
        models: dict[int, Model] = {}
        for at, line in enumerate(asking.queue.lines):
            if line.stopped_by is None:
                models[at] = await stack.enter_async_context(job.opener(line.endpoint, asking.stop.soon))
        # The first calls are dealt out in proportion, so that few calls do not all go to the first line.
        turns = sorted(
            ((turn + 0.5) / asking.queue.lines[at].endpoint.concurrency, at)
            for at in models
            for turn in range(min(asking.queue.lines[at].endpoint.concurrency, len(asking.queue.waiting)))
        )
        await work_through([at for _, at in turns], len(turns), lambda at: asking.serve(at, models[at]), asking.stop)


def _check(role: str, queue: _Queue, asked: int, stop: Stopping) -> None:
    left = [*queue.unanswered, *queue.waiting]
    ended = [line for line in queue.lines if line.stopped_by is not None]
    if left and len(ended) == len(queue.lines):
        said = "; ".join(f"{line.name} cannot be asked: {line.stopped_by}" for line in ended)
        if not all(isinstance(line.stopped_by, EndpointError) for line in ended):
            raise IncompleteError(f"{said}; run the same command again when it answers")
        if any(isinstance(line.stopped_by, QuotaError) for line in ended):
            raise IncompleteError(said)
        raise ConfigError(said)
    if stop.status is not None:
        stopped = IncompleteError("stopped; what was answered is saved, run the same command again to go on")
        stopped.exit_status = stop.status
        raise stopped
    if left:
        raise UnansweredError(
            f"{len(left)} of {asked} calls of the {role} were not answered ({_reasons(left, ended)}); "
            "run the same command again"
        )


def _reasons(left: Sequence[_Open], ended: Sequence[Line]) -> str:
    """The failures of calls and of ended lines, each kind once; a cap, which helps a contestant, is no help here."""
    failures = [failure for open_ in left for failure in open_.failures.values()]
    failures += [line.stopped_by for line in ended if line.stopped_by is not None]
    shown = dict.fromkeys(_TOO_LONG if isinstance(each, ContextOverflow) else str(each) for each in failures)
    return "; ".join(list(shown)[:3])
