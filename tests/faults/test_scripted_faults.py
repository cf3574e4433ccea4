"""A tenth of all requests meets each scripted fault: the run is complete, and every request is accounted for."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.faults.harness import JUDGES, Work, offline
from tests.faults.test_kill import without_port
from wildtrace.endpoints.offline.faults import FaultRates

LACKING = re.compile(r"\b(1 answer lacks|\d+ answers lack) a judge, so All is not known; run the same command again")
RETRIED = ("429", "5xx", "drop", "cut")
RATES: dict[str, FaultRates] = {
    "429": FaultRates(too_many=0.1),
    "5xx": FaultRates(server=0.1),
    "drop": FaultRates(drop=0.1),
    "cut": FaultRates(cut=0.1),
    "all of them": FaultRates(0.03, 0.03, 0.03, 0.03),
}


def contents(path: Path) -> Any:
    """A results file without times, the port and how often a task was asked."""
    file = without_port(json.loads(path.read_bytes()))
    provenance: Any = file.pop("provenance")
    rows: Any = file.get("responses") or file.get("scores")
    for row in rows:
        for name in ("attempts", "latency_s"):
            row.pop(name, None)
    return file, provenance["flags"], provenance["tasks"]


def verdicts(work: Work) -> list[dict[str, Any]]:
    """Every judge's entry in the scores file."""
    scores = json.loads(work.scores.read_bytes())["scores"]
    return [judge for score in scores for judge in score["judges"].values()]


@pytest.mark.parametrize(("fault", "stream"), [*((fault, True) for fault in RATES), ("all of them", False)])
def test_answers_are_complete_and_requests_are_tasks_and_faults(
    work: Work, tmp_path: Path, calm_run: Work, fault: str, stream: bool
) -> None:
    """Requests = tasks + retried faults, by the endpoint's log and the attempts in the file. Answers are the same."""
    with offline(tmp_path / "log", faults=RATES[fault], seed=11, retry_after_s=0) as endpoint:
        work.configure(endpoint.url, stream=stream)
        done = work.run("eval")
        lines = endpoint.news()
    assert 0 == done.status, done
    met = Counter(line["fault"] for line in lines)
    retried = sum(met[name] for name in RETRIED)
    assert retried
    assert len(work.rows) + retried == len(lines)
    rows = json.loads(work.responses.read_bytes())["responses"]
    assert len(lines) == sum(row["attempts"] for row in rows)
    assert contents(calm_run.responses) == contents(work.responses)


def test_retry_after_holds_all_callers_back(work: Work, tmp_path: Path, calm_run: Work) -> None:
    """A 429 with a second's Retry-After pauses the endpoint, not the one caller; the run goes on by itself."""
    with offline(tmp_path / "log", faults=FaultRates(too_many=0.1), seed=16, retry_after_s=1) as endpoint:
        work.configure(endpoint.url)
        assert 0 == work.run("eval").status
        lines = endpoint.news()
    refused = sum(line["fault"] == "429" for line in lines)
    assert 2 == refused
    assert len(work.rows) + refused == len(lines)
    assert contents(calm_run.responses) == contents(work.responses)


def test_a_panel_with_every_fault(work: Work, tmp_path: Path, calm_run: Work) -> None:
    """What fails on the way is retried, a malformed verdict asked for again; a rerun, if one is needed, completes."""
    work.take_answers(calm_run)
    rates = FaultRates(0.05, 0.05, 0.05, 0.05, 0.1)
    met: Counter[str | None] = Counter()
    with offline(tmp_path / "log", faults=rates, seed=1, retry_after_s=0) as endpoint:
        work.configure(endpoint.url)
        for _ in range(4):
            done = work.run("judge")
            met.update(line["fault"] for line in endpoint.news())
            lacking = sum("error" in judge for judge in verdicts(work))
            assert (2 if lacking else 0) == done.status, done
            if not lacking:
                break
    assert 0 == done.status
    assert {*RETRIED, "malformed"} <= set(met)
    assert len(work.rows) * len(JUDGES) == met[None]
    assert contents(calm_run.scores) == contents(work.scores)


def test_verdicts_that_stay_malformed_exit_with_2_and_later_runs_go_on(
    work: Work, tmp_path: Path, calm_run: Work
) -> None:
    """Three samples a run; then 2, no mean over all, every usable verdict kept; a later run asks for what lacks."""
    work.take_answers(calm_run)
    with offline(tmp_path / "log", faults=FaultRates(malformed=0.6), seed=2) as endpoint:
        work.configure(endpoint.url)
        asked, runs = 0, 0
        lacking = len(work.rows) * len(JUDGES)
        while lacking:
            done = work.run("judge")
            runs += 1
            lines = endpoint.news()
            asked += len(lines)
            usable = sum(line["fault"] is None for line in lines)
            assert lacking <= len(lines) <= 3 * lacking
            lacking -= usable
            assert lacking == sum("error" in judge for judge in verdicts(work))
            assert (2 if lacking else 0) == done.status, done
            assert bool(lacking) == (json.loads(work.scores.read_bytes())["overall"] is None)
            if lacking:
                assert LACKING.search(done.err), done.err
            assert runs < 12
    assert 1 < runs
    assert contents(calm_run.scores) == contents(work.scores)


def test_an_endpoint_that_only_fails_ends_with_2_and_a_later_run_completes(
    work: Work, tmp_path: Path, calm_run: Work
) -> None:
    """Six requests a task and no more; the endpoint comes back, and everything is asked."""
    log = tmp_path / "log"
    with offline(log, faults=FaultRates(server=1.0)) as endpoint:
        port = int(endpoint.url.rsplit(":", 1)[1].removesuffix("/v1"))
        work.configure(endpoint.url, concurrency=12, backoff_s=0)
        done = work.run("eval")
        assert 2 == done.status, done
        assert 6 * len(work.rows) == len(endpoint.news())
    rows = json.loads(work.responses.read_bytes())["responses"]
    assert {("pending", "server_error", 6)} == {(row["status"], row["reason"], row["attempts"]) for row in rows}
    judged = work.run("judge")
    assert 2 == judged.status, judged
    assert f"{len(work.rows)} tasks are pending; run eval again, then judge" in judged.err
    with offline(log, port=port):
        assert (0, 0) == (work.run("eval").status, work.run("judge").status)
    assert contents(calm_run.responses) == contents(work.responses)
    assert contents(calm_run.scores) == contents(work.scores)


def test_no_endpoint_at_all(work: Work) -> None:
    """An address where nothing listens ends the run after the first few calls, and says which address it is."""
    work.configure("http://127.0.0.1:9/v1", backoff_s=0)
    done = work.run("eval")
    assert 78 == done.status, done
    assert "cannot reach 127.0.0.1:9 (http://127.0.0.1:9/v1): " in done.err
    rows = json.loads(work.responses.read_bytes())["responses"]
    assert {"pending"} == {row["status"] for row in rows}
    assert 3 * work.concurrency >= sum(row["attempts"] for row in rows)
