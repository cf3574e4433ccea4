"""The answering flow from data, corpus and config to a responses file, with a fake model behind the opener."""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import re
import signal
from typing import Any

import pytest

from tests.fakes import CRLF_AS_READ, DOCUMENTS, IDS, ROWS, Call, Fake, Made, answer, reply, run_config
from wildtrace import __version__
from wildtrace.calls.ledger import ledger_path
from wildtrace.calls.progress import Finished
from wildtrace.endpoints.failures import ContextOverflow, EndpointError, RefusedError, RejectedError, TransientError
from wildtrace.errors import ConfigError, DataError
from wildtrace.evaluate.run import EvaluateOutcome, evaluate
from wildtrace.scores.results import read_responses
from wildtrace.text.reading import read_text
from wildtrace.types import Response


class Told:
    """A Progress that keeps all its news."""

    def __init__(self) -> None:
        self.starts: list[tuple[str, int, int]] = []
        self.finished: list[Finished] = []
        self.lines: list[str] = []

    def start(self, what: str, total: int, done: int) -> None:
        """Keep."""
        self.starts.append((what, total, done))

    def advance(self, finished: Finished) -> None:
        """Keep."""
        self.finished.append(finished)

    def say(self, line: str) -> None:
        """Keep."""
        self.lines.append(line)


async def run(made: Made, say: Any = answer, told: Told | None = None, **changes: Any) -> tuple[EvaluateOutcome, Fake]:
    """Answer the made release; the outcome and the fake that was asked."""
    fake = Fake(say)
    config = changes.pop("config", None) or run_config()
    return await evaluate(made.evaluate_job(config, **changes), told, fake.opener), fake


def filed(made: Made) -> dict[str, Response]:
    """The responses as they stand in the file."""
    return {response.question_id: response for response in read_responses(made.responses).responses}


async def test_every_task_is_asked_once_with_its_document_and_nothing_hidden(made: Made) -> None:
    """The whole prompt, word for word; no clue list, answer or rubric."""
    outcome, fake = await run(made)
    for entry in ROWS:
        (call,) = [call for call in fake.asked if call.question_id == entry["question_id"]]
        wanted = (
            "Answer using ONLY the document below. Include every specific detail from the text.\n\n"
            f"Question: {entry['question_text']}\n\nDocument:\n{DOCUMENTS[entry['corpus_file']]}"
        )
        assert wanted == call.prompt
    assert (6, 6, 0) == (len(outcome.responses), outcome.asked, outcome.pending)
    assert ["tested"] == fake.opened
    assert [f"answer to {question_id}" for question_id in IDS] == [response.response for response in outcome.responses]
    assert tuple(outcome.responses) == tuple(filed(made).values())


async def test_tasks_of_one_document_are_asked_together(made: Made) -> None:
    """However the data mix them, so that each document is read once; the file keeps the data's order."""
    mixed = [ROWS[place] for place in (0, 2, 4, 1, 3, 5)]
    made.write_tasks(mixed)
    _, fake = await run(made, config=run_config(concurrency=1))
    assert ["en-1", "en-2", "zh-1", "zh-2", "tr-1", "tr-2"] == fake.ids
    assert [entry["question_id"] for entry in mixed] == list(filed(made))


async def test_a_finished_run_is_left_alone(made: Made) -> None:
    """No endpoint opened, no byte written, no document opened."""
    await run(made)
    before, stat = made.responses.read_bytes(), made.responses.stat()
    told = Told()
    outcome, fake = await run(made, told=told)
    assert ([], 0, [("answers", 6, 6)]) == (fake.opened, outcome.asked, told.starts)
    assert (before, stat.st_mtime_ns, stat.st_ino) == (
        made.responses.read_bytes(),
        made.responses.stat().st_mtime_ns,
        made.responses.stat().st_ino,
    )


async def test_the_provenance_tells_how_the_answers_came_to_be(made: Made) -> None:
    """Every field that the format names; no credentials."""
    config = run_config("http://user:pw@127.0.0.1:9/v1?key=1")
    await run(made, lambda call: reply(answer(call), served_model=f"m-{call.place % 2}"), config=config)
    provenance = read_responses(made.responses).provenance
    assert (__version__, "tested", "http://127.0.0.1:9/v1", ["m-0", "m-1"]) == (
        provenance["version"],
        provenance["model"],
        provenance["base_url"],
        provenance["served_models"],
    )
    assert {"first": "2023-11-14T22:13:20Z", "last": "2023-11-14T22:13:20Z"} == provenance["endpoint_dates"]
    assert ({"en": 10_000, "cjk": 10_000}, "config", None) == (
        provenance["caps"],
        provenance["cap_source"],
        provenance["cap_as"],
    )
    assert {"temperature": 0.1, "max_tokens": 8192, "max_tokens_field": "max_tokens"} == provenance["decoding"]
    assert (5, None, False, ["incident.txt"]) == (
        provenance["retry_policy"]["retries"],
        provenance["panel"],
        provenance["offline"],
        provenance["documents_changed"],
    )
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", provenance[key]) for key in ("started", "ended"))
    assert set(IDS) == set(provenance["tasks"])
    assert not {"user", "pw", "key=1"} & set(re.split(r"[^\w=]+", made.responses.read_text(encoding="utf-8")))


async def test_the_data_hash_is_of_the_tasks_not_of_their_file(made: Made) -> None:
    """Order and form do not matter, a question does."""
    hashes: list[str] = []
    for rows, data in (
        (ROWS, made.data),
        (ROWS[::-1], made.lines),
        ([{**ROWS[0], "question_text": "?"}, *ROWS[1:]], made.data),
    ):
        made.write_tasks([dict(entry) for entry in rows])
        out = made.folder / f"{len(hashes)}.json"
        await evaluate(made.evaluate_job(run_config(), data=data, out=out), opener=Fake(lambda _: "a").opener)
        hashes.append(read_responses(out).provenance["data_hash"])
    assert hashes[0] == hashes[1] != hashes[2]


async def test_progress_is_told_call_by_call(made: Made) -> None:
    """Out-of-scope tasks are no calls; each call with its outcome, usage and attempts; a stop is not told."""
    told = Told()
    failures = {"zh-1": RefusedError("no"), "zh-2": TransientError("t", reason="timeout")}
    config = run_config(caps={"tested": {"en": len(DOCUMENTS["voyage.txt"]) - 1, "cjk": 10_000}})
    await run(made, lambda call: failures.get(call.question_id) or reply("a", attempts=2), told, config=config)
    assert [("answers", 4, 0)] == told.starts
    assert ["ok", "ok", "refusal", "timeout"] == sorted(finished.outcome for finished in told.finished)
    assert {2} == {finished.attempts for finished in told.finished if finished.outcome == "ok"}


async def test_what_is_not_final_is_asked_again_and_what_is_final_is_not(made: Made) -> None:
    """Pending: transient and rejected. Final: answers, refusals, empty answers, and an overflow under the same cap."""
    said: dict[str, Any] = {
        "en-1": RefusedError("no"),
        "en-2": "",
        "zh-1": ContextOverflow("too long"),
        "zh-2": TransientError("503"),
        "tr-1": RejectedError("400"),
    }
    outcome, _ = await run(made, lambda call: said.get(call.question_id, "a"))
    assert 3 == outcome.pending
    outcome, fake = await run(made)
    assert (["zh-2", "tr-1"], 1) == (fake.ids, outcome.pending)


async def test_limit_asks_a_part_that_a_larger_run_takes_over(made: Made) -> None:
    """Nothing is asked twice."""
    _, first = await run(made, limit=2)
    assert (2, 2) == (len(first.asked), len(filed(made)))
    _, second = await run(made)
    assert (set(IDS) - set(first.ids), 6) == (set(second.ids), len(filed(made)))


async def test_the_evidence_condition_gives_the_clue_passages_instead(made: Made) -> None:
    """Also for a document above the cap; marked in the provenance."""
    config = run_config(caps={"tested": {"en": 1, "cjk": 1}})
    _, fake = await run(made, config=config, condition="evidence")
    prompts = {call.question_id: call.prompt for call in fake.asked}
    assert set(IDS) == set(prompts)
    assert "03:58" in prompts["tr-2"]
    assert prompts["tr-2"].split("Document:\n")[1] in CRLF_AS_READ
    assert "evidence" == read_responses(made.responses).provenance["condition"]


async def test_the_none_condition_gives_no_document(made: Made) -> None:
    """The question alone; nothing is out of scope."""
    _, fake = await run(made, condition="none", config=run_config(caps={"tested": {"en": 1, "cjk": 1}}))
    wanted = {
        f"Answer. Include every specific detail from the text.\n\nQuestion: {entry['question_text']}" for entry in ROWS
    }
    assert wanted == {call.prompt for call in fake.asked}


async def test_a_signal_lets_calls_in_flight_finish_and_the_rest_is_not_asked(made: Made) -> None:
    """The file says so; the next run asks only the rest."""

    async def say(call: Call) -> str:
        if call.place == 0:
            os.kill(os.getpid(), signal.SIGTERM)
        await asyncio.sleep(0.02)
        return answer(call)

    told = Told()
    outcome, fake = await run(made, say, told, config=run_config(concurrency=2))
    assert (143, 2, 4) == (outcome.signal_status, len(fake.asked), outcome.pending)
    assert {"not_asked"} == {entry.reason for entry in filed(made).values() if entry.status == "pending"}
    assert any(line.startswith("Stopping") for line in told.lines)
    outcome, again = await run(made)
    assert (4, 0, None) == (len(again.asked), outcome.pending, outcome.signal_status)


async def test_a_second_signal_stops_at_once_and_leaves_a_whole_file(made: Made) -> None:
    """What never came is not asked for in the file."""

    async def say(call: Call) -> str:
        if call.place == 1:
            for _ in range(2):
                os.kill(os.getpid(), signal.SIGINT)
                await asyncio.sleep(0.01)
            await asyncio.sleep(60)
        return answer(call)

    outcome, _ = await asyncio.wait_for(run(made, say, config=run_config(concurrency=1)), 10)
    assert (130, 5) == (outcome.signal_status, outcome.pending)
    assert ["ok", *["pending"] * 5] == [response.status for response in read_responses(made.responses).responses]


async def test_an_unexpected_error_is_raised_after_everything_was_saved(made: Made) -> None:
    """A fault of this program loses no answer."""

    def say(call: Call) -> str:
        if call.place == 3:
            raise RuntimeError("a fault of this program")
        return answer(call)

    with pytest.raises(RuntimeError, match="a fault of this program"):
        await run(made, say, config=run_config(concurrency=1))
    assert 3 == sum(entry.status == "ok" for entry in filed(made).values())


@pytest.mark.parametrize("row", [ROWS[0], ROWS[2]])
@pytest.mark.parametrize("concurrency", [1, 4])
async def test_two_tasks_with_one_question_and_document_are_asked_once(
    made: Made, row: dict[str, Any], concurrency: int
) -> None:
    """They share the reply, in this run and in the next, with the ledger and without it (rule 28)."""
    made.write_tasks([row, ROWS[4], {**row, "question_id": "孪生"}])
    counter = itertools.count(1)
    told = Told()
    config = run_config(concurrency=concurrency)

    outcome, endpoint = await run(made, lambda _: f"answer {next(counter)}", told, config=config)

    assert 2 == len(endpoint.asked)
    first = filed(made)
    assert first[row["question_id"]].response == first["孪生"].response
    assert (3, 2) == (len(told.finished), sum(finished.attempts for finished in told.finished))
    assert 0 == outcome.pending
    for lost in (False, True):
        if lost:
            ledger_path(made.responses).unlink()
        _, again = await run(made, config=config)
        assert ([], first) == (again.asked, filed(made))


async def test_tasks_of_one_call_fail_together(made: Made) -> None:
    """A failure is theirs as an answer would be; the next run asks once."""
    made.write_tasks([ROWS[0], {**ROWS[0], "question_id": "twin"}])
    _, failed = await run(made, lambda _: TransientError("down"))
    assert (1, ["pending"] * 2) == (len(failed.asked), [entry.status for entry in filed(made).values()])
    _, stopped = await run(made, lambda _: EndpointError("bad key"))
    assert (1, ["bad key"] * 2) == (len(stopped.asked), [entry.error for entry in filed(made).values()])
    _, again = await run(made)
    assert (1, ["ok"] * 2) == (len(again.asked), [entry.status for entry in filed(made).values()])


@pytest.mark.parametrize("key", ["model", "endpoint"])
async def test_responses_of_another_kind_of_run_are_refused_before_anything_is_asked(made: Made, key: str) -> None:
    """A file whose provenance lacks its signature is of another run."""
    await run(made)
    data = json.loads(made.responses.read_bytes())
    del data["provenance"]["signature"]["route"][key]
    made.responses.write_text(json.dumps(data))
    with pytest.raises(ConfigError, match=f"route.{key}: none -> "):
        await run(made)


async def test_a_document_that_changes_while_others_are_answered_stops_the_run(made: Made) -> None:
    """What came before is saved; nothing is sent of the changed text."""

    def say(call: Call) -> str:
        if call.place == 0:
            (made.corpus / "incident.txt").write_text("other")
        return answer(call)

    with pytest.raises(DataError, match=r"incident\.txt changed during the run"):
        await run(made, say, config=run_config(concurrency=1))
    assert 4 == sum(entry.status == "ok" for entry in filed(made).values())
    assert "other" == read_text(made.corpus / "incident.txt").text


async def test_a_smaller_run_without_its_ledger_loses_no_answer_of_a_larger_one(made: Made) -> None:
    """The file is the smaller run's; the answers of the larger one go on being known."""
    await run(made)
    ledger_path(made.responses).unlink()

    _, smaller = await run(made, limit=2)
    _, whole = await run(made)

    assert ([], []) == (smaller.ids, whole.ids)
    assert list(IDS) == list(filed(made))


async def test_an_overflow_is_not_sent_again_when_the_ledger_is_gone(made: Made) -> None:
    """The results file remembers it, and the cap it was sent under (rule 13)."""
    await run(made, lambda call: ContextOverflow("too long") if call.question_id == "en-1" else answer(call))
    ledger_path(made.responses).unlink()

    _, again = await run(made)

    assert [] == again.ids
    assert "context_overflow" == filed(made)["en-1"].reason


async def test_a_run_that_finished_nothing_takes_a_mended_config(made: Made) -> None:
    """A misspelt model leaves nothing to protect: the same output goes on under the right name."""
    await run(made, lambda _: TransientError("no such model"), config=run_config(model="mispelt"))

    outcome, fake = await run(made)

    assert (6, 0) == (len(fake.ids), outcome.pending)
    with pytest.raises(ConfigError, match="other settings"):
        await run(made, config=run_config(model="mispelt"))
