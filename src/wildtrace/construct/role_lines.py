"""The endpoints of a construction role: how each is asked and named, and what it was asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from wildtrace.calls.identity import digest, query
from wildtrace.construct.reply_schemas import REPLY_SCHEMAS
from wildtrace.endpoints.base import ReplySchema
from wildtrace.endpoints.config import Endpoint
from wildtrace.endpoints.failures import CallError
from wildtrace.prompts.render import digest as prompt_digest


@dataclass(slots=True)
class Spent:
    """What an endpoint was asked in this run: replies, and the tokens that it reported for `reported` of them."""

    replies: int = 0
    reported: int = 0
    tokens_in: int = 0
    tokens_out: int = 0

    def add(self, usage: Mapping[str, int] | None) -> None:
        """Count one reply."""
        self.replies += 1
        if usage:
            self.reported += 1
            self.tokens_in += usage.get("prompt_tokens", 0)
            self.tokens_out += usage.get("completion_tokens", 0)


@dataclass(slots=True)
class Line:
    """One endpoint of a role, for as long as a run lasts; `name` tells it from the others in messages."""

    role: str
    endpoint: Endpoint
    settings: str
    name: str
    plain: bool = False
    stopped_by: CallError | None = None
    failed: bool = False
    lost: int = 0
    spent: Spent = field(default_factory=Spent)

    @property
    def schema(self) -> ReplySchema | None:
        """What replies should look like, unless the endpoint takes no schema."""
        return None if self.plain else ReplySchema(self.role, REPLY_SCHEMAS[self.role])


def lines_of(role: str, endpoints: Sequence[Endpoint]) -> tuple[Line, ...]:
    """The lines to a role's endpoints, nothing asked yet; where two have one model, their addresses name them."""
    models = Counter(endpoint.model for endpoint in endpoints)
    lines = []
    for endpoint in endpoints:
        place = f" at {endpoint.public_url}" if models[endpoint.model] > 1 else ""
        name = f"{role} ({endpoint.model}{place})"
        lines.append(Line(role, endpoint, digest(_signed(role, endpoint)), name, plain=not endpoint.json_schema))
    return tuple(lines)


def _signed(role: str, endpoint: Endpoint) -> dict[str, Any]:
    return {
        "url": endpoint.public_url,
        **({"query": asked} if (asked := query(endpoint)) else {}),
        "model": endpoint.model,
        "temperature": endpoint.temperature,
        "max_tokens": endpoint.max_tokens,
        "prompt": prompt_digest(role),
        "schema": digest(REPLY_SCHEMAS[role]) if endpoint.json_schema else None,
    }
