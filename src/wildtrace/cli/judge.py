"""`wildtrace judge`, and the protocol's run_judge.py: grade the answers with the panel."""

from __future__ import annotations

import asyncio
from pathlib import Path

import click

from wildtrace.cli.progress import ShownProgress
from wildtrace.cli.summary import tell_scores
from wildtrace.cli.terminal import FILE
from wildtrace.endpoints.config import load_config
from wildtrace.errors import IncompleteError
from wildtrace.judge.run import JudgeJob, JudgeOutcome, judge


@click.command("judge")
@click.option("--config", type=FILE, required=True, help="config.json: the panel stands under judges.")
@click.option("--data", type=FILE, required=True, help="The release's tasks, .json or .jsonl.")
@click.option("--responses", type=FILE, required=True, help="The responses file that eval wrote.")
@click.option("--out", type=FILE, required=True, help="The scores file to write; its ledger stands beside it.")
@click.option("--limit", type=click.IntRange(min=1), help="Score only the tasks that eval --limit asked.")
def command(*, config: Path, data: Path, responses: Path, out: Path, limit: int | None) -> int:
    """Grade the answers with the panel and print Scored and All.

    Exits with 2 while a judge's reply is missing or an answer is pending; run it again to get what is missing. A task
    without a response counts as zero.
    """
    job = JudgeJob(load_config(config), data, responses, out, limit)
    with ShownProgress() as progress:
        outcome = asyncio.run(judge(job, progress))
    tell_scores(outcome)
    return _status(outcome)


def _status(outcome: JudgeOutcome) -> int:
    if not outcome.aggregate.unjudged and not outcome.aggregate.pending:
        return 0
    return outcome.signal_status or IncompleteError.exit_status
