"""kill -9 at any moment, and a rerun: what was finished is not asked again (docs/protocol.md, rule 28)."""

from __future__ import annotations

import json
import sqlite3
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from tests.faults.harness import (
    JUDGES,
    Offline,
    Work,
    calm,
    ended,
    eventually,
    file_limit,
    killed,
    ledger_of,
    ledger_records,
    offline,
)

# The default action of SIGXFSZ is to kill; a process that starts so dies in the middle of the write that grows a file
# beyond RLIMIT_FSIZE: like kill -9, at a byte that the test chooses.
DIE_AT_LIMIT = "signal.signal(signal.SIGXFSZ, signal.SIG_DFL)"
DIE_AT = (
    "real = os.{name}\ndef die(*given, **named):\n    {before}\n    real(*given, **named)\n    {after}\nos.{name} = die"
)
KILL = "os.kill(os.getpid(), signal.SIGKILL)"


@pytest.fixture
def slow(tmp_path: Path, work: Work) -> Iterator[Offline]:
    """An endpoint that takes 60 ms a reply, so that there is something to kill."""
    with offline(tmp_path / "log", latency_s=0.06) as running:
        work.configure(running.url)
        yield running


def answers_of(work: Work) -> dict[str, str]:
    """Which task an answer belongs to; no two tasks of the made release are answered alike."""
    rows = json.loads(work.responses.read_bytes())["responses"]
    return {row["response"]: row["question_id"] for row in rows}


def finished_tasks(work: Work, calm_run: Work) -> set[str]:
    """The tasks whose answers the ledger has."""
    known = answers_of(calm_run)
    records = ledger_records(work.responses)
    answers = [
        record["reply"]["content"] if record["reply"] is not None else record["response"]["response"]
        for record in records
    ]
    return {known[answer] for answer in answers}


def asked_tasks(work: Work, endpoint: Offline) -> Counter[str]:
    """How often the endpoint was asked each task since it was last looked at, by its own log."""
    prompts = work.prompts()
    return Counter(prompts[line["sha256"]] for line in endpoint.news())


def matches(work: Work, calm_run: Work) -> bool:
    """Whether both results are what an undisturbed run makes, but for times and the endpoint's port."""
    for path, wanted in ((work.responses, calm_run.responses), (work.scores, calm_run.scores)):
        if path.exists():
            assert without_port(calm(wanted)) == without_port(calm(path))
    return not [entry.name for entry in work.responses.parent.iterdir() if entry.name.endswith(".tmp")]


def without_port(file: dict[str, object]) -> dict[str, object]:
    """A results file without what depends on the endpoint's port, or on times."""
    file.pop("rows_digest")
    provenance = file["provenance"]
    assert isinstance(provenance, dict)
    for key in ("base_url", "signature"):
        provenance.pop(key)
    for row in provenance.get("panel") or []:
        row.pop("base_url")
    return file


def test_killed_again_and_again_while_answering(work: Work, slow: Offline, calm_run: Work) -> None:
    """At most `concurrency` calls a kill are asked again, none that finished; the end is an undisturbed run's."""
    random = Random(20)
    finished: set[str] = set()
    kills = 0
    while len(finished) < len(work.rows) and kills < 12:
        process = work.start("eval")
        eventually(lambda: len(slow.lines()) > slow.seen)
        time.sleep(random.uniform(0.0, 0.2))
        killed(process)
        kills += 1
        asked, before = asked_tasks(work, slow), finished
        finished = finished_tasks(work, calm_run)
        assert set() == before & set(asked), "a finished call was asked again"
        assert before <= finished
        assert len(asked) == asked.total() <= len(finished - before) + work.concurrency
    assert 3 <= kills
    assert 0 == work.run("eval").status
    assert Counter(set(calm_run.prompts().values()) - finished) == asked_tasks(work, slow)
    assert matches(work, calm_run)


def test_killed_at_one_moment_after_another_of_a_run(work: Work, slow: Offline, calm_run: Work) -> None:
    """From start-up to the end of the run: whatever the moment, one rerun asks exactly what the ledger lacks."""
    for moment in range(6):
        for path in work.responses.parent.glob("*"):
            path.unlink()
        process = work.start("eval")
        time.sleep(0.02 + moment * 0.12)
        killed(process)
        first, finished = asked_tasks(work, slow), finished_tasks(work, calm_run)
        assert len(first) <= len(finished) + work.concurrency
        assert 0 == work.run("eval").status
        assert Counter(set(calm_run.prompts().values()) - finished) == asked_tasks(work, slow)
        assert matches(work, calm_run)


def test_killed_again_and_again_while_judging(work: Work, slow: Offline, calm_run: Work) -> None:
    """Three judges: at most `concurrency` calls a judge and kill are asked again, and the scores are the same."""
    work.take_answers(calm_run)
    random = Random(7)
    finished = kills = 0
    while finished < len(work.rows) * len(JUDGES) and kills < 5:
        process = work.start("judge")
        eventually(lambda: len(slow.lines()) > slow.seen)
        time.sleep(random.uniform(0.0, 0.15))
        killed(process)
        kills += 1
        asked, before = len(slow.news()), finished
        finished = len(ledger_records(work.scores))
        assert 0 <= asked - (finished - before) <= work.concurrency * len(JUDGES)
    assert 2 <= kills
    assert 0 == work.run("judge").status
    assert len(work.rows) * len(JUDGES) - finished == len(slow.news())
    assert matches(work, calm_run)


@pytest.mark.parametrize("size", [0, 100, 1_024, 4_096, 9_000, 36_011, 63_777, 90_000])
def test_killed_in_the_middle_of_a_ledger_write(work: Work, endpoint: Offline, calm_run: Work, size: int) -> None:
    """Torn at any byte of the ledger's files, what was committed is there and nothing else is asked again."""
    done = work.run("eval", disturbance=DIE_AT_LIMIT, preexec=file_limit(size))
    assert -25 == done.status
    endpoint.news()
    finished = finished_tasks(work, calm_run)
    assert size < 60_000 or finished
    assert 0 == work.run("eval").status
    assert Counter(set(calm_run.prompts().values()) - finished) == asked_tasks(work, endpoint)
    assert matches(work, calm_run)


@pytest.mark.parametrize("size", [60_000, 100_000])
def test_killed_in_the_middle_of_a_judges_ledger_write(
    work: Work, endpoint: Offline, calm_run: Work, size: int
) -> None:
    """The same for verdicts."""
    work.take_answers(calm_run)
    assert -25 == work.run("judge", disturbance=DIE_AT_LIMIT, preexec=file_limit(size)).status
    endpoint.news()
    finished = len(ledger_records(work.scores))
    assert 0 < finished
    assert 0 == work.run("judge").status
    assert len(work.rows) * len(JUDGES) - finished == len(endpoint.news())
    assert matches(work, calm_run)


@pytest.mark.parametrize("place", [("fsync", KILL, "pass"), ("replace", KILL, "pass"), ("replace", "pass", KILL)])
@pytest.mark.parametrize("command", ["eval", "judge"])
def test_killed_while_the_results_are_written(
    work: Work, endpoint: Offline, calm_run: Work, command: str, place: tuple[str, str, str]
) -> None:
    """Before and after they reach the disk and take their place: a rerun asks nothing, and they take over whole."""
    out = work.responses if command == "eval" else work.scores
    if command == "judge":
        work.take_answers(calm_run)
    name, before, after = place
    dying = DIE_AT.format(name=name, before=before, after=after)
    assert -9 == work.run(command, disturbance=dying).status
    assert (after == KILL) == out.exists()
    assert len(work.rows) * (1 if command == "eval" else len(JUDGES)) == len(ledger_records(out))
    endpoint.news()
    assert 0 == work.run(command).status
    assert [] == endpoint.news()
    assert matches(work, calm_run)


def test_killed_while_old_results_are_replaced(work: Work, endpoint: Offline, calm_run: Work) -> None:
    """The old results stand until the new ones are whole."""
    assert 0 == work.run("eval", limit=3).status
    old = work.responses.read_bytes()
    dying = DIE_AT.format(name="fsync", before=KILL, after="pass")
    assert -9 == work.run("eval", disturbance=dying).status
    assert old == work.responses.read_bytes()
    endpoint.news()
    assert 0 == work.run("eval").status
    assert [] == endpoint.news()
    assert matches(work, calm_run)


def test_a_killed_run_leaves_the_output_free(work: Work, slow: Offline, calm_run: Work) -> None:
    """No lock is left behind: the next run starts at once."""
    process = work.start("eval")
    eventually(slow.lines)
    killed(process)
    assert 0 == work.run("eval").status
    assert matches(work, calm_run)


def test_the_ledger_is_on_disk_before_the_next_call_is_made(work: Work, slow: Offline, calm_run: Work) -> None:
    """While a run goes on, what its ledger holds lags behind the replies by at most what is in flight."""
    process = work.start("eval")
    eventually(lambda: len(slow.lines()) >= 12)
    lines = len(slow.lines())
    held = finished_tasks(work, calm_run)
    assert lines - len(held) <= work.concurrency + 1
    assert 0 == ended(process).status
    with closing(sqlite3.connect(ledger_of(work.responses))) as connection:
        assert [("ok",)] == list(connection.execute("PRAGMA integrity_check"))
