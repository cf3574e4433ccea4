"""A table as strings: how each format prints, and which columns stand together.

A `low` and a `high` column become one interval, and a count whose name is that of the column before it followed by
" n" goes into parentheses behind it, as in the paper's tables. A dagger marks a number that rests on flagged answers.
Numbers keep all their digits in CSV and JSON.
"""

from __future__ import annotations

from dataclasses import dataclass

from wildtrace.tables.table import Cell, Column, Gap, Table

DASH = "–"
FLAGGED = "†"
_SPECS = {"score": ".1f", "signed": "+.1f", "coefficient": ".3f", "probability": ".4f", "integer": ",.0f"}
_LEAST_P = 0.00005


@dataclass(frozen=True, slots=True)
class Grid:
    """A table laid out: headers, rows of strings, which columns hold numbers, which rows are emphasised, and notes."""

    headers: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numeric: tuple[bool, ...]
    emphasised: tuple[bool, ...]
    notes: tuple[str, ...]


def lay_out(table: Table) -> Grid:
    """Format every cell, merge the columns that stand together, and number nothing that is missing."""
    groups = list(table.groups())
    marks = [at for at, column in enumerate(table.columns) if column.role == "mark"]
    return Grid(
        headers=tuple(_header(table, group) for group in groups),
        rows=tuple(tuple(_text(table, at, group) for group in groups) for at in range(len(table.rows))),
        numeric=tuple(table.columns[group[0]].format != "text" for group in groups),
        emphasised=tuple(any(row[at] is True for at in marks) for row in table.rows),
        notes=(*table.notes, *(f"{DASH} {reason}." for reason in table.gaps())),
    )


def format_cell(cell: Cell, column: Column) -> str:
    """One cell as people read it; a gap is a dash, its reason stands under the table."""
    if isinstance(cell, Gap):
        return DASH
    if isinstance(cell, bool):
        return "yes" if cell else ""
    if isinstance(cell, str):
        return cell
    return _number(cell, column)


def _number(value: float, column: Column) -> str:
    if column.format == "share":
        return f"{100 * value:.1f} %"
    if column.format == "probability" and 0 <= value < _LEAST_P:
        return "<0.0001"
    if column.format in _SPECS:
        return format(value, _SPECS[column.format])
    return f"{value:,}" if isinstance(value, int) else format(value, ",.1f" if abs(value) >= 10 else ".3f")


def _header(table: Table, group: tuple[int, ...]) -> str:
    column = table.columns[group[0]]
    if column.role == "low":
        of = column.header.removesuffix("low")
        interval = column.about.split(" over ")[0] or "interval"
        # A second interval has a word before it; with three the header is wider than what stands under it.
        return f"{of}{interval.removesuffix(' interval')}" if of else interval
    if len(group) == 2:
        return f"{column.header} (n)"
    return f"{column.header} (n = {column.n:,})" if column.n is not None else column.header


def _text(table: Table, row: int, group: tuple[int, ...]) -> str:
    parts = [format_cell(table.rows[row][at], table.columns[at]) for at in group]
    text = parts[0]
    if len(parts) == 2 and table.columns[group[0]].role == "low":
        text = DASH if DASH in parts else f"[{parts[0]}, {parts[1]}]"
    elif len(parts) == 2:
        text = f"{parts[0]} ({parts[1]})"
    return f"{text} {FLAGGED}" if (row, group[0]) in table.flagged else text
