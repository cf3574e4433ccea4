"""Going on: what a complete run hands over to its file, what goes back, and ledgers that say nothing of ours."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.fakes import ENGLISH, ROWS, Call, Fake, Made, Say, all_but, answer, clue, reply, run_config, verdict
from wildtrace.calls.ledger import ledger_path, open_ledger
from wildtrace.errors import ConfigError, DataError
from wildtrace.evaluate.run import evaluate
from wildtrace.judge.run import judge


async def run_twice(made: Made, damage: dict[str, Any]) -> None:
    """Answer, put other named values into the ledger, answer again."""
    for meta in (damage, None):
        await evaluate(made.evaluate_job(run_config()), opener=Fake(answer).opener)
        if meta is not None:
            made.responses.unlink()
            with open_ledger(ledger_path(made.responses)) as ledger:
                ledger.put(meta=meta)


@pytest.mark.parametrize(
    "damage",
    [
        {"signature": "2026-01-01T00:00:00Z"},
        {"signature": ["a"]},
        {"tasks": "2026-01-01T00:00:00Z"},
        {"tasks": ["q"]},
        {"tasks": {str(ROWS[0]["question_id"]): 5}},
        {"started": 5},
        {"started": {"a": "b"}},
    ],
)
async def test_named_values_of_another_shape_are_a_torn_ledger(made: Made, damage: dict[str, Any]) -> None:
    """As after their rows were swapped; one sentence, exit status 65."""
    with pytest.raises(DataError, match="torn or no ledger"):
        await run_twice(made, damage)


@pytest.mark.parametrize(
    "change",
    [
        {"sent_at": "now"},
        {"sent_at": ["now"]},
        {"sent_at": 5.0},
        {"sent_at": None},
        {"cap": "x"},
        {"response": {"status": "fine"}},
        {"response": []},
    ],
)
async def test_an_answer_of_another_shape_is_a_torn_ledger(made: Made, change: dict[str, Any]) -> None:
    """Each field that a run reads of it."""
    await evaluate(made.evaluate_job(run_config()), opener=Fake(all_but("en-1")).opener)
    with open_ledger(ledger_path(made.responses)) as ledger:
        for key in list(ledger._calls):
            await ledger.add(key, {**(ledger.find(key) or {}), **change}, instead=True)
    with pytest.raises(DataError, match="is torn or of another version"):
        await evaluate(made.evaluate_job(run_config()), opener=Fake(answer).opener)


@pytest.mark.parametrize(
    "record", [{}, {"reply": 5}, {"q": "a:b"}, {"reply": "a", "sent_at": 5.0, "served_models": []}]
)
async def test_a_judges_record_of_another_shape_is_a_torn_ledger(made: Made, record: dict[str, Any]) -> None:
    """As after the answers' or the tasks' rows were put in their place."""
    await evaluate(made.evaluate_job(run_config()), opener=Fake(answer).opener)
    panel = Fake(lambda call: "none" if call.question_id == "en-1" else verdict(50))
    await judge(made.judge_job(run_config()), opener=panel.opener)
    with open_ledger(ledger_path(made.scores)) as ledger:
        for key in list(ledger._calls):
            await ledger.add(key, record, instead=True)
    with pytest.raises(DataError, match="torn or no ledger"):
        await judge(made.judge_job(run_config()), opener=panel.opener)


def rows_of(made: Made) -> list[dict[str, Any]]:
    """The rows of the responses file."""
    rows: list[dict[str, Any]] = json.loads(made.responses.read_bytes())["responses"]
    return rows


def held(path: Path) -> int:
    """How many calls the ledger of an output holds."""
    with open_ledger(ledger_path(path)) as ledger:
        return len(ledger)


@pytest.mark.parametrize("content", ["[]", '{"a": "书"}', '{"format": "other/1"}'])
async def test_an_output_that_is_another_file_is_told_as_one(made: Made, content: str) -> None:
    """Not as an input to be named: another --out is what helps; nothing is asked, nothing stands beside the file."""
    await evaluate(made.evaluate_job(run_config()), opener=Fake(answer).opener)
    out = made.folder / "c.json"
    out.write_text(content, encoding="utf-8")
    nobody = Fake(answer)
    with pytest.raises(DataError, match=r"c\.json exists and is no responses file; choose another --out$"):
        await evaluate(made.evaluate_job(run_config(), out=out), opener=nobody.opener)
    with pytest.raises(DataError, match=r"c\.json exists and is no scores file; choose another --out$"):
        await judge(made.judge_job(run_config(), out=out), opener=nobody.opener)
    assert ([], content) == (nobody.asked, out.read_text(encoding="utf-8"))
    assert not ledger_path(out).exists()


async def test_a_complete_run_hands_its_records_over_to_its_file(made: Made) -> None:
    """An incomplete one keeps them; the file is then what a rerun goes by, and it is not written again."""
    await evaluate(made.evaluate_job(run_config()), opener=Fake(all_but("en-1")).opener)
    assert 5 == held(made.responses)
    await evaluate(made.evaluate_job(run_config()), opener=Fake(answer).opener)
    assert 0 == held(made.responses)
    written, ledger = made.responses.read_bytes(), ledger_path(made.responses).read_bytes()
    again = Fake(answer)
    outcome = await evaluate(made.evaluate_job(run_config()), opener=again.opener)
    assert ([], 0, "ok") == (again.asked, outcome.pending, outcome.responses[0].status)
    assert (written, ledger) == (made.responses.read_bytes(), ledger_path(made.responses).read_bytes())


async def test_a_file_that_took_over_and_is_gone_is_not_paid_for_again_unasked(made: Made) -> None:
    """One sentence with the two ways on, exit status 65; answers and scores."""
    await evaluate(made.evaluate_job(run_config()), opener=Fake(answer).opener)
    panel = Fake(lambda _: verdict(50))
    await judge(made.judge_job(run_config()), opener=panel.opener)
    kept = made.scores.read_bytes()
    made.scores.unlink()
    with pytest.raises(DataError, match=r"scores\.json is gone, and with it 18 finished calls.* restore the file, or"):
        await judge(made.judge_job(run_config()), opener=panel.opener)
    made.scores.write_bytes(kept)
    await judge(made.judge_job(run_config()), opener=panel.opener)
    assert 18 == len(panel.asked)
    made.responses.unlink()
    again = Fake(answer)
    with pytest.raises(DataError, match="is gone, and with it 6 finished calls") as refused:
        await evaluate(made.evaluate_job(run_config()), opener=again.opener)
    assert (65, []) == (refused.value.exit_status, again.asked)
    ledger_path(made.responses).unlink()
    await evaluate(made.evaluate_job(run_config()), opener=again.opener)
    assert 6 == len(again.asked)


async def test_what_a_smaller_file_leaves_out_goes_back_to_the_ledger(made: Made) -> None:
    """A run with a limit, or on fewer tasks, over a complete one; and on into the file when all are wanted again."""
    await evaluate(made.evaluate_job(run_config()), opener=Fake(answer).opener)
    whole, again = rows_of(made), Fake(answer)
    await evaluate(made.evaluate_job(run_config(), limit=2), opener=again.opener)
    assert (2, 4) == (len(rows_of(made)), held(made.responses))
    made.write_tasks([dict(ROWS[0])])
    await evaluate(made.evaluate_job(run_config()), opener=again.opener)
    assert (1, 6) == (len(rows_of(made)), held(made.responses) + 1)
    made.write_tasks([dict(row) for row in ROWS])
    await evaluate(made.evaluate_job(run_config()), opener=again.opener)
    assert ([], whole, 0) == (again.asked, rows_of(made), held(made.responses))


async def test_verdicts_on_an_answer_that_changed_are_kept_for_when_it_is_back(made: Made) -> None:
    """Judged again when it changed, not when it is as it was."""
    panel = Fake(lambda _: verdict(50))
    await evaluate(made.evaluate_job(run_config()), opener=Fake(answer).opener)
    first = await judge(made.judge_job(run_config()), opener=panel.opener)
    kept = made.responses.read_bytes()
    made.responses.write_bytes(kept.replace(b"answer to zh-1", "另一个回答".encode()))
    await judge(made.judge_job(run_config()), opener=panel.opener)
    assert (18 + 3, 3) == (len(panel.asked), held(made.scores))
    made.responses.write_bytes(kept)
    again = await judge(made.judge_job(run_config()), opener=panel.opener)
    assert (18 + 3, first.scores, 3) == (len(panel.asked), again.scores, held(made.scores))


async def test_unusable_replies_before_a_verdict_stay_in_the_ledger(made: Made) -> None:
    """So that the next sample is not asked again; all else is handed over, and the verdict is the file's."""
    await evaluate(made.evaluate_job(run_config()), opener=Fake(answer).opener)
    panel = Fake(lambda call: "none" if call.place == 0 else verdict(50))
    await judge(made.judge_job(run_config(concurrency=1)), opener=panel.opener)
    assert (19, 1) == (len(panel.asked), held(made.scores))
    await judge(made.judge_job(run_config()), opener=panel.opener)
    assert 19 == len(panel.asked)


async def test_a_file_that_took_over_goes_on_saying_when_and_by_whom(made: Made) -> None:
    """First and last request and served models, of answers and panel, when tasks are added to a complete run."""
    made.write_tasks([dict(row) for row in ROWS[:3]])
    await evaluate(made.evaluate_job(run_config()), opener=Fake(stamped(1_700_000_000, answer)).opener)
    await judge(made.judge_job(run_config()), opener=Fake(stamped(1_700_000_060, lambda _: verdict(9))).opener)
    made.write_tasks([dict(row) for row in ROWS])
    await evaluate(made.evaluate_job(run_config()), opener=Fake(stamped(1_600_000_000, answer)).opener)
    await judge(made.judge_job(run_config()), opener=Fake(stamped(1_800_000_000, lambda _: verdict(9))).opener)
    answers = json.loads(made.responses.read_bytes())["provenance"]
    panel = json.loads(made.scores.read_bytes())["provenance"]["panel"]
    assert {"first": "2020-09-13T12:26:40Z", "last": "2023-11-14T22:13:20Z"} == answers["endpoint_dates"]
    assert [{"first": "2023-11-14T22:14:20Z", "last": "2027-01-15T08:00:00Z"}] * 3 == [
        judge["endpoint_dates"] for judge in panel
    ]
    assert [["at-1700000060", "at-1800000000"]] * 3 == [judge["served_models"] for judge in panel]


def stamped(moment: int, say: Callable[[Call], str]) -> Say:
    """Replies sent at a moment by a model that is named after it."""
    return lambda call: reply(say(call), sent_at=float(moment), served_model=f"at-{moment}")


async def test_other_clue_passages_are_other_data(made: Made) -> None:
    """A file of answers to passages says which ones they were shown: it takes over, and others are refused by name."""
    row = json.loads(json.dumps(ROWS[0]))
    text = ENGLISH + "\nNothing happened that day." * 60 + "\n\nThe rope lay in the tower.\n"
    (made.corpus / "voyage.txt").write_text(text, encoding="utf-8")
    row["ground_truth"]["evidence_spans"].append(clue(text, "s3", "in the tower"))
    made.write_tasks([row, *(dict(row) for row in ROWS[1:])])
    job = made.evaluate_job(run_config(), condition="evidence")
    await evaluate(job, opener=Fake(answer).opener)
    assert 0 == held(made.responses)
    ledger_path(made.responses).unlink()
    again = Fake(answer)
    for limit in (2, None):
        await evaluate(replace(job, limit=limit), opener=again.opener)
    assert [] == again.asked
    row["ground_truth"]["evidence_spans"].pop()
    made.write_tasks([row, *(dict(row) for row in ROWS[1:])])
    with pytest.raises(ConfigError, match=r"en-1 \(passages\) changed"):
        await evaluate(job, opener=again.opener)
