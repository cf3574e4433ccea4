"""`wildtrace demo`: the whole evaluation on the sample release, without a key."""

from __future__ import annotations

import asyncio
from pathlib import Path

import click

from wildtrace.cli.progress import ShownProgress
from wildtrace.cli.terminal import FOLDER, tell
from wildtrace.release.sample_release import sample_data


@click.command("demo")
@click.option(
    "--out",
    type=FOLDER,
    default="demo-results",
    show_default=True,
    help="Where the results files go.",
)
def command(*, out: Path) -> None:
    """Evaluate three offline contestants on the sample release and print their scores.

    Starts the offline endpoint on loopback, answers, judges and aggregates; no key, no download.
    """
    from wildtrace.cli.demo_run import demonstrate, held  # noqa: PLC0415 - aiohttp and both flows, when it runs

    with held(out):
        with ShownProgress() as progress:
            scores = asyncio.run(demonstrate(out, progress))
        _show(tuple(scores))
    tell(f"The responses and scores files are in {out}.")


def _show(scores: tuple[Path, ...]) -> None:
    from wildtrace.diagnose import geometries, leaderboard  # noqa: PLC0415 - numpy, when there is something to show
    from wildtrace.diagnose.base import Inputs  # noqa: PLC0415 - the same
    from wildtrace.scores.loading import Sources, load  # noqa: PLC0415 - the same
    from wildtrace.tables.formats import to_text  # noqa: PLC0415 - the same

    loaded = load(Sources(sample_data(), scores))
    inputs = Inputs(loaded.scores, items=loaded.items)
    click.echo("\nOFFLINE: built-in lexical models; a rehearsal of the procedure, never a result.\n")
    for statistic in (leaderboard, geometries):
        click.echo(to_text(statistic.compute(inputs)))
