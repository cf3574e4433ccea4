"""`wildtrace trail`: one trail as a card, or the list of all."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from wildtrace.cli.terminal import FOLDER, tell
from wildtrace.errors import ConfigError
from wildtrace.text.counting import counted
from wildtrace.text.printable import printable

try:
    from wildtrace.cli.card import card_lines, trail_line
    from wildtrace.cli.columns import columns, first_columns
    from wildtrace.pipeline.trails import listed_trails, trail_card
except ModuleNotFoundError as error:
    raise ConfigError(f"trails need {error.name}; run pip install -e '.[build]' in the checkout") from None


@click.command("trail")
@click.argument("trail_id", required=False)
@click.option("--workspace", type=FOLDER, required=True, help="The workspace's folder.")
def command(*, trail_id: str | None, workspace: Path) -> None:
    """Show one trail as a card, by its id or a beginning of it; without an id, list all trails.

    The card has the clues in text order, each with its relative position and its context, and the edges between them.
    """
    if trail_id is None:
        _list(workspace)
        return
    for line in card_lines(trail_card(workspace, trail_id), columns()):
        tell(line)


def _list(workspace: Path) -> None:
    width = columns() if sys.stdout is not None and sys.stdout.isatty() else None
    for source, trails in listed_trails(workspace):
        tell(f"{source.title} ({source.id}): {counted(len(trails), 'trail')}")
        for trail in trails:
            line = f"  {printable(trail_line(trail, source.chars))}"
            tell(line if width is None else first_columns(line, width))
