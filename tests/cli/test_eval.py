"""eval and judge as commands, over HTTP, from config.json to the printed means."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.endpoint import Answer, Asked, Loopback, raw, serving, whole
from tests.fakes import IDS, QUESTIONS, Made, config_table, verdict
from wildtrace.cli.main import exit_status, main
from wildtrace.scores.results import read_responses, read_scores


def model(asked: Asked) -> Answer:
    """A contestant that names its task, and judges that award 30, 60 and 90."""
    name = asked.body["model"]
    if name.startswith("grader-"):
        return whole(verdict(30 * int(name[-1])), usage={"prompt_tokens": 50, "completion_tokens": 9})
    question = asked.prompt.split("Question: ", 1)[1].split("\n", 1)[0]
    return whole(f"answer to {QUESTIONS[question]}", usage={"prompt_tokens": 200, "completion_tokens": 4})


Command = Callable[..., int]


@pytest.fixture
def wildtrace(made: Made, monkeypatch: pytest.MonkeyPatch) -> Command:
    """Run `wildtrace eval` or `wildtrace judge` on the made release with this config; the exit status."""

    def run(name: str, table: dict[str, Any], *options: str, key: str = "") -> int:
        monkeypatch.setenv("API_KEY", key)
        config = made.folder / "config.json"
        config.write_text(json.dumps(table))
        files = {
            "eval": ["--corpus", made.corpus, "--out", made.responses],
            "judge": ["--responses", made.responses, "--out", made.scores],
        }
        arguments = [name, "--config", config, "--data", made.data, *files[name], *options]
        monkeypatch.setattr("sys.argv", ["wildtrace", *map(str, arguments)])
        return exit_status(main, "wildtrace")

    return run


def test_eval_and_judge_end_with_the_two_means(
    made: Made, wildtrace: Command, capsys: pytest.CaptureFixture[str]
) -> None:
    """Over HTTP, streamed off and on; both exit with 0; run again, nothing is asked."""
    with serving(model) as endpoint:
        table = config_table(endpoint.url)
        assert [0, 0] == [wildtrace("eval", table), wildtrace("judge", table)]
        asked = len(endpoint.asked)
        assert 6 + 18 == asked
        out, err = capsys.readouterr()
        assert "6 tasks: 6 ok" in out
        assert ["Scored   60.0", "All6     60.0"] == [line[:14].rstrip() for line in out.splitlines()[1:3]]
        assert "answers 6/6" in err
        assert [0, 0] == [wildtrace("eval", table), wildtrace("judge", table)]
        assert asked == len(endpoint.asked)
    assert [f"answer to {question_id}" for question_id in IDS] == [
        response.response for response in read_responses(made.responses).responses
    ]
    assert read_scores(made.scores).all_tasks_overall == pytest.approx(0.6)


def test_limit_asks_and_judges_the_same_few(made: Made, wildtrace: Command) -> None:
    """Both commands draw the same tasks."""
    with serving(model) as endpoint:
        table = config_table(endpoint.url)
        assert [0, 0] == [wildtrace(name, table, "--limit", "2") for name in ("eval", "judge")]
        assert 2 + 6 == len(endpoint.asked)
    assert {"ok"} == {score.status for score in read_scores(made.scores).scores}


def test_judging_a_sample_without_its_limit_says_what_it_is(
    wildtrace: Command, capsys: pytest.CaptureFixture[str]
) -> None:
    """The missing tasks count as zero, which is complete (0); how many they are and how to judge the sample is said."""
    with serving(model) as endpoint:
        table = config_table(endpoint.url)
        assert 0 == wildtrace("eval", table, "--limit", "2")
        assert 0 == wildtrace("judge", table)
        out, err = capsys.readouterr()
        assert "Zeros in All: 4 missing" in out
        assert "cover 2 of 6 tasks; the 4 others count as zero in All" in err
        assert "add --limit 2 to judge it alone" in err
        assert 0 == wildtrace("judge", table, "--limit", "2")
        assert "cover" not in capsys.readouterr().err


def broken(answer: Answer, judges_too: bool) -> Callable[[Asked], Answer]:
    """A server at which one question, or one judge, always meets this answer."""

    def script(asked: Asked) -> Answer:
        hit = asked.body["model"] == "grader-2" if judges_too else "Which pump?" in asked.raw.decode()
        return answer if hit else model(asked)

    return script


@pytest.mark.parametrize(
    ("answer", "status", "words"),
    [
        (raw({"error": {"message": "busy"}}, 503), 2, "1 task is pending; run the same command again"),
        (raw({"error": {"message": "bad key"}}, 401), 78, "check the key"),
        (raw({"error": {"code": "insufficient_quota"}}, 429), 2, "fund it, then run the same command again"),
        (
            raw({"error": {"message": "no", "param": "temperature", "code": "unsupported_value"}}, 400),
            78,
            "send_temperature",
        ),
        (raw({"error": {"code": "content_filter"}}, 400), 0, ""),
        (
            raw({"error": {"code": "context_length_exceeded"}}, 400),
            2,
            "1 document is longer than the endpoint's window",
        ),
        (whole(""), 0, ""),
    ],
)
def test_evals_exit_status_says_whether_a_rerun_helps(
    wildtrace: Command, capsys: pytest.CaptureFixture[str], answer: Answer, status: int, words: str
) -> None:
    """0 complete, 2 resumable, 78 to be mended; with what to do."""
    with serving(broken(answer, judges_too=False)) as endpoint:
        assert status == wildtrace("eval", config_table(endpoint.url, concurrency=1))
    assert words in capsys.readouterr().err


def test_each_reason_for_a_failure_comes_with_an_example(
    wildtrace: Command, capsys: pytest.CaptureFixture[str]
) -> None:
    """The first task and the endpoint's words, one line, without the key that it repeats."""

    def script(asked: Asked) -> Answer:
        question = asked.prompt.split("Question: ", 1)[1].split("\n", 1)[0]
        told = f"overloaded\nwhile serving {asked.headers['Authorization']} {'x' * 400}"
        return whole("") if QUESTIONS[question].startswith("zh") else raw({"error": {"message": told}}, 503)

    with serving(script) as endpoint:
        assert 2 == wildtrace("eval", config_table(endpoint.url), key="sk-secret-of-the-test-0123456789")
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].endswith("6 tasks: 2 empty_stop, 4 server_error")
    assert "  empty_stop, for example zh-1" == lines[1]
    assert lines[2].startswith("  server_error, for example en-1: HTTP 503: overloaded while serving Bearer [key]")
    assert len(lines[2]) < 250
    assert "sk-secret" not in "".join(lines)


@pytest.mark.parametrize("answer", [raw({}, 503), raw({}, 401), raw({}, 402), whole("no verdict")])
def test_judge_exits_with_2_while_a_verdict_is_missing(
    made: Made, wildtrace: Command, capsys: pytest.CaptureFixture[str], answer: Answer
) -> None:
    """Whatever the judge's trouble; All is not printed; the next run ends with 0 and asks only that judge."""
    with serving(broken(answer, judges_too=True)) as endpoint:
        table = config_table(endpoint.url)
        assert [0, 2] == [wildtrace("eval", table), wildtrace("judge", table)]
        assert "n/a" in capsys.readouterr().out
        assert read_scores(made.scores).all_tasks_overall is None
        before = len(endpoint.asked)
        endpoint.script = model
        assert 0 == wildtrace("judge", table)
        assert {"grader-2"} == {asked.body["model"] for asked in endpoint.asked[before:]}


def test_what_is_wrong_with_the_input_is_said_before_anything_is_asked(
    made: Made, wildtrace: Command, capsys: pytest.CaptureFixture[str]
) -> None:
    """65 for data, 78 for the config, 64 for the command line; one line each."""
    with serving(model) as endpoint:
        table = config_table(endpoint.url)
        assert 78 == wildtrace("eval", {**table, "modle": "x"})
        assert "unknown key 'modle'; did you mean 'model'?" in capsys.readouterr().err
        assert 64 == wildtrace("eval", table, "--limit", "0")
        assert 64 == wildtrace("eval", table, "--condition", "some")
        assert 64 == wildtrace("eval", table, "--out", "")
        assert "the path is empty" in capsys.readouterr().err
        capsys.readouterr()
        assert 65 == wildtrace("judge", table)
        (made.corpus / "水闸.txt").unlink()
        assert 65 == wildtrace("eval", table)
        err = capsys.readouterr().err
        assert "lacks 水闸.txt; restore the corpus, nothing was asked" in err
        assert "Traceback" not in err
        assert [] == endpoint.asked


def test_warnings_come_before_the_first_request(wildtrace: Command, capsys: pytest.CaptureFixture[str]) -> None:
    """An unknown cap, an unusual budget, a document that reading changed."""
    with serving(model) as endpoint:
        assert 0 == wildtrace("eval", config_table(endpoint.url, caps={}, max_tokens=50))
    err = capsys.readouterr().err
    order = [
        "wildtrace probe",
        "max_tokens is 50; the protocol's budget for this model is 8192",
        "incident.txt: read",
        "answers: 6",
    ]
    assert sorted(map(err.index, order)) == [err.index(words) for words in order]


def scripts(endpoint: Loopback, made: Made, data: Path) -> list[subprocess.CompletedProcess[str]]:
    """The protocol's two commands, as it writes them."""
    root = Path(__file__).parents[2]
    config = made.folder / "config.json"
    config.write_text(json.dumps(config_table(endpoint.url)))
    shared = ["--config", config, "--data", data]
    runs = [
        ["eval/run_eval.py", *shared, "--corpus", made.corpus, "--out", made.responses],
        ["eval/run_judge.py", *shared, "--responses", made.responses, "--out", made.scores],
    ]
    return [
        subprocess.run([sys.executable, *map(str, run)], check=False, capture_output=True, text=True, cwd=root)
        for run in runs
    ]


def test_the_protocols_two_scripts_do_the_same_on_both_forms(made: Made) -> None:
    """Real processes; the second form resumes what the first one did."""
    with serving(model) as endpoint:
        first = scripts(endpoint, made, made.data)
        assert [0, 0] == [done.returncode for done in first], first
        assert "All6     60.0" in first[1].stdout
        asked = len(endpoint.asked)
        second = scripts(endpoint, made, made.lines)
        assert [0, 0] == [done.returncode for done in second], second
        assert (24, 24) == (asked, len(endpoint.asked))
