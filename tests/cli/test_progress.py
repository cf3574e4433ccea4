"""What is shown while a flow runs."""

from __future__ import annotations

import re

import pytest

from wildtrace.cli.progress import ShownProgress, Tally
from wildtrace.pipeline.progress import Finished


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
    assert "answers: 5, 2 done by earlier runs or out of scope" == lines[0]
    assert "A warning [bold]with[/bold] \\x1b[31mbrackets" == lines[1]
    assert ["answers 4/5", "answers 5/5"] == [re.split(" · ", line)[0] for line in lines[2:]]
