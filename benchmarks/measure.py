"""Starting a program and measuring it from outside: CPU and wall seconds, peak memory, bytes written.

Figures are those the kernel keeps for the finished child (wait4), so they hold for any program in any language.
The runner must stay small itself: a child's peak memory is at least what its parent had when it was started.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, cast

ROOT = Path(__file__).resolve().parent.parent
TIMEOUT_S = 900
LEDGERS = "*.ledger"


class RunError(Exception):
    """A measured program did not do its job; the message says which and shows the end of its output."""


@dataclass(frozen=True, slots=True)
class Sample:
    """One finished run: seconds, MB (10^6), bytes (also those in ledgers), the machine's CPU seconds, the tally."""

    cpu_s: float
    wall_s: float
    rss_mb: float
    written: int
    ledger: int = 0
    machine_s: float = 0.0
    tally: Mapping[str, Any] = field(default_factory=dict)

    @property
    def requests(self) -> int:
        """How many requests the endpoint answered."""
        return sum(self.tally.get("requests", {}).values())

    @property
    def elsewhere(self) -> float:
        """Cores that were busy with neither the program nor the endpoint: how noisy the machine was."""
        endpoint_s: float = self.tally.get("cpu_s", 0.0)
        return max(0.0, self.machine_s - self.cpu_s - endpoint_s) / self.wall_s


def child_environment(extra: Mapping[str, str]) -> dict[str, str]:
    """The environment of every child: compiled modules are kept, so that no run pays for compiling them."""
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**env, "PYTHONPATH": str(ROOT), "API_KEY": "bench", "NO_COLOR": "1", **extra}


def machine_busy_s() -> float:
    """CPU seconds that all processes of the machine have used so far; 0 where the system does not tell."""
    try:
        fields = Path("/proc/stat").read_text(encoding="ascii").splitlines()[0].split()[1:9]
    except OSError:
        return 0.0
    idle, waiting = 3, 4
    busy = sum(int(ticks) for index, ticks in enumerate(fields) if index not in {idle, waiting})
    return busy / os.sysconf("SC_CLK_TCK")


def files_size(folder: Path, pattern: str = "*") -> int:
    """Bytes of all files under a folder whose names match."""
    return sum(path.stat().st_size for path in folder.rglob(pattern) if path.is_file())


def finish(child: subprocess.Popen[bytes], deadline: float) -> tuple[int, Any]:
    """Wait for the child; its exit status and resource usage."""
    while True:
        pid, status, usage = os.wait4(child.pid, os.WNOHANG)
        if pid:
            child.returncode = os.waitstatus_to_exitcode(status)
            return child.returncode, usage
        if time.monotonic() > deadline:
            os.killpg(child.pid, signal.SIGKILL)
        time.sleep(0.005)


def run_program(argv: Sequence[str], out: Path, extra: Mapping[str, str]) -> Sample:
    """Run a program that writes into `out` and measure it; what it prints goes to a file beside the folder."""
    out.mkdir(parents=True, exist_ok=True)
    before, ledger = files_size(out), files_size(out, LEDGERS)
    printed = out.with_name(out.name + ".printed")
    with printed.open("wb") as sink:
        busy, start = machine_busy_s(), time.monotonic()
        child = subprocess.Popen(
            argv,
            stdin=subprocess.DEVNULL,
            stdout=sink,
            stderr=subprocess.STDOUT,
            cwd=ROOT,
            env=child_environment(extra),
            start_new_session=True,
        )
        status, usage = finish(child, start + TIMEOUT_S)
        wall, busy = time.monotonic() - start, machine_busy_s() - busy
    if status != 0:
        tail = printed.read_text(encoding="utf-8", errors="replace")[-2_000:]
        raise RunError(f"exit status {status} of {' '.join(argv)}\n{tail}")
    cpu = usage.ru_utime + usage.ru_stime
    written, kept = files_size(out) - before, files_size(out, LEDGERS) - ledger
    return Sample(cpu, wall, usage.ru_maxrss * 1024 / 1e6, written, kept, busy)


@dataclass(slots=True)
class RunningEndpoint:
    """A started endpoint; `tally` is filled when it has stopped."""

    port: int
    tally: dict[str, Any] = field(default_factory=dict)


@contextmanager
def endpoint(python: Path, *options: str) -> Iterator[RunningEndpoint]:
    """Start a fresh endpoint for one run and take its tally at the end."""
    child = subprocess.Popen(
        [str(python), "-m", "benchmarks.endpoint", *options],
        stdout=subprocess.PIPE,
        cwd=ROOT,
        env=child_environment({}),
        text=True,
    )
    stdout = cast("IO[str]", child.stdout)  # a pipe was asked for
    try:
        word, _, port = stdout.readline().partition(" ")
        if word != "READY":
            raise RunError("the endpoint did not start")
        running = RunningEndpoint(int(port))
        yield running
        child.terminate()
        running.tally = json.loads(stdout.read())
    finally:
        child.kill()
        child.wait()


def note(message: str) -> None:
    """Tell what is going on, apart from the table."""
    print(message, file=sys.stderr, flush=True)
