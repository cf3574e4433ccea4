"""Files are read in a process of their own, within bounds of memory and time: parsers of foreign formats break.

A `Child` serves one file after the other over its pipes and is started anew when it died. What it answers is data: it
is decoded as the types it must be of.
"""

from __future__ import annotations

import resource
import signal
import struct
import subprocess
import sys
import threading
from dataclasses import dataclass
from typing import IO, Final

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
_LENGTH = struct.Struct(">Q")


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

    def read(self, job: Job) -> Reply:
        """Read a file there; a sentence where the process died over it or took too long."""
        process = self._process or self._start()
        timer = threading.Timer(job.seconds * _WALL_FACTOR, process.kill)
        timer.start()
        try:
            _write(_pipe(process.stdin), msgspec.msgpack.encode(job))
            return msgspec.msgpack.decode(_read(_pipe(process.stdout)), type=Reply)
        except (OSError, EOFError, msgspec.MsgspecError):
            return Reply(fault=self._why(process, job))
        finally:
            timer.cancel()

    def _start(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "wildtrace.construct.ingest.child"]
        self._process = subprocess.Popen(  # noqa: S603 - this program itself
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        return self._process

    def _why(self, process: subprocess.Popen[bytes], job: Job) -> str:
        """What ended the process."""
        self.close()
        if process.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
            return f"{job.name} takes more than {job.seconds} seconds to read; split or repair it and run again"
        return _too_large(job).replace("to read;", "to read, or breaks its reader;")

    def close(self) -> None:
        """End the process."""
        if self._process is None:
            return
        for pipe in (self._process.stdin, self._process.stdout):
            try:
                _pipe(pipe).close()
            except OSError:
                continue
        try:
            self._process.wait(1)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process = None


def _pipe(pipe: IO[bytes] | None) -> IO[bytes]:
    if pipe is None:
        raise OSError("the process has no pipe")
    return pipe


def _write(pipe: IO[bytes], message: bytes) -> None:
    pipe.write(_LENGTH.pack(len(message)) + message)
    pipe.flush()


def _read(pipe: IO[bytes]) -> bytes:
    header = pipe.read(_LENGTH.size)
    if len(header) < _LENGTH.size:
        raise EOFError
    message = pipe.read(_LENGTH.unpack(header)[0])
    if len(message) < _LENGTH.unpack(header)[0]:
        raise EOFError
    return message


def main() -> None:
    """Serve jobs until there are no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends it
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    incoming, outgoing = sys.stdin.buffer, sys.stdout.buffer
    while True:
        try:
            job = msgspec.msgpack.decode(_read(incoming), type=Job)
        except EOFError:
            return
        usage = resource.getrusage(resource.RUSAGE_SELF)
        resource.setrlimit(
            resource.RLIMIT_CPU, (int(usage.ru_utime + usage.ru_stime) + job.seconds, resource.RLIM_INFINITY)
        )
        reply = read(job)
        try:
            message = msgspec.msgpack.encode(reply)
        except MemoryError:
            message = msgspec.msgpack.encode(Reply(fault=_too_large(job)))
        _write(outgoing, message)


if __name__ == "__main__":
    main()
