"""Files are read in a process of their own, within bounds of memory and time: parsers of foreign formats break.

A `Child` serves one file after the other over a connection and is started anew when it died. What it answers is data:
it is decoded as the types it must be of.
"""

from __future__ import annotations

import resource
import signal
import socket
import subprocess
import sys
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Final

import msgspec

from wildtrace.construct.ingest.draft import Options
from wildtrace.construct.ingest.ingest import Ingested, ingest
from wildtrace.errors import DataError

MOST_MEMORY: Final = 2_500_000_000
"""Bytes of address space, of which libraries take a fifth; the largest real books need a tenth of it."""
LEAST_SECONDS: Final = 60
BYTES_A_SECOND: Final = 100_000
"""A file gets a minute and what a third of the usual speed takes; a file of a few bytes that needs more is hostile."""
_WALL_FACTOR: Final = 20
"""How much longer it may take by the clock, on a machine that does other work."""


@dataclass(frozen=True, slots=True)
class Job:
    """A file to be read: its bytes, what to call it, how."""

    raw: bytes
    name: str
    options: Options

    @property
    def seconds(self) -> int:
        """The time it may take, in seconds of one processor."""
        return LEAST_SECONDS + len(self.raw) // BYTES_A_SECOND


@dataclass(frozen=True, slots=True)
class Reply:
    """What came of a job: a source, or the sentence that says why there is none."""

    ingested: Ingested | None = None
    fault: str = ""


def read(job: Job) -> Reply:
    """Read a file in this process. Whatever a library raises is one sentence: no file takes another one with it."""
    try:
        return Reply(ingest(job.raw, job.name, job.options))
    except DataError as error:
        return Reply(fault=str(error))
    except MemoryError:
        return Reply(fault=_too_large(job))
    # The net around each file: libraries raise kinds that no list of them would cover.
    except Exception as error:
        reason = " ".join(str(error).split())[:200] or type(error).__name__
        return Reply(fault=f"{job.name} cannot be read ({type(error).__name__}: {reason}); repair or convert it")


def _too_large(job: Job) -> str:
    return f"{job.name} needs more than {MOST_MEMORY / 1e9:.1f} GB of memory to read; split or repair it and run again"


class Child:
    """A process that reads files; one thread uses it at a time."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._connection: Connection | None = None

    def read(self, job: Job) -> Reply:
        """Read a file there; a sentence where the process died over it or took too long."""
        process, connection = self._started()
        try:
            connection.send_bytes(msgspec.msgpack.encode(job))
            if not connection.poll(job.seconds * _WALL_FACTOR):
                process.kill()
            return msgspec.msgpack.decode(connection.recv_bytes(), type=Reply)
        except (OSError, EOFError, msgspec.MsgspecError):
            return Reply(fault=self._why(process, job))

    def _started(self) -> tuple[subprocess.Popen[bytes], Connection]:
        if self._process is None or self._connection is None:
            # No process of `multiprocessing`: the workers of a cluster may have none.
            own, other = socket.socketpair()
            command = [sys.executable, "-m", "wildtrace.construct.ingest.child", str(other.fileno())]
            with other:
                self._process = subprocess.Popen(  # noqa: S603 - this program itself
                    command,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    pass_fds=[other.fileno()],
                )
            self._connection = Connection(own.detach())
        return self._process, self._connection

    def _why(self, process: subprocess.Popen[bytes], job: Job) -> str:
        """What ended the process."""
        self.close()
        if process.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
            return f"{job.name} takes more than {job.seconds} seconds to read; split or repair it and run again"
        return _too_large(job).replace("to read;", "to read, or breaks its reader;")

    def close(self) -> None:
        """End the process."""
        if self._process is None or self._connection is None:
            return
        self._connection.close()
        try:
            self._process.wait(1)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process = self._connection = None


def main() -> None:
    """Serve jobs until there are no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends it
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    connection = Connection(int(sys.argv[1]))
    while True:
        try:
            job = msgspec.msgpack.decode(connection.recv_bytes(), type=Job)
        except (EOFError, ConnectionError):
            return
        usage = resource.getrusage(resource.RUSAGE_SELF)
        seconds = int(usage.ru_utime + usage.ru_stime) + job.seconds
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, resource.RLIM_INFINITY))
        reply = read(job)
        try:
            message = msgspec.msgpack.encode(reply)
        except MemoryError:
            message = msgspec.msgpack.encode(Reply(fault=_too_large(job)))
        connection.send_bytes(message)


if __name__ == "__main__":
    main()
