"""`wildtrace report`: every table and figure from scores, in one folder."""

from __future__ import annotations

from typing import Any

import click

from wildtrace.cli import threads  # noqa: F401 - before numpy
from wildtrace.cli.lists import ListCommand
from wildtrace.cli.terminal import FILE, FOLDER, tell
from wildtrace.diagnose.base import Settings
from wildtrace.errors import UsageError
from wildtrace.report.run import ReportJob, report
from wildtrace.scores.loading import Sources
from wildtrace.tables.formats import to_text
from wildtrace.text.counting import counted


def families(pairs: tuple[str, ...]) -> dict[str, str]:
    """NAME=FAMILY options as a mapping; UsageError for one that is not of that form."""
    split = [pair.rpartition("=") for pair in pairs]
    for name, equals, family in split:
        if not (name and equals and family):
            raise UsageError("--family takes NAME=FAMILY, for example --family my-judge=qwen")
    return {name: family for name, _, family in split}


@click.command("report", cls=ListCommand)
@click.option("--data", type=FILE, required=True, help="The release's tasks (.json, .jsonl) or a task table (.csv).")
@click.option("--scores", type=FILE, multiple=True, help="Scores files of judge, one or more.")
@click.option("--responses", type=FILE, multiple=True, help="Responses files of eval: lengths, and answers to read.")
@click.option("--matrix", type=FILE, help="A score matrix (.csv, .parquet), in the place of scores files.")
@click.option("--out", type=FOLDER, required=True, help="The folder to write.")
@click.option("--corpus", type=FOLDER, help="The corpus: exact document lengths for the places of clues.")
@click.option("--funnel", type=FILE, help="A funnel file: what each stage of promotion rejected.")
@click.option("--family", "family", multiple=True, metavar="NAME=FAMILY", help="Which family a model or judge is of.")
@click.option("--top", type=click.IntRange(min=1), default=6, show_default=True, help="Systems in geometry by tier.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of the resampling.")
@click.option("--resamples", type=click.IntRange(100, 10_000_000), default=10_000, show_default=True,
              help="Resamples drawn.")  # fmt: skip
@click.option("--answers", type=click.Choice(["embed", "none"]), default="embed", show_default=True,
              help="Whether report.html and report.json hold answers and judges' replies.")  # fmt: skip
@click.option("--no-figures", is_flag=True, help="Tables alone, which need no plotting library.")
@click.option("--parquet", is_flag=True, help="Write the matrix and the task table as Parquet too.")
@click.option("--title", default="Evidence-withheld evaluation", show_default=True, help="The report's title.")
@click.option("--allow-mixed", is_flag=True, help="Put runs under other settings into one table too, and mark it.")
def command(**options: Any) -> int:
    """Make every table and figure from scores, in one folder.

    Tables go to tables/ (CSV, JSON, Markdown, LaTeX), figures to figures/ (SVG, PNG, Vega-Lite), all of it also into
    report.json and report.html. Runs under other settings never share a table unless it is marked.
    """
    sources = Sources(
        data=options["data"],
        scores=options["scores"],
        responses=options["responses"],
        matrix=options["matrix"],
        families=families(options["family"]),
        allow_mixed=options["allow_mixed"],
    )
    job = ReportJob(
        sources=sources,
        out=options["out"],
        settings=Settings(seed=options["seed"], resamples=options["resamples"], top=options["top"]),
        corpus=options["corpus"],
        funnel=options["funnel"],
        answers=options["answers"],
        figures=not options["no_figures"],
        parquet=options["parquet"],
        title=options["title"],
    )
    made = report(job)
    click.echo(to_text(made.table("leaderboard")), nl=False)
    tell(f"{counted(len(made.tables), 'table')} and {counted(len(made.figures), 'figure')} are in {job.out}.")
    for name in made.undrawn:
        tell(f"The figure {name} could not be drawn; its numbers are in {job.out}/tables/{name}.csv.", err=True)
    return 0
