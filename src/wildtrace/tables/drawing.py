"""Tables drawn for a terminal: no word and no number is broken, however narrow it is.

A table that is too wide is drawn in parts below each other, each of which begins with the first column again. Where
the first column and another do not fit beside each other, rows become lists, a line a cell. Headers break between their
words; cells break only where one alone is wider than the terminal.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

_BORDER = 3
"""Columns that a column of a table takes beside its cells; the table itself takes one more."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """What is drawn: headers and rows of strings, which columns hold numbers, after which row a line is drawn."""

    headers: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numeric: tuple[bool, ...]
    title: str | None = None
    line_after: int | None = None


def draw(table: Drawn, width: int, notes: Sequence[str] = ()) -> str:
    """The table in lines of at most `width` columns, without colour, and its notes under it."""
    buffer = io.StringIO()
    console = Console(file=buffer, width=width, color_system=None, legacy_windows=False)
    if _pairs_fit(table, width):
        for number, part in enumerate(_parts(table, width)):
            console.print(_one(table, part, width, first=not number))
    else:
        for line in _list(table, width):
            console.print(Text(line))
    for note in notes:
        console.print(Text(note))
    return "\n".join(line.rstrip() for line in buffer.getvalue().split("\n"))


def _pairs_fit(table: Drawn, width: int) -> bool:
    """Whether the first column has room beside each of the others."""
    first, *others = (_least(table, at) + _BORDER for at in range(len(table.headers)))
    return 1 + first + max(others, default=0) <= width


def _list(table: Drawn, width: int) -> Iterator[str]:
    """The rows below each other, each cell under or behind its header."""
    if table.title:
        yield table.title
    for place, row in enumerate(table.rows):
        if place:
            yield _borders().row_horizontal * width if place - 1 == table.line_after else ""
        for at, (header, cell) in enumerate(zip(table.headers, row, strict=True)):
            indent = "  " if at else ""
            whole = f"{indent}{header}: {cell}" if header else f"{indent}{cell}"
            if cell_len(whole) <= width:
                yield whole
            else:
                yield f"{indent}{header}:"
                yield " " * max(0, min(4, width - cell_len(cell))) + cell


def _parts(table: Drawn, width: int) -> list[list[int]]:
    """The columns of each part: as many as fit, the first one in all of them."""
    least = [_least(table, at) for at in range(len(table.headers))]
    parts, part, used = [], [0], 1 + least[0] + _BORDER
    for at, size in enumerate(least[1:], 1):
        if used + size + _BORDER > width:
            parts.append(part)
            part, used = [0], 1 + least[0] + _BORDER
        part.append(at)
        used += size + _BORDER
    return [*parts, part]


def _least(table: Drawn, at: int) -> int:
    """The columns that the cells and the longest word of the header take."""
    return max(map(cell_len, (*table.headers[at].split(), *(row[at] for row in table.rows), "")))


def _one(table: Drawn, part: Sequence[int], width: int, *, first: bool) -> Table:
    title = Text(table.title) if first and table.title else None
    drawn = Table(title=title, title_justify="left", box=_borders())
    for at, size in zip(part, _widths(table, part, width), strict=True):
        drawn.add_column(
            Text(table.headers[at]), justify="right" if table.numeric[at] else "left", width=size, overflow="fold"
        )
    for place, row in enumerate(table.rows):
        drawn.add_row(*(Text(row[at]) for at in part), end_section=place == table.line_after)
    return drawn


def _borders() -> box.Box:
    """Lines, or plain characters where standard output's charset has no lines."""
    try:
        "┃━│─".encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        return box.ASCII2
    return box.HEAVY_HEAD


def _widths(table: Drawn, part: Sequence[int], width: int) -> list[int]:
    """The least widths, and what is left over for headers that would break."""
    sizes = [_least(table, at) for at in part]
    room = width - 1 - sum(sizes) - _BORDER * len(part)
    for place, at in enumerate(part):
        more = max(0, min(room, cell_len(table.headers[at]) - sizes[place]))
        sizes[place] += more
        room -= more
    return sizes
