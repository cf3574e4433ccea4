"""Asking the judge of an evidence-visible study, with a fake judge behind the opener: what ends it, what is kept."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path
from typing import Any

import pytest

from tests.fakes import Call, Fake, Said, Say, reply, run_config, verdict
from wildtrace.calls.ledger import open_ledger
from wildtrace.endpoints.failures import EndpointError, QuotaError
from wildtrace.errors import ConfigError, IncompleteError
from wildtrace.studies.evidence_visible import JUDGEMENTS_FILE, Asked, Cell, EvidenceFile, ask
from wildtrace.studies.study import write_study


@pytest.fixture
def study(tmp_path: Path) -> Path:
    """A drawn study of three answers, one of them Chinese."""
    prompts = ("Why?", "谁先上了堤？", "Which pump?")
    cells = [
        Cell(f"c{at}", f"q{at}", "m", 0.5, "high", "causal", [60, 40], prompt, "an answer", truncated=False)
        for at, prompt in enumerate(prompts)
    ]
    write_study(tmp_path, EvidenceFile(study="evidence-visible", seed=0, judge="judge1", cells=cells))
    return tmp_path


async def asked(study: Path, say: Say, **changes: Any) -> tuple[Asked, Fake]:
    """Ask the judge; what came of it, and the fake that was asked."""
    fake = Fake(say)
    judges = [{"name": "judge1", "base_url": "http://127.0.0.1:9/v1", "model": "grader", "concurrency": 1}]
    return await ask(study, run_config(judges=judges, **changes), None, fake.opener), fake


def judged(study: Path) -> list[str]:
    """The judgements that the study holds."""
    return (study / JUDGEMENTS_FILE).read_text(encoding="utf-8").splitlines()[1:]


async def test_a_reply_with_half_a_character_is_kept_as_it_can_be_written(study: Path) -> None:
    """As in judging (rule 17): it was paid for, and is not asked for again."""
    found, fake = await asked(study, lambda _: f"{verdict(50)} \ud83d")
    assert (3, 3) == (found.judged, len(fake.asked))
    with open_ledger(study / "judgements.ledger") as ledger:
        assert 3 == len(ledger)
    (study / JUDGEMENTS_FILE).unlink()
    found, fake = await asked(study, lambda _: verdict(0))
    assert (3, []) == (found.judged, fake.asked)
    assert ["c0,0.5", "c1,0.5", "c2,0.5"] == judged(study)


@pytest.mark.parametrize(
    ("failure", "expected"),
    [
        (EndpointError("HTTP 401: no; check the key"), ConfigError),
        (QuotaError("HTTP 402: fund the account"), IncompleteError),
    ],
)
async def test_an_endpoint_that_answers_no_more_ends_the_study_in_one_sentence(
    study: Path, failure: EndpointError, expected: type[Exception]
) -> None:
    """What was judged before is kept; exit status 78 where something is to be mended, 2 for an empty account."""

    def say(call: Call) -> Said:
        return failure if call.place else verdict(50)

    with pytest.raises(expected, match=f"judge1 cannot be asked: {failure}"):
        await asked(study, say)
    assert 1 == len(judged(study))
    found, fake = await asked(study, lambda _: verdict(50))
    assert (3, 2) == (found.judged, len(fake.asked))


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
async def test_a_signal_with_work_left_is_told_by_the_exit_status(
    study: Path, number: signal.Signals, status: int
) -> None:
    """What was in flight is kept; the same command goes on."""

    async def say(call: Call) -> Said:
        if not call.place:
            os.kill(os.getpid(), number)
            await asyncio.sleep(0.01)
        return reply(verdict(50))

    with pytest.raises(IncompleteError, match="stopped; 1 of 3 answers are judged with the evidence, run the") as told:
        await asked(study, say)
    assert status == told.value.exit_status
    assert 1 == len(judged(study))


async def test_a_signal_that_comes_when_all_is_done_leaves_nothing_to_tell(study: Path) -> None:
    """The study is complete."""

    async def say(call: Call) -> Said:
        if call.place == 2:
            os.kill(os.getpid(), signal.SIGINT)
        return reply(verdict(50))

    found, _ = await asked(study, say)
    assert (3, 3) == (found.judged, found.cells)
