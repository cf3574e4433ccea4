"""`wildtrace eval`, and the protocol's run_eval.py: answer every task, evidence withheld."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path
from typing import get_args

import click

from wildtrace.cli.progress import ShownProgress
from wildtrace.cli.terminal import FILE, FOLDER, tell, tell_example
from wildtrace.endpoints.config import load_config
from wildtrace.endpoints.failures import ContextOverflow, EndpointError, QuotaError
from wildtrace.errors import ConfigError, IncompleteError
from wildtrace.evaluate.run import EvaluateJob, EvaluateOutcome, evaluate
from wildtrace.evaluate.tasks import Condition
from wildtrace.text.counting import counted
from wildtrace.types import Response


@click.command("eval")
@click.option("--config", type=FILE, required=True, help="config.json: the model under test and its caps.")
@click.option("--data", type=FILE, required=True, help="The release's tasks, .json or .jsonl.")
@click.option("--corpus", type=FOLDER, required=True, help="The corpus folder.")
@click.option("--out", type=FILE, required=True, help="The responses file to write; its ledger stands beside it.")
@click.option("--limit", type=click.IntRange(min=1), help="Ask only so many tasks, spread over tiers and geometries.")
@click.option(
    "--condition",
    type=click.Choice(get_args(Condition)),
    default="full",
    show_default=True,
    help="What the model is given: the whole document, the clue passages, or nothing. Only full is the benchmark.",
)
def command(*, config: Path, data: Path, corpus: Path, out: Path, limit: int | None, condition: Condition) -> int:
    """Answer every task with the model under test, evidence withheld.

    Run it again to go on where a run stopped: no finished call is repeated.
    """
    job = EvaluateJob(load_config(config), data, corpus, out, condition, limit)
    with ShownProgress() as progress:
        outcome = asyncio.run(evaluate(job, progress))
    _tell(outcome, out)
    return _status(outcome)


def _tell(outcome: EvaluateOutcome, out: Path) -> None:
    counts = Counter(response.reason or response.status for response in outcome.responses)
    found = ", ".join(f"{n} {name}" for name, n in sorted(counts.items()))
    tell(f"{out}: {counted(len(outcome.responses), 'task')}: {found}")
    for reason, lost in _first_failures(outcome).items():
        tell_example(reason, lost.question_id, lost.error)
    flags = Counter(flag for response in outcome.responses for flag in response.flags)
    if flags:
        tell("Flags: " + ", ".join(f"{n} {name}" for name, n in sorted(flags.items())))
    if outcome.stopped_by is not None:
        tell(f"The endpoint is not asked any more: {outcome.stopped_by}", err=True)
    overflowed = sum(response.reason == ContextOverflow.reason for response in outcome.responses)
    if overflowed:
        long = counted(overflowed, "document is", "documents are")
        again = "is not sent again" if overflowed == 1 else "are not sent again"
        tell(
            f"{long} longer than the endpoint's window and {again} under this cap: "
            "measure the window with `wildtrace probe`, set the cap, then run again.",
            err=True,
        )
    if outcome.pending > overflowed:
        first = "mend the config, then " if _status(outcome) == ConfigError.exit_status else ""
        waiting = counted(outcome.pending - overflowed, "task is", "tasks are")
        tell(f"{waiting} pending; {first}run the same command again to go on.", err=True)


def _first_failures(outcome: EvaluateOutcome) -> dict[str, Response]:
    """For each reason the first response that failed for it: of those with words of the endpoint, if there are any."""
    lost = [response for response in outcome.responses if response.status in ("failed", "pending")]
    first: dict[str, Response] = {}
    for response in sorted(lost, key=lambda response: not response.error):
        first.setdefault(response.reason or response.status, response)
    return dict(sorted(first.items()))


def _status(outcome: EvaluateOutcome) -> int:
    if isinstance(outcome.stopped_by, EndpointError) and not isinstance(outcome.stopped_by, QuotaError):
        return ConfigError.exit_status
    if not outcome.pending:
        return 0
    return outcome.signal_status or IncompleteError.exit_status
