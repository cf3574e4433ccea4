"""`wildtrace ingest`: files of any kind into a workspace."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Final

import click

from wildtrace.cli.terminal import FOLDER, tell
from wildtrace.errors import ConfigError, DataError
from wildtrace.text.counting import counted
from wildtrace.vocabulary import FAMILIES

try:
    from wildtrace.construct.ingest.run import IngestOptions, IngestOutcome, ingest_files
except ModuleNotFoundError as error:
    raise ConfigError(f"ingesting needs {error.name}; run pip install -e '.[build]' in the checkout") from None


# A folder among files is told as a fault of its own, so that the files beside it are ingested.
_ANY = click.Path(readable=False, path_type=Path)

_PLURALS: Final = {
    "markup": ("piece of markup", "pieces of markup"),
    "contents": ("contents list", "contents lists"),
}
"""Kinds that are no word for one of them."""


@click.command("ingest")
@click.argument("files", nargs=-1, required=True, type=_ANY)
@click.option("--workspace", type=FOLDER, required=True, help="The workspace's folder.")
@click.option("--family", type=click.Choice(FAMILIES.names), help="The source family; it is never guessed.")
@click.option("--language", metavar="CODE", help="Their language (en, zh, ...); told from the text if not given.")
@click.option("--unwrap", is_flag=True, help="Join lines that only the page's width broke.")
@click.option(
    "--replace", is_flag=True, help="Let a file that changed replace its earlier text and what was built on it."
)
def command(
    *, files: tuple[Path, ...], workspace: Path, family: str | None, language: str | None, unwrap: bool, replace: bool
) -> int:
    """Bring text, Markdown, HTML, EPUB and PDF files into a workspace as canonical text.

    A file that cannot be read stops only itself and is named at the end.
    """
    failed: list[IngestOutcome] = []
    for outcome in ingest_files(files, workspace, IngestOptions(family, language, unwrap, replace)):
        if outcome.status == "failed":
            failed.append(outcome)
        else:
            _tell(outcome)
    for outcome in failed:
        tell(f"wildtrace: {outcome.reason}", err=True)
    return DataError.exit_status if failed else 0


def _tell(outcome: IngestOutcome) -> None:
    source = outcome.source
    if source is None:
        return
    facts = (
        f"{source.id} {source.charset} {source.script} {source.language}, {source.chars:,} characters, {source.tier}"
    )
    tell(f"{outcome.path}: {outcome.status}: {facts}: {source.title}")
    found = outcome.ingested
    if found is None:
        return
    removed = Counter(removal.kind for removal in found.removed)
    matter = Counter(each.kind for each in found.matter)
    parts = (
        counted(outcome.windows, "window"),
        f"removed: {_kinds(removed)}",
        f"front and back matter: {_kinds(matter)}",
    )
    tell(f"  {'; '.join(parts)}")
    if found.broken:
        places = counted(
            found.broken, "place that could not be decoded stands", "places that could not be decoded stand"
        )
        tell(f"  {places} as U+FFFD", err=True)


def _kinds(counts: Counter[str]) -> str:
    said = (counted(count, *_PLURALS.get(kind, (kind,))) for kind, count in sorted(counts.items()))
    return ", ".join(said) or "nothing"
