"""Ask cases until each has a result: the one loop for contestants, judges, roles and studies (rules 12, 24 and 28).

A case is a prompt and a function that says what its finished calls come to. Its calls are looked up in the ledger
first; what is missing is asked, and a reply counts when its record is committed. Cases of one prompt are asked once.
Several endpoints may share a queue: each takes as many calls at once as it may, a call that one cannot answer goes to
the others, and an endpoint that would meet every call with the same failure is asked no more.
"""

from __future__ import annotations

from asyncio import Event
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from typing import Final, Generic, TypeVar

from wildtrace.calls.ledger import Ledger, call_key
from wildtrace.calls.opening import ModelOpener
from wildtrace.calls.progress import Finished, Progress
from wildtrace.calls.record import FINISHED, Record
from wildtrace.calls.stopping import Stopping
from wildtrace.calls.workers import work_through
from wildtrace.endpoints.base import Model, ReplySchema, Request
from wildtrace.endpoints.config import Endpoint
from wildtrace.endpoints.failures import CallError, EndpointError

Result = TypeVar("Result")

LOST: Final = 3
"""So many calls in a row without a connection, each retried, mean that nobody is there."""


@dataclass(slots=True)
class Target:
    """An endpoint as one run asks it; `settings` is a digest of all that shapes its replies.

    `stopped_by` says why it is asked no more, `lost` counts the calls in a row that found no connection.
    """

    endpoint: Endpoint
    settings: str
    name: str
    schema: ReplySchema | None = None
    stopped_by: CallError | None = None
    has_failed: bool = False
    lost: int = 0


@dataclass(frozen=True, slots=True)
class Case(Generic[Result]):
    """A prompt to be answered.

    `prompt` are the parts that its key is made of; `read` gives what its records come to, None where it is to be asked
    (again); `cap` is stored with its records; `describe` is the word for a result that a progress line carries.
    """

    id: str
    prompt: tuple[str, ...]
    request: Request
    read: Callable[[Sequence[Record]], Result | None]
    cap: int | None = None
    describe: Callable[[Result], str] = lambda _: "ok"


@dataclass(slots=True)
class _Call(Generic[Result]):
    """The cases of one prompt: their records, how many stand under each target's key, and each target's failure."""

    cases: list[Case[Result]]
    records: list[Record]
    samples: list[int]
    failures: dict[int, CallError] = field(default_factory=dict)

    @property
    def is_done(self) -> bool:
        return all(case.read(self.records) is not None for case in self.cases)


class Asking(Generic[Result]):
    """Cases and the endpoints that may answer them: looked up when made, asked by `run`, at most `samples` times each.

    `asked` is how many cases had no result when they were looked up.
    """

    def __init__(
        self,
        cases: Sequence[Case[Result]],
        targets: Sequence[Target],
        ledger: Ledger,
        *,
        samples: int = 1,
    ) -> None:
        self.cases = cases
        self.targets = targets
        self._ledger = ledger
        self._samples = samples
        by_prompt: dict[tuple[str, ...], _Call[Result]] = {}
        for case in cases:
            if (call := by_prompt.get(case.prompt)) is None:
                by_prompt[case.prompt] = self._look_up(case)
            else:
                call.cases.append(case)
        self._by_id = {case.id: by_prompt[case.prompt] for case in cases}
        self._waiting = deque(call for call in by_prompt.values() if not call.is_done)
        self.asked = sum(len(call.cases) for call in self._waiting)
        self._in_flight = 0
        self._closed = False
        self._changed = Event()

    def records(self, case_id: str) -> list[Record]:
        """The finished calls of a case, of this run and of earlier ones."""
        return self._by_id[case_id].records

    def result(self, case: Case[Result]) -> Result | None:
        """What the finished calls of a case come to."""
        return case.read(self.records(case.id))

    def failures(self, case_id: str) -> list[CallError]:
        """The failures of this run, one an endpoint, the last one last."""
        return list(self._by_id[case_id].failures.values())

    @property
    def stopped_by(self) -> CallError | None:
        """Why the first endpoint that is asked no more was stopped."""
        return next((target.stopped_by for target in self.targets if target.stopped_by is not None), None)

    async def run(self, opener: ModelOpener, progress: Progress, stop: Stopping) -> None:
        """Ask what has no result; returns when nothing is left to ask, or to ask it of, or `stop` says so."""
        if not self._waiting:
            return
        async with AsyncExitStack() as stack:
            models = {
                place: await stack.enter_async_context(opener(target.endpoint, stop.soon))
                for place, target in enumerate(self.targets)
                if target.stopped_by is None
            }
            # The first calls are dealt out in proportion to concurrency, so that few do not all go to the first.
            turns = sorted(
                ((turn + 0.5) / self.targets[place].endpoint.concurrency, place)
                for place in models
                for turn in range(min(self.targets[place].endpoint.concurrency, len(self._waiting)))
            )

            async def serve(place: int) -> bool:
                await self._serve(place, models[place], progress, stop)
                return True

            await work_through([place for _, place in turns], len(turns), serve, stop)

    def _look_up(self, case: Case[Result]) -> _Call[Result]:
        by_target = [self._ledger.records(call_key(target.settings, *case.prompt)) for target in self.targets]
        records = [record for stored in by_target for record in stored]
        if len(by_target) > 1:
            records.sort(key=lambda record: record.sent_at)
        return _Call([case], records, [len(stored) for stored in by_target])

    async def _serve(self, place: int, model: Model, progress: Progress, stop: Stopping) -> None:
        """Let a target take calls until there is none for it."""
        while (call := await self._next(place, stop)) is not None:
            try:
                await self._ask(call, place, model, progress)
            except BaseException:
                self._closed = True
                raise
            finally:
                self._in_flight -= 1
                self._changed.set()

    async def _next(self, place: int, stop: Stopping) -> _Call[Result] | None:
        """The next call for a target; None where none can come any more."""
        while not (self._closed or stop.soon.is_set() or self.targets[place].stopped_by):
            for index, call in enumerate(self._waiting):
                if place not in call.failures:
                    del self._waiting[index]
                    self._in_flight += 1
                    return call
            if not self._in_flight or len(self.targets) == 1:
                return None
            # Another target has calls in flight, and may leave one of them to this one.
            self._changed.clear()
            await self._changed.wait()
        return None

    async def _ask(self, call: _Call[Result], place: int, model: Model, progress: Progress) -> None:
        target, usage, attempts = self.targets[place], dict[str, int](), 0
        try:
            for _ in range(self._samples):
                request = call.cases[0].request
                reply = await model.ask(replace(request, schema=target.schema) if target.schema else request)
                if reply.without_schema and target.schema is not None:
                    target.schema = None
                    progress.say(f"{target.name} takes no JSON schema; it is asked without")
                target.lost = 0
                attempts += reply.attempts
                for side, count in (reply.usage or {}).items():
                    usage[side] = usage.get(side, 0) + count
                await self._store(call, place, Record.of(reply, target.endpoint.model, call.cases[0].cap))
                if call.is_done:
                    break
        except CallError as failure:
            if await self._failed(call, place, failure, progress):
                return
            attempts += failure.attempts
        self._advance(call, usage, attempts, progress)

    async def _store(self, call: _Call[Result], place: int, record: Record) -> None:
        key = call_key(self.targets[place].settings, *call.cases[0].prompt)
        sample = call.samples[place]
        call.samples[place] += 1
        await self._ledger.add(key, sample, record)
        call.records.append(record)

    async def _failed(self, call: _Call[Result], place: int, failure: CallError, progress: Progress) -> bool:
        """Leave a call to the other targets, or end it for this run; whether nothing is to be told of it yet."""
        target = self.targets[place]
        call.failures[place] = failure
        others = [at for at, other in enumerate(self.targets) if at not in call.failures and other.stopped_by is None]
        target.lost += failure.reason == "connection"
        if isinstance(failure, EndpointError) or target.lost >= LOST:
            first, target.stopped_by = target.stopped_by is None, target.stopped_by or failure
            if first and any(other.stopped_by is None for other in self.targets):
                progress.say(f"{target.name} is asked no more: {failure}; the other endpoints go on")
        elif others and not target.has_failed:
            target.has_failed = True
            progress.say(f"{target.name} could not answer a call: {failure}; such calls go to the other endpoints")
        if others:
            self._waiting.append(call)
            return True
        # The endpoint's own word is final where each of the endpoints gave it.
        failures = [call.failures.get(at) for at in range(len(self.targets))]
        if isinstance(failure, FINISHED) and all(type(each) is type(failure) for each in failures):
            await self._store(call, place, Record.of_failure(failure, call.cases[0].cap))
        return isinstance(failure, EndpointError)

    @staticmethod
    def _advance(call: _Call[Result], usage: dict[str, int], attempts: int, progress: Progress) -> None:
        failure = list(call.failures.values())[-1] if call.failures else None
        for case in call.cases:
            result = case.read(call.records)
            if result is not None:
                outcome = case.describe(result)
            else:
                outcome = failure.reason if failure is not None else "unusable_reply"
            first = case is call.cases[0]
            progress.advance(Finished(outcome, usage or None if first else None, attempts if first else 0))
