"""`wildtrace ground`: where quotes stand in a source."""

from __future__ import annotations

from pathlib import Path

import click

from wildtrace.cli.terminal import FILE, tell
from wildtrace.errors import ConfigError
from wildtrace.text.counting import counted

try:
    from wildtrace.ground.run import ground_file
except ModuleNotFoundError as error:
    raise ConfigError(f"grounding needs {error.name}; run pip install -e '.[build]' in the checkout") from None


@click.command("ground")
@click.option("--source", type=FILE, required=True, help="The text to ground in, UTF-8, read untranslated.")
@click.option("--also", type=FILE, multiple=True, help="Another source a quote may really come from; repeatable.")
@click.option("--quotes", type=FILE, required=True, help="JSON Lines: {id, quote, window?: [start, end]}.")
@click.option(
    "--out", type=FILE, required=True, help="JSON Lines to write: {id, status, start, end, text, candidates}."
)
@click.argument("more", metavar="[OTHER]...", nargs=-1, type=FILE)
def command(*, source: Path, also: tuple[Path, ...], quotes: Path, out: Path, more: tuple[Path, ...]) -> None:
    """Say of each quote whether and where it stands in a source.

    Statuses: exact, normalised, fuzzy (these have a span), unsupported, ambiguous, misattributed. Further files after
    the options are other sources, as with --also.
    """
    counts = ground_file(source, (*also, *more), quotes, out)
    found = ", ".join(f"{count} {status}" for status, count in sorted(counts.items()))
    tell(f"{out}: {counted(counts.total(), 'quote')}: {found or 'none'}")
