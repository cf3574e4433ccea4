"""Signals: the first lets what is in flight finish, the second stops at once; both leave consistent files."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from wildtrace.calls.progress import Progress
from wildtrace.errors import EXIT_INTERRUPTED, EXIT_TERMINATED

_STATUS = {signal.SIGINT: EXIT_INTERRUPTED, signal.SIGTERM: EXIT_TERMINATED}


@dataclass(slots=True)
class Stopping:
    """Whether the run should stop: `soon` lets calls finish, `now` does not; `status` is what to exit with."""

    soon: asyncio.Event = field(default_factory=asyncio.Event)
    now: asyncio.Event = field(default_factory=asyncio.Event)
    status: int | None = None

    def signalled(self, number: signal.Signals, progress: Progress) -> None:
        """Take one signal."""
        self.status = self.status or _STATUS[number]
        if self.soon.is_set():
            self.now.set()
            return
        self.soon.set()
        progress.say("Stopping: what is in flight will finish and be saved; press Ctrl-C again to stop at once.")


@contextmanager
def stopping(progress: Progress) -> Iterator[Stopping]:
    """Handle SIGINT and SIGTERM while a flow runs on this event loop."""
    state = Stopping()
    loop = asyncio.get_running_loop()
    handled = []
    for number in _STATUS:
        try:
            loop.add_signal_handler(number, state.signalled, number, progress)
        except (NotImplementedError, RuntimeError, ValueError):
            continue  # No signals on this platform, or not the main thread: the caller stops the flow itself.
        handled.append(number)
    try:
        yield state
    finally:
        for number in handled:
            loop.remove_signal_handler(number)
