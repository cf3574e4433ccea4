"""`wildtrace sample`: copy the packaged sample release, and show how its clues are dispersed."""

from __future__ import annotations

from pathlib import Path

import click

from wildtrace.cli.terminal import FOLDER, tell
from wildtrace.release.corpus import locate
from wildtrace.release.formats import load_items
from wildtrace.release.sample_release import copy_to, sample_corpus, sample_data
from wildtrace.release.sample_table import as_lines, clue_credits
from wildtrace.text.reading import read_text


@click.group("sample")
def command() -> None:
    """The packaged sample release: three documents, 21 tasks."""


@command.command("copy")
@click.argument("folder", type=FOLDER)
def copy(folder: Path) -> None:
    """Copy the tasks (both release forms) and the documents to FOLDER."""
    for path in copy_to(folder):
        tell(str(path))


@command.command("table", short_help="Print what single clues and all of them earn.")
def table() -> None:
    """Print each task's credit for its best clue window, all of them, and nothing.

    The lexical judge grades; a window is a clue's paragraph and 500 code points either side. Scores from 0 to 100.
    """
    items = load_items(sample_data())
    files = {item.question.corpus_file for item in items}
    documents = {name: read_text(locate(sample_corpus(), name)).text for name in files}
    for line in as_lines([clue_credits(item, documents[item.question.corpus_file]) for item in items]):
        tell(line)
