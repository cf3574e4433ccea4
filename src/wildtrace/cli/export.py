"""`wildtrace export`: what a workspace holds, as JSON Lines."""

from __future__ import annotations

from pathlib import Path

import click

from wildtrace.cli.terminal import FILE, FOLDER, tell
from wildtrace.errors import ConfigError, DataError
from wildtrace.text.counting import counted

try:
    from wildtrace.construct.export import WHAT, export
    from wildtrace.construct.trails import FOUND_NONE
except ModuleNotFoundError as error:
    raise ConfigError(f"exporting needs {error.name}; run pip install -e '.[build]' in the checkout") from None


@click.command("export")
@click.option("--workspace", type=FOLDER, required=True, help="The workspace's folder.")
@click.option("--what", type=click.Choice(list(WHAT)), required=True, help="What to write.")
@click.option("--out", type=FILE, required=True, help="The JSON Lines file to write.")
@click.option("--source", "chosen", multiple=True, help="A source's id: only its rows; may be given several times.")
def command(*, workspace: Path, what: str, out: Path, chosen: tuple[str, ...]) -> int:
    """Write sources, windows, records, edges or trails, one JSON object a line.

    All offsets count code points of the canonical text that `--what sources` writes. Sources that have no such rows
    yet are left out and named; the status is then 65.
    """
    exported = export(workspace, what, out, chosen)
    why = f": {FOUND_NONE}" if what == "trails" and not exported.rows else ""
    tell(f"{counted(exported.rows, what[:-1])} in {out}{why}")
    for source, reason in exported.left_out:
        tell(f"wildtrace: left out {source.id}: {reason}", err=True)
    return DataError.exit_status if exported.left_out else 0
