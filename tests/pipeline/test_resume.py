"""Going on from a ledger that says nothing that this program writes."""

from __future__ import annotations

from typing import Any

import pytest

from tests.fakes import ROWS, Fake, Made, answer, run_config, verdict
from wildtrace.errors import DataError
from wildtrace.pipeline.evaluate import evaluate
from wildtrace.pipeline.judge import judge
from wildtrace.store.ledger import ledger_path, open_ledger


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
    "change", [{"sent_at": "now"}, {"sent_at": None}, {"cap": "x"}, {"response": {"status": "fine"}}, {"response": []}]
)
async def test_an_answer_of_another_shape_is_a_torn_ledger(made: Made, change: dict[str, Any]) -> None:
    """Each field that a run reads of it."""
    await evaluate(made.evaluate_job(run_config()), opener=Fake(answer).opener)
    with open_ledger(ledger_path(made.responses)) as ledger:
        for key in list(ledger._calls):
            await ledger.add(key, {**(ledger.find(key) or {}), **change}, instead=True)
    with pytest.raises(DataError, match="is torn or of another version"):
        await evaluate(made.evaluate_job(run_config()), opener=Fake(answer).opener)


@pytest.mark.parametrize("record", [{}, {"reply": 5}, {"q": "a:b"}])
async def test_a_judges_record_of_another_shape_is_a_torn_ledger(made: Made, record: dict[str, Any]) -> None:
    """As after the answers' or the tasks' rows were put in their place."""
    await evaluate(made.evaluate_job(run_config()), opener=Fake(answer).opener)
    panel = Fake(lambda _: verdict(50))
    await judge(made.judge_job(run_config()), opener=panel.opener)
    with open_ledger(ledger_path(made.scores)) as ledger:
        for key in list(ledger._calls):
            await ledger.add(key, record, instead=True)
    with pytest.raises(DataError, match="torn or no ledger"):
        await judge(made.judge_job(run_config()), opener=panel.opener)
