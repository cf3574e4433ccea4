"""What a probe may spend and has spent, in requests and tokens."""

from __future__ import annotations

from dataclasses import dataclass, field

from wildtrace.endpoints.base import Model, Reply, Request
from wildtrace.endpoints.failures import CallError, ContextOverflow, TransientError


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


@dataclass(slots=True)
class Budget:
    """The tokens that may be spent, `limit` (None: any), and what was; a reply takes `max_tokens` at most."""

    limit: int | None
    max_tokens: int
    spent: Spending = field(default_factory=Spending)

    def allows(self, tokens_in: int) -> bool:
        """Whether a request of `tokens_in`, answered at full length, stays within the limit."""
        return self.limit is None or self.spent.tokens + tokens_in + self.max_tokens <= self.limit

    async def ask(self, model: Model, request: Request, tokens_in: int) -> Reply:
        """Ask once. A request counts at its most when it is sent, and as what it took when the endpoint says so."""
        self.spent += Spending(1, tokens_in, self.max_tokens)
        try:
            reply = await model.ask(request)
        except CallError as failure:
            self.spent += self._unbilled(failure, tokens_in)
            raise
        usage = reply.usage or {}
        counted_in = usage.get("prompt_tokens") or tokens_in
        counted_out = usage.get("completion_tokens", self.max_tokens)
        self.spent += Spending(0, counted_in - tokens_in, counted_out - self.max_tokens)
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
