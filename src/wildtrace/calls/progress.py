"""What a flow tells while it runs; a command shows it, a test collects it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Finished:
    """One call came to an end: `outcome` is `ok` or the reason why not; `attempts` is 0 for what asks no endpoint."""

    outcome: str
    usage: Mapping[str, int] | None = None
    attempts: int = 1


class Progress(Protocol):
    """Receives a flow's news, on its event loop; must return at once."""

    def start(self, what: str, total: int, done: int) -> None:
        """The flow begins: `total` calls, `done` of them finished by earlier runs."""
        ...

    def advance(self, finished: Finished) -> None:
        """A call came to an end."""
        ...

    def say(self, line: str) -> None:
        """A line for the user: a warning, or what was found."""
        ...


class Silent:
    """Shows nothing."""

    def start(self, what: str, total: int, done: int) -> None:
        """Ignore."""

    def advance(self, finished: Finished) -> None:
        """Ignore."""

    def say(self, line: str) -> None:
        """Ignore."""
