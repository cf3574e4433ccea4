"""The roles of the construction: which there are, and how their replies are asked for (calls/roles.py)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final

from wildtrace.calls.ask import Target
from wildtrace.calls.ledger import Ledger
from wildtrace.calls.opening import ModelOpener, default_opener
from wildtrace.calls.progress import Progress
from wildtrace.calls.roles import SAMPLES, Role, RolePrompt, RoleReply, Roles, UnansweredError, replies_of
from wildtrace.construct.reply_schemas import REPLY_SCHEMAS
from wildtrace.endpoints.config import RunConfig
from wildtrace.endpoints.config_place import KNOWN_ROLES
from wildtrace.errors import ConfigError
from wildtrace.prompts.render import digest as prompt_digest

__all__ = ["LEDGER", "ROLES", "SAMPLES", "Call", "RolesJob", "Said", "UnansweredError", "stored_replies"]

ROLES: Final = KNOWN_ROLES
LEDGER: Final = "induce.ledger"
Said = RoleReply


@dataclass(frozen=True, slots=True)
class Call:
    """One prompt of a role; `whole` tells of a reply and whether it was cut if it is usable as it is.

    `most` is how many edges a reply may propose.
    """

    prompt: str
    whole: Callable[[str, bool], bool]
    most: int = 0


@dataclass(frozen=True, slots=True)
class RolesJob:
    """The roles' endpoints, where their ledger stands, and how an endpoint is opened."""

    lines: Mapping[str, tuple[Target, ...]]
    ledger: Path
    opener: ModelOpener = default_opener

    @classmethod
    def of(cls, config: RunConfig, workspace: Path, opener: ModelOpener = default_opener) -> RolesJob:
        """The job of a configuration, whose other roles are other stages' business.

        ConfigError where it names no extractor, linker or verifier, or misspells one.
        """
        for name in config.roles:
            near = get_close_matches(name, ROLES, n=1, cutoff=0.75)
            if near and name not in ROLES:
                raise ConfigError(f"{config.file} names a role {name!r}; did you mean {near[0]!r}?")
        if not config.roles.keys() & set(ROLES):
            raise ConfigError(f"{config.file} names no roles for this; add extractor, linker or verifier under roles")
        lines = {
            role: Role(role, prompt_digest(role), REPLY_SCHEMAS[role]).targets(config.roles[role])
            for role in ROLES
            if role in config.roles
        }
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
        return Roles(self.lines, self.ledger, self.opener).ask(role, _prompts(calls), progress, title)


def _prompts(calls: Sequence[Call]) -> list[RolePrompt]:
    return [RolePrompt(call.prompt, call.whole) for call in calls]


def stored_replies(ledger: Ledger, job: RolesJob, role: str, call: Call) -> tuple[list[Said], bool]:
    """What the ledger has of a call from any of a role's endpoints, and whether nothing is left to ask."""
    asking = Roles(job.lines, job.ledger).look_up(role, _prompts([call]), ledger)
    return replies_of(asking.records(call.prompt)), not asking.asked
