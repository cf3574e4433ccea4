"""A Table as data for a page: what is printed, what is sorted by, why something is missing, and what stands behind.

Texts are those of every other form of the table (`tables.layout`), so a number reads the same everywhere. What stands
behind a cell is what its statistic says (`tables.table`): nothing here knows a table or a column by name.
"""

from __future__ import annotations

from typing import Any

from wildtrace.tables.layout import lay_out
from wildtrace.tables.table import Cell, Gap, Table

# A page is for reading: what is longer stands whole in the table's CSV file.
MOST_CELLS = 120_000
FEWEST_ROWS = 50


def table_payload(table: Table) -> dict[str, Any]:
    """The table in JSON's types.

    `columns`: header, unit, about, whether it holds numbers, and `filter`. `rows`: `cells`, each a text, or a list of
    text and number, or for a gap of text, null and the reason; `strong`, `filter`. A `filter` is null where nothing of
    this report stands behind the table or the column.
    """
    grid = lay_out(table)
    groups = list(table.groups())
    shown = shown_rows(table)
    notes = list(table.notes)
    if shown < len(table.rows):
        notes.append(f"The first {shown:,} of {len(table.rows):,} rows; all of them are in tables/{table.name}.csv.")
    return {
        "name": table.name,
        "title": table.title,
        "n": table.n,
        "counted": table.counted,
        "filter": table.drill,
        "columns": [
            _column(table, group, header, numeric=numeric)
            for group, header, numeric in zip(groups, grid.headers, grid.numeric, strict=True)
        ],
        "rows": [
            {
                "cells": [_cell(table, at, group, text) for group, text in zip(groups, grid.rows[at], strict=True)],
                "strong": grid.emphasised[at],
                "filter": table.row_drill(at),
            }
            for at in range(shown)
        ],
        "notes": notes,
    }


def shown_rows(table: Table) -> int:
    """How many rows of the table a page shows."""
    return min(len(table.rows), max(FEWEST_ROWS, MOST_CELLS // max(1, len(table.columns))))


def _column(table: Table, group: tuple[int, ...], header: str, *, numeric: bool) -> dict[str, Any]:
    column = table.columns[group[0]]
    counted = table.columns[group[1]] if len(group) == 2 and column.role != "low" else None
    unit = column.unit if counted is None else f"{column.unit} ({counted.unit})"
    about = f"{column.about} (bold)" if column.role == "mark" and column.about else column.about
    return {"header": header, "unit": unit, "about": about, "numeric": numeric, "filter": column.drill}


def _cell(table: Table, row: int, group: tuple[int, ...], text: str) -> str | list[Any]:
    cell: Cell = table.rows[row][group[0]]
    if isinstance(cell, Gap):
        return [text, None, cell.reason]
    if isinstance(cell, str | bool) or table.columns[group[0]].format == "text":
        return text
    return [text, float(f"{cell:.9g}")]
