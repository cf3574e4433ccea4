"""Documents that change, vanish or break while a run goes on."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.faults.harness import Offline, Work, ended, eventually, is_one_sentence, offline
from tests.faults.test_kill import finished_tasks, matches


@pytest.fixture
def slow(tmp_path: Path, work: Work) -> Iterator[Offline]:
    """An endpoint that takes a fifth of a second a reply."""
    with offline(tmp_path / "log", latency_s=0.2) as running:
        work.configure(running.url)
        yield running


def longer(path: Path) -> None:
    """The document grows."""
    path.write_bytes(path.read_bytes() + b"And more.")


def other_letters(path: Path) -> None:
    """The document has other letters, and as many."""
    path.write_bytes(path.read_bytes().swapcase().replace("第".encode(), "号".encode()))


def replaced(path: Path) -> None:
    """Another file takes its place."""
    text = path.read_bytes()
    path.unlink()
    path.write_bytes(text[:-40])


def gone(path: Path) -> None:
    """The document is deleted."""
    path.unlink()


def broken(path: Path) -> None:
    """The document is no UTF-8 any more."""
    path.write_bytes(b"\xff\xfe" + path.read_bytes()[2:])


@pytest.mark.parametrize("change", [longer, other_letters, replaced, gone, broken])
def test_a_document_that_changes_during_the_run(
    work: Work, slow: Offline, calm_run: Work, change: Callable[[Path], None]
) -> None:
    """The changed text is never sent; what is in flight is kept; with the document restored the run completes."""
    path = work.corpus / work.rows[-1]["corpus_file"]
    text = path.read_bytes()
    process = work.start("eval")
    eventually(slow.lines)
    change(path)
    done = ended(process)
    assert is_one_sentence(done, 65, path.name, "restore it and run again")
    asked = slow.news()
    assert {line["sha256"] for line in asked} <= set(calm_run.prompts())
    finished = finished_tasks(work, calm_run)
    assert len(asked) == len(finished) >= work.concurrency
    rows = json.loads(work.responses.read_bytes())["responses"]
    assert finished == {row["question_id"] for row in rows if row["status"] == "ok"}
    path.write_bytes(text)
    assert 0 == work.run("eval").status
    assert len(work.rows) == len(asked) + len(slow.news())
    assert matches(work, calm_run)


def test_a_document_that_changed_between_runs(work: Work, slow: Offline) -> None:
    """The tasks are named, nothing is asked; restored (with another time stamp) it is the same run."""
    assert 0 == work.run("eval", limit=4).status
    slow.news()
    asked = json.loads(work.responses.read_bytes())["responses"][0]["question_id"]
    path = work.corpus / next(row["corpus_file"] for row in work.rows if row["question_id"] == asked)
    text = path.read_bytes()
    other_letters(path)
    assert is_one_sentence(work.run("eval", limit=4), 78, f"{asked} (document) changed", "restore the data")
    path.write_bytes(text)
    assert 0 == work.run("eval", limit=4).status
    assert [] == slow.news()
