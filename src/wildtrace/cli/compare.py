"""`wildtrace compare`: is the difference between two systems real?"""

from __future__ import annotations

from pathlib import Path

import click

from wildtrace.cli import threads  # noqa: F401 - before numpy
from wildtrace.cli.terminal import FILE
from wildtrace.diagnose.base import Settings
from wildtrace.report.compare import CompareJob, compare
from wildtrace.tables.formats import RENDERERS, to_text


@click.command("compare")
@click.argument("a")
@click.argument("b")
@click.option("--data", type=FILE, help="The release's tasks or a task table: documents to cluster by, and slices.")
@click.option("--matrix", type=FILE, help="A score matrix; A and B are then two of its systems.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of the resampling.")
@click.option("--resamples", type=click.IntRange(100, 10_000_000), default=10_000, show_default=True,
              help="Resamples drawn.")  # fmt: skip
@click.option("--allow-mixed", is_flag=True, help="Compare runs under other settings too, and mark the table.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", *RENDERERS]),
    default="text",
    show_default=True,
    help="How the table is written.",
)
def command(
    *, a: str, b: str, data: Path | None, matrix: Path | None, seed: int, resamples: int, allow_mixed: bool, form: str
) -> int:
    """Compare A with B, two scores files or two systems of a matrix, paired by item and clustered by document.

    Prints the mean difference with its interval, a permutation p, wins, losses and ties, every slice with Holm's
    correction, and the smallest difference that these items could show.
    """
    settings = Settings(seed=seed, resamples=resamples)
    table = compare(CompareJob(a, b, data, matrix, allow_mixed=allow_mixed, settings=settings))
    click.echo(RENDERERS[form](table) if form in RENDERERS else to_text(table), nl=False)
    return 0
