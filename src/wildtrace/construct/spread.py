"""The one seam through which work is spread over processes: tasks in, results in the order of the tasks.

Everything that crosses it is plain data and functions of modules, so that another executor (of other machines) can take
its place. One worker means this process: no pool, no copies.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from typing import Protocol, TypeVar

from wildtrace.errors import IncompleteError

Task = TypeVar("Task")
Result = TypeVar("Result")


class Spread(Protocol):
    """Applies a function to tasks, wherever."""

    def map(self, function: Callable[[Task], Result], tasks: Iterable[Task]) -> Iterator[Result]:
        """The results in the order of the tasks."""
        ...


class Here:
    """This process, one task after the other."""

    def map(self, function: Callable[[Task], Result], tasks: Iterable[Task]) -> Iterator[Result]:
        """The results in the order of the tasks."""
        return map(function, tasks)


class Pool:
    """A pool of processes on this machine. IncompleteError where one of them dies."""

    def __init__(self, executor: ProcessPoolExecutor) -> None:
        self._executor = executor

    def map(self, function: Callable[[Task], Result], tasks: Iterable[Task]) -> Iterator[Result]:
        """The results in the order of the tasks."""
        try:
            yield from self._executor.map(function, tasks)
        except BrokenProcessPool:
            raise IncompleteError(
                "a worker process was killed, perhaps for lack of memory; "
                "run the same command again, or with --workers 1"
            ) from None


def end_with_parent() -> None:
    """Make this process end as soon as its parent has, however that ended: a killed one tells its workers nothing.

    The pool's queues stay open while any worker has them, so waiting for work would not end by itself.
    """
    parent = parent_process()
    if parent is not None:
        threading.Thread(target=_end_after, args=(parent.sentinel,), daemon=True).start()


def _end_after(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)


def _cores() -> int:
    """The cores that this process may use; where the system does not say so, those of the machine."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def spread(workers: int | None = None) -> Iterator[Spread]:
    """Spread over `workers` processes; None takes one for each core that this process may use."""
    count = workers or _cores()
    if count == 1:
        yield Here()
        return
    # A forked child would inherit the workspace's lock and its file.
    with ProcessPoolExecutor(count, mp_context=get_context("spawn"), initializer=end_with_parent) as executor:
        try:
            yield Pool(executor)
        except BaseException:
            executor.shutdown(wait=False, cancel_futures=True)
            raise
