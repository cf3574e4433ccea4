"""Rules 26 to 30: the two means, resuming, the ledger, exit statuses and tiers."""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tests.decisions
from tests.fakes import IDS, ROWS, Call, Fake, Made, Say, all_but, answer, reply, run_config, verdict
from wildtrace import errors
from wildtrace.calls.ledger import ledger_path, open_ledger
from wildtrace.cli.eval import _status
from wildtrace.cli.main import exit_status
from wildtrace.endpoints.config import RunConfig
from wildtrace.endpoints.failures import CallError, EndpointError, QuotaError, TransientError
from wildtrace.endpoints.retry import POLICY
from wildtrace.errors import ConfigError
from wildtrace.evaluate import records
from wildtrace.evaluate.run import evaluate
from wildtrace.judge.run import judge
from wildtrace.prompts import render
from wildtrace.scores.aggregate import aggregate
from wildtrace.scores.results import read_responses
from wildtrace.text.tiers import tier_of
from wildtrace.text.tokens import estimate_tokens
from wildtrace.types import Score

KINDS = [
    ("ok", None),
    ("out_of_context_scope", None),
    ("failed", "refusal"),
    ("failed", "empty_stop"),
    ("failed", "empty_truncated"),
    ("pending", "context_overflow"),
    ("missing", None),
]


@st.composite
def scores(draw: st.DrawFn) -> list[Score]:
    """Any run's scores: answers judged or not, and every reason for a zero."""
    kinds = draw(st.lists(st.tuples(st.sampled_from(KINDS), st.none() | st.integers(0, 100)), max_size=30))
    return [
        Score(
            f"q{place}",
            status,
            None if credit is None or status != "ok" else credit / 100,
            reason=reason,
        )
        if status != "out_of_context_scope"
        else Score(f"q{place}", status, 0.0)
        for place, ((status, reason), credit) in enumerate(kinds)
    ]


@given(scores())
def test_rule_26_scored_and_all_are_these_two_means(given_scores: list[Score]) -> None:
    """By exact fractions: Scored over judged answers, All over every task, null while an answer lacks a judge."""
    total = aggregate(given_scores)
    answers = [score for score in given_scores if score.status == "ok"]
    earned = [Fraction(round(100 * score.score), 100) for score in answers if score.score is not None]
    unjudged = len(answers) - len(earned)
    assert (len(given_scores), len(earned), unjudged) == (total.n_tasks, total.scored_n, total.unjudged)
    if earned:
        assert total.scored == pytest.approx(float(sum(earned) / len(earned)))
    else:
        assert total.scored is None
    if unjudged or not given_scores:
        assert total.all_tasks is None
    else:
        assert total.all_tasks == pytest.approx(float(sum(earned, Fraction()) / len(given_scores)))
    assert len(given_scores) == len(answers) + sum(total.zeros.values())
    assert sum(score.status == "pending" for score in given_scores) == total.pending


async def test_rule_26_the_file_keeps_null_apart_from_zero_and_counts_every_reason(made: Made) -> None:
    """0.0 out of scope, null for what failed or is missing, a number for what the panel judged."""
    made.write_tasks(list(ROWS[:5]))
    caps = {"tested": {"en": 10_000, "cjk": 50}}

    def say(call: Call) -> Any:
        return {"en-1": reply("", finish_reason="length"), "tr-1": TransientError("HTTP 500")}.get(
            call.question_id, "a"
        )

    await evaluate(made.evaluate_job(run_config(caps=caps)), opener=Fake(say).opener)
    made.write_tasks(list(ROWS))
    outcome = await judge(made.judge_job(run_config()), opener=Fake(lambda _: verdict(90)).opener)
    raw = json.loads(made.scores.read_bytes())
    assert [None, 0.9, 0.0, 0.0, None, None] == [row["score"] for row in raw["scores"]]
    assert ["failed", "ok", "out_of_context_scope", "out_of_context_scope", "pending", "missing"] == [
        row["status"] for row in raw["scores"]
    ]
    assert {"empty_truncated": 1, "missing": 1, "out_of_context_scope": 2, "pending:transient": 1} == raw["zeros"]
    assert (6, 1, 0.9) == (raw["n_tasks"], raw["scored_n"], raw["scored_overall"])
    assert raw["overall"] == raw["all_tasks_overall"] == pytest.approx(0.9 / 6)
    assert 1 == outcome.aggregate.pending


async def run(made: Made, config: RunConfig, **changes: Any) -> Fake:
    """Answer with a fake; what it was asked."""
    fake = Fake(answer)
    await evaluate(made.evaluate_job(config, **changes), opener=fake.opener)
    return fake


DIFFERENCES: dict[str, tuple[dict[str, Any], str]] = {
    "model": ({"model": "other"}, "route.model: tested -> other"),
    "base URL": (
        {"base_url": "http://127.0.0.1:9/v2"},
        "route.endpoint: 127.0.0.1/v1 -> 127.0.0.1/v2",
    ),
    "temperature": ({"send_temperature": False}, "decoding.temperature: 0.1 -> none"),
    "budget": ({"max_tokens": 100}, "decoding.max_tokens: 8192 -> 100"),
    "budget's field": ({"max_tokens_field": "max_completion_tokens"}, "decoding.max_tokens_field"),
    "reasoning": ({"strip_reasoning": False}, "protocol.strip_reasoning: True -> False"),
}


@pytest.mark.parametrize("what", DIFFERENCES)
@pytest.mark.parametrize("without", ["nothing", "responses", "ledger"])
async def test_rule_27_another_runs_settings_are_refused_and_shown(made: Made, what: str, without: str) -> None:
    """Whichever of the two files is left; nothing is asked, nothing is changed."""
    await run(made, run_config())
    gone = {"responses": made.responses, "ledger": ledger_path(made.responses)}.get(without)
    if gone is not None:
        gone.unlink()
    changes, shown = DIFFERENCES[what]
    fake = Fake(answer)
    with pytest.raises(ConfigError, match=re.escape(shown)) as refused:
        await evaluate(made.evaluate_job(run_config(**changes)), opener=fake.opener)
    assert (78, []) == (refused.value.exit_status, fake.asked)


async def test_rule_27_another_prompt_or_retry_policy_is_refused(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    """Access condition, prompt digest, retry count and classes are settings; waits are none."""
    await run(made, run_config())
    with pytest.raises(ConfigError, match=r"protocol\.condition: full -> none"):
        await run(made, run_config(), condition="none")
    assert [] == (await run(made, run_config(backoff_s=9, timeout_s=9, concurrency=2, stream=False))).asked
    monkeypatch.setattr(records, "POLICY", {**POLICY, "retries": 9})
    with pytest.raises(ConfigError, match=r"protocol\.retry\.retries: 5 -> 9"):
        await run(made, run_config())
    monkeypatch.undo()
    monkeypatch.setattr(render, "digest", lambda _: "another")
    with pytest.raises(ConfigError, match=r"protocol\.prompt: \w+ -> another"):
        await run(made, run_config())


def changed_panel(**changes: Any) -> list[dict[str, Any]]:
    """The usual panel with its third judge changed."""
    panel = [
        {"name": f"judge{n}", "base_url": "http://127.0.0.1:9/v1", "model": f"grader-{n}", "backoff_s": 0}
        for n in (1, 2, 3)
    ]
    panel[2].update(changes)
    return panel


@pytest.mark.parametrize(
    ("changes", "shown"),
    [
        ({"model": "other"}, "grader-3 -> other"),
        ({"max_tokens": 5}, "16384 -> 5"),
        ({"send_temperature": False}, "0.1 -> none"),
        ({"base_url": "http://127.0.0.1:9/v2"}, "127.0.0.1/v1 -> 127.0.0.1/v2"),
        ({"name": "new"}, "judge3 -> new"),
    ],
)
async def test_rule_27_another_panel_is_refused_and_the_difference_shown(
    made: Made, changes: dict[str, Any], shown: str
) -> None:
    """Any setting of any judge."""
    await run(made, run_config())
    await judge(made.judge_job(run_config()), opener=Fake(lambda _: verdict(90)).opener)
    fake = Fake(lambda _: verdict(0))
    with pytest.raises(ConfigError, match=re.escape(shown)):
        await judge(made.judge_job(run_config(judges=changed_panel(**changes))), opener=fake.opener)
    with pytest.raises(ConfigError, match="judging"):
        await judge(made.judge_job(run_config(judges=changed_panel()[:2])), opener=fake.opener)
    assert [] == fake.asked


@pytest.mark.parametrize("without", ["nothing", "responses", "ledger"])
async def test_rule_27_a_changed_question_or_document_is_refused_by_name(made: Made, without: str) -> None:
    """The task and what changed of it; where the responses file is gone, a run that did not end is all there is."""
    say = all_but("tr-1") if without == "responses" else answer
    await evaluate(made.evaluate_job(run_config()), opener=Fake(say).opener)
    gone = {"responses": made.responses, "ledger": ledger_path(made.responses)}.get(without)
    if gone is not None:
        gone.unlink()
    made.write_tasks([{**ROWS[0], "question_text": "Another?"}, *ROWS[1:]])
    with pytest.raises(ConfigError, match=r"en-1 \(question\) changed"):
        await run(made, run_config())
    made.write_tasks(list(ROWS))
    path = made.corpus / "水闸.txt"
    path.write_text(path.read_text(encoding="utf-8") + "续", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"zh-1 \(document\), zh-2 \(document\) changed"):
        await run(made, run_config())


async def test_rule_27_a_changed_rubric_is_refused_when_judging(made: Made) -> None:
    """Points or criterion; a changed question too."""
    await run(made, run_config())
    await judge(made.judge_job(run_config()), opener=Fake(lambda _: verdict(90)).opener)
    row = json.loads(json.dumps(ROWS[0]))
    row["ground_truth"]["scoring_rubric"][0]["points"] = 59
    made.write_tasks([row, *ROWS[1:]])
    with pytest.raises(ConfigError, match=r"en-1 \(rubric\) changed"):
        await judge(made.judge_job(run_config()), opener=Fake(lambda _: verdict(90)).opener)
    made.write_tasks([{**ROWS[0], "question_text": "Another?"}, *ROWS[1:]])
    with pytest.raises(ConfigError, match=r"en-1 \(question\) changed"):
        await judge(made.judge_job(run_config()), opener=Fake(lambda _: verdict(90)).opener)


async def test_rule_27_more_or_fewer_tasks_another_order_or_form_is_no_difference(made: Made) -> None:
    """Only what is new is asked, and the file follows the data's order."""
    made.write_tasks(list(ROWS[:4]))
    assert set(IDS[:4]) == set((await run(made, run_config())).ids)
    made.write_tasks(list(reversed(ROWS)))
    assert set(IDS[4:]) == set((await run(made, run_config(), data=made.lines)).ids)
    assert list(reversed(IDS)) == [response.question_id for response in read_responses(made.responses).responses]
    made.write_tasks([ROWS[1]])
    assert [] == (await run(made, run_config())).asked
    assert ["en-2"] == [response.question_id for response in read_responses(made.responses).responses]
    made.write_tasks(list(ROWS))
    assert [] == (await run(made, run_config())).asked


async def test_rule_27_a_changed_cap_classifies_anew(made: Made) -> None:
    """Answers now above the cap are set aside, and come back with it."""
    await run(made, run_config())
    low = run_config(caps={"tested": {"en": 10, "cjk": 10_000}})
    assert [] == (await run(made, low)).asked
    statuses = {response.question_id: response.status for response in read_responses(made.responses).responses}
    assert {"out_of_context_scope": 4, "ok": 2} == {s: list(statuses.values()).count(s) for s in set(statuses.values())}
    assert {"en": 10, "cjk": 10_000} == read_responses(made.responses).provenance["caps"]
    assert [] == (await run(made, run_config())).asked
    assert {"ok"} == {response.status for response in read_responses(made.responses).responses}


async def test_rule_28_finished_is_what_the_ledger_has(made: Made) -> None:
    """Without the responses file no finished call is repeated; a lost ledger is filled from the file."""
    await evaluate(made.evaluate_job(run_config()), opener=Fake(all_but("zh-2")).opener)
    made.responses.unlink()
    assert ["zh-2"] == (await run(made, run_config())).ids
    whole = made.responses.read_bytes()
    for _ in range(2):
        ledger_path(made.responses).unlink()
        assert [] == (await run(made, run_config())).asked
        assert whole == made.responses.read_bytes()


async def test_rule_28_a_judges_reply_is_finished_by_the_same_measure(made: Made) -> None:
    """Without its scores file, or without its ledger, no usable reply is asked for again."""
    await run(made, run_config())
    job = made.judge_job(run_config())
    await judge(job, opener=Fake(lambda call: CallError("lost") if call.place == 0 else verdict(30)).opener)
    made.scores.unlink()
    fake = Fake(lambda _: verdict(30))
    first = await judge(job, opener=fake.opener)
    assert 1 == len(fake.asked)
    ledger_path(made.scores).unlink()
    again = await judge(job, opener=fake.opener)
    assert (1, first.scores) == (len(fake.asked), again.scores)


@pytest.mark.parametrize("row", [ROWS[0], ROWS[2]])
async def test_rule_28_a_call_that_two_tasks_share_is_one_call(made: Made, row: dict[str, Any]) -> None:
    """One question on one document, asked once and judged once by each judge; no score moves without a request."""
    made.write_tasks([row, {**row, "question_id": "twin"}])
    said = itertools.count(1)
    fake = Fake(lambda _: f"answer {next(said)}")
    await evaluate(made.evaluate_job(run_config()), opener=fake.opener)
    panel = Fake(lambda _: verdict(10 * next(said)))
    first = await judge(made.judge_job(run_config()), opener=panel.opener)
    assert (1, 3) == (len(fake.asked), len(panel.asked))
    again = await judge(made.judge_job(run_config()), opener=panel.opener)
    assert (3, first.scores) == (len(panel.asked), again.scores)


async def test_rule_28_a_call_is_committed_before_it_counts(made: Made) -> None:
    """Stopped in the middle: the ledger has each answer that came, and only what did not come is asked again."""
    arrived: list[str] = []
    never, fourth = asyncio.Event(), asyncio.Event()

    async def say(call: Call) -> str:
        if len(arrived) == 3:
            fourth.set()
            await never.wait()
        arrived.append(call.question_id)
        return answer(call)

    fake = Fake(say)
    task = asyncio.create_task(evaluate(made.evaluate_job(run_config(concurrency=1)), opener=fake.opener))
    await fourth.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    made.responses.unlink()
    with open_ledger(ledger_path(made.responses)) as ledger:
        assert 3 == len(ledger)
    again = await run(made, run_config(concurrency=1))
    assert (set(IDS) - set(arrived), 3) == (set(again.ids), len(again.ids))


async def test_rule_28_at_most_concurrency_calls_are_under_way(made: Made) -> None:
    """So that no more than that can be lost."""
    under_way, most = 0, 0

    async def say(call: Call) -> str:
        nonlocal under_way, most
        under_way += 1
        most = max(most, under_way)
        await asyncio.sleep(0.005)
        under_way -= 1
        return answer(call)

    await evaluate(made.evaluate_job(run_config(concurrency=2)), opener=Fake(say).opener)
    assert 2 == most


STATUSES: dict[type[errors.WildtraceError], int] = {
    errors.WildtraceError: 1,
    errors.IncompleteError: 2,
    errors.UsageError: 64,
    errors.DataError: 65,
    errors.OutputError: 74,
    errors.BusyError: 75,
    errors.ConfigError: 78,
}


@pytest.fixture
def status_of(monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    """The exit status of a command that does this, given these arguments."""

    def status(act: Callable[[], Any], *arguments: str) -> int:
        monkeypatch.setattr("sys.argv", ["x", *arguments])
        return exit_status(click.command("x")(act), "x")

    return status


@pytest.mark.parametrize("kind", STATUSES)
def test_rule_29_each_error_has_its_exit_status(
    kind: type[errors.WildtraceError], status_of: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    """One sentence on standard error, no traceback."""

    def act() -> None:
        raise kind("tasks.json: line 3 is truncated; mend it")

    assert STATUSES[kind] == status_of(act)
    assert "x: tasks.json: line 3 is truncated; mend it\n" == capsys.readouterr().err


def test_rule_29_usage_errors_never_exit_with_2_and_signals_have_theirs(status_of: Callable[..., int]) -> None:
    """64 for click's own complaints, 130 and 143 for signals, 0 for complete."""

    def interrupt() -> None:
        raise KeyboardInterrupt

    assert (64, 64) == (status_of(lambda: None, "--no-such-option"), status_of(lambda: None, "stray"))
    assert (130, 0, 2) == (status_of(interrupt), status_of(lambda: None), status_of(lambda: 2))
    assert (130, 143) == (errors.EXIT_INTERRUPTED, errors.EXIT_TERMINATED)


LIMITS = [128_000, 181_019, 256_000, 362_039, 512_000, 724_077, 1_000_000]


@pytest.mark.parametrize("place", range(7))
def test_rule_30_tiers_are_right_closed(place: int) -> None:
    """A limit belongs to the lower tier, one more to the next."""
    assert (f"L{place}", f"L{place + 1}") == (tier_of(LIMITS[place]), tier_of(LIMITS[place] + 1))


def test_rule_30_estimates_are_at_3_3_and_1_5_characters_a_token() -> None:
    """The ends of the scale too."""
    assert (1000, 1000, 0) == (
        estimate_tokens(3300, cjk=False),
        estimate_tokens(1500, cjk=True),
        estimate_tokens(0, cjk=True),
    )
    assert ("L0", "L7") == (tier_of(0), tier_of(10**9))


def test_every_rule_has_a_test_that_bears_its_number() -> None:
    """1 to 30."""
    folder = Path(os.fspath(tests.decisions.__path__[0]))
    named = re.findall(
        r"^(?:async )?def test_rule_(\d\d)_", "".join(p.read_text() for p in folder.glob("test_*.py")), re.MULTILINE
    )
    assert {f"{number:02}" for number in range(1, 31)} == set(named)


def saying(failure: EndpointError) -> Say:
    """Always this failure."""
    return lambda _: failure


async def test_rule_12_quota_stops_the_asking_but_leaves_the_run_resumable(made: Made) -> None:
    """What the endpoint's failure means for the exit status of eval: quota 2, anything else 78."""
    for failure, status in ((QuotaError("HTTP 402"), 2), (EndpointError("HTTP 401"), 78)):
        fake = Fake(saying(failure))
        outcome = await evaluate(made.evaluate_job(run_config(concurrency=1)), opener=fake.opener)
        assert (1, 6, status) == (len(fake.asked), outcome.pending, _status(outcome))
