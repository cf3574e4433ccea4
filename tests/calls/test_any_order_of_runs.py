"""Whatever runs follow one another on an output: no call is made twice, and nothing that was answered is lost."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fakes import IDS, ROWS, Call, Fake, Made, Said, make_release, reply, run_config
from wildtrace.calls.ledger import ledger_path
from wildtrace.endpoints.failures import CallError, ContextOverflow, RefusedError
from wildtrace.evaluate.run import evaluate


@dataclass(frozen=True, slots=True)
class Run:
    """One run: its tasks, its limit and cap, the tasks whose calls fail or overflow, and whether the ledger is gone."""

    tasks: tuple[str, ...]
    limit: int | None
    cap: int
    lost: frozenset[str]
    too_long: frozenset[str]
    refused: frozenset[str]
    without_ledger: bool


IDS_SET = st.frozensets(st.sampled_from(IDS), max_size=3)
RUNS = st.lists(
    st.builds(
        Run,
        tasks=st.lists(st.sampled_from(IDS), min_size=1, unique=True).map(tuple),
        limit=st.none() | st.integers(1, 6),
        cap=st.sampled_from([10_000, 9_000, 200]),
        lost=IDS_SET,
        too_long=IDS_SET,
        refused=IDS_SET,
        without_ledger=st.booleans(),
    ),
    min_size=2,
    max_size=7,
)


@dataclass(slots=True)
class World:
    """What was paid for so far: the answer to each task, and the cap under which one overflowed."""

    made: Made
    paid: dict[str, str] = field(default_factory=dict)
    overflowed: set[tuple[str, int]] = field(default_factory=set)

    def go(self, run: Run) -> None:
        """Do a run; every call is checked as it is made."""
        if run.without_ledger and self.made.responses.exists() and not self.set_aside():
            ledger_path(self.made.responses).unlink(missing_ok=True)
        rows = {str(row["question_id"]): dict(row) for row in ROWS}
        self.made.write_tasks([rows[name] for name in run.tasks])
        config = run_config(caps={"tested": {"en": run.cap, "cjk": run.cap}})
        job = self.made.evaluate_job(config, limit=run.limit)
        asyncio.run(evaluate(job, opener=Fake(lambda call: self.said(call, run)).opener))
        self.check()
        if not run.lost:
            before = self.made.responses.stat()
            asyncio.run(evaluate(job, opener=Fake(lambda call: self.said(call, run)).opener))
            assert before == self.made.responses.stat()

    def said(self, call: Call, run: Run) -> Said:
        """What the model says, once; afterwards it must not be asked."""
        name = call.question_id
        assert name not in self.paid
        assert (name, run.cap) not in self.overflowed
        if name in run.lost:
            return CallError("no connection")
        if name in run.too_long:
            self.overflowed.add((name, run.cap))
            return ContextOverflow("HTTP 400")
        self.overflowed = {(task, cap) for task, cap in self.overflowed if task != name}
        self.paid[name] = f"answer {len(self.paid)} to {name}"
        return RefusedError(self.paid[name]) if name in run.refused else reply(self.paid[name])

    def rows(self) -> dict[str, str]:
        """The answers in the file, by task."""
        rows = json.loads(self.made.responses.read_bytes())["responses"]
        return {
            row["question_id"]: row["response"] or row["error"] for row in rows if row["status"] in ("ok", "failed")
        }

    def set_aside(self) -> bool:
        """Whether the ledger has what the file has not: then it may not be moved away."""
        return self.paid != self.rows() or bool(self.overflowed)

    def check(self) -> None:
        """What the file says was paid for."""
        assert self.rows().items() <= self.paid.items()


@settings(max_examples=60, deadline=None)
@given(runs=RUNS)
def test_no_call_is_made_twice_and_no_answer_is_lost(tmp_path_factory: pytest.TempPathFactory, runs: list[Run]) -> None:
    """Fewer tasks and more, limits, caps up and down, failures, overflows, refusals, a ledger that is moved away.

    A run after one that left nothing to ask writes nothing.
    """
    world = World(make_release(tmp_path_factory.mktemp("world")))
    for run in runs:
        world.go(run)
    world.go(Run(IDS, None, 10_000, frozenset(), frozenset(), frozenset(), without_ledger=False))
    still_too_long = {name for name, cap in world.overflowed if cap == 10_000}
    assert set(IDS) - still_too_long == set(world.paid)
    assert world.paid == world.rows()
