"""Eval and judge through a real language model: whatever it answers, the bookkeeping must hold.

The model is far too small to answer or judge well; its unusable verdicts are just what an incomplete run looks like.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.llm

REPORT = (
    "Incident report 7. On 3 March the pump at Harrow Lane stopped at 06:40. "
    "The night operator, Ines Vard, had closed valve B because its gauge read 9 bar. "
    "The gauge was wrong: it had been dropped in February and never checked. "
    "Without flow the pump overheated and its seal failed at 06:38. "
)
TALE = "The lamp on the quay burned until five. Old Merrin counted the boats and found one too few. "
LONG = "The river rose and fell and rose again, and nobody wrote it down. " * 900


@pytest.fixture(scope="module")
def base_url() -> Iterator[str]:
    """The address of the model's own server."""
    with subprocess.Popen(
        [sys.executable, "-m", "tests.llm.serve"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdout is not None
        ready = next((line for line in process.stdout if line.startswith("READY ")), "")
        yield f"{ready.split()[1]}/v1"
        assert process.stdin is not None
        process.stdin.close()
        process.kill()


@pytest.fixture
def release(tmp_path: Path) -> Path:
    """Three tasks: two short documents, and one that is longer than the model's window."""
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    for name, text in {"report.txt": REPORT * 3, "tale.txt": TALE * 8, "long.txt": LONG}.items():
        (corpus / name).write_text(text, encoding="utf-8")
    tasks = [
        _task("t1", "report.txt", "Why did the pump at Harrow Lane stop?"),
        _task("t2", "tale.txt", "What did Merrin find?"),
        _task("t3", "long.txt", "What did the river do?"),
    ]
    (tmp_path / "tasks.json").write_text(json.dumps(tasks), encoding="utf-8")
    return tmp_path


def _task(question_id: str, corpus_file: str, question: str) -> dict[str, Any]:
    rubric = [{"points": 60, "correct_criterion": "the cause"}, {"points": 40, "correct_criterion": "the detail"}]
    return {
        "question_id": question_id,
        "corpus_file": corpus_file,
        "question_text": question,
        "ground_truth": {"scoring_rubric": rubric},
    }


def _configure(release: Path, base_url: str, *, stream: bool) -> Path:
    endpoint = {"base_url": base_url, "stream": stream, "concurrency": 1, "backoff_s": 0.1, "api_key_env": "LOCAL_KEY"}
    config = {
        **endpoint,
        "model": "smollm2-135m-instruct",
        "max_tokens": 48,
        "judges": [{**endpoint, "name": "small", "model": "smollm2-judge", "max_tokens": 48}],
    }
    path = release / "config.json"
    path.write_text(json.dumps(config), encoding="utf-8")
    return path


def _run(command: str, release: Path, *more: str) -> subprocess.CompletedProcess[str]:
    arguments = ["--config", "config.json", "--data", "tasks.json", *more]
    return subprocess.run(
        [sys.executable, "-m", "wildtrace", command, *arguments],
        cwd=release,
        env={**os.environ, "LOCAL_KEY": "local"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def _eval(release: Path) -> subprocess.CompletedProcess[str]:
    return _run("eval", release, "--corpus", "corpus", "--out", "r.json")


def _read(path: Path) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return data


@pytest.mark.parametrize("stream", [True, False])
def test_real_answers_are_booked(release: Path, base_url: str, *, stream: bool) -> None:
    """Answers carry usage and the served model; the document beyond the window is pending with its reason."""
    _configure(release, base_url, stream=stream)

    done = _eval(release)

    assert 2 == done.returncode, done.stderr
    responses = {row["question_id"]: row for row in _read(release / "r.json")["responses"]}
    assert "context_overflow" == responses["t3"]["reason"]
    assert "cap" in responses["t3"]["error"]
    for question_id in ("t1", "t2"):
        row = responses[question_id]
        assert ("ok", None) == (row["status"], row["reason"])
        assert row["response"].strip()
        assert row["usage"]["prompt_tokens"] > 50
        assert 0 < row["usage"]["completion_tokens"] <= 48
        assert "unverified" not in row["flags"]
        assert "suspected_truncation" not in row["flags"]
        assert 1 == row["attempts"]


def test_a_finished_answer_is_not_asked_again(release: Path, base_url: str) -> None:
    """A second run changes nothing, and an overflowed prompt is not sent again under the same cap."""
    _configure(release, base_url, stream=True)
    _eval(release)
    before = (release / "r.json").read_bytes()

    again = _eval(release)

    assert 2 == again.returncode
    assert before == (release / "r.json").read_bytes()


def test_unusable_verdicts_leave_the_run_resumable(release: Path, base_url: str) -> None:
    """Whatever the small judge says, a credit is in range, a failure keeps its reply, and All waits for the panel."""
    _configure(release, base_url, stream=False)
    _eval(release)

    done = _run("judge", release, "--responses", "r.json", "--out", "s.json")

    scores = _read(release / "s.json")
    judged = [row["judges"]["small"] for row in scores["scores"] if row["status"] == "ok"]
    assert 2 == len(judged)
    for entry in judged:
        assert 0 <= entry["score"] <= 1 if "score" in entry else entry["error"] and entry["reply"] is not None
    assert 2 == done.returncode  # t3 is pending in any case
    assert (scores["overall"] is None) == any("error" in entry for entry in judged)


def test_a_wrong_key_stops_the_run(release: Path, base_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A real 401 ends the asking at once, with what to change and without the key."""
    _configure(release, base_url, stream=True)
    config = _read(release / "config.json")
    config["api_key_env"] = "OTHER_KEY"
    (release / "config.json").write_text(json.dumps(config), encoding="utf-8")
    monkeypatch.setenv("OTHER_KEY", "sk-very-secret")

    done = _eval(release)

    assert 78 == done.returncode
    assert "api_key_env" in done.stderr
    assert "sk-very-secret" not in done.stdout + done.stderr + (release / "r.json").read_text(encoding="utf-8")
