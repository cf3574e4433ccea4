"""Where files are read: in processes of this machine, or on a dask cluster. The result is the same.

An executor takes jobs and gives their replies later; `window` is how many may be under way at a time.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, Final, Protocol

from wildtrace.construct.ingest.child import Child, Job, Reply, read
from wildtrace.errors import ConfigError

_OWN: Final = threading.local()
"""The child of each thread, here or in a cluster's worker."""


class Pending(Protocol):
    """A reply that comes later."""

    def result(self) -> Reply:
        """Wait for it."""


class Executor(Protocol):
    """Reads files somewhere."""

    window: int

    def submit(self, job: Job) -> Pending:
        """Begin to read a file."""


def read_job(job: Job) -> Reply:
    """Read a file in this thread's child."""
    if not hasattr(_OWN, "child"):
        _OWN.child = Child()
    reply: Reply = _OWN.child.read(job)
    return reply


class ThisProcess:
    """Reads in this process, one file after the other: for files that one trusts."""

    window = 1

    def submit(self, job: Job) -> Pending:
        """Read a file at once."""
        future: Future[Reply] = Future()
        future.set_result(read(job))
        return future


class Processes:
    """Reads in `count` processes of this machine at a time."""

    def __init__(self, count: int) -> None:
        self.window = 2 * count
        self._count = count
        self._children: list[Child] = []
        self._threads = ThreadPoolExecutor(count, "ingest", self._begin)

    def _begin(self) -> None:
        _OWN.child = Child()
        self._children.append(_OWN.child)

    def submit(self, job: Job) -> Pending:
        """Begin to read a file as soon as a process is free."""
        return self._threads.submit(read_job, job)

    def close(self) -> None:
        """End the processes."""
        self._threads.shutdown(cancel_futures=True)
        for child in self._children:
            child.close()


class Cluster:
    """Reads on the workers of a dask cluster; what a lost worker was reading is read by another one."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self.window = 2 * max(1, sum(client.ncores().values()))

    def submit(self, job: Job) -> Pending:
        """Begin to read a file on some worker."""
        pending: Pending = self._client.submit(read_job, job, pure=False)
        return pending


@contextmanager
def executor(cluster: str | None = None, count: int | None = None) -> Iterator[Executor]:
    """The executor of a run: a cluster's at an address like `tcp://host:8786`, else `count` processes (one a core).

    ConfigError where the cluster's library is missing or no cluster answers.
    """
    if cluster is None:
        processes = Processes(count or len(os.sched_getaffinity(0)))
        try:
            yield processes
        finally:
            processes.close()
        return
    try:
        import distributed  # noqa: PLC0415 - an extra, and slow to import
    except ModuleNotFoundError:
        raise ConfigError("--cluster needs dask.distributed; run pip install -e '.[cluster]' in the checkout") from None
    try:
        client: Any = distributed.Client(cluster, timeout="10s")  # type: ignore[no-untyped-call] # it comes without types
    except (OSError, TimeoutError, ValueError) as error:
        raise ConfigError(f"no cluster answers at {cluster} ({error}); start it or name another address") from None
    with client:
        yield Cluster(client)
