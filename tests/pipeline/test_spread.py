"""The one seam through which work is spread over processes."""

from __future__ import annotations

import os
import signal

import pytest

from wildtrace.errors import IncompleteError
from wildtrace.pipeline.spread import Here, spread


def squared(number: int) -> int:
    """A task."""
    return number * number


def dying(number: int) -> int:
    """A task whose process is killed."""
    os.kill(os.getpid(), signal.SIGKILL)
    return number


@pytest.mark.parametrize("workers", [1, 2])
def test_results_come_in_the_order_of_the_tasks(workers: int) -> None:
    """In this process and in others."""
    with spread(workers) as spreading:
        assert [0, 1, 4, 9, 16] == list(spreading.map(squared, range(5)))


def test_one_worker_is_this_process() -> None:
    """No pool, no copies."""
    with spread(1) as spreading:
        assert isinstance(spreading, Here)


def test_a_killed_worker_is_said_so() -> None:
    """The message says how to go on."""
    with spread(2) as spreading, pytest.raises(IncompleteError, match="--workers 1"):
        list(spreading.map(dying, range(2)))
