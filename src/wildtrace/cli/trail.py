"""`wildtrace trail`: one trail as a card."""

from __future__ import annotations

from pathlib import Path

import click

from wildtrace.cli.terminal import FOLDER, tell
from wildtrace.errors import ConfigError

try:
    from wildtrace.pipeline.trails import ShownClue, TrailCard, trail_card
except ModuleNotFoundError as error:
    raise ConfigError(f"trails need {error.name}; run pip install -e '.[build]' in the checkout") from None

_CONTEXT = 300


@click.command("trail")
@click.argument("trail_id")
@click.option("--workspace", type=FOLDER, required=True, help="The workspace's folder.")
def command(*, trail_id: str, workspace: Path) -> None:
    """Show one trail: its clues in their context and where they stand, and the edges that join them."""
    card = trail_card(workspace, trail_id)
    _tell_head(card)
    for number, shown in enumerate(card.clues, 1):
        _tell_clue(number, shown)
    for head, tail, edge in card.links:
        tell(f"{head} --{edge.type}--> {tail}   {edge.confidence:.2f} {edge.provenance}: {_line(edge.basis)}")


def _tell_head(card: TrailCard) -> None:
    trail, source = card.trail, card.source
    tell(f"{trail.id}  {trail.geometry}  score {trail.score}")
    tell(f"{source.title} ({source.id}, {source.tier}, {source.chars:,} characters)")
    for name, value in trail.why.items():
        if name != "groups":
            tell(f"  {name}: {value}")
    tell("")


def _tell_clue(number: int, shown: ShownClue) -> None:
    clue = shown.clue
    side = f", group {shown.group}" if shown.group else ""
    tell(f"[{number}] {clue.role}{side}  {shown.relative:.1%}  [{clue.start}:{clue.end}]")
    tell(f"    ... {_line(shown.before)[-_CONTEXT:]} >>> {_line(clue.quote)} <<< {_line(shown.after)[:_CONTEXT]} ...")
    tell("")


def _line(text: str) -> str:
    return " ".join(text.split())
