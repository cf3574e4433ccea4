"""`wildtrace trail`: one trail as a card, or the list of all."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from wildtrace.cli.terminal import FOLDER, tell
from wildtrace.errors import ConfigError
from wildtrace.text.counting import counted
from wildtrace.text.printable import printable
from wildtrace.types import Trail

try:
    from wildtrace.cli.card import card_lines, places_text, trail_heads, trail_line
    from wildtrace.cli.columns import columns, first_columns
    from wildtrace.construct.trails import FOUND_NONE, listed_trails, trail_card
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
    found = listed_trails(workspace)
    places = max((len(places_text(trail, source)) for source, trails in found for trail in trails or ()), default=0)
    if places:
        _tell_line(trail_heads(places), width)
    for source, trails in found:
        tell(f"{source.title} ({source.id}): {_how_many(trails)}")
        for trail in trails or ():
            _tell_line(trail_line(trail, source, places), width)


def _how_many(trails: Sequence[Trail] | None) -> str:
    if trails is None:
        return "not induced yet"
    return counted(len(trails), "trail") if trails else f"0 trails: {FOUND_NONE}"


def _tell_line(line: str, width: int | None) -> None:
    shown = f"  {printable(line)}"
    tell(shown if width is None else first_columns(shown, width))
