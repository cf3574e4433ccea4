"""The protocol's two scripts meet faults as the commands do, and go on from one another."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.faults.harness import Done, Offline, Work, eventually, killed, ledger_of, offline, plain_environment
from tests.faults.test_kill import asked_tasks, finished_tasks, matches

FOLDER = Path(__file__).parents[2] / "eval"


def start(work: Work, script: str, command: str, **changes: Path | str | int) -> subprocess.Popen[str]:
    """Start a script with the options of its command."""
    options = work.arguments(command, **changes)[1:]
    return subprocess.Popen(
        [sys.executable, str(FOLDER / script), *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=plain_environment(),
    )


def ended(process: subprocess.Popen[str]) -> Done:
    """Wait for it."""
    out, err = process.communicate(timeout=60)
    return Done(process.returncode, out, err)


def test_a_script_goes_on_where_it_was_killed_and_where_the_command_stopped(
    work: Work, tmp_path: Path, calm_run: Work
) -> None:
    """run_eval.py, killed; then the command, killed; then run_eval.py and run_judge.py to the end."""
    with offline(tmp_path / "log", latency_s=0.1) as endpoint:
        work.configure(endpoint.url)
        before: set[str] = set()
        for process in (start(work, "run_eval.py", "eval"), None):
            running = process or work.start("eval")
            eventually(lambda: len(endpoint.lines()) > endpoint.seen + 5)
            killed(running)
            asked, known = asked_tasks(work, endpoint), before
            before = finished_tasks(work, calm_run)
            assert set() == known & set(asked)
        assert 0 == ended(start(work, "run_eval.py", "eval")).status
        assert set(calm_run.prompts().values()) - before == set(asked_tasks(work, endpoint))
        assert 0 == ended(start(work, "run_judge.py", "judge")).status
    assert matches(work, calm_run)


def test_the_scripts_use_the_same_exit_statuses(work: Work, endpoint: Offline, calm_run: Work) -> None:
    """Bad config, bad data, torn ledger, nonsense on the command line; named after the script."""
    nowhere = work.folder / "nowhere"
    done = ended(start(work, "run_eval.py", "eval", config=nowhere))
    assert (78, "run_eval.py: ") == (done.status, done.err[:13])
    assert 65 == ended(start(work, "run_eval.py", "eval", data=nowhere)).status
    assert 64 == ended(start(work, "run_eval.py", "eval", limit="none")).status
    work.take_answers(calm_run)
    ledger_of(work.scores).write_bytes(b"torn" * 1000)
    done = ended(start(work, "run_judge.py", "judge"))
    assert (65, "run_judge.py: ") == (done.status, done.err[:14])
    assert [] == endpoint.news()
