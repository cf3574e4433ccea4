"""What is shown while a flow runs."""

from __future__ import annotations

import contextlib
import os
import pty
import re
import subprocess
import sys

import pytest

from wildtrace.calls.progress import Finished
from wildtrace.cli.progress import ShownProgress, Tally


class Clock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        """The time."""
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The module's clock."""
    clock = Clock()
    monkeypatch.setattr("wildtrace.cli.progress.time.monotonic", clock)
    return clock


def test_a_line_holds_done_failures_tokens_rate_and_time_left(clock: Clock) -> None:
    """By hand: 4 of 10 were done before, 3 ended in 6 seconds with 5 requests, 3 are left."""
    tally = Tally()
    tally.start("answers", 10, 4)
    tally.advance(Finished("ok", {"prompt_tokens": 1000, "completion_tokens": 20}))
    tally.advance(Finished("ok", {"prompt_tokens": 2000, "completion_tokens": 30}))
    tally.advance(Finished("timeout", None, 3))
    clock.now += 6
    assert "answers 7/10 · timeout 1 · tokens 3,000 in, 50 out · 0.8 requests/s · 0:06 left" == tally.line()


def test_a_finished_flow_has_no_time_left(clock: Clock) -> None:
    """And one that has asked nothing yet no estimate."""
    tally = Tally()
    tally.start("answers", 1, 0)
    clock.now += 1
    assert "answers 0/1 · 0.0 requests/s" == tally.line()
    tally.advance(Finished("ok"))
    assert "answers 1/1 · 1.0 requests/s" == tally.line()


def test_long_times_have_hours(clock: Clock) -> None:
    """Minutes and seconds in two digits."""
    tally = Tally()
    tally.start("answers", 101, 0)
    tally.advance(Finished("ok"))
    clock.now += 36.61
    assert "1:01:01 left" in tally.line()


def test_what_asks_no_endpoint_has_no_rate(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    """Windows that are read: how many, how long; when all are read, the result says the rest."""
    tally = Tally()
    tally.start("windows", 4, 0)
    tally.advance(Finished("ok", attempts=0))
    clock.now += 2
    assert "windows 1/4 · 0:06 left" == tally.line()
    with ShownProgress() as progress:
        progress.start("windows", 1, 0)
        progress.advance(Finished("ok", attempts=0))
        progress.start("windows", 2, 2)
    assert ["windows: 1", "windows: nothing left to do (2 finished earlier)"] == capsys.readouterr().err.splitlines()


def test_a_flow_that_breaks_off_says_how_far_it_came(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    """At the end, once."""
    with ShownProgress() as progress:
        progress.start("answers", 3, 0)
        clock.now += 1
        progress.advance(Finished("ok"))
    assert ["answers: 3", "answers 1/3 · 1.0 requests/s · 0:02 left"] == capsys.readouterr().err.splitlines()


FLOW = """
from wildtrace.cli.progress import ShownProgress
from wildtrace.calls.progress import Finished
with ShownProgress() as progress:
    progress.start("answers", 2, 0)
    progress.advance(Finished("ok"))
    progress.result("one: 3 records")
    progress.advance(Finished("ok"))
"""


def test_on_a_terminal_no_line_stands_behind_the_live_one() -> None:
    """A real one: each line begins after the live one was erased; what is left at the end are whole lines."""
    master, slave = pty.openpty()
    subprocess.run([sys.executable, "-c", FLOW], stdin=slave, stdout=slave, stderr=slave, check=True, timeout=60)
    os.close(slave)
    said = b""
    with contextlib.suppress(OSError):
        while piece := os.read(master, 1 << 16):
            said += piece
    os.close(master)
    left = [re.split(r"\x1b\[2K", line)[-1] for line in said.decode().split("\n")]
    shown = [re.sub(r"\x1b\[[?0-9;]*[a-zA-Z]|\r", "", line) for line in left]
    assert ["one: 3 records", "answers 2/2"] == [line.split(" · ")[0] for line in shown if line]


def test_results_go_to_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    """As they come, while the flow goes on."""
    with ShownProgress() as progress:
        progress.result("one: 3 records")
        assert "one: 3 records\n" == capsys.readouterr().out


def test_without_a_terminal_plain_lines_come_every_ten_seconds(
    clock: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    """The start, what is said, a line in due time, and the last one; nothing on standard output."""
    with ShownProgress() as progress:
        progress.start("answers", 5, 2)
        progress.say("A warning [bold]with[/bold] \x1b[31mbrackets")
        for _ in range(3):
            clock.now += 6
            progress.advance(Finished("ok"))
    out, err = capsys.readouterr()
    lines = err.splitlines()
    assert "" == out
    assert "answers: 3 to go (2 finished earlier)" == lines[0]
    assert "A warning [bold]with[/bold] \\x1b[31mbrackets" == lines[1]
    assert ["answers 4/5", "answers 5/5"] == [re.split(" · ", line)[0] for line in lines[2:]]
