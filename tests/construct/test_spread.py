"""The one seam through which work is spread over processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from wildtrace.construct.spread import Here, spread
from wildtrace.errors import IncompleteError


def squared(number: int) -> int:
    """A task."""
    return number * number


def dying(number: int) -> int:
    """A task whose process is killed."""
    os.kill(os.getpid(), signal.SIGKILL)
    return number


def telling(folder: Path) -> None:
    """A task that leaves the number of its process in a folder and goes on for long."""
    (folder / str(os.getpid())).touch()
    time.sleep(60)


@pytest.mark.parametrize("workers", [1, 2])
def test_results_come_in_the_order_of_the_tasks(workers: int) -> None:
    """In this process and in others."""
    with spread(workers) as spreading:
        assert [0, 1, 4, 9, 16] == list(spreading.map(squared, range(5)))


def test_one_worker_is_this_process() -> None:
    """No pool, no copies."""
    with spread(1) as spreading:
        assert isinstance(spreading, Here)


def test_without_a_word_of_the_system_the_cores_are_the_machines(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on macOS and Windows, which do not say which cores a process may use."""
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    with spread() as spreading:
        assert isinstance(spreading, Here)


def test_a_killed_worker_is_said_so() -> None:
    """The message says how to go on."""
    with spread(2) as spreading, pytest.raises(IncompleteError, match="--workers 1"):
        list(spreading.map(dying, range(2)))


BUSY = """
import sys
from pathlib import Path
from tests.construct.test_spread import telling
from wildtrace.construct.spread import spread

if __name__ == "__main__":
    with spread(2) as spreading:
        list(spreading.map(telling, [Path(sys.argv[1])] * {tasks}))
"""


def descendants(of: int) -> set[int]:
    """The processes that a process has started, and those that they have."""
    parents = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            number, _, rest = stat.read_text(encoding="utf-8", errors="replace").partition(" (")
        except OSError:
            continue
        parents[int(number)] = int(rest.rpartition(")")[2].split()[1])
    found = {of}
    while more := {child for child, parent in parents.items() if parent in found} - found:
        found |= more
    return found - {of}


def waited(condition: Callable[[], bool], seconds: float) -> bool:
    """Whether a condition holds within so many seconds."""
    until = time.monotonic() + seconds
    while not condition() and time.monotonic() < until:
        time.sleep(0.05)
    return condition()


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are told by /proc")
@pytest.mark.parametrize("tasks", [1, 2])
def test_killed_with_no_word_it_leaves_no_process_behind(tmp_path: Path, tasks: int) -> None:
    """Workers at work, a worker that waits for work, and what multiprocessing starts beside them all end."""
    script = tmp_path / "busy.py"
    script.write_text(BUSY.replace("{tasks}", str(tasks)), encoding="utf-8")
    begun = tmp_path / "begun"
    begun.mkdir()
    root = Path(__file__).parents[2]
    command = [sys.executable, str(script), str(begun)]
    parent = subprocess.Popen(command, env={**os.environ, "PYTHONPATH": str(root)})
    try:
        assert waited(lambda: len(list(begun.iterdir())) == tasks, 30)
        left = descendants(parent.pid)
        assert {int(path.name) for path in begun.iterdir()} <= left
    finally:
        parent.kill()
        parent.wait()
    assert waited(lambda: not any(Path(f"/proc/{number}").exists() for number in left), 10)
