"""The probing flow: made documents to an endpoint, a cap entry back (docs/probe.md).

Documents are asked about one after the other, in the protocol's prompt; nothing is kept between runs. Transient
failures are repeated as in a run, but here and not in the transport, since the budget must allow each request. Any
other failure that does not speak of the context ends the probe with the bracket found so far.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from wildtrace.calls.progress import Progress, Silent
from wildtrace.calls.stopping import Stopping, stopping
from wildtrace.calls.workers import work_through
from wildtrace.endpoints.base import Model, Reply, Request
from wildtrace.endpoints.caps import CAPS, DEFAULT_CAP
from wildtrace.endpoints.config import Endpoint, RunConfig
from wildtrace.endpoints.failures import CallError, ContextOverflow, TransientError
from wildtrace.endpoints.retry import RETRIES, Pause, backoff
from wildtrace.evaluate.reply import CJK_CHARS_PER_TOKEN_LIMIT, EN_CHARS_PER_TOKEN_LIMIT
from wildtrace.evaluate.tasks import AnswerPrompt, answer_prompt
from wildtrace.probe.documents import DENSEST, Script, make_document, probe_question
from wildtrace.probe.findings import Finding, Observation, TokenLine, combine, describe, overflow, read_observation
from wildtrace.probe.search import Search, cap_of
from wildtrace.probe.spending import Budget, Spending
from wildtrace.text.codes import codes_in
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
class ScriptOutcome:
    """One script: the search as it ended, each length's finding, and the cap if the search is over.

    `unfinished` says why the search stopped early.
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


def bounds(scripts: Sequence[Script], lower: int, upper: Mapping[Script, int | None]) -> dict[Script, Search]:
    """The search of each script; the upper bound is the largest cap of the protocol's table unless given."""
    return {script: Search(lower, upper.get(script) or UPPER[script]) for script in scripts}


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


async def probe(job: ProbeJob, progress: Progress | None = None) -> ProbeOutcome:
    """Measure the window of the contestant's endpoint, one script after the other.

    Raises ConfigError where the key that the config names is not set. Whatever stops it later, the outcome holds what
    was found until then.
    """
    # Imported late: the command's help needs none of it.
    from wildtrace.endpoints.transport import open_endpoint  # noqa: PLC0415 - see above

    progress = progress or Silent()
    budget = Budget(job.max_tokens_spent, job.endpoint.max_tokens)
    probes = [_ScriptProbe.of(job, script, budget, progress) for script in job.searches]
    stopped_by: list[CallError] = []
    with stopping(progress) as stop:
        async with open_endpoint(job.endpoint, stop.soon, retries=0) as model:

            async def run(one: _ScriptProbe) -> bool:
                try:
                    await one.run(model, stop)
                except CallError as failure:
                    one.unfinished = str(failure)
                    stopped_by.append(failure)
                return one.unfinished is None

            await work_through(probes, 1, run, stop)
    scripts = tuple(one.outcome() for one in probes)
    return ProbeOutcome(scripts, budget.spent, stopped_by[0] if stopped_by else None, stop.status)


@dataclass(slots=True)
class _ScriptProbe:
    """One script's search while it runs."""

    job: ProbeJob
    script: Script
    search: Search
    prompt: AnswerPrompt
    line: TokenLine
    budget: Budget
    progress: Progress
    findings: list[Finding] = field(default_factory=list)
    unfinished: str | None = "not begun"
    jitter: random.Random = field(default_factory=random.Random)

    @classmethod
    def of(cls, job: ProbeJob, script: Script, budget: Budget, progress: Progress) -> _ScriptProbe:
        limit = CJK_CHARS_PER_TOKEN_LIMIT if script == "cjk" else EN_CHARS_PER_TOKEN_LIMIT
        prompt = answer_prompt(Question("probe", probe_question(script), ""))
        return cls(job, script, job.searches[script], prompt, TokenLine(limit), budget, progress)

    async def run(self, model: Model, stop: Stopping) -> None:
        """Search until the end, a signal or a spent budget. CallError where the endpoint fails otherwise."""
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
        """Ask about one length, twice where the first answer leaves a doubt; None where the budget is spent."""
        first = await self._ask(chars, self.job.seed, model, stop)
        if first is None or not first.doubtful or stop.soon.is_set():
            return first
        second = await self._ask(chars, self.job.seed + 1, model, stop)
        able = any(finding.verdict == "whole" for finding in self.findings)
        return None if second is None else combine(first, second, able=able)

    async def _ask(self, chars: int, seed: int, model: Model, stop: Stopping) -> Finding | None:
        """Ask about one document and read what came back; None where the budget does not allow it."""
        prompt_chars = self._prompt_chars(chars)
        tokens = round(self.line.tokens(prompt_chars) or _dense_tokens(self.script, prompt_chars))
        if not self.budget.allows(tokens):
            return None
        document = make_document(self.script, chars, seed)
        request = Request(self.prompt.before, self.prompt.after, lambda: escape(document.text))
        try:
            reply = await self._reply(chars, tokens, request, model, stop)
        except ContextOverflow as failure:
            return overflow(chars, str(failure))
        if reply is None:
            return None
        refused = reply.refused or reply.finish_reason in ("content_filter", "length")
        observation = Observation(
            chars=chars,
            prompt_chars=prompt_chars,
            codes=document.codes,
            # A code that stands only in the reasoning was read all the same.
            returned=frozenset(codes_in(f"{reply.reasoning or ''}\n{reply.content}")),
            prompt_tokens=(reply.usage or {}).get("prompt_tokens") or None,
            answered=bool(reply.content.strip()) and not refused,
        )
        return read_observation(observation, self.line)

    async def _reply(self, chars: int, tokens: int, request: Request, model: Model, stop: Stopping) -> Reply | None:
        """The reply, transient failures repeated as in a run; None where the budget allows no further request."""
        endpoint, attempt = self.job.endpoint, 0
        while self.budget.allows(tokens):
            attempt += 1
            self.progress.say(f"{self.script} {chars:,} characters: asking (about {tokens:,} tokens)")
            try:
                return await self.budget.ask(model, request, tokens)
            except TransientError as failure:
                wait = failure.retry_after or backoff(attempt, endpoint.backoff_s, self.jitter)
                too_long = bool(failure.retry_after) and wait > (endpoint.timeout_s or math.inf)
                if attempt > RETRIES or too_long or not await Pause(stop.soon).sleep(wait):
                    raise
                self.progress.say(f"{self.script} {chars:,} characters: {failure}")
        return None

    def _prompt_chars(self, chars: int) -> int:
        return len(self.prompt.before) + chars + len(self.prompt.after)

    def outcome(self) -> ScriptOutcome:
        """What the search has come to."""
        read = [finding.chars_read for finding in self.findings if finding.chars_read is not None]
        cap = None
        if self.unfinished is None:
            cap = cap_of(
                self.search.fits,
                chars_read=min(read, default=None),
                limited=self.search.fails is not None,
                counted=_counted(self.findings),
                max_tokens=self.job.endpoint.max_tokens,
                cjk=self.script == "cjk",
            )
        return ScriptOutcome(self.script, self.search, tuple(self.findings), self.unfinished, cap)


def _counted(findings: Sequence[Finding]) -> bool:
    return all(finding.prompt_tokens for finding in findings if finding.verdict != "error")


def _dense_tokens(script: Script, chars: int) -> int:
    return round(chars / DENSEST[script])
