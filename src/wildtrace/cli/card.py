"""A trail as a card of lines (the paper's Figure 1): what it is, its clues in their context, the edges that join it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from rich.cells import cell_len

from wildtrace.cli.columns import first_columns, last_columns, padded, wrapped
from wildtrace.construct.link.board import LONGEST_BASIS
from wildtrace.construct.trails import Link, ShownClue, TrailCard
from wildtrace.text.printable import printable
from wildtrace.types import Source, Trail

CONTEXT_LINES: Final = 2
"""Lines of context on either side of a clue."""
_INDENT: Final = 6
_BAR: Final = "    | "
# What the head of the card says in its own words.
_SAID: Final = ("groups", "spread", "gap")
_PLACES: Final = "at % of the text"
_NO_SUBJECT: Final = "(no shared subject)"


def card_lines(card: TrailCard, width: int) -> Iterator[str]:
    """The card in lines of at most `width` columns."""
    yield from _head(card, width)
    yield ""
    for shown in card.clues:
        yield from _clue(card, shown, width)
        yield ""
    yield "Edges" if card.links else "No edges"
    for link in card.links:
        yield from _edge(link, width)


def trail_heads(places: int) -> str:
    """The heads of the columns of `trail_line`."""
    return f"{'id':17}  {'geometry':14}  score  {padded(_PLACES, places)}  about"


def trail_line(trail: Trail, source: Source, places: int) -> str:
    """A trail in one line: id, geometry, score, where its clues stand (`places` columns or more), what it is about."""
    where = padded(places_text(trail, source), max(places, len(_PLACES)))
    about = value_text(trail.why.get("about", ())) or _NO_SUBJECT
    return f"{trail.id:17}  {padded(trail.geometry, 14)}  {trail.score:5.2f}  {where}  {about}"


def places_text(trail: Trail, source: Source) -> str:
    """Where the clues of a trail begin, in percent of the text."""
    starts = sorted(clue.start or 0 for clue in trail.clues)
    return ", ".join(f"{100 * start / source.chars:.0f}" for start in starts)


def value_text(value: Any) -> str:
    """What a trail says of itself as words: lists with commas, lists of lists with semicolons, counts behind names."""
    if isinstance(value, Mapping):
        return "; ".join(f"{name} {value_text(entry)}" for name, entry in value.items())
    if isinstance(value, list | tuple):
        nested = any(isinstance(entry, list | tuple | Mapping) for entry in value)
        return ("; " if nested else ", ").join(map(value_text, value))
    return str(value)


def _head(card: TrailCard, width: int) -> Iterator[str]:
    trail, source = card.trail, card.source
    yield f"{trail.geometry.capitalize()} trail {trail.id}, score {trail.score:.2f}"
    rows = {
        "source": f"{source.title}, {source.id}",
        "tier": f"{source.tier}, {(source.family or 'no family').replace('_', ' ')}, {source.chars:,} characters",
        "dispersion": _dispersion(trail, source.chars),
        **_why(trail.why),
    }
    wide = max(map(len, rows))
    for name, value in rows.items():
        first, *more = wrapped(_one_line(value), width - wide - 4) or [""]
        yield f"  {padded(name, wide)}  {first}"
        yield from (" " * (wide + 4) + line for line in more)


def _why(why: Mapping[str, Any]) -> dict[str, str]:
    """What a trail says of itself, each thing once: what is empty or only repeats what it is about is left out."""
    rows = {str(name): value_text(_each_once(value)) for name, value in why.items() if name not in _SAID}
    about = rows.get("about")
    return {name: value or _NO_SUBJECT for name, value in rows.items() if name == "about" or (value and value != about)}


def _each_once(value: Any) -> Any:
    """A list of words without those that stand before, each of the cut ones with an ellipsis; else as it is."""
    if isinstance(value, str):
        return _whole(value)
    if isinstance(value, list | tuple) and all(isinstance(entry, str) for entry in value):
        return [_whole(entry) for entry in dict.fromkeys(value)]
    return value


def _whole(basis: str) -> str:
    """The basis of an edge, with an ellipsis where it was cut."""
    return f"{basis}…" if len(basis) == LONGEST_BASIS else basis


def _dispersion(trail: Trail, chars: int) -> str:
    spread, gap = trail.why.get("spread"), trail.why.get("gap")
    if spread is None or gap is None:
        return "not known"
    between = "groups" if trail.why.get("groups") else "clues"
    return f"spread {100 * spread:.1f} %, gap between {between} {gap:,} characters ({100 * gap / chars:.1f} %)"


def _clue(card: TrailCard, shown: ShownClue, width: int) -> Iterator[str]:
    clue = shown.clue
    label = max(len(one.label) for one in card.clues)
    side = f" (group {shown.group})" if shown.group else ""
    where = f"[{clue.start}:{clue.end}]"
    head = f"{padded(shown.label, label)} @{100 * shown.relative:5.1f} %  {_one_line(clue.role)}{side}"
    yield from (f"{head}  {where}",) if cell_len(head) + len(where) + 2 <= width else (*wrapped(head, width), where)
    room = width - _INDENT
    # One line more is wrapped than is shown: its end is where the text was cut.
    enough = (CONTEXT_LINES + 1) * room
    before = wrapped(last_columns(_one_line(shown.before), enough), room - 2)[-CONTEXT_LINES:]
    yield from (" " * _INDENT + line for line in _cut(before, front=True))
    yield from (_BAR + line for line in wrapped(_one_line(clue.quote), room))
    after = wrapped(first_columns(_one_line(shown.after), enough), room - 2)[:CONTEXT_LINES]
    yield from (" " * _INDENT + line for line in _cut(after, front=False))


def _cut(lines: list[str], *, front: bool) -> list[str]:
    """Lines of context with an ellipsis where the text goes on."""
    if not lines:
        return lines
    return [f"… {lines[0]}", *lines[1:]] if front else [*lines[:-1], f"{lines[-1]} …"]


def _edge(link: Link, width: int) -> Iterator[str]:
    edge = link.edge
    doubt = ", for review" if edge.status == "review" else ""
    head = f"{_one_line(link.head)} -> {edge.type} -> {_one_line(link.tail)}"
    sure = f"({edge.confidence:.2f}, {_one_line(edge.provenance)}{doubt})"
    if cell_len(head) + len(sure) + 5 <= width:
        yield f"  {head}   {sure}"
    else:
        yield from (f"  {line}" for line in wrapped(f"{head} {sure}", width - 2))
    yield from (" " * _INDENT + line for line in wrapped(_one_line(_whole(edge.basis)), width - _INDENT))


def _one_line(text: str) -> str:
    return printable(" ".join(text.split()))
