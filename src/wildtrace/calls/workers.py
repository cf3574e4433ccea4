"""A bounded number of workers over a list of jobs, stoppable at two speeds."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import TypeVar

from wildtrace.calls.stopping import Stopping

Job = TypeVar("Job")


async def work_through(
    jobs: Iterable[Job], concurrency: int, do: Callable[[Job], Awaitable[bool]], stop: Stopping
) -> None:
    """Do every job, at most `concurrency` at once, started in order.

    `do` returns False where no further job should be started. `stop.soon` starts no further job; `stop.now` cancels
    those that run. An exception of a job starts no further one either; it is raised when those in flight have ended,
    since each of them may be a paid call.
    """
    queue = iter(jobs)
    failures: list[BaseException] = []
    open_ = True

    async def worker() -> None:
        nonlocal open_
        while open_ and not stop.soon.is_set():
            try:
                job = next(queue)
            except StopIteration:
                return
            try:
                open_ = await do(job) and open_
            except Exception as failure:
                failures.append(failure)
                open_ = False

    workers = [asyncio.create_task(worker()) for _ in range(concurrency)]
    halt = asyncio.create_task(stop.now.wait())
    try:
        await _until_done(set(workers), halt)
    finally:
        for task in (*workers, halt):
            task.cancel()
        await asyncio.gather(*workers, halt, return_exceptions=True)
    if failures:
        raise failures[0]


async def _until_done(running: set[asyncio.Task[None]], halt: asyncio.Task[bool]) -> None:
    while running and not halt.done():
        await asyncio.wait({*running, halt}, return_when=asyncio.FIRST_COMPLETED)
        running = {task for task in running if not task.done()}
