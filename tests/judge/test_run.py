"""The judging flow from a responses file to a scores file, with a fake panel behind the opener."""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import signal
from typing import Any

import pytest

from tests.fakes import IDS, ROWS, Call, Fake, Made, answer, reply, run_config, verdict
from wildtrace.calls.ledger import ledger_path
from wildtrace.endpoints.base import Reply
from wildtrace.endpoints.failures import TransientError
from wildtrace.errors import ConfigError, DataError
from wildtrace.evaluate.run import evaluate
from wildtrace.judge.run import JudgeOutcome, judge
from wildtrace.scores.results import read_scores
from wildtrace.types import JudgeFailure, Judgement

TOTALS = {"judge1": 30, "judge2": 60, "judge3": 90}


def by_name(call: Call) -> str:
    """Each judge has its own total."""
    return verdict(TOTALS[call.endpoint])


async def answered(made: Made, say: Any = answer, **changes: Any) -> None:
    """Write a responses file."""
    await evaluate(made.evaluate_job(run_config(), **changes), opener=Fake(say).opener)


async def judged(made: Made, say: Any = by_name, **changes: Any) -> tuple[JudgeOutcome, Fake]:
    """Judge it; the outcome and the fake that was asked."""
    fake = Fake(say)
    config = changes.pop("config", None) or run_config()
    return await judge(made.judge_job(config, **changes), opener=fake.opener), fake


async def test_each_judge_sees_each_answer_once_and_the_mean_is_the_score(made: Made) -> None:
    """The prompts, the entries, the means, and the file that says so."""
    await answered(made)
    outcome, fake = await judged(made)
    assert {(name, question_id) for name in TOTALS for question_id in IDS} == {
        (call.endpoint, call.question_id) for call in fake.asked
    }
    assert 18 == len(fake.asked)
    first = next(call for call in fake.asked if call.question_id == "zh-1")
    assert (
        "STRICT grader. Only award points for SPECIFIC details present.\n"
        "QUESTION: 铁链为什么断了？\nRUBRIC:\nP1 (60pts): 带着锯子上了堤\nP2 (40pts): 锯子的价钱\n"
        'RESPONSE:\nanswer to zh-1\nReply JSON: {"points_awarded":[<pts>],"total":<sum>}'
    ) == first.prompt
    assert {0.6} == {round(score.score or 0, 12) for score in outcome.scores}
    file = read_scores(made.scores)
    assert (6, 6, ("judge1", "judge2", "judge3"), {}) == (file.n_tasks, file.scored_n, file.judges, file.zeros)
    assert outcome.scores == file.scores
    entry = file.scores[0].judges["judge2"]
    assert Judgement(0.6, 60, (60, 0), (), verdict(60)) == entry


async def test_a_finished_run_asks_and_writes_nothing(made: Made) -> None:
    """The file stays as it is, to the byte."""
    await answered(made)
    await judged(made)
    before, stat = made.scores.read_bytes(), made.scores.stat().st_mtime_ns
    outcome, fake = await judged(made, lambda _: verdict(0))
    assert ([], 0) == (fake.opened, outcome.asked)
    assert (before, stat) == (made.scores.read_bytes(), made.scores.stat().st_mtime_ns)


@pytest.mark.parametrize("row", [ROWS[0], ROWS[2]])
async def test_two_answers_with_one_prompt_are_judged_once_by_each_judge(made: Made, row: dict[str, Any]) -> None:
    """They share the verdict, in this run and in the next, with the ledger and without it (rule 28)."""
    made.write_tasks([row, ROWS[4], {**row, "question_id": "孪生"}])
    await answered(made)
    totals = itertools.count(1)
    outcome, fake = await judged(made, lambda _: verdict(next(totals)), config=run_config(concurrency=4))
    assert 6 == len(fake.asked)
    first = {score.question_id: score for score in outcome.scores}
    assert first[row["question_id"]].judges == first["孪生"].judges
    for lost in (False, True):
        if lost:
            ledger_path(made.scores).unlink()
        again, fake = await judged(made, lambda _: verdict(99), config=run_config(concurrency=4))
        assert ([], outcome.scores) == (fake.asked, again.scores)


async def test_answers_of_one_prompt_fail_together(made: Made) -> None:
    """Three samples for both; the next run goes on from the fourth."""
    made.write_tasks([ROWS[0], {**ROWS[0], "question_id": "twin"}])
    await answered(made)
    outcome, fake = await judged(made, lambda call: "prose" if call.endpoint == "judge2" else by_name(call))
    assert (3, 5) == (sum(call.endpoint == "judge2" for call in fake.asked), len(fake.asked))
    assert [True] * 2 == [isinstance(score.judges["judge2"], JudgeFailure) for score in outcome.scores]
    outcome, fake = await judged(made, lambda _: TransientError("down"))
    assert (1, ["down"] * 2) == (
        len(fake.asked),
        [getattr(score.judges["judge2"], "error", "") for score in outcome.scores],
    )
    outcome, fake = await judged(made)
    assert (1, [0.6] * 2) == (len(fake.asked), [round(score.score or 0, 12) for score in outcome.scores])


async def test_answers_that_came_later_are_judged_and_the_others_are_not_again(made: Made) -> None:
    """Judging while responses are pending, then going on."""
    await answered(made, lambda call: TransientError("503") if call.question_id == "zh-1" else answer(call))
    outcome, _ = await judged(made)
    assert (1, 0, {"pending:transient": 1}) == (
        outcome.aggregate.pending,
        outcome.aggregate.unjudged,
        outcome.aggregate.zeros,
    )
    assert outcome.aggregate.all_tasks == pytest.approx(0.6 * 5 / 6)
    await answered(made)
    outcome, fake = await judged(made)
    assert ({"zh-1"}, 3, {}) == (set(fake.ids), len(fake.asked), outcome.aggregate.zeros)


async def test_the_provenance_is_the_answers_and_the_panels(made: Made) -> None:
    """Model, caps and dates of the one; models, settings and dates of the other; no credentials."""
    await answered(made)

    def say(call: Call) -> Reply:
        return reply(by_name(call), served_model=f"{call.endpoint}-0612")

    panel = [{"name": name, "base_url": "http://u:pw@127.0.0.1:9/v1", "model": f"grader-{name}"} for name in TOTALS]
    await judged(made, say, config=run_config(judges=panel))
    provenance = read_scores(made.scores).provenance
    assert ("tested", "config", "full") == (provenance["model"], provenance["cap_source"], provenance["condition"])
    assert list(TOTALS) == [row["name"] for row in provenance["panel"]]
    row = provenance["panel"][0]
    assert ("grader-judge1", "http://127.0.0.1:9/v1", ["judge1-0612"]) == (
        row["model"],
        row["base_url"],
        row["served_models"],
    )
    assert {"temperature": 0.1, "max_tokens": 16384, "max_tokens_field": "max_tokens"} == row["decoding"]
    assert {"contestant": False, "judges": []} == provenance["offline"]
    assert b"pw" not in made.scores.read_bytes()


async def test_offline_models_are_marked(made: Made) -> None:
    """By the fingerprint of their replies: flags on answers and verdicts, and the provenance; a resumed run too."""
    await answered(made, lambda call: reply(answer(call), fingerprint="wildtrace-offline"))

    def say(call: Call) -> Reply:
        return reply(by_name(call), fingerprint="wildtrace-offline" if call.endpoint == "judge2" else "fp")

    for _ in range(2):
        outcome, _fake = await judged(made, say)
        assert {"contestant": True, "judges": ["judge2"]} == outcome.provenance["offline"]
        entries = outcome.scores[0].judges
        flagged = [name for name, entry in entries.items() if isinstance(entry, Judgement) and "offline" in entry.flags]
        assert (["judge2"], {"offline": 6}) == (flagged, outcome.provenance["flags"])


async def test_a_reply_that_held_the_key_is_marked(made: Made) -> None:
    """The answer, its score, and the verdict; a run that goes on from the ledger or the file marks them too."""
    await answered(made, lambda call: reply(answer(call), key_removed=call.question_id == "en-1"))

    def say(call: Call) -> Reply:
        return reply(by_name(call), key_removed=call.endpoint == "judge2")

    for kept in (True, True, False):
        if not kept:
            ledger_path(made.scores).unlink()
        outcome, _fake = await judged(made, say)
        entries = outcome.scores[1].judges
        flagged = [name for name, entry in entries.items() if "key_removed" in getattr(entry, "flags", ())]
        assert (["judge2"], {"key_removed": 1}) == (flagged, outcome.provenance["flags"])


async def test_doubts_about_an_answer_reach_its_score(made: Made) -> None:
    """Flags and reasons of the response stand with the score."""
    await answered(made, lambda call: reply(answer(call), usage=None))
    outcome, _ = await judged(made)
    assert {("unverified",)} == {score.flags for score in outcome.scores}
    assert {"unverified": 6} == outcome.provenance["flags"]


async def test_a_reply_that_never_becomes_usable_is_shown(made: Made) -> None:
    """The last reply and why it is none; then a failed call keeps the reply beside its own error."""
    await answered(made, limit=1)
    outcome, fake = await judged(made, lambda _: "I give 50.", limit=1)
    entry = outcome.scores[0].judges["judge1"]
    assert (JudgeFailure("the reply holds no object with a total", "I give 50."), 9) == (entry, len(fake.asked))
    outcome, fake = await judged(made, lambda _: TransientError("HTTP 503"), limit=1)
    assert (JudgeFailure("HTTP 503", "I give 50."), 3) == (outcome.scores[0].judges["judge1"], len(fake.asked))


async def test_lone_surrogates_in_a_verdict_do_not_spoil_the_file(made: Made) -> None:
    """Replaced, and the verdict stands."""
    await answered(made, limit=1)
    outcome, _ = await judged(made, lambda _: '{"why":"\ud800","points_awarded":[5,0],"total":5}', limit=1)
    entry = read_scores(made.scores).scores[0].judges["judge1"]
    assert isinstance(entry, Judgement)
    assert ("\ufffd" in entry.reply, 5.0, 0) == (True, entry.total, outcome.aggregate.unjudged)


async def test_a_stop_begins_no_further_call_of_any_judge(made: Made) -> None:
    """Those in flight are kept, and the next run asks only the rest."""
    await answered(made)

    async def say(call: Call) -> str:
        if call.place == 0:
            os.kill(os.getpid(), signal.SIGINT)
        await asyncio.sleep(0.02)
        return by_name(call)

    panel = [{"name": n, "base_url": "http://127.0.0.1:9/v1", "model": n, "concurrency": 1} for n in TOTALS]
    outcome, fake = await judged(made, say, config=run_config(judges=panel))
    assert (130, 3) == (outcome.signal_status, len(fake.asked))
    assert JudgeFailure("not asked yet") in outcome.scores[5].judges.values()
    outcome, again = await judged(made, config=run_config(judges=panel))
    assert (15, 0) == (len(again.asked), outcome.aggregate.unjudged)


async def test_an_empty_panel_and_a_changed_question_are_refused(made: Made) -> None:
    """Before any judge is asked."""
    await answered(made)
    with pytest.raises(ConfigError, match=r"names no judges; add the panel"):
        await judged(made, config=run_config(judges=[]))
    made.write_tasks([{**ROWS[0], "question_text": "Which page?!"}, *ROWS[1:]])
    with pytest.raises(ConfigError, match=r"en-1 \(question\) changed"):
        await judged(made)


async def test_a_panel_of_one_is_a_panel(made: Made) -> None:
    """Its credit is the score."""
    await answered(made)
    outcome, _ = await judged(
        made, config=run_config(judges=[{"name": "judge3", "base_url": "http://h/v1", "model": "x"}])
    )
    assert {0.9} == {score.score for score in outcome.scores}


async def test_responses_that_are_missing_are_one_sentence(made: Made) -> None:
    """With the command that writes them."""
    with pytest.raises(DataError, match=r"model\.responses\.json cannot be read .* wildtrace eval wrote"):
        await judged(made)


async def test_answers_to_tasks_that_the_data_lack_do_not_count(made: Made) -> None:
    """The data say what the tasks are."""
    await answered(made)
    made.write_tasks(list(ROWS[:2]))
    outcome, _ = await judged(made)
    assert (2, ["en-1", "en-2"]) == (outcome.aggregate.n_tasks, [score.question_id for score in outcome.scores])
    raw = json.loads(made.scores.read_bytes())
    assert 2 == raw["n_tasks"]


async def test_a_smaller_judging_without_its_ledger_loses_no_judgement(made: Made) -> None:
    """The replies on answers outside of it go on being known."""
    await answered(made)
    await judged(made)
    ledger_path(made.scores).unlink()

    _, smaller = await judged(made, limit=2)
    _, whole = await judged(made)

    assert ([], []) == (smaller.ids, whole.ids)


async def test_responses_of_another_release_are_refused(made: Made) -> None:
    """Not one of them belongs to a task: that is no run with everything missing."""
    await answered(made)
    made.write_tasks([{**entry, "question_id": f"other-{entry['question_id']}"} for entry in ROWS])

    with pytest.raises(DataError, match="none of the responses"):
        await judged(made)


async def test_a_judge_that_is_the_configs_contestant_is_refused_without_a_provenance(made: Made) -> None:
    """Where the responses do not say who answered, the config does (rule 25)."""
    await answered(made)
    file = json.loads(made.responses.read_bytes())
    del file["provenance"]["model"]
    made.responses.write_text(json.dumps(file))
    judges = [{"name": "own", "base_url": "http://127.0.0.1:9/v1", "model": "tested"}]

    with pytest.raises(ConfigError, match="contestant itself"):
        await judged(made, config=run_config(judges=judges))
