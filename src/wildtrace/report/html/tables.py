"""A Table as data for a page: what is printed, what is sorted by, why something is missing, and what stands behind.

Texts are those of every other form of the table (`report.layout`), so a number reads the same everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from wildtrace.diagnose.base import Cell, Column, Gap, Table
from wildtrace.report.html.drill import Drill, Known, column_filter, row_filter, table_filter
from wildtrace.report.layout import counted_by, lay_out

# A page is for reading: what is longer stands whole in the table's CSV file.
MOST_CELLS = 120_000
FEWEST_ROWS = 50


def table_payload(table: Table, known: Known) -> dict[str, Any]:
    """The table in JSON's types.

    `columns`: header, unit, about, whether it holds numbers, and `filter`. `rows`: `cells`, each a text, or a list of
    text and number, or for a gap of text, null and the reason; `strong`, `filter`. A `filter` is null where nothing of
    this report stands behind the column or the row.
    """
    grid = lay_out(table)
    groups = list(column_groups(table.columns))
    shown = shown_rows(table)
    notes = list(table.notes)
    if shown < len(table.rows):
        notes.append(f"The first {shown:,} of {len(table.rows):,} rows; all of them are in tables/{table.name}.csv.")
    return {
        "name": table.name,
        "title": table.title,
        "n": table.n,
        "counted": counted_by(table),
        "filter": table_filter(table, known),
        "columns": [
            _column(table, group, header, numeric=numeric, drill=column_filter(table, group[0], known))
            for group, header, numeric in zip(groups, grid.headers, grid.numeric, strict=True)
        ],
        "rows": [
            {
                "cells": [_cell(table, row, group, text) for group, text in zip(groups, texts, strict=True)],
                "strong": strong,
                "filter": row_filter(table, row, known),
            }
            for row, texts, strong, _ in zip(table.rows, grid.rows, grid.emphasised, range(shown), strict=False)
        ],
        "notes": notes,
    }


def shown_rows(table: Table) -> int:
    """How many rows of the table a page shows."""
    return min(len(table.rows), max(FEWEST_ROWS, MOST_CELLS // max(1, len(table.columns))))


def column_groups(columns: tuple[Column, ...]) -> Iterator[tuple[int, ...]]:
    """Which columns are printed as one: the limits of an interval, and a number with the count behind it."""
    at = 0
    while at < len(columns):
        pair = columns[at : at + 2]
        together = len(pair) == 2 and (
            (pair[0].role == "low" and pair[1].role == "high") or pair[1].name == f"{pair[0].name} n"
        )
        yield (at, at + 1) if together else (at,)
        at += 2 if together else 1


def _column(table: Table, group: tuple[int, ...], header: str, *, numeric: bool, drill: Drill | None) -> dict[str, Any]:
    column = table.columns[group[0]]
    counted = table.columns[group[1]] if len(group) == 2 and column.role != "low" else None
    unit = column.unit if counted is None else f"{column.unit} ({counted.unit})"
    about = f"{column.about} (bold)" if column.role == "mark" and column.about else column.about
    return {"header": header, "unit": unit, "about": about, "numeric": numeric, "filter": drill}


def _cell(table: Table, row: tuple[Cell, ...], group: tuple[int, ...], text: str) -> str | list[Any]:
    cell = row[group[0]]
    if isinstance(cell, Gap):
        return [text, None, cell.reason]
    if isinstance(cell, str | bool) or table.columns[group[0]].format == "text":
        return text
    return [text, float(f"{cell:.9g}")]
