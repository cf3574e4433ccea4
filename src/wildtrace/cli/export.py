"""`wildtrace export`: what a workspace holds, as JSON Lines."""

from __future__ import annotations

from pathlib import Path

import click

from wildtrace.cli.terminal import FOLDER, tell
from wildtrace.errors import ConfigError, DataError
from wildtrace.text.counting import counted

try:
    from wildtrace.construct.export import WHAT, export, export_corpus
    from wildtrace.construct.trails import FOUND_NONE
except ModuleNotFoundError as error:
    raise ConfigError(f"exporting needs {error.name}; run pip install -e '.[build]' in the checkout") from None


_OUT = click.Path(readable=False, path_type=Path)


@click.command("export")
@click.option("--workspace", type=FOLDER, required=True, help="The workspace's folder.")
@click.option("--what", type=click.Choice([*WHAT, "corpus"]), required=True, help="What to write.")
@click.option("--out", type=_OUT, required=True, help="The JSON Lines file to write; for corpus, the folder.")
@click.option("--source", "chosen", multiple=True, help="A source's id: only its rows; may be given several times.")
def command(*, workspace: Path, what: str, out: Path, chosen: tuple[str, ...]) -> int:
    """Write sources, structure, windows, records, edges or trails, one JSON object a line, or a corpus of texts.

    All offsets count code points of the canonical text that `--what sources` writes. Sources that have no such rows
    yet are left out and named; the status is then 65.
    """
    if what == "corpus":
        tell(f"{counted(export_corpus(workspace, out, chosen).rows, 'text')} in {out}")
        return 0
    if out.is_dir():
        raise DataError(f"{out} is a folder; name the file to write")
    exported = export(workspace, what, out, chosen)
    why = f": {FOUND_NONE}" if what == "trails" and not exported.rows else ""
    tell(f"{counted(exported.rows, what[:-1])} in {out}{why}")
    for source, reason in exported.left_out:
        tell(f"wildtrace: left out {source.id}: {reason}", err=True)
    return DataError.exit_status if exported.left_out else 0
