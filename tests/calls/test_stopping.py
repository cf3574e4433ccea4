"""Signals, really sent."""

from __future__ import annotations

import asyncio
import os
import signal

import pytest

from wildtrace.calls.progress import Finished
from wildtrace.calls.stopping import stopping


class Said:
    """A Progress that keeps what is said."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def start(self, what: str, total: int, done: int) -> None:
        """Ignore."""

    def advance(self, finished: Finished) -> None:
        """Ignore."""

    def say(self, line: str) -> None:
        """Keep."""
        self.lines.append(line)


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
async def test_the_first_signal_asks_to_stop_and_the_second_stops(number: signal.Signals, status: int) -> None:
    """The status is the first one's; the user is told once what happens; afterwards signals are Python's again."""
    said = Said()
    with stopping(said) as state:
        assert (False, False, None) == (state.soon.is_set(), state.now.is_set(), state.status)
        os.kill(os.getpid(), number)
        await asyncio.wait_for(state.soon.wait(), 5)
        assert (False, status) == (state.now.is_set(), state.status)
        os.kill(os.getpid(), signal.SIGTERM)
        await asyncio.wait_for(state.now.wait(), 5)
        assert (status, 1) == (state.status, len(said.lines))
    assert signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler)


async def test_off_the_main_thread_a_flow_runs_without_signals() -> None:
    """As in a web server's worker."""

    async def flow() -> int | None:
        with stopping(Said()) as state:
            return state.status

    assert await asyncio.to_thread(lambda: asyncio.run(flow())) is None
