"""More connections than a process may hold open: the limit is raised where it can be, else said what to change."""

from __future__ import annotations

import resource
from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.endpoint import serving, whole
from tests.faults.harness import Work, is_one_sentence

CONCURRENCY = 24
SLOW = replace(whole('{"points_awarded": [60, 40], "total": 100}'), delay_s=0.4)


def at_most(files: int, *, hard: bool) -> Callable[[], None]:
    """So many open files; `hard`: for good, else until the process itself raises it."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    return lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (files, files if hard else most))


@pytest.mark.parametrize("command", ["eval", "judge"])
def test_a_low_limit_is_raised_as_far_as_concurrency_needs(work: Work, calm_run: Work, command: str) -> None:
    """The soft limit is the user's to raise, so the program does; for every judge at once."""
    with serving([SLOW]) as server:
        work.take_answers(calm_run)
        if command == "eval":
            work.responses.unlink()
        work.configure(server.url, judge_url=server.url, concurrency=CONCURRENCY)
        done = work.run(command, preexec=at_most(22, hard=False))
    assert 0 == done.status, done


def test_a_limit_that_cannot_be_raised_is_told_with_what_to_change(work: Work) -> None:
    """No document is blamed; what was answered is kept, and fewer at once go on."""
    with serving([SLOW]) as server:
        work.configure(server.url, concurrency=CONCURRENCY)
        done = work.run("eval", preexec=at_most(22, hard=True))
        assert is_one_sentence(done, 78, "lower concurrency", "ulimit -n", "run the same command again")
        assert "restore" not in done.err
        answered = len(server.asked)
        assert answered < CONCURRENCY
        work.configure(server.url, concurrency=4)
        assert 0 == work.run("eval", preexec=at_most(40, hard=True)).status
        assert len(work.rows) == len(server.asked)
