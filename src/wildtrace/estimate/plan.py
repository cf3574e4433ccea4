"""What a run will take, before it takes it: requests, tokens, money, time. Arithmetic alone, no I/O.

An input is counted from the real texts at three rates (text/mix.py); an output is an assumption, stated and settable,
with every reply's `max_tokens` as its bound. A price that is not known stays unknown: it is never counted as 0. Nothing
is taken off for prefix caching: the question stands before the document, so no two prompts share a long beginning.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from wildtrace.endpoints.config import Endpoint
from wildtrace.text.mix import FEWEST_TOKENS, MOST_TOKENS, USUAL, TextMix


@dataclass(frozen=True, slots=True)
class Assumptions:
    """What is not known before a run: tokens of an answer, of its reasoning (where `reasoning` is true), of a verdict.

    `latency_s` is the seconds from a request to its whole reply; None leaves the time unknown.
    """

    answer_tokens: int = 600
    reasoning_tokens: int = 4000
    judge_tokens: int = 200
    latency_s: float | None = None

    def output_tokens(self, endpoint: Endpoint, text_tokens: int) -> int:
        """Tokens of one reply of `endpoint`: its text, its reasoning if it reasons, never more than its budget."""
        reasoning = self.reasoning_tokens if endpoint.reasoning else 0
        return min(endpoint.max_tokens, text_tokens + reasoning)


@dataclass(frozen=True, slots=True)
class Between:
    """A number of input tokens: as usual, at the fewest, at the most."""

    usual: int
    fewest: int
    most: int


def tokens_between(mixes: Iterable[TextMix]) -> Between:
    """The tokens of many texts at the three rates of text/mix.py."""
    total = sum(mixes, TextMix())
    return Between(*(round(rates.tokens(total)) for rates in (USUAL, FEWEST_TOKENS, MOST_TOKENS)))


@dataclass(frozen=True, slots=True)
class EndpointPlan:
    """What one endpoint is sent and replies; money in the unit of its prices, None where it has none.

    `output_limit` and `cost_limit` are the bounds: densest tokenizer, every reply as long as `max_tokens` lets it be,
    every call asked once. `seconds` is None without a latency.
    """

    name: str
    model: str
    requests: int
    input_tokens: Between
    output_tokens: int
    output_limit: int
    cost: float | None
    cost_limit: float | None
    seconds: float | None


def plan_endpoint(endpoint: Endpoint, prompts: Sequence[TextMix], text_tokens: int, held: Assumptions) -> EndpointPlan:
    """The plan of an endpoint that is sent `prompts` and replies with `text_tokens` each, reasoning aside."""
    requests = len(prompts)
    sent = tokens_between(prompts)
    output = requests * held.output_tokens(endpoint, text_tokens)
    limit = requests * endpoint.max_tokens
    rounds = math.ceil(requests / endpoint.concurrency)
    return EndpointPlan(
        name=endpoint.name,
        model=endpoint.model,
        requests=requests,
        input_tokens=sent,
        output_tokens=output,
        output_limit=limit,
        cost=endpoint.cost(sent.usual, output),
        cost_limit=endpoint.cost(sent.most, limit),
        seconds=None if held.latency_s is None else rounds * held.latency_s,
    )


@dataclass(frozen=True, slots=True)
class TierPlan:
    """One tier's tasks: out of scope, finished by earlier runs, still to ask; and what asking sends."""

    tier: str
    tasks: int
    out_of_scope: int
    finished: int
    to_ask: int
    input_tokens: int


@dataclass(frozen=True, slots=True)
class TaskPlan:
    """One task's place in the plan; `prompt` is what is sent, None where nothing is."""

    tier: str
    in_scope: bool
    prompt: TextMix | None


def plan_tiers(tasks: Iterable[TaskPlan]) -> tuple[TierPlan, ...]:
    """The tasks by tier, in the order of the tiers' names."""
    by_tier: dict[str, list[TaskPlan]] = {}
    for task in tasks:
        by_tier.setdefault(task.tier, []).append(task)
    return tuple(_tier(tier, by_tier[tier]) for tier in sorted(by_tier))


def _tier(tier: str, tasks: Sequence[TaskPlan]) -> TierPlan:
    out_of_scope = sum(not task.in_scope for task in tasks)
    prompts = [task.prompt for task in tasks if task.prompt is not None]
    finished = len(tasks) - out_of_scope - len(prompts)
    return TierPlan(tier, len(tasks), out_of_scope, finished, len(prompts), tokens_between(prompts).usual)


@dataclass(frozen=True, slots=True)
class Plan:
    """A whole run: the contestant's plan first, then each judge's."""

    tiers: tuple[TierPlan, ...]
    contestant: EndpointPlan
    judges: tuple[EndpointPlan, ...]
    held: Assumptions

    @property
    def endpoints(self) -> tuple[EndpointPlan, ...]:
        """The contestant and the judges."""
        return (self.contestant, *self.judges)

    @property
    def requests(self) -> int:
        """Calls of all endpoints."""
        return sum(endpoint.requests for endpoint in self.endpoints)

    @property
    def unpriced(self) -> tuple[str, ...]:
        """Endpoints that are asked and have no prices."""
        return tuple(endpoint.name for endpoint in self.endpoints if endpoint.requests and endpoint.cost is None)

    @property
    def cost(self) -> float | None:
        """The cost of the priced endpoints; None where one that is asked has no prices."""
        return None if self.unpriced else sum(endpoint.cost or 0.0 for endpoint in self.endpoints)

    @property
    def cost_limit(self) -> float | None:
        """The bound of `cost`."""
        return None if self.unpriced else sum(endpoint.cost_limit or 0.0 for endpoint in self.endpoints)

    @property
    def priced_cost(self) -> float:
        """The cost of those endpoints that have prices."""
        return sum(endpoint.cost or 0.0 for endpoint in self.endpoints)

    @property
    def seconds(self) -> float | None:
        """Answering, then judging, where every judge works at once; None without a latency."""
        if self.contestant.seconds is None:
            return None
        return self.contestant.seconds + max((judge.seconds or 0.0 for judge in self.judges), default=0.0)


def totals(plan: Plan) -> Mapping[str, int]:
    """Input and output tokens of all endpoints."""
    return {
        "input": sum(endpoint.input_tokens.usual for endpoint in plan.endpoints),
        "input_most": sum(endpoint.input_tokens.most for endpoint in plan.endpoints),
        "output": sum(endpoint.output_tokens for endpoint in plan.endpoints),
        "output_limit": sum(endpoint.output_limit for endpoint in plan.endpoints),
    }
