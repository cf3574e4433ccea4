"""A disk that is full, or may not be written, at every stage: one sentence, exit 74, nothing lost."""

from __future__ import annotations

import json
import os
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from tests.faults.harness import (
    JUDGES,
    Offline,
    Work,
    eventually,
    file_limit,
    is_one_sentence,
    ledger_of,
    ledger_records,
    snapshot,
    without_privileges,
)
from tests.faults.test_kill import DIE_AT, KILL, asked_tasks, finished_tasks, matches


@pytest.mark.parametrize("size", [0, 1_024, 5_000, 12_000, 20_000, 30_000])
def test_a_full_disk_stops_the_answers_and_loses_none(work: Work, endpoint: Offline, calm_run: Work, size: int) -> None:
    """While the ledger is made and while it grows: the rerun, with room, asks what the ledger lacks and no more."""
    done = work.run("eval", preexec=file_limit(size))
    assert is_one_sentence(done, 74, "responses.json", "cannot be written", "free the disk", "again")
    asked, finished = asked_tasks(work, endpoint), finished_tasks(work, calm_run)
    assert len(asked) == asked.total() <= len(finished) + work.concurrency
    assert size > 12_000 or len(asked) <= work.concurrency
    assert 0 == work.run("eval").status
    assert Counter(set(calm_run.prompts().values()) - finished) == asked_tasks(work, endpoint)
    assert matches(work, calm_run)


@pytest.mark.parametrize("size", [0, 10_000, 25_000])
def test_a_full_disk_stops_the_judges_and_loses_no_verdict(
    work: Work, endpoint: Offline, calm_run: Work, size: int
) -> None:
    """Each judge ends what it has in flight; what could not be kept is asked again, nothing else."""
    work.take_answers(calm_run)
    done = work.run("judge", preexec=file_limit(size))
    assert is_one_sentence(done, 74, "scores.json", "cannot be written", "free the disk", "again")
    asked, finished = len(endpoint.news()), len(ledger_records(work.scores))
    assert asked <= finished + work.concurrency * len(JUDGES)
    assert 0 == work.run("judge").status
    assert len(work.rows) * len(JUDGES) - finished == len(endpoint.news())
    assert matches(work, calm_run)


@pytest.mark.parametrize("command", ["eval", "judge"])
def test_a_disk_that_fills_up_with_the_results(work: Work, endpoint: Offline, calm_run: Work, command: str) -> None:
    """The results are not there, and no half of them; the ledger has every call, and the rerun writes them."""
    if command == "judge":
        work.take_answers(calm_run)
    out = work.responses if command == "eval" else work.scores
    assert -9 == work.run(command, disturbance=DIE_AT.format(name="replace", before=KILL, after="pass")).status
    size = out.with_name(f".{out.name}.tmp").stat().st_size
    endpoint.news()
    done = work.run(command, preexec=file_limit(size - 1))
    assert is_one_sentence(done, 74, out.name, "cannot be written (File too large)", "free the disk", "again")
    assert not out.exists()
    assert [] == [path.name for path in out.parent.iterdir() if path.name.endswith(".tmp")]
    assert 0 == work.run(command).status
    assert [] == endpoint.news()
    assert matches(work, calm_run)


def test_a_disk_that_fills_up_leaves_the_old_results_alone(work: Work, endpoint: Offline, calm_run: Work) -> None:
    """What an earlier run wrote stands until all of the new results are on disk."""
    assert 0 == work.run("eval", limit=3).status
    old = work.responses.read_bytes()
    assert -9 == work.run("eval", disturbance=DIE_AT.format(name="fsync", before=KILL, after="pass")).status
    assert is_one_sentence(work.run("eval", preexec=file_limit(len(old) + 100)), 74, "responses.json")
    assert old == work.responses.read_bytes()
    endpoint.news()
    assert 0 == work.run("eval").status
    assert [] == endpoint.news()
    assert matches(work, calm_run)


@pytest.mark.parametrize("command", ["eval", "judge"])
def test_a_folder_that_may_not_be_written(work: Work, endpoint: Offline, calm_run: Work, command: str) -> None:
    """Said before anything is asked; the folder is named."""
    work.take_answers(calm_run)
    out = work.folder / "locked" / "results.json"
    out.parent.mkdir()
    out.parent.chmod(0o555)
    done = work.run(command, preexec=without_privileges, out=out)
    assert is_one_sentence(done, 74, str(out.parent), "cannot be written", "choose another output")
    assert [] == list(out.parent.iterdir())
    assert [] == endpoint.news()


def test_a_folder_that_may_not_be_made(work: Work, endpoint: Offline) -> None:
    """The same where the output folder is not there and cannot be."""
    locked = work.folder / "locked"
    locked.mkdir()
    locked.chmod(0o555)
    done = work.run("eval", preexec=without_privileges, out=locked / "new" / "results.json")
    assert is_one_sentence(done, 74, "locked/new", "cannot be written", "choose another output")
    assert [] == endpoint.news()


def test_a_folder_that_may_not_be_looked_into(work: Work, endpoint: Offline) -> None:
    """The same where not even its contents may be seen."""
    locked = work.folder / "locked"
    locked.mkdir()
    locked.chmod(0)
    done = work.run("eval", preexec=without_privileges, out=locked / "results.json")
    assert is_one_sentence(done, 74, "locked", "cannot be written", "choose another output")
    assert [] == endpoint.news()


def test_a_file_where_the_output_folder_should_be(work: Work, endpoint: Offline) -> None:
    """It stays as it is."""
    done = work.run("eval", out=work.data / "results.json")
    assert is_one_sentence(done, 74, "data.json", "cannot be written", "choose another output")
    assert work.rows == json.loads(work.data.read_bytes())
    assert [] == endpoint.news()


def test_a_folder_where_the_ledger_should_be(work: Work, endpoint: Offline) -> None:
    """The ledger's own name is in the sentence."""
    ledger_of(work.responses).mkdir(parents=True)
    done = work.run("eval")
    assert is_one_sentence(done, 74, "responses.json.ledger", "choose another output")
    assert [] == endpoint.news()


def test_an_output_name_that_is_too_long(work: Work, endpoint: Offline) -> None:
    """No traceback for a name that no file can have, nor for one that leaves no room for the ledger's."""
    for length in (300, 250):
        done = work.run("eval", out=work.folder / ("x" * length))
        assert is_one_sentence(done, 74, "xxx", "choose another output")
    assert [] == endpoint.news()


def test_results_that_may_not_be_replaced(work: Work, endpoint: Offline, calm_run: Work) -> None:
    """A run whose output folder was locked in the meantime keeps its calls: the ledger's file may still be written."""
    assert 0 == work.run("eval", limit=3).status
    old = snapshot(work.responses.parent)["responses.json"]
    work.responses.parent.chmod(0o555)
    done = work.run("eval", preexec=without_privileges)
    assert is_one_sentence(done, 74, "responses.json", "cannot be written")
    work.responses.parent.chmod(0o755)
    assert old == work.responses.read_bytes()
    asked = asked_tasks(work, endpoint)
    assert 0 == work.run("eval").status
    assert Counter(calm_run.prompts().values()) == asked + asked_tasks(work, endpoint)
    assert matches(work, calm_run)


@pytest.mark.usefixtures("endpoint")
def test_standard_output_on_a_full_disk(work: Work, calm_run: Work) -> None:
    """The results are saved all the same; the status tells that something could not be written."""
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = work.run("eval", streams={"stdout": full})
    assert is_one_sentence(done, 74, "standard output cannot be written (No space left on device)")
    assert matches(work, calm_run)


@pytest.mark.usefixtures("endpoint")
def test_standard_error_on_a_full_disk_stops_nothing(work: Work, calm_run: Work) -> None:
    """A progress display that cannot be shown is no reason to end a run."""
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        assert 0 == work.run("eval", streams={"stderr": full}).status
    assert matches(work, calm_run)


@pytest.mark.usefixtures("endpoint")
def test_closed_streams_stop_nothing(work: Work, calm_run: Work) -> None:
    """The same where the process was started without them."""
    assert 0 == work.run("eval", preexec=lambda: os.closerange(1, 3)).status
    assert matches(work, calm_run)


def test_a_reader_that_goes_away_stops_nothing(work: Work, endpoint: Offline, calm_run: Work) -> None:
    """`wildtrace eval 2>&1 | head -1`: the run goes on to its end."""
    process = work.start("eval", streams={"stderr": subprocess.STDOUT})
    eventually(endpoint.lines)
    assert process.stdout is not None
    process.stdout.close()
    assert process.wait(30) in {0, 141}
    assert matches(work, calm_run)
