"""Waits between requests."""

from __future__ import annotations

import asyncio
import random
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wildtrace.endpoints.retry import (
    MAX_BACKOFF_S,
    POLICY,
    RETRIES,
    Pause,
    backoff,
    retry_after,
    seconds_in,
    wait_in_headers,
)

NOW = datetime(2026, 1, 1, 12, 0, 0, tzinfo=UTC)


@given(st.integers(1, 6), st.floats(0, 200), st.integers())
def test_waits_double_with_jitter_up_to_a_limit(attempt: int, first: float, seed: int) -> None:
    """Between half and the whole of the step; a longer first wait is its own limit."""
    step = min(first * 2 ** (attempt - 1), max(MAX_BACKOFF_S, first))
    wait = backoff(attempt, first, random.Random(seed))
    assert step / 2 <= wait <= step
    assert wait == backoff(attempt, first, random.Random(seed))


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        (None, None),
        ("3", 3.0),
        ("0.5", 0.5),
        ("-4", 0.0),
        ("Thu, 01 Jan 2026 12:00:30 GMT", 30.0),
        ("Thu, 01 Jan 2026 11:00:00 GMT", 0.0),
        ("Thu, 01 Jan 2026 12:00:30 -0000", None),
        ("soon", None),
        ("Mon, 01 Jan 99999999999999999999 00:00:00 GMT", None),
        ("", None),
        ("nan", None),
        ("inf", None),
        ("1e999", None),
    ],
)
def test_retry_after_is_seconds_or_a_date(value: str | None, seconds: float | None) -> None:
    """Anything else is no wish."""
    assert seconds == retry_after(value, NOW)


async def test_a_pause_holds_all_callers_and_only_grows() -> None:
    """Two wait for the longer of two pauses."""
    pause, loop = Pause(), asyncio.get_running_loop()
    began = loop.time()
    pause.extend(0.05)
    pause.extend(0.01)
    assert [True, True] == list(await asyncio.gather(pause.over(), pause.over()))
    assert loop.time() - began >= 0.05


async def test_a_pause_that_is_extended_meanwhile_is_waited_out() -> None:
    """Another caller's wish counts for those who already wait."""
    pause, loop = Pause(), asyncio.get_running_loop()
    began = loop.time()
    pause.extend(0.02)
    waiting = asyncio.create_task(pause.over())
    await asyncio.sleep(0.01)
    pause.extend(0.05)
    assert await waiting
    assert loop.time() - began >= 0.06


async def test_stopping_ends_every_wait_at_once() -> None:
    """A minute's pause and a minute's sleep."""
    pause = Pause()
    pause.extend(60)
    waits = asyncio.gather(pause.over(), pause.sleep(60))
    await asyncio.sleep(0)
    pause.stop.set()
    assert [False, False] == list(await asyncio.wait_for(waits, 1))
    assert not await pause.over()


def test_the_policy_is_on_record() -> None:
    """Five retries, by class."""
    assert (5, 5) == (RETRIES, POLICY["retries"])
    assert {"connection", "timeout", "408", "409", "429", "5xx", "broken_reply", "cut_stream"} <= set(POLICY["classes"])  # type: ignore[call-overload]


@pytest.mark.parametrize(
    ("words", "seconds"),
    [
        ("Please try again in 20s. Contact us", 20.0),
        ("Please try again in 6m0s.", 360.0),
        ("try again in 1.5 seconds", 1.5),
        ("Try again in 60 seconds", 60.0),
        ("Please retry in 4.25s.", 4.25),
        ("Please retry after 2 minutes and 5 seconds", 125.0),
        ("try again in 250ms", 0.25),
        ("try again later", None),
        ("we tried in 5s", None),
        ("try again in a moment", None),
    ],
)
def test_a_message_may_ask_to_wait(words: str, seconds: float | None) -> None:
    """In the shapes that servers write; anything else is no wish."""
    assert seconds == seconds_in(words)


def test_the_finer_header_counts() -> None:
    """`retry-after-ms` before Retry-After."""
    assert 2.0 == wait_in_headers({"retry-after-ms": "2000", "Retry-After": "3"})
    assert 3.0 == wait_in_headers({"retry-after-ms": "soon", "Retry-After": "3"})
    assert wait_in_headers({}) is None
