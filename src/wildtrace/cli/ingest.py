"""`wildtrace ingest`: files of any kind into a workspace."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Final

import click

from wildtrace.cli.terminal import FOLDER, tell
from wildtrace.errors import ConfigError, DataError, IncompleteError
from wildtrace.text.counting import counted
from wildtrace.vocabulary import FAMILIES

try:
    from wildtrace.construct.ingest.executors import executor
    from wildtrace.construct.ingest.run import IngestOptions, IngestOutcome, ingest_files
except ModuleNotFoundError as error:
    raise ConfigError(f"ingesting needs {error.name}; run pip install -e '.[build]' in the checkout") from None


_ANY = click.Path(readable=False, path_type=Path)

_PLURALS: Final = {
    "markup": ("piece of markup", "pieces of markup"),
    "contents": ("contents list", "contents lists"),
    "errata": ("list of errata", "lists of errata"),
    "index": ("index", "indexes"),
}
"""Kinds that are no word for one of them."""


@click.command("ingest")
@click.argument("files", nargs=-1, required=True, type=_ANY)
@click.option("--workspace", type=FOLDER, required=True, help="The workspace's folder.")
@click.option(
    "--family", type=click.Choice(FAMILIES.names), help="The source family of these files; it is never guessed."
)
@click.option("--language", metavar="CODE", help="Their language (en, zh, ...); told from the text if not given.")
@click.option("--encoding", metavar="CHARSET", help="Their charset (gb18030, cp1250, ...), where it is in doubt.")
@click.option("--unwrap", is_flag=True, help="Join lines that only the page's width broke.")
@click.option("--recursive", is_flag=True, help="Also read the folders in a folder.")
@click.option(
    "--replace", is_flag=True, help="Let a file that changed replace its earlier text and what was built on it."
)
@click.option("--processes", type=click.IntRange(1), help="How many files to read at a time; one a core if not given.")
@click.option("--cluster", metavar="ADDRESS", help="Read on a dask cluster (tcp://host:port) instead.")
def command(
    *,
    files: tuple[Path, ...],
    workspace: Path,
    family: str | None,
    language: str | None,
    encoding: str | None,
    unwrap: bool,
    recursive: bool,
    replace: bool,
    processes: int | None,
    cluster: str | None,
) -> int:
    """Bring text, Markdown, HTML, EPUB, PDF and DOCX files into a workspace as canonical text with its structure.

    A folder or an archive (ZIP, tar) stands for the files of these formats in it. A file that cannot be read stops only
    itself and is named at the end (65); one that is read in part is named with what is missing (2).
    """
    options = IngestOptions(family, language, unwrap, replace, encoding, recursive)
    statuses: Counter[str] = Counter()
    failures: list[str] = []
    partial = 0
    with executor(cluster, processes) as reader:
        for outcome in ingest_files(files, workspace, options, reader):
            _tell(outcome)
            statuses[outcome.status] += 1
            partial += outcome.is_partial
            failures += [outcome.reason] if outcome.reason else []
    if statuses.total() > 1:
        parts = [f"{count} {status}" for status, count in sorted(statuses.items())]
        parts += [f"{partial} of them in part"] if partial else []
        tell(f"{counted(statuses.total(), 'file')}: {', '.join(parts)}")
    for reason in failures:
        tell(f"wildtrace: {reason}", err=True)
    return DataError.exit_status if failures else IncompleteError.exit_status if partial else 0


def _tell(outcome: IngestOutcome) -> None:
    source = outcome.source
    if source is None:
        return
    facts = (
        f"{source.id} {source.charset} {source.script} {source.language}, {source.chars:,} characters, {source.tier}"
    )
    tell(f"{outcome.path}: {outcome.status}: {facts}: {source.title}")
    ingested = outcome.ingested
    if ingested is None:
        return
    structure = ingested.structure
    parts = (
        counted(outcome.windows, "window"),
        f"{counted(len(structure.sections), 'section')}, {counted(len(structure.sentences), 'sentence')}",
        f"removed: {_kinds(Counter(removal.kind for removal in ingested.removed))}",
        f"front and back matter: {_kinds(Counter(matter.kind for matter in structure.matter))}",
    )
    tell(f"  {'; '.join(parts)}")
    for sentence in (*ingested.missing, *ingested.doubts):
        tell(f"  {sentence}", err=True)
    if ingested.broken:
        places = counted(
            ingested.broken, "place that could not be decoded stands", "places that could not be decoded stand"
        )
        tell(f"  {places} as U+FFFD", err=True)


def _kinds(counts: Counter[str]) -> str:
    parts = (counted(count, *_PLURALS.get(kind, (kind,))) for kind, count in sorted(counts.items()))
    return ", ".join(parts) or "nothing"
