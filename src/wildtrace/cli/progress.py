"""Live progress on a terminal; plain lines where there is none."""

from __future__ import annotations

import contextlib
import sys
import time
from collections import Counter
from types import TracebackType
from typing import TYPE_CHECKING, Self

from wildtrace.calls.progress import Finished
from wildtrace.cli.terminal import tell
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
        if self.requests or not here:
            parts.append(f"{self.requests / seconds:.1f} requests/s")
        if here and self.done < self.total:
            parts.append(f"{_clock((self.total - self.done) * seconds / here)} left")
        return " · ".join(parts)


def _left(total: int, done: int) -> str:
    if not done:
        return f"{total:,}"
    left = f"{total - done:,} to go" if done < total else "nothing left to do"
    return f"{left} ({done:,} finished earlier)"


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def _echo(line: str) -> None:
    """Show a line; a terminal that went away, or a full disk behind a redirection, is no reason to end a run."""
    with contextlib.suppress(OSError):
        tell(line, err=True)


def _above(live: Live, line: str) -> None:
    with contextlib.suppress(OSError):
        live.console.print(printable(line), markup=False, highlight=False, soft_wrap=True)


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

            console = Console(stderr=True)
            self._live = Live(console=console, refresh_per_second=4, transient=True, get_renderable=self._shown)
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        live, self._live = self._live, None
        if live is not None:
            live.stop()
        if self._tally.total:
            _echo(self._tally.line())

    def start(self, what: str, total: int, done: int) -> None:
        """Begin a flow; where nothing is left of it to do, there is nothing more to tell."""
        if self._live is None:
            _echo(f"{what}: {_left(total, done)}")
        self._tally.start(what, total if done < total else 0, done)
        self._said_at = time.monotonic()

    def advance(self, finished: Finished) -> None:
        """Count one call and show it in due time; the last one ends its flow."""
        self._tally.advance(finished)
        if self._tally.done == self._tally.total:
            line, self._tally = self._tally.line() if self._tally.requests else None, Tally()
            if self._live is not None:
                self._live.refresh()
            if line is not None:
                self.say(line)
        elif self._live is None and time.monotonic() - self._said_at >= PLAIN_EVERY_S:
            self._said_at = time.monotonic()
            _echo(self._tally.line())

    def say(self, line: str) -> None:
        """Print a line above the live one."""
        if self._live is not None:
            _above(self._live, line)
        else:
            _echo(line)

    def result(self, line: str) -> None:
        """Print a line to standard output, above the live one where both stand on one terminal."""
        if self._live is not None and sys.stdout is not None and sys.stdout.isatty():
            _above(self._live, line)
        else:
            tell(line)

    def _shown(self) -> str:
        return self._tally.line() if self._tally.total else ""
