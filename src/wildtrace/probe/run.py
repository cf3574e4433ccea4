"""The probing flow: made documents to an endpoint, a cap entry back (docs/probe.md).

Nothing is kept between runs. Documents are asked about one after the other, in the protocol's prompt.
Transient failures are repeated as in a run, but here and not in the transport, since the purse must allow each request.
Any failure that does not speak of the context ends the probe with the bracket found so far.
"""

from __future__ import annotations

import asyncio
import math
import random
from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from itertools import count

from wildtrace.calls.progress import Progress, Silent
from wildtrace.calls.stopping import Stopping, stopping
from wildtrace.calls.workers import work_through
from wildtrace.endpoints.base import Model, Reply, Request
from wildtrace.endpoints.caps import CAPS, DEFAULT_CAP
from wildtrace.endpoints.config import Endpoint, RunConfig
from wildtrace.endpoints.failures import CallError, ContextOverflow, TransientError
from wildtrace.endpoints.retry import RETRIES, Pause, backoff
from wildtrace.evaluate.prompt import AnswerPrompt, answer_prompt
from wildtrace.evaluate.reply import CJK_CHARS_PER_TOKEN_LIMIT, EN_CHARS_PER_TOKEN_LIMIT
from wildtrace.probe.codes import codes_in
from wildtrace.probe.documents import DENSEST, MadeDocument, Script, make_document, probe_question
from wildtrace.probe.findings import (
    Finding,
    Observation,
    TokenLine,
    describe,
    overflow,
    read_observation,
    together,
)
from wildtrace.probe.search import Search, cap_of
from wildtrace.text.json_escape import escape
from wildtrace.types import Question

LOWER = 10_000
UPPER = {
    "en": max(cap.en for cap in (DEFAULT_CAP, *CAPS.values())),
    "cjk": max(cap.cjk for cap in (DEFAULT_CAP, *CAPS.values())),
}
ASKINGS = 2


@dataclass(frozen=True, slots=True)
class ProbeJob:
    """What to probe: the search of each script, the seed of the documents, and the tokens that may be spent."""

    config: RunConfig
    searches: Mapping[Script, Search]
    seed: int = 0
    max_tokens_spent: int | None = None

    @property
    def endpoint(self) -> Endpoint:
        """The contestant's endpoint, asked exactly as an evaluation asks it."""
        return self.config.contestant


@dataclass(frozen=True, slots=True)
class Spending:
    """Requests and tokens, planned or spent."""

    requests: int = 0
    tokens_in: int = 0
    tokens_out: int = 0

    def __add__(self, more: Spending) -> Spending:
        return Spending(
            self.requests + more.requests, self.tokens_in + more.tokens_in, self.tokens_out + more.tokens_out
        )

    @property
    def tokens(self) -> int:
        """Tokens in and out."""
        return self.tokens_in + self.tokens_out


@dataclass(frozen=True, slots=True)
class ScriptOutcome:
    """What was found of one script: the search as it ended, each length's finding, and the cap if the search is over.

    `unfinished` says why the search stopped early; `counted` whether every verdict rests on a token count.
    """

    script: Script
    search: Search
    findings: tuple[Finding, ...]
    unfinished: str | None
    cap: int | None

    @property
    def counted(self) -> bool:
        """Whether a token count came with every reply."""
        return _counted(self.findings)


def _counted(findings: Sequence[Finding]) -> bool:
    return all(finding.prompt_tokens for finding in findings if finding.verdict != "error")


@dataclass(frozen=True, slots=True)
class ProbeOutcome:
    """All scripts' outcomes, what was spent, and what stopped the probe, if anything did."""

    scripts: tuple[ScriptOutcome, ...]
    spent: Spending
    stopped_by: CallError | None = None
    signal_status: int | None = None

    @property
    def complete(self) -> bool:
        """Whether every search is over."""
        return all(script.unfinished is None for script in self.scripts)

    @property
    def caps(self) -> dict[str, int]:
        """The caps found, by script."""
        return {script.script: script.cap for script in self.scripts if script.cap is not None}


def most_spent(job: ProbeJob) -> Spending:
    """What the probe spends at most: the dearest search, every document asked about twice, every reply at its limit.

    Repeats of transient failures are not in it.
    """
    total = Spending()
    for script, search in job.searches.items():
        for chars in search.dearest():
            tokens = _dense_tokens(script, chars + len(probe_question(script)))
            total += Spending(ASKINGS, ASKINGS * tokens, ASKINGS * job.endpoint.max_tokens)
    return total


def _dense_tokens(script: Script, chars: int) -> int:
    return round(chars / DENSEST[script])


@dataclass(slots=True)
class _Probe:
    """One script's search while it runs."""

    job: ProbeJob
    script: Script
    search: Search
    line: TokenLine
    prompt: AnswerPrompt
    purse: _Purse
    progress: Progress
    findings: list[Finding] = field(default_factory=list)
    unfinished: str | None = "not begun"
    jitter: random.Random = field(default_factory=random.Random)

    async def run(self, model: Model, stop: Stopping) -> None:
        """Search until the end, a signal or an empty purse. CallError where the endpoint fails otherwise."""
        self.unfinished = "stopped"
        while (chars := self.search.next()) is not None:
            if stop.soon.is_set():
                return
            finding = await self._measure(chars, model, stop)
            if finding is None:
                self.unfinished = "the next request would exceed --max-tokens-spent"
                return
            self.findings.append(finding)
            self.progress.say(f"{self.script} {describe(finding)}")
            if finding.verdict == "unanswered":
                self.unfinished = "the endpoint gives neither an answer nor a token count"
                return
            self.search = self.search.after(chars, fits=finding.fits)
            if finding.fits and finding.prompt_tokens:
                self.line = self.line.through(self._prompt_chars(chars), finding.prompt_tokens)
        self.unfinished = None

    async def _measure(self, chars: int, model: Model, stop: Stopping) -> Finding | None:
        """Ask about one length, twice where the first answer leaves a doubt; None where the purse does not allow it."""
        first = await self._ask(chars, self.job.seed, model, stop)
        if first is None or not first.doubtful or stop.soon.is_set():
            return first
        second = await self._ask(chars, self.job.seed + 1, model, stop)
        if second is None:
            return None
        return together(first, second, able=any(finding.verdict == "whole" for finding in self.findings))

    def _prompt_chars(self, chars: int) -> int:
        return len(self.prompt.before) + chars + len(self.prompt.after)

    async def _ask(self, chars: int, seed: int, model: Model, stop: Stopping) -> Finding | None:
        prompt_chars = self._prompt_chars(chars)
        tokens = round(self.line.tokens(prompt_chars) or _dense_tokens(self.script, prompt_chars))
        if not self.purse.allows(tokens):
            return None
        document = make_document(self.script, chars, seed)
        request = Request(self.prompt.before, self.prompt.after, lambda: escape(document.text))
        try:
            reply = await self._repeat(chars, tokens, request, model, stop)
        except ContextOverflow as failure:
            return overflow(chars, str(failure))
        if reply is None:
            return None
        return read_observation(_observation(document, prompt_chars, reply), self.line)

    async def _repeat(self, chars: int, tokens: int, request: Request, model: Model, stop: Stopping) -> Reply | None:
        """The reply, transient failures repeated as the transport would; None where the purse allows no further one."""
        for attempt in count(1):
            if not self.purse.allows(tokens):
                return None
            self.progress.say(f"{self.script} {chars:,} characters: asking (about {tokens:,} tokens)")
            try:
                return await self.purse.pay(model, request, tokens)
            except TransientError as failure:
                if attempt > RETRIES or not await self._wait(failure, attempt, stop):
                    raise
                self.progress.say(f"{self.script} {chars:,} characters: {failure}")
        return None

    async def _wait(self, failure: TransientError, attempt: int, stop: Stopping) -> bool:
        """Wait as the endpoint asks, or back off; False where it asks to wait longer than for a reply, or on a stop."""
        endpoint = self.job.endpoint
        asked = failure.retry_after or backoff(attempt, endpoint.backoff_s, self.jitter)
        if failure.retry_after and asked > (endpoint.timeout_s or math.inf):
            return False
        return await Pause(stop.soon).sleep(asked)

    def outcome(self) -> ScriptOutcome:
        """What the search has come to."""
        kept = [finding.kept_chars for finding in self.findings if finding.kept_chars is not None]
        cap = None
        if self.unfinished is None:
            cap = cap_of(
                self.search.fits,
                kept=min(kept, default=None),
                limited=self.search.fails is not None,
                counted=_counted(self.findings),
                max_tokens=self.job.endpoint.max_tokens,
                cjk=self.script == "cjk",
            )
        return ScriptOutcome(self.script, self.search, tuple(self.findings), self.unfinished, cap)


@dataclass(slots=True)
class _Purse:
    """What was spent, and whether another request may be."""

    limit: int | None
    max_tokens: int
    spent: Spending = field(default_factory=Spending)

    def allows(self, tokens_in: int) -> bool:
        """Whether a request of `tokens_in`, answered at full length, stays within the limit."""
        return self.limit is None or self.spent.tokens + tokens_in + self.max_tokens <= self.limit

    async def pay(self, model: Model, request: Request, tokens_in: int) -> Reply:
        """Ask once. A request counts at its most when it is sent, and as what it took when the endpoint says so."""
        self.spent += Spending(1, tokens_in, self.max_tokens)
        try:
            reply = await model.ask(request)
        except CallError as failure:
            self.spent += self._unbilled(failure, tokens_in)
            raise
        usage = reply.usage or {}
        read = usage.get("prompt_tokens") or tokens_in
        said = usage.get("completion_tokens", self.max_tokens)
        self.spent += Spending(0, read - tokens_in, said - self.max_tokens)
        return reply

    def _unbilled(self, failure: CallError, tokens_in: int) -> Spending:
        """What a failure takes back: all where no model was reached, the reply where it refuses, nothing at a break."""
        if not failure.attempts:
            return Spending(-1, -tokens_in, -self.max_tokens)
        if failure.unbilled:
            return Spending(0, -tokens_in, -self.max_tokens)
        if isinstance(failure, TransientError):
            return Spending()
        return Spending(0, -tokens_in if isinstance(failure, ContextOverflow) else 0, -self.max_tokens)


def _observation(document: MadeDocument, prompt_chars: int, reply: Reply) -> Observation:
    """What a reply says. A code that stands only in the reasoning was read all the same."""
    refused = reply.refused or reply.finish_reason in ("content_filter", "length")
    return Observation(
        chars=len(document.text),
        prompt_chars=prompt_chars,
        codes=document.codes,
        said=codes_in(f"{reply.reasoning or ''}\n{reply.content}"),
        prompt_tokens=(reply.usage or {}).get("prompt_tokens") or None,
        answered=bool(reply.content.strip()) and not refused,
    )


def _asking_once(endpoint: Endpoint, stop: asyncio.Event) -> AbstractAsyncContextManager[Model]:
    """The endpoint, repeating nothing. Imported late, since the command's help needs none of it."""
    from wildtrace.endpoints.transport import open_endpoint  # noqa: PLC0415 - see above

    return open_endpoint(endpoint, stop, retries=0)


async def probe(job: ProbeJob, progress: Progress | None = None) -> ProbeOutcome:
    """Measure the window of the contestant's endpoint, one script after the other.

    Raises ConfigError where the key that the config names is not set. Whatever stops it later, the outcome holds what
    was found until then.
    """
    progress = progress or Silent()
    purse = _Purse(job.max_tokens_spent, job.endpoint.max_tokens)
    probes = [_begin(job, script, purse, progress) for script in job.searches]
    stopped_by: list[CallError] = []
    with stopping(progress) as stop:
        async with _asking_once(job.endpoint, stop.soon) as model:

            async def run(one: _Probe) -> bool:
                try:
                    await one.run(model, stop)
                except CallError as failure:
                    one.unfinished = str(failure)
                    stopped_by.append(failure)
                return one.unfinished is None

            await work_through(probes, 1, run, stop)
    scripts = tuple(one.outcome() for one in probes)
    return ProbeOutcome(scripts, purse.spent, stopped_by[0] if stopped_by else None, stop.status)


def _begin(job: ProbeJob, script: Script, purse: _Purse, progress: Progress) -> _Probe:
    limit = CJK_CHARS_PER_TOKEN_LIMIT if script == "cjk" else EN_CHARS_PER_TOKEN_LIMIT
    prompt = answer_prompt(Question("probe", probe_question(script), ""))
    return _Probe(job, script, job.searches[script], TokenLine(limit), prompt, purse, progress)


def bounds(scripts: Sequence[Script], lower: int, upper: Mapping[Script, int | None]) -> dict[Script, Search]:
    """The search of each script; the upper bound is the largest cap of the protocol's table unless given."""
    return {script: Search(lower, upper.get(script) or UPPER[script]) for script in scripts}
