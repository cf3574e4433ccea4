"""Live progress on a terminal; plain lines where there is none."""

from __future__ import annotations

import contextlib
import sys
import time
from collections import Counter
from types import TracebackType
from typing import TYPE_CHECKING, Self

from wildtrace.cli.terminal import tell
from wildtrace.pipeline.progress import Finished
from wildtrace.text.printable import printable

if TYPE_CHECKING:
    from rich.live import Live

PLAIN_EVERY_S = 10.0


class Tally:
    """The numbers behind a progress line."""

    def __init__(self) -> None:
        self.what = "calls"
        self.total = 0
        self.earlier = 0
        self.outcomes: Counter[str] = Counter()
        self.tokens: Counter[str] = Counter()
        self.requests = 0
        self.began = time.monotonic()

    def start(self, what: str, total: int, done: int) -> None:
        """Begin a flow."""
        self.__init__()  # type: ignore[misc]
        self.what, self.total, self.earlier = what, total, done

    def advance(self, finished: Finished) -> None:
        """Count one call."""
        self.outcomes[finished.outcome] += 1
        self.requests += finished.attempts
        for side in ("prompt_tokens", "completion_tokens"):
            self.tokens[side] += (finished.usage or {}).get(side, 0)

    @property
    def done(self) -> int:
        """Calls finished, earlier runs' included."""
        return self.earlier + sum(self.outcomes.values())

    def line(self) -> str:
        """Done, failed by reason, tokens, requests a second, time left."""
        seconds = max(time.monotonic() - self.began, 1e-9)
        here = sum(self.outcomes.values())
        parts = [f"{self.what} {self.done}/{self.total}"]
        parts += [f"{reason} {count}" for reason, count in sorted(self.outcomes.items()) if reason != "ok"]
        if self.tokens.total():
            parts.append(f"tokens {self.tokens['prompt_tokens']:,} in, {self.tokens['completion_tokens']:,} out")
        parts.append(f"{self.requests / seconds:.1f} requests/s")
        if here and self.done < self.total:
            parts.append(f"{_clock((self.total - self.done) * seconds / here)} left")
        return " · ".join(parts)


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def _echo(line: str) -> None:
    """Show a line; a terminal that went away, or a full disk behind a redirection, is no reason to end a run."""
    with contextlib.suppress(OSError):
        tell(line, err=True)


class ShownProgress:
    """A Progress on standard error: a live line on a terminal, a plain line every ten seconds elsewhere."""

    def __init__(self) -> None:
        self._tally = Tally()
        self._live: Live | None = None
        self._said_at = 0.0

    def __enter__(self) -> Self:
        if sys.stderr is not None and sys.stderr.isatty():
            from rich.console import Console  # noqa: PLC0415 - a run without a terminal needs no rich
            from rich.live import Live  # noqa: PLC0415 - the same

            self._live = Live(console=Console(stderr=True), refresh_per_second=4, get_renderable=self._shown)
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live is not None:
            self._live.stop()
        elif self._tally.total:
            _echo(self._tally.line())

    def start(self, what: str, total: int, done: int) -> None:
        """Begin a flow."""
        self._tell_last()
        self._tally.start(what, total, done)
        self._said_at = time.monotonic()
        if self._live is None:
            earlier = f", {done} done by earlier runs or out of scope" if done else ""
            _echo(f"{what}: {total}{earlier}")

    def advance(self, finished: Finished) -> None:
        """Count one call and show it in due time."""
        self._tally.advance(finished)
        if self._live is None and time.monotonic() - self._said_at >= PLAIN_EVERY_S:
            self._said_at = time.monotonic()
            _echo(self._tally.line())

    def say(self, line: str) -> None:
        """Print a line above the live one."""
        if self._live is not None:
            with contextlib.suppress(OSError):
                self._live.console.print(printable(line), markup=False, highlight=False)
        else:
            self._tell_last()
            _echo(line)

    def _tell_last(self) -> None:
        """Where there is no live line, say how the flow before ended."""
        if self._live is None and self._tally.total and self._tally.done == self._tally.total:
            _echo(self._tally.line())
            self._tally = Tally()

    def _shown(self) -> str:
        return self._tally.line() if self._tally.total else ""
