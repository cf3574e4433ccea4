"""A trail as a card of lines (the paper's Figure 1): what it is, its clues in their context, its edges, its leaks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rich.cells import cell_len

from wildtrace.cli.columns import first_columns, last_columns, padded, wrapped
from wildtrace.construct.trails import ShownClue, ShownEdge, TrailCard
from wildtrace.text.printable import printable
from wildtrace.types import Source, Trail

CONTEXT_LINES: Final = 2
"""Lines of context on either side of a clue."""
_INDENT: Final = 6
_BAR: Final = "    | "
_PLACES: Final = "at % of the text"
_NO_ANSWER: Final = "(no answer)"


def card_lines(card: TrailCard, width: int) -> Iterator[str]:
    """The card in lines of at most `width` columns."""
    yield from _head(card, width)
    yield ""
    for shown in card.clues:
        yield from _clue(card, shown, width)
        yield ""
    yield "Edges" if card.edges else "No edges"
    for edge in card.edges:
        yield from _edge(edge, width)
    yield from _leaks(card, width)


def explain_lines(card: TrailCard, width: int) -> Iterator[str]:
    """How a trail was found, step by step, and why it was accepted or fell, in lines of at most `width` columns."""
    trail = card.trail
    yield from wrapped(
        f"{trail.geometry.capitalize()} trail {trail.id} is {trail.status}: {_one_line(trail.reason)}", width
    )
    for step in trail.steps:
        yield f"{step.stage} by {_one_line(step.by)}"
        yield from (f"  {line}" for line in wrapped(_one_line(step.note), width - 2))
    yield from _leaks(card, width)


def trail_heads(places: int) -> str:
    """The heads of the columns of `trail_line`."""
    return f"{'id':17}  {'geometry':14}  {'status':10}  score  {padded(_PLACES, places)}  answer"


def trail_line(trail: Trail, source: Source, places: int) -> str:
    """A trail in one line: id, geometry, status, score, where its clues stand (`places` columns), its answer."""
    where = padded(places_text(trail, source), max(places, len(_PLACES)))
    answer = _one_line(trail.answer) or _NO_ANSWER
    return f"{trail.id:17}  {padded(trail.geometry, 14)}  {trail.status:10}  {trail.score:5.2f}  {where}  {answer}"


def places_text(trail: Trail, source: Source) -> str:
    """Where the clues of a trail begin, in percent of the text."""
    starts = sorted(clue.start or 0 for clue in trail.clues)
    return ", ".join(f"{100 * start / source.chars:.0f}" for start in starts)


def _head(card: TrailCard, width: int) -> Iterator[str]:
    trail, source = card.trail, card.source
    head = f"{trail.geometry.capitalize()} trail {trail.id}, {trail.status}, score {trail.score:.2f}"
    yield from wrapped(head, width)
    rows = {
        "source": f"{source.title}, {source.id}",
        "tier": f"{source.tier}, {(source.family or 'no family').replace('_', ' ')}, {source.chars:,} characters",
        "answer": trail.answer or _NO_ANSWER,
        "hedge": trail.hedge,
        "reason": trail.reason,
        "interest": f"{trail.interest} of 5" if trail.interest else "",
        "found by": " -> ".join(f"{step.stage} ({step.by})" for step in trail.steps),
    }
    wide = max(map(len, rows))
    for name, value in rows.items():
        if value:
            first, *more = wrapped(_one_line(value), width - wide - 4) or [""]
            yield f"  {padded(name, wide)}  {first}"
            yield from (" " * (wide + 4) + line for line in more)


def _clue(card: TrailCard, shown: ShownClue, width: int) -> Iterator[str]:
    clue = shown.clue
    label = max(len(one.label) for one in card.clues)
    side = f" ({_one_line(shown.side)})" if shown.side else ""
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
    need = card.trail.needs.get(clue.span_id)
    if need:
        yield from (" " * _INDENT + line for line in wrapped(f"without it: {_one_line(need)}", room))


def _cut(lines: list[str], *, front: bool) -> list[str]:
    """Lines of context with an ellipsis where the text goes on."""
    if not lines:
        return lines
    return [f"… {lines[0]}", *lines[1:]] if front else [*lines[:-1], f"{lines[-1]} …"]


def _edge(shown: ShownEdge, width: int) -> Iterator[str]:
    edge = shown.edge
    head = f"{_one_line(shown.head)} -> {_one_line(edge.type)} -> {_one_line(shown.tail)}"
    yield from (f"  {line}" for line in wrapped(f"{head} ({edge.verdict or 'not verified'})", width - 2))
    for words in (edge.why, *(f"“{quote}”" for quote in edge.quotes)):
        yield from (" " * _INDENT + line for line in wrapped(_one_line(words), width - _INDENT))


def _leaks(card: TrailCard, width: int) -> Iterator[str]:
    for shown in card.leaks:
        yield f"Tells {shown.leak.tells} of the answer @{100 * shown.relative:5.1f} %"
        lines = wrapped(_one_line(shown.quote), width - _INDENT)
        yield from (" " * _INDENT + line for line in lines[: 2 * CONTEXT_LINES])


def _one_line(text: str) -> str:
    return printable(" ".join(text.split()))
