"""What the steps of a source asked and what it cost: calls, tokens and money by stage."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from hashlib import blake2b
from typing import Any

from wildtrace.calls.roles import RoleReply, Roles


@dataclass(slots=True)
class Spent:
    """Calls, tokens and cost; `cost` is None as soon as one endpoint has no prices."""

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float | None = 0.0

    def add(self, other: RoleReply | Spent) -> None:
        """Count what a reply took."""
        self.calls += other.calls
        self.tokens_in += other.tokens_in
        self.tokens_out += other.tokens_out
        self.cost = None if self.cost is None or other.cost is None else self.cost + other.cost


@dataclass(slots=True)
class Account:
    """A source's account by stage, replayed replies included, and what was refused of the replies by reason."""

    stages: dict[str, Spent] = field(default_factory=dict)
    refused: dict[str, int] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def add(self, stage: str, reply: RoleReply) -> None:
        """Count a reply."""
        self.stages.setdefault(stage, Spent()).add(reply)

    def refuse(self, reason: str, count: int = 1) -> None:
        """Count what was refused."""
        self.refused[reason] = self.refused.get(reason, 0) + count

    @property
    def total(self) -> Spent:
        """All stages together."""
        total = Spent()
        for spent in self.stages.values():
            total.add(spent)
        return total

    def as_row(self) -> dict[str, Any]:
        """The account as JSON."""
        return asdict(self)


class Asker:
    """The roles as one source asks them: every reply goes into its account under a stage."""

    def __init__(self, roles: Roles, account: Account) -> None:
        self._roles = roles
        self._counted: set[tuple[str, str]] = set()
        self.account = account

    async def ask(self, stage: str, role: str, prompt: str) -> RoleReply:
        """One reply."""
        return (await self.ask_all(stage, role, [prompt]))[0]

    async def ask_all(self, stage: str, role: str, prompts: Sequence[str]) -> list[RoleReply]:
        """The replies to prompts that do not wait for each other; a prompt that was asked before is counted once."""
        replies = await self._roles.ask(role, prompts)
        for prompt, reply in zip(prompts, replies, strict=True):
            call = role, blake2b(prompt.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
            if call not in self._counted:
                self._counted.add(call)
                self.account.add(stage, reply)
        return replies


async def all_done(jobs: Sequence[Any]) -> list[Any]:
    """The results of coroutines side by side; the first failure is raised when all have ended."""
    outcomes = await asyncio.gather(*jobs, return_exceptions=True)
    for outcome in outcomes:
        if isinstance(outcome, BaseException):
            raise outcome
    return outcomes
