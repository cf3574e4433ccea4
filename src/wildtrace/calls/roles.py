"""Asking the construction's roles: several endpoints a role share one queue, and every reply is in the ledger.

A prompt is asked until a reply is usable, three times in all runs and endpoints together. A refusal is final only where
every endpoint of the role refuses. `Roles.ask` is called without an event loop running.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from wildtrace.calls.ask import Asking, Case, Target
from wildtrace.calls.identity import digest, query, text_digest
from wildtrace.calls.ledger import Ledger, open_ledger
from wildtrace.calls.opening import ModelOpener, default_opener
from wildtrace.calls.progress import Progress
from wildtrace.calls.reasoning import remove_reasoning
from wildtrace.calls.record import Record, final_failure
from wildtrace.calls.stopping import Stopping, stopping
from wildtrace.endpoints.base import ReplySchema, Request
from wildtrace.endpoints.config import Endpoint
from wildtrace.endpoints.failures import CallError, ContextOverflow, EndpointError, QuotaError
from wildtrace.errors import ConfigError, IncompleteError
from wildtrace.text.surrogates import replace_lone_surrogates

SAMPLES: Final = 3
_TOO_LONG: Final = "a prompt is longer than the model's window: give the role an endpoint with a larger one"


class UnansweredError(IncompleteError):
    """Some calls of a source were not answered; other sources may still be done."""


@dataclass(frozen=True, slots=True)
class Role:
    """A role: its name, a digest of its prompt file, and the schema that its replies should follow."""

    name: str
    prompt_digest: str
    schema: Mapping[str, Any]

    def targets(self, endpoints: Sequence[Endpoint]) -> tuple[Target, ...]:
        """The role's endpoints, nothing asked yet; where two have one model, their addresses name them."""
        models = Counter(endpoint.model for endpoint in endpoints)
        return tuple(
            Target(
                endpoint,
                self._settings(endpoint),
                f"{self.name} ({endpoint.model}{f' at {endpoint.public_url}' if models[endpoint.model] > 1 else ''})",
                ReplySchema(self.name, self.schema) if endpoint.json_schema else None,
            )
            for endpoint in endpoints
        )

    def _settings(self, endpoint: Endpoint) -> str:
        asked = query(endpoint)
        return digest(
            {
                "url": endpoint.public_url,
                **({"query": asked} if asked else {}),
                "model": endpoint.model,
                "temperature": endpoint.temperature,
                "max_tokens": endpoint.max_tokens,
                "prompt": self.prompt_digest,
                "schema": digest(self.schema) if endpoint.json_schema else None,
            }
        )


@dataclass(frozen=True, slots=True)
class RolePrompt:
    """One prompt of a role; `is_usable` tells of a reply's text, and whether it was cut, if it serves."""

    text: str
    is_usable: Callable[[str, bool], bool]


@dataclass(frozen=True, slots=True)
class RoleReply:
    """A reply: its text without reasoning, whether it was cut, the model, its usage; or that all refused instead."""

    text: str
    cut: bool
    model: str
    usage: Mapping[str, int] | None = None
    refused: bool = False


@dataclass(frozen=True, slots=True)
class Roles:
    """The roles' endpoints, where their ledger stands, and how an endpoint is opened."""

    targets: Mapping[str, tuple[Target, ...]]
    ledger: Path
    opener: ModelOpener = default_opener

    def ask(self, role: str, prompts: Sequence[RolePrompt], progress: Progress, title: str) -> list[list[RoleReply]]:
        """The replies to every prompt of a role about the source of that title, in order.

        Raises UnansweredError where some got none, ConfigError or IncompleteError where no endpoint answers any more;
        what was answered is in the ledger.
        """
        return asyncio.run(self._ask(role, prompts, progress, title))

    async def _ask(
        self, role: str, prompts: Sequence[RolePrompt], progress: Progress, title: str
    ) -> list[list[RoleReply]]:
        with open_ledger(self.ledger) as ledger, stopping(progress) as stop:
            asking = self.look_up(role, prompts, ledger)
            progress.start(f"{role} on {title}", len(asking.cases), len(asking.cases) - asking.asked)
            try:
                await asking.run(self.opener, progress, stop)
            finally:
                await ledger.settle()
        results = {case.id: asking.result(case) for case in asking.cases}
        left = [case_id for case_id, result in results.items() if result is None]
        _raise_unanswered(role, asking, left, stop)
        return [results[prompt.text] or [] for prompt in prompts]

    def look_up(self, role: str, prompts: Sequence[RolePrompt], ledger: Ledger) -> Asking[list[RoleReply]]:
        """The prompts as cases, each prompt once and named by its text, looked up in the ledger."""
        targets = self.targets[role]
        cases = [
            Case(
                id=text,
                prompt=(text_digest(text),),
                request=Request(text),
                read=_reader(prompt),
                describe=_describer(prompt),
            )
            for text, prompt in {prompt.text: prompt for prompt in prompts}.items()
        ]
        return Asking(cases, targets, ledger, samples=SAMPLES)


def replies_of(records: Sequence[Record]) -> list[RoleReply]:
    """The replies among a prompt's finished calls; a refusal by all endpoints is one without text."""
    replies = []
    for record in records:
        if record.reply is not None:
            thought = remove_reasoning(replace_lone_surrogates(record.reply.content)[0])
            cut = thought.unclosed or record.reply.finish_reason == "length"
            replies.append(RoleReply(thought.answer, cut, record.model, record.reply.usage))
    if not replies and final_failure(records) is not None:
        replies.append(RoleReply("", cut=False, model="", refused=True))
    return replies


def _reader(prompt: RolePrompt) -> Callable[[Sequence[Record]], list[RoleReply] | None]:
    def read(records: Sequence[Record]) -> list[RoleReply] | None:
        replies = replies_of(records)
        done = len(replies) >= SAMPLES or any(_is_final(reply, prompt) for reply in replies)
        return replies if done else None

    return read


def _describer(prompt: RolePrompt) -> Callable[[list[RoleReply]], str]:
    def describe(replies: list[RoleReply]) -> str:
        if replies[-1].refused:
            return "refusal"
        return "ok" if any(_is_final(reply, prompt) for reply in replies) else "unusable_reply"

    return describe


def _is_final(reply: RoleReply, prompt: RolePrompt) -> bool:
    return reply.refused or prompt.is_usable(reply.text, reply.cut)


def _raise_unanswered(role: str, asking: Asking[list[RoleReply]], left: Sequence[str], stop: Stopping) -> None:
    """Raise where a prompt has no replies: because no endpoint can be asked, of a signal, or of single failures."""
    if not left:
        return
    ended = [(target.name, target.stopped_by) for target in asking.targets if target.stopped_by is not None]
    if len(ended) == len(asking.targets):
        causes = [cause for _, cause in ended]
        sentence = "; ".join(f"{name} cannot be asked: {cause}" for name, cause in ended)
        if not all(isinstance(cause, EndpointError) for cause in causes):
            raise IncompleteError(f"{sentence}; run the same command again when it answers")
        raise (IncompleteError if any(isinstance(cause, QuotaError) for cause in causes) else ConfigError)(sentence)
    if stop.status is not None:
        stopped = IncompleteError("stopped; what was answered is saved, run the same command again to go on")
        stopped.exit_status = stop.status
        raise stopped
    failures: list[CallError] = [failure for case_id in left for failure in asking.failures(case_id)]
    failures += [cause for _, cause in ended]
    # A cap, which helps a contestant, is no help here.
    reasons = dict.fromkeys(_TOO_LONG if isinstance(each, ContextOverflow) else str(each) for each in failures)
    raise UnansweredError(
        f"{len(left)} of {asking.asked} calls of the {role} were not answered ({'; '.join(list(reasons)[:3])}); "
        "run the same command again"
    )
