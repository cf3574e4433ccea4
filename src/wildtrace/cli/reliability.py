"""`wildtrace reliability`: the studies of people and judges, drawn, imported and computed."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any, get_args

import click

from wildtrace.cli.lists import ListCommand
from wildtrace.cli.progress import ShownProgress
from wildtrace.cli.terminal import FILE, FOLDER, tell
from wildtrace.endpoints.config import load_config
from wildtrace.errors import ConfigError, IncompleteError, UsageError
from wildtrace.scores.loading import Sources
from wildtrace.studies import evidence_visible, run
from wildtrace.studies.study import Kind
from wildtrace.tables.formats import RENDERERS, to_text
from wildtrace.text.counting import counted

STUDY = click.Choice(get_args(Kind))
SHOWN_FAILURES = 5


@click.group("reliability")
def command() -> None:
    """Draw, import and compute a study: expert, evidence-visible or relabel.

    A study is a folder. study.json in it is the key: give annotators sheet.csv and sheet.md alone.
    """


@command.command("sample", cls=ListCommand)
@click.argument("study", type=STUDY)
@click.option("--data", type=FILE, required=True, help="The release's tasks, .json or .jsonl.")
@click.option("--scores", type=FILE, multiple=True, help="Scores files of judge, one or more.")
@click.option("--responses", type=FILE, multiple=True, help="The responses file of each of them.")
@click.option("--out", type=FOLDER, required=True, help="The folder of the new study.")
@click.option(
    "--size", type=click.IntRange(min=1), help="Answers (60; evidence-visible 124), or items a geometry (14)."
)
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the draw.")
@click.option("--judge", help="evidence-visible: the judge that grades both ways.")
def sample(**options: Any) -> int:
    """Draw a study and write its sheets or prompts."""
    sources = Sources(**{name: options.pop(name) for name in ("data", "scores", "responses")})
    job = run.SampleJob(sources=sources, **options)
    count = run.sample(job)
    given = "prompts.jsonl" if job.study == "evidence-visible" else "sheet.csv and sheet.md"
    tell(f"{count} drawn into {job.out}: {given} to hand out, study.json to keep.")
    return 0


@command.command("import")
@click.argument("study", type=STUDY)
@click.argument("folder", type=FOLDER)
@click.argument("files", type=FILE, nargs=-1)
@click.option("--config", type=FILE, help="evidence-visible: ask the study's judge, as this config.json names it.")
def import_(*, study: Kind, folder: Path, files: tuple[Path, ...], config: Path | None) -> int:
    """Import filled-in sheets or a judge's replies, or ask the judge.

    Sheets are CSV: cell_id, criterion_id, annotator, points (expert) or question_id, annotator, primary, secondary
    (relabel). Replies are JSON Lines of cell_id and reply, or CSV of cell_id and total (evidence-visible).
    """
    if config is None:
        tell(f"{counted(run.import_files(study, folder, files), 'row is', 'rows are')} in {folder}.")
        return 0
    if study != "evidence-visible" or files:
        raise UsageError("--config asks the judge of an evidence-visible study, without files")
    with ShownProgress() as progress:
        asked = asyncio.run(evidence_visible.ask(folder, load_config(config), progress))
    tell(f"{asked.judged:,} of {counted(asked.cells, 'answer is', 'answers are')} judged with the evidence.")
    for cell_id, why in sorted(asked.failures.items())[:SHOWN_FAILURES]:
        tell(f"  {cell_id}: {why}")
    if len(asked.failures) > SHOWN_FAILURES:
        tell(f"  and {len(asked.failures) - SHOWN_FAILURES} more.")
    if asked.rejected:
        tell("The judge's endpoint accepts none of these requests; name a language model in the config.", err=True)
        return ConfigError.exit_status
    return 0 if asked.judged == asked.cells else IncompleteError.exit_status


@command.command("compute")
@click.argument("study", type=STUDY)
@click.argument("folder", type=FOLDER)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", *RENDERERS]),
    default="text",
    show_default=True,
    help="How the table is written.",
)
def compute(*, study: Kind, folder: Path, form: str) -> int:
    """Print the study's table."""
    table = run.compute(study, folder)
    click.echo(RENDERERS[form](table) if form in RENDERERS else to_text(table), nl=False)
    return 0
