"""Files and ledgers that are older, moved, linked, edited or written by another process: nothing is paid for twice."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from tests.fakes import ROWS, Fake, Made, Say, all_but, answer, run_config, verdict
from wildtrace.calls.ledger import ledger_path, open_ledger
from wildtrace.calls.resume import open_output
from wildtrace.endpoints.config import RunConfig
from wildtrace.endpoints.failures import CallError, ContextOverflow
from wildtrace.errors import DataError
from wildtrace.estimate.run import EstimateJob, estimate
from wildtrace.evaluate.run import evaluate
from wildtrace.judge.run import judge
from wildtrace.scores.results import ResponsesFile, read_responses


async def asked(made: Made, say: Say = answer, config: RunConfig | None = None, **changes: Any) -> list[str]:
    """Answer; the tasks that were asked for."""
    fake = Fake(say)
    await evaluate(made.evaluate_job(config or run_config(), **changes), opener=fake.opener)
    return fake.ids


async def judged(made: Made, say: Say = lambda _: verdict(50), config: RunConfig | None = None) -> list[str]:
    """Judge; the tasks whose verdicts were asked for."""
    fake = Fake(say)
    await judge(made.judge_job(config or run_config()), opener=fake.opener)
    return fake.ids


def held(path: Path) -> int:
    """How many calls the ledger of an output holds."""
    with open_ledger(ledger_path(path)) as ledger:
        return len(ledger)


def rows(made: Made) -> list[dict[str, Any]]:
    """The rows of the responses file."""
    found: list[dict[str, Any]] = json.loads(made.responses.read_bytes())["responses"]
    return found


async def test_what_another_run_wrote_while_this_one_waited_is_what_counts(made: Made) -> None:
    """The file is read anew when the ledger is this process's alone."""
    await asked(made, all_but("en-1", "zh-1"))
    reads = 0

    def read(path: Path) -> ResponsesFile:
        nonlocal reads
        reads += 1
        found = read_responses(path)
        if reads == 1:
            other = Thread(target=lambda: asyncio.run(asked(made)))
            other.start()
            other.join()
        return found

    with open_output(made.responses, read) as output:
        assert output.file is not None
        assert ["ok"] * 6 == [response.status for response in output.file.responses]
    assert 2 == reads


async def test_a_foreign_file_is_refused_before_a_ledger_is_made_beside_it(made: Made) -> None:
    """The data file named as the output stays alone in its folder."""
    with pytest.raises(DataError, match=r"tasks\.json"):
        await asked(made, out=made.data)
    assert not ledger_path(made.data).exists()


@pytest.mark.parametrize("lost", [("en-1", "zh-1"), tuple(str(row["question_id"]) for row in ROWS)])
async def test_an_older_results_file_is_not_paid_for_again_unasked(made: Made, lost: tuple[str, ...]) -> None:
    """Restored by a checkout or a copy: it has less than its ledger handed over, 65; without the ledger it is asked."""
    await asked(made, all_but(*lost))
    old = made.responses.read_bytes()
    await asked(made)
    made.responses.write_bytes(old)
    with pytest.raises(DataError, match=rf"holds {6 - len(lost)} of 6 finished calls .*; restore the file, or"):
        await asked(made)
    with pytest.raises(DataError, match=rf"holds {6 - len(lost)} of 6 finished calls"):
        estimate(EstimateJob(run_config(), made.data, made.corpus, made.responses))
    ledger_path(made.responses).unlink()
    assert set(lost) == set(await asked(made))


async def test_an_overflow_in_an_older_results_file_stands_for_no_answer(made: Made) -> None:
    """It was answered since under another cap, and the file with the answer took over."""
    high = run_config(caps={"tested": {"en": 9_000, "cjk": 9_000}})
    await asked(made, lambda call: ContextOverflow("long") if call.question_id == "en-1" else answer(call))
    old = made.responses.read_bytes()
    assert ["en-1"] == await asked(made, config=high)
    made.responses.write_bytes(old)
    with pytest.raises(DataError, match="holds 5 of 6 finished calls"):
        await asked(made, config=high)


async def test_a_mended_config_goes_on_after_a_kill_beside_a_file_in_which_nothing_was_finished(made: Made) -> None:
    """The file is of the settings before, the ledger of these."""
    await asked(made, lambda _: CallError("lost"))
    unfinished, mended = made.responses.read_bytes(), run_config(max_tokens=100)
    await asked(made, all_but("en-1"), mended)
    made.responses.write_bytes(unfinished)
    assert ["en-1"] == await asked(made, config=mended)


async def test_an_older_scores_file_is_not_paid_for_again_unasked(made: Made) -> None:
    """The same for verdicts."""
    await asked(made)
    await judged(made, lambda call: CallError("lost") if call.endpoint == "judge3" else verdict(50))
    old = made.scores.read_bytes()
    assert 6 == len(await judged(made))
    made.scores.write_bytes(old)
    with pytest.raises(DataError, match="holds 12 of 18 finished calls"):
        await judged(made)


async def test_a_file_that_a_new_ledger_was_made_for_is_missed_too(made: Made) -> None:
    """A complete run whose ledger was moved away and made anew knows again what the file alone has."""
    await asked(made)
    ledger_path(made.responses).unlink()
    assert [] == await asked(made)
    made.responses.unlink()
    with pytest.raises(DataError, match="is gone, and with it 6 finished calls"):
        await asked(made)


async def test_a_file_by_two_names_has_one_ledger(made: Made) -> None:
    """What a run by the link sets aside, a run by the file finds."""
    await asked(made)
    link = made.folder / "link.json"
    link.symlink_to(made.responses)
    assert [] == await asked(made, out=link, limit=2)
    assert [] == await asked(made)
    assert not (made.folder / "link.json.ledger").exists()
    assert link.is_symlink()


async def test_an_answer_in_the_file_outlives_an_overflow_in_an_older_ledger(made: Made) -> None:
    """A restored copy of the ledger takes nothing away, whatever the cap is then."""
    high = run_config(caps={"tested": {"en": 9_000, "cjk": 9_000}})
    await asked(made, lambda call: ContextOverflow("long") if call.question_id == "en-1" else answer(call))
    old = ledger_path(made.responses).read_bytes()
    assert ["en-1"] == await asked(made, config=high)
    ledger_path(made.responses).write_bytes(old)
    assert [] == await asked(made, config=high)
    assert "answer to en-1" == rows(made)[0]["response"]
    assert [] == await asked(made, config=run_config(caps={"tested": {"en": 5, "cjk": 9_000}}))
    assert [] == await asked(made, config=high)


async def test_an_overflow_that_only_the_file_had_is_answered_under_another_cap(made: Made) -> None:
    """Then the ledger has the answer, and the file is not said to have it alone: a kill in between misses nothing."""
    high = run_config(caps={"tested": {"en": 9_000, "cjk": 9_000}}, concurrency=1)
    await asked(made, lambda call: ContextOverflow("long") if call.question_id[:2] == "en" else answer(call))
    ledger_path(made.responses).unlink()
    made.write_tasks([dict(row) for row in ROWS[:2]])
    assert ["en-1", "en-2"] == await asked(made, all_but("en-2"), high)
    assert ["en-2"] == await asked(made, config=high)


async def test_a_verdict_in_the_file_outlives_unusable_replies_in_an_older_ledger(made: Made) -> None:
    """The verdict stands behind them, and they stay."""
    await asked(made)
    await judged(made, lambda call: "none" if (call.endpoint, call.question_id) == ("judge1", "en-1") else verdict(50))
    old = ledger_path(made.scores).read_bytes()
    assert ["en-1"] == await judged(made)
    ledger_path(made.scores).write_bytes(old)
    assert [] == await judged(made)
    assert 3 == held(made.scores)


async def test_the_ledger_that_has_everything_misses_no_file(made: Made) -> None:
    """What was set aside, and what came after it, is counted once."""
    every = [dict(row) for row in ROWS]
    for tasks, say in (
        (every[:5], answer),
        (every[:2], answer),
        (every, all_but("tr-2")),
        (every[2:], all_but("tr-2")),
    ):
        made.write_tasks(tasks)
        await asked(made, say)
    assert 5 == held(made.responses)
    made.responses.unlink()
    made.write_tasks(every)
    assert ["tr-2"] == await asked(made)


async def test_tasks_that_share_a_call_share_it_in_an_estimate_too(made: Made) -> None:
    """The file holds the one, the data have the other."""
    twin = {**ROWS[0], "question_id": "twin"}
    made.write_tasks([dict(ROWS[0])])
    await asked(made)
    made.write_tasks([twin])
    plan = estimate(EstimateJob(run_config(), made.data, made.corpus, made.responses)).plan
    assert 0 == plan.contestant.requests
    assert [] == await asked(made)


async def test_without_a_document_a_question_is_one_call_whatever_its_document(made: Made) -> None:
    """Word for word the same prompt."""
    made.write_tasks([dict(ROWS[0]), {**ROWS[4], "question_text": ROWS[0]["question_text"]}])
    assert 1 == len(await asked(made, condition="none"))
    assert [] == await asked(made, condition="none")


@pytest.mark.parametrize("part", ["tasks", "prompts"])
async def test_a_file_that_does_not_say_what_its_rows_are_on_is_refused(made: Made, part: str) -> None:
    """Nothing is taken for what it may not be, and nothing is overwritten."""
    await asked(made)
    await judged(made)
    path, again = (made.responses, asked) if part == "tasks" else (made.scores, judged)
    table = json.loads(path.read_bytes())
    del table["provenance"][part]
    path.write_text(json.dumps(table), encoding="utf-8")
    for run in (again, again):
        with pytest.raises(DataError, match=rf"provenance\.{part} says nothing of 'en-1'"):
            await run(made)
        ledger_path(path).unlink(missing_ok=True)
    assert table == json.loads(path.read_bytes())


async def test_of_two_answers_to_one_call_in_a_file_the_first_counts(made: Made) -> None:
    """Also where a hand put them there."""
    made.write_tasks([dict(ROWS[0]), {**ROWS[0], "question_id": "twin"}])
    await asked(made)
    table = json.loads(made.responses.read_bytes())
    for row, said in zip(table["responses"], ("first", "second"), strict=True):
        row["response"] = said
    made.responses.write_text(json.dumps(table), encoding="utf-8")
    assert [] == await asked(made)
    assert ["first", "first"] == [row["response"] for row in rows(made)]


async def test_an_estimate_refuses_what_the_run_refuses_and_goes_on_where_it_does(made: Made) -> None:
    """Another model beside a killed run's ledger; a mended model beside a file in which nothing was finished."""
    await asked(made, lambda _: CallError("lost"))
    mended = EstimateJob(run_config(model="mended"), made.data, made.corpus, made.responses)
    assert 6 == estimate(mended).plan.contestant.requests
    await asked(made, all_but("en-1"))
    made.responses.unlink()
    with pytest.raises(Exception, match="belongs to a run with other settings"):
        estimate(mended)


@pytest.mark.parametrize(
    "date", ["0001-01-01T00:00:00+14:00", "yesterday", "1969-01-01T00:00:00Z", "9999-12-31T23:59:59-12:00"]
)
async def test_a_date_that_is_none_is_left_out(made: Made, date: str) -> None:
    """A provenance that a hand changed still goes on."""
    made.write_tasks([dict(row) for row in ROWS[:5]])
    await asked(made)
    table = json.loads(made.responses.read_bytes())
    table["provenance"]["endpoint_dates"]["first"] = date
    made.responses.write_text(json.dumps(table), encoding="utf-8")
    made.write_tasks([dict(row) for row in ROWS])
    assert ["tr-2"] == await asked(made)
    assert "2023-11-14T22:13:20Z" == json.loads(made.responses.read_bytes())["provenance"]["endpoint_dates"]["first"]


DEFAULT = {"en": 2_850_000, "cjk": 850_000}


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"caps": {"tested": DEFAULT}}, (DEFAULT, "config", None)),
        ({"caps": {}, "cap_as": "gpt-4.1"}, (DEFAULT, "table", "gpt-4.1")),
        ({"caps": {"tested": {"en": 9_000, "cjk": 900}}}, ({"en": 9_000, "cjk": 900}, "config", None)),
    ],
)
async def test_both_files_say_where_the_cap_of_the_last_run_came_from(
    made: Made, changes: dict[str, Any], expected: tuple[dict[str, int], str, str | None]
) -> None:
    """Also where the numbers are those of before and no task changes its class; nothing is asked for it (rule 8)."""
    before, after = run_config(caps={}), run_config(**changes)
    await asked(made, config=before)
    await judged(made, config=before)
    assert [] == await asked(made, config=after)
    assert [] == await judged(made, config=after)
    for path in (made.responses, made.scores):
        told = json.loads(path.read_bytes())["provenance"]
        assert expected == (told["caps"], told["cap_source"], told["cap_as"])


async def test_a_mended_config_is_what_a_file_in_which_nothing_was_finished_says(made: Made) -> None:
    """Its responses are the same as before: none."""
    await asked(made, lambda _: CallError("lost"))
    await asked(made, lambda _: CallError("lost"), run_config(max_tokens=100))
    assert 100 == json.loads(made.responses.read_bytes())["provenance"]["decoding"]["max_tokens"]


async def test_a_ledger_of_another_version_is_refused(made: Made) -> None:
    """Its keys are made otherwise: its calls would be asked again without a word."""
    await asked(made, all_but("en-1"))
    with open_ledger(ledger_path(made.responses)) as ledger:
        ledger.put(meta={"format": "wildtrace.ledger/1"})
    with pytest.raises(DataError, match="belongs to another program or version"):
        await asked(made)
