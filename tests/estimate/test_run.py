import asyncio
import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.fakes import (
    CHINESE,
    CRLF_AS_READ,
    DOCUMENTS,
    ENGLISH,
    IDS,
    ROWS,
    Call,
    Fake,
    Made,
    all_but,
    answer,
    run_config,
)
from wildtrace.calls.ledger import ledger_path, open_ledger
from wildtrace.endpoints.failures import ContextOverflow, TransientError
from wildtrace.errors import BusyError, ConfigError, DataError
from wildtrace.estimate.plan import Assumptions
from wildtrace.estimate.run import Estimate, EstimateJob, estimate
from wildtrace.evaluate.run import evaluate
from wildtrace.judge.prompt import judge_prompt
from wildtrace.prompts import render
from wildtrace.release.formats import load_items
from wildtrace.text.mix import TextMix, mix_of
from wildtrace.text.tiers import tier_of

PRICED: dict[str, Any] = {"prices": {"in": 1.0, "out": 2.0}}


def plan_of(made: Made, **changes: Any) -> Estimate:
    """The estimate of the made release."""
    given = {"config": run_config(**PRICED), "data": made.data, "corpus": made.corpus, **changes}
    return estimate(EstimateJob(**given))


def prompts() -> list[str]:
    """Every prompt of the release, put together by hand."""
    return [
        render.fill(
            render.template("answer"), {"question": row["question_text"], "document": DOCUMENTS[row["corpus_file"]]}
        )
        for row in ROWS
    ]


def test_the_plan_counts_the_real_prompts(made: Made) -> None:
    """Six tasks, their whole prompts as they will be sent (BOM and CRLF gone), three judges, nothing finished."""
    plan = plan_of(made).plan
    mix = sum((mix_of(prompt) for prompt in prompts()), TextMix())
    assert round(mix.wide / 1.15 + mix.other / 4.2) == plan.contestant.input_tokens.usual
    assert [6, 6, 6, 6] == [endpoint.requests for endpoint in plan.endpoints]
    assert [("L0", 6, 0, 0, 6)] == [
        (tier.tier, tier.tasks, tier.out_of_scope, tier.finished, tier.to_ask) for tier in plan.tiers
    ]
    assert ("judge1", "judge2", "judge3") == plan.unpriced


@pytest.mark.parametrize("changes", [{}, {"data": "lines"}])
def test_the_plan_is_what_the_run_then_sends(made: Made, changes: dict[str, str]) -> None:
    """Requests and characters of the estimate are those of a real run of the same job, in either release form."""
    data = made.lines if changes else made.data
    plan = plan_of(made, data=data).plan
    fake = Fake(answer)
    asyncio.run(evaluate(made.evaluate_job(run_config(**PRICED), data=data), opener=fake.opener))
    sent = sum((mix_of(call.prompt) for call in fake.asked), TextMix())
    assert len(fake.asked) == plan.contestant.requests
    assert round(sent.wide / 1.15 + sent.other / 4.2) == plan.contestant.input_tokens.usual


def test_tasks_that_share_a_call_are_counted_once(made: Made) -> None:
    """As the run asks it, and as the judges read it."""
    made.write_tasks([ROWS[0], ROWS[2], {**ROWS[2], "question_id": "孪生"}])
    plan = plan_of(made).plan
    fake = Fake(answer)
    asyncio.run(evaluate(made.evaluate_job(run_config(**PRICED)), opener=fake.opener))
    assert [2, 2, 2, 2] == [endpoint.requests for endpoint in plan.endpoints]
    assert len(fake.asked) == plan.contestant.requests
    assert [0, 2, 2, 2] == [endpoint.requests for endpoint in plan_of(made, out=made.responses).plan.endpoints]


@pytest.mark.parametrize(
    ("caps", "outside"),
    [
        ({"en": len(ENGLISH), "cjk": len(CHINESE)}, 0),
        ({"en": len(ENGLISH) - 1, "cjk": len(CHINESE)}, 2),
        ({"en": len(ENGLISH), "cjk": len(CHINESE) - 1}, 2),
        ({"en": len(CRLF_AS_READ) - 1, "cjk": len(CHINESE) - 1}, 6),
    ],
)
def test_out_of_scope_is_decided_as_the_run_decides_it(made: Made, caps: dict[str, int], outside: int) -> None:
    """By characters as read and by script; nothing out of scope is sent, judged or paid for."""
    plan = plan_of(made, config=run_config(caps={"tested": caps}, **PRICED)).plan
    assert outside == sum(tier.out_of_scope for tier in plan.tiers)
    assert [6 - outside] * 4 == [endpoint.requests for endpoint in plan.endpoints]


def test_limit_plans_for_the_same_tasks_that_eval_asks(made: Made) -> None:
    """--limit 2 of the estimate and of the run."""
    fake = Fake(answer)
    asyncio.run(evaluate(made.evaluate_job(run_config(), limit=2), opener=fake.opener))
    plan = plan_of(made, limit=2).plan
    sent = sum((mix_of(call.prompt) for call in fake.asked), TextMix())
    assert 2 == plan.contestant.requests
    assert round(sent.wide / 1.15 + sent.other / 4.2) == plan.contestant.input_tokens.usual


def test_what_is_finished_is_left_out_and_judged_by_its_real_length(made: Made) -> None:
    """Three of six were answered, one of them empty: three to ask, five to judge, answers counted as they are."""
    long = "The rope was cut. " * 100

    def say(call: Call) -> Any:
        done = {"en-1": long, "en-2": "", "zh-1": "锯子。"}
        return done.get(call.question_id, TransientError("down", reason="server_error"))

    asyncio.run(evaluate(made.evaluate_job(run_config()), opener=Fake(say).opener))
    plan = plan_of(made, out=made.responses).plan
    assert (3, 3) == (plan.contestant.requests, plan.tiers[0].finished)
    assert 5 == plan.judges[0].requests
    known = {"en-1": long, "zh-1": "锯子。"}
    mix = TextMix()
    for item in load_items(made.data):
        if item.question_id != "en-2":
            mix += mix_of(judge_prompt(item.question.text, item.rubric, known.get(item.question_id, "")).text)
    mix += TextMix(wide=690) + TextMix(other=2520) + TextMix(other=2520)
    assert round(mix.wide / 1.15 + mix.other / 4.2) == plan.judges[0].input_tokens.usual


def test_what_is_finished_is_not_asked_whichever_file_has_it(made: Made) -> None:
    """The ledger, or the responses file where the ledger is gone."""
    asyncio.run(evaluate(made.evaluate_job(run_config()), opener=Fake(all_but("zh-1")).opener))
    made.responses.unlink()
    assert 1 == plan_of(made, out=made.responses).plan.contestant.requests
    asyncio.run(evaluate(made.evaluate_job(run_config()), opener=Fake(answer).opener))
    assert 0 == plan_of(made, out=made.responses).plan.contestant.requests
    ledger_path(made.responses).rename(made.folder / "away")
    assert 0 == plan_of(made, out=made.responses).plan.contestant.requests
    (made.folder / "away").rename(ledger_path(made.responses))
    made.responses.unlink()
    assert 0 == plan_of(made, out=made.responses).plan.contestant.requests


def test_an_overflow_is_asked_again_only_under_another_cap(made: Made) -> None:
    """As the run itself does: the same cap leaves it, a lower one (still in scope) asks again."""
    fake = Fake(lambda _: ContextOverflow("HTTP 400"))
    asyncio.run(evaluate(made.evaluate_job(run_config()), opener=fake.opener))
    assert 0 == plan_of(made, out=made.responses).plan.contestant.requests
    lower = run_config(caps={"tested": {"en": 9000, "cjk": 9000}})
    assert 6 == plan_of(made, config=lower, out=made.responses).plan.contestant.requests


def test_nothing_is_written(made: Made) -> None:
    """An estimate leaves no file behind, also where it is told an output."""
    before = sorted(path for path in made.folder.rglob("*"))
    plan_of(made, out=made.responses)
    assert before == sorted(path for path in made.folder.rglob("*"))


def test_another_runs_output_is_refused_as_eval_refuses_it(made: Made) -> None:
    """Other settings than those of the output: 78, naming what differs."""
    asyncio.run(evaluate(made.evaluate_job(run_config()), opener=Fake(answer).opener))
    with pytest.raises(ConfigError, match="max_tokens: 8192 -> 100"):
        plan_of(made, config=run_config(max_tokens=100), out=made.responses)


def test_a_running_eval_is_not_disturbed(made: Made) -> None:
    """While the ledger is held, the estimate says so."""
    asyncio.run(evaluate(made.evaluate_job(run_config()), opener=Fake(answer).opener))
    with open_ledger(ledger_path(made.responses)), pytest.raises(BusyError, match="in use"):
        plan_of(made, out=made.responses)


def test_tiers_come_from_the_row_else_from_its_estimate_else_from_the_text(made: Made) -> None:
    """Rules 3 and 30: the row's tier wins; then doc_token_estimate; then characters at the protocol's rates."""
    rows = [dict(row) for row in ROWS[:3]]
    rows[0]["tier"] = "L7"
    rows[1].update(tier=None, doc_token_estimate=300_000)
    rows[2].update(tier=None, doc_token_estimate=None)
    made.write_tasks(rows)
    assert ["L0", "L3", "L7"] == [tier.tier for tier in plan_of(made).plan.tiers]
    assert "L3" == tier_of(300_000)


def test_a_missing_document_stops_it(made: Made) -> None:
    """Named, before anything is planned."""
    (made.corpus / "voyage.txt").unlink()
    with pytest.raises(DataError, match=r"voyage\.txt"):
        plan_of(made)


def test_warnings_are_those_of_the_run(made: Made) -> None:
    """An unknown model's cap is the default, with the advice to probe; a changed document is named."""
    config = run_config(caps={})
    said = "\n".join(plan_of(made, config=config).warnings)
    assert "wildtrace probe" in said
    assert "incident.txt" in said


def test_assumptions_reach_every_endpoint(made: Made) -> None:
    """Answer, reasoning and verdict tokens as given."""
    held = Assumptions(answer_tokens=10, reasoning_tokens=7, judge_tokens=3)
    plan = plan_of(made, config=run_config(reasoning=True), held=held).plan
    assert [6 * 17, 6 * 3, 6 * 3, 6 * 3] == [endpoint.output_tokens for endpoint in plan.endpoints]
    assert 6 == len(IDS) == plan.contestant.requests


@pytest.mark.corpus
@pytest.mark.skipif("WILDTRACE_CORPUS" not in os.environ, reason="names no folder of real documents")
def test_real_documents_are_planned_within_the_measured_range(tmp_path: Path) -> None:
    """Real novels and reports: the estimate lies between the rates, Chinese dearer a character than English."""
    corpus = Path(os.environ["WILDTRACE_CORPUS"])
    found = {"en": corpus / "en_griffiths_rome_express_1896.txt", "zh": corpus / "zh_liu_e_laocan_youji.txt"}
    usual = {}
    for name, path in found.items():
        row = {**ROWS[0], "corpus_file": path.name}
        data = tmp_path / f"{name}.json"
        data.write_text(json.dumps([row]), encoding="utf-8")
        plan = estimate(EstimateJob(replace(run_config(), caps={}), data, corpus)).plan
        tokens = plan.contestant.input_tokens
        chars = len(path.read_text(encoding="utf-8"))
        assert tokens.fewest < tokens.usual < tokens.most
        usual[name] = chars / tokens.usual
    assert 4.1 < usual["en"] <= 4.21
    assert 1.1 < usual["zh"] < 1.3
