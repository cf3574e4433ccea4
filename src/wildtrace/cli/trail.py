"""`wildtrace trail`: one trail as a card, why it was accepted or fell, or the list of all."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import click
import orjson

from wildtrace.cli.terminal import FOLDER, tell
from wildtrace.errors import ConfigError, UsageError
from wildtrace.geometries import GEOMETRY_NAMES
from wildtrace.text.counting import counted
from wildtrace.text.printable import printable
from wildtrace.types import Trail
from wildtrace.vocabulary import TRAIL_STATUSES

try:
    from wildtrace.cli.card import card_lines, explain_lines, places_text, trail_heads, trail_line
    from wildtrace.cli.columns import columns, first_columns
    from wildtrace.construct.export import trail_row
    from wildtrace.construct.trails import FOUND_NONE, TrailFilter, listed_trails, trail_card
except ModuleNotFoundError as error:
    raise ConfigError(f"trails need {error.name}; run pip install -e '.[build]' in the checkout") from None


@click.command("trail")
@click.argument("words", nargs=-1, metavar="[[explain] TRAIL_ID]")
@click.option("--workspace", type=FOLDER, required=True, help="The workspace's folder.")
@click.option("--geometry", "geometries", multiple=True, help="Only trails of this geometry; several may be given.")
@click.option("--source", "sources", multiple=True, help="A source's id: only its trails; several may be given.")
@click.option("--status", "statuses", multiple=True, type=click.Choice(list(TRAIL_STATUSES)), help="Only such trails.")
@click.option("--top", type=click.IntRange(min=1), help="So many of each source, best first.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a trail, as `export --what trails` writes them.")
def command(
    *,
    words: tuple[str, ...],
    workspace: Path,
    geometries: tuple[str, ...],
    sources: tuple[str, ...],
    statuses: tuple[str, ...],
    top: int | None,
    as_json: bool,
) -> None:
    """Show one trail as a card, by its id or a beginning of it; without an id, list all trails.

    `explain TRAIL_ID` says step by step how a trail was found and why it was accepted or fell.
    """
    explains = words[:1] == ("explain",)
    ids = words[1:] if explains else words
    if len(ids) > 1 or (explains and not ids):
        raise UsageError("name one trail: `wildtrace trail TRAIL_ID` or `wildtrace trail explain TRAIL_ID`")
    if not ids:
        unknown = [name for name in geometries if GEOMETRY_NAMES.read(name) is None]
        if unknown:
            raise UsageError(f"there is no geometry {unknown[0]!r}; they are {', '.join(GEOMETRY_NAMES)}")
        names = frozenset(GEOMETRY_NAMES.read(name) or name for name in geometries)
        _list(workspace, TrailFilter(names, frozenset(sources), frozenset(statuses), top), as_json=as_json)
        return
    card = trail_card(workspace, ids[0])
    if as_json:
        tell(orjson.dumps(trail_row(card.trail)).decode())
        return
    for line in explain_lines(card, columns()) if explains else card_lines(card, columns()):
        tell(line)


def _list(workspace: Path, wanted: TrailFilter, *, as_json: bool) -> None:
    found = listed_trails(workspace, wanted)
    if as_json:
        for trail in (trail for _, trails in found for trail in trails or ()):
            tell(orjson.dumps(trail_row(trail)).decode())
        return
    width = columns() if sys.stdout is not None and sys.stdout.isatty() else None
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
