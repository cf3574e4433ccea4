"""A bounded number of workers, stoppable at two speeds."""

from __future__ import annotations

import asyncio

import pytest

from wildtrace.calls.stopping import Stopping
from wildtrace.calls.workers import work_through


async def test_every_job_is_done_once_in_order_of_starting_and_no_more_than_so_many_at_once() -> None:
    """More workers than jobs are no trouble either."""
    for concurrency in (1, 3, 50):
        begun: list[int] = []
        under_way, most = 0, 0

        async def do(job: int, begun: list[int] = begun) -> bool:
            nonlocal under_way, most
            begun.append(job)
            under_way += 1
            most = max(most, under_way)
            await asyncio.sleep(0.001 * (job % 3))
            under_way -= 1
            return True

        await work_through(range(10), concurrency, do, Stopping())
        assert (list(range(10)), min(concurrency, 10)) == (begun, most)


async def test_false_starts_no_further_job_and_lets_the_others_end() -> None:
    """Those in flight may be paid for."""
    ended: list[int] = []

    async def do(job: int) -> bool:
        await asyncio.sleep(0.001 if job == 0 else 0.02)
        ended.append(job)
        return job != 0

    await work_through(range(10), 3, do, Stopping())
    assert [0, 1, 2] == ended


async def test_a_true_after_a_false_does_not_open_again() -> None:
    """The slower call's success is no reason to go on."""
    begun: list[int] = []

    async def do(job: int) -> bool:
        begun.append(job)
        await asyncio.sleep(0.005 * job)
        return job != 0

    await work_through(range(10), 2, do, Stopping())
    assert [0, 1] == begun


async def test_an_error_is_raised_when_those_in_flight_have_ended() -> None:
    """The first one, and no further job is begun."""
    ended: list[int] = []

    async def do(job: int) -> bool:
        await asyncio.sleep(0)
        if job < 2:
            raise ValueError(f"job {job}")
        await asyncio.sleep(0.01)
        ended.append(job)
        return True

    with pytest.raises(ValueError, match="job 0"):
        await work_through(range(10), 4, do, Stopping())
    assert [2, 3] == ended


async def test_stopping_soon_finishes_what_is_in_flight_and_now_does_not() -> None:
    """A first and a second Ctrl-C."""
    for now in (False, True):
        stop = Stopping()
        ended: list[int] = []

        async def do(job: int, stop: Stopping = stop, ended: list[int] = ended, now: bool = now) -> bool:
            await asyncio.sleep(0)
            (stop.now if now else stop.soon).set()
            await asyncio.sleep(0.01)
            ended.append(job)
            return True

        await asyncio.wait_for(work_through(range(10), 2, do, stop), 5)
        assert ([] if now else [0, 1]) == ended


async def test_a_cancelled_flow_cancels_its_calls() -> None:
    """Nothing is left running."""
    cancelled: list[int] = []

    async def do(job: int) -> bool:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            cancelled.append(job)
            raise
        return True

    task = asyncio.create_task(work_through(range(10), 2, do, Stopping()))
    await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert [0, 1] == sorted(cancelled)


async def test_no_jobs_are_no_trouble() -> None:
    """At once."""

    async def do(job: int) -> bool:
        raise AssertionError(job)

    await asyncio.wait_for(work_through([], 4, do, Stopping()), 5)
