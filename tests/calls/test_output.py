"""Going on from an output: its file cut, lost, older, linked or edited, its ledger lost; nothing is paid for twice."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.fakes import ENGLISH, ROWS, Call, Fake, Made, Say, all_but, answer, clue, edited, reply, run_config, verdict
from wildtrace.calls.ledger import ledger_path, open_ledger
from wildtrace.calls.progress import Silent
from wildtrace.endpoints.config import RunConfig
from wildtrace.endpoints.failures import CallError, ContextOverflow, RejectedError
from wildtrace.errors import ConfigError, DataError
from wildtrace.estimate.run import EstimateJob, estimate
from wildtrace.evaluate.run import evaluate
from wildtrace.judge.run import judge


class Lines(Silent):
    """Keeps what a flow says."""

    def __init__(self) -> None:
        self.said: list[str] = []

    def say(self, line: str) -> None:
        """Keep it."""
        self.said.append(line)


async def asked(
    made: Made, say: Say = answer, config: RunConfig | None = None, lines: Lines | None = None, **changes: Any
) -> list[str]:
    """Answer; the tasks that were asked for."""
    fake = Fake(say)
    await evaluate(made.evaluate_job(config or run_config(), **changes), lines, fake.opener)
    return fake.ids


async def judged(
    made: Made,
    say: Say = lambda _: verdict(50),
    config: RunConfig | None = None,
    lines: Lines | None = None,
    **changes: Any,
) -> list[str]:
    """Judge; the tasks whose verdicts were asked for."""
    fake = Fake(say)
    await judge(made.judge_job(config or run_config(), **changes), lines, fake.opener)
    return fake.ids


def calls_in_ledger(path: Path) -> int:
    """How many calls the ledger of an output has."""
    with open_ledger(ledger_path(path)) as ledger:
        return len(ledger)


def rows(made: Made) -> list[dict[str, Any]]:
    """The rows of the responses file."""
    found: list[dict[str, Any]] = json.loads(made.responses.read_bytes())["responses"]
    return found


async def test_a_complete_run_keeps_its_ledger_whole(made: Made) -> None:
    """A rerun asks nothing and writes nothing, neither the file nor the ledger."""
    assert 6 == len(await asked(made))
    assert 6 == calls_in_ledger(made.responses)
    written, ledger = made.responses.read_bytes(), ledger_path(made.responses).read_bytes()
    assert [] == await asked(made)
    assert (written, ledger) == (made.responses.read_bytes(), ledger_path(made.responses).read_bytes())


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "cut": lambda raw: raw[: len(raw) // 2],
    "empty": lambda _: b"",
    "one flipped bit": lambda raw: raw.replace(b"answer to en-2", b"answer to en-3").replace(b"total", b"totai", 1),
}


@pytest.mark.parametrize("damage", DAMAGES)
async def test_a_results_file_that_was_cut_or_changed_is_made_anew_from_its_ledger(made: Made, damage: str) -> None:
    """With a sentence, and without a request; answers and scores."""
    await asked(made)
    await judged(made)
    for path, again in ((made.responses, asked), (made.scores, judged)):
        whole, lines = json.loads(path.read_bytes()), Lines()
        path.write_bytes(DAMAGES[damage](path.read_bytes()))
        assert [] == await again(made, lines=lines)
        assert whole["rows_digest"] == json.loads(path.read_bytes())["rows_digest"]
        (line,) = [line for line in lines.said if "ledger" in line]
        assert line.endswith("; it is made anew from its ledger.")
        path.unlink()
        assert [] == await again(made)
        assert whole["rows_digest"] == json.loads(path.read_bytes())["rows_digest"]


@pytest.mark.parametrize("damage", DAMAGES)
async def test_a_changed_responses_file_is_not_judged(made: Made, damage: str) -> None:
    """One flipped byte in an answer is noticed; nor is a changed file taken for its lost ledger."""
    await asked(made)
    made.responses.write_bytes(DAMAGES[damage](made.responses.read_bytes()))
    with pytest.raises(DataError, match=r"model\.responses\.json (was changed|is)"):
        await judged(made)
    ledger_path(made.responses).unlink()
    with pytest.raises(DataError, match=r"model\.responses\.json (was changed|is)"):
        await asked(made)


async def test_a_lost_ledger_is_read_back_from_the_file_with_a_sentence(made: Made) -> None:
    """Once; and then the file may be lost."""
    await asked(made)
    ledger_path(made.responses).unlink()
    lines = Lines()
    assert [] == await asked(made, lines=lines)
    assert [
        "model.responses.json.ledger was lost; 6 finished calls are read back into a new one from model.responses.json."
    ] == [line for line in lines.said if "ledger" in line]
    whole = rows(made)
    made.responses.unlink()
    assert ([], whole) == (await asked(made, lines=lines), rows(made))
    assert 1 == sum("ledger" in line for line in lines.said)


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


async def test_what_a_smaller_file_leaves_out_stays_in_the_ledger(made: Made) -> None:
    """A run with a limit, or on fewer tasks, over a complete one; and on into the file when all are wanted again."""
    await asked(made)
    whole = rows(made)
    assert ([], 2) == (await asked(made, limit=2), len(rows(made)))
    made.write_tasks([dict(ROWS[0])])
    assert ([], 1) == (await asked(made), len(rows(made)))
    made.write_tasks([dict(row) for row in ROWS])
    assert ([], whole, 6) == (await asked(made), rows(made), calls_in_ledger(made.responses))


async def test_verdicts_on_an_answer_that_changed_are_there_when_it_is_back(made: Made) -> None:
    """Judged again when it changed, not when it is as it was."""
    await asked(made)
    assert 18 == len(await judged(made))
    before = made.responses.read_bytes()
    with edited(made.responses) as table:
        table["responses"][2]["response"] = "另一个回答"
    assert 3 == len(await judged(made))
    made.responses.write_bytes(before)
    assert ([], 21) == (await judged(made), calls_in_ledger(made.scores))


async def test_files_go_on_saying_when_and_by_whom(made: Made) -> None:
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
    """A file of answers to passages says which these were: it is read back, and others are refused by name."""
    row = json.loads(json.dumps(ROWS[0]))
    text = ENGLISH + "\nNothing happened that day." * 60 + "\n\nThe rope lay in the tower.\n"
    (made.corpus / "voyage.txt").write_text(text, encoding="utf-8")
    row["ground_truth"]["evidence_spans"].append(clue(text, "s3", "in the tower"))
    made.write_tasks([row, *(dict(row) for row in ROWS[1:])])
    job = made.evaluate_job(run_config(), condition="evidence")
    await evaluate(job, opener=Fake(answer).opener)
    ledger_path(made.responses).unlink()
    again = Fake(answer)
    for limit in (2, None):
        await evaluate(replace(job, limit=limit), opener=again.opener)
    assert [] == again.asked
    row["ground_truth"]["evidence_spans"].pop()
    made.write_tasks([row, *(dict(row) for row in ROWS[1:])])
    with pytest.raises(ConfigError, match=r"en-1 \(passages\) changed"):
        await evaluate(job, opener=again.opener)


async def test_a_foreign_file_is_refused_before_a_ledger_is_made_beside_it(made: Made) -> None:
    """The data file named as the output stays alone in its folder."""
    with pytest.raises(DataError, match=r"tasks\.json"):
        await asked(made, out=made.data)
    assert not ledger_path(made.data).exists()


@pytest.mark.parametrize("lost", [("en-1", "zh-1"), tuple(str(row["question_id"]) for row in ROWS)])
async def test_an_older_results_file_takes_nothing_away(made: Made, lost: tuple[str, ...]) -> None:
    """Restored by a checkout or a copy: the ledger has the rest; without the ledger the rest is asked."""
    await asked(made, all_but(*lost))
    old = made.responses.read_bytes()
    await asked(made)
    made.responses.write_bytes(old)
    assert 0 == estimate(EstimateJob(run_config(), made.data, made.corpus, made.responses)).plan.contestant.requests
    assert [] == await asked(made)
    made.responses.write_bytes(old)
    ledger_path(made.responses).unlink()
    assert set(lost) == set(await asked(made))


async def test_a_mended_config_goes_on_after_a_kill_beside_a_file_in_which_nothing_was_finished(made: Made) -> None:
    """The file is of the settings before, the ledger of these."""
    await asked(made, lambda _: CallError("lost"))
    unfinished, mended = made.responses.read_bytes(), run_config(max_tokens=100)
    await asked(made, all_but("en-1"), mended)
    made.responses.write_bytes(unfinished)
    assert ["en-1"] == await asked(made, config=mended)


async def test_a_file_by_two_names_has_one_ledger(made: Made) -> None:
    """What a run by the link leaves out, a run by the file finds."""
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
    """The overflow is read back, and the answer stands behind it."""
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
    assert 21 == calls_in_ledger(made.scores)


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
    with edited(path) as table:
        del table["provenance"][part]
    for _ in range(2):
        with pytest.raises(DataError, match=rf"provenance\.{part} says nothing of 'en-1'"):
            await again(made)
        ledger_path(path).unlink(missing_ok=True)
    assert table == json.loads(path.read_bytes())


async def test_of_two_answers_to_one_call_in_a_file_the_first_counts(made: Made) -> None:
    """Also where a hand put them there."""
    made.write_tasks([dict(ROWS[0]), {**ROWS[0], "question_id": "twin"}])
    await asked(made)
    with edited(made.responses) as table:
        for row, said in zip(table["responses"], ("first", "second"), strict=True):
            row["response"] = said
    ledger_path(made.responses).unlink()
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
    with edited(made.responses) as table:
        table["provenance"]["endpoint_dates"]["first"] = date
    ledger_path(made.responses).unlink()
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
        ledger.set_meta({"format": "wildtrace.ledger/1"})
    with pytest.raises(DataError, match="belongs to another program or version"):
        await asked(made)


async def test_a_call_that_is_rejected_alike_in_three_runs_is_final(made: Made) -> None:
    """Counted apart from the model's refusals; no later run asks it again (rule 12)."""
    for _ in range(3):
        await asked(made, lambda call: RejectedError("HTTP 400: x") if call.question_id == "en-1" else answer(call))
    assert ("failed", "refused_by_endpoint", "HTTP 400: x") == tuple(
        rows(made)[0][name] for name in ("status", "reason", "error")
    )
    assert [] == await asked(made)
