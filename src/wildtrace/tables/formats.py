"""A table as CSV, JSON, Markdown, LaTeX and text. Every label that comes from data is escaped for its format."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
from collections.abc import Callable
from typing import Any

from wildtrace.tables.layout import DASH, FLAGGED, Grid, lay_out
from wildtrace.tables.table import Cell, Gap, Table
from wildtrace.text.printable import printable

# A spreadsheet runs a cell that starts with one of these, full-width or not; names of models and items come from files.
FORMULA_STARTS = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r")
# Where the list separator is a semicolon, a cell begins behind that too.
_CELL_START = re.compile(r"(^|;)(?=[\s\"]*[=+\-@＝＋－＠])")
_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>#|~&$])")
_LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}", DASH: "--",
    # A row end takes a bracket behind it for its optional argument.
    "[": "{[}", "]": "{]}", FLAGGED: r"\dag{}",
}  # fmt: skip
_NO_TERMINAL = 160
_LINE_END = re.compile(r"[\t\n\r]")
# Control characters and those that turn the direction of writing; a joiner belongs to the words of some scripts.
_HIDDEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def to_csv(table: Table) -> str:
    """All columns with all digits, gaps empty, characters that steer a terminal as escapes.

    A text that a spreadsheet would run, in a cell or a header, gets an apostrophe. Where numbers rest on flagged
    answers, a last column `flagged` names their columns.
    """
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n", quoting=csv.QUOTE_MINIMAL)
    flagged = _flagged_columns(table)
    writer.writerow([_csv_text(column.name) for column in table.columns] + (["flagged"] if flagged else []))
    for at, row in enumerate(table.rows):
        writer.writerow([_csv_cell(cell) for cell in row] + ([_csv_text(flagged.get(at, ""))] if flagged else []))
    return buffer.getvalue()


def to_json(table: Table) -> str:
    """The table as one JSON object: name, title, n, columns, rows, notes; a gap is an object with `gap`.

    Characters that are not seen stand in it as JSON's escapes.
    """
    lines = json.dumps(as_dict(table), ensure_ascii=False, indent=1).split("\n")
    return "".join(f"{_seen(line)}\n" for line in lines)


def as_dict(table: Table) -> dict[str, Any]:
    """The table in JSON's types (docs/report.md)."""
    flagged = {"flagged": [list(position) for position in sorted(table.flagged)]} if table.flagged else {}
    return {
        "name": table.name,
        "title": table.title,
        "n": table.n,
        "columns": [
            {"name": c.name, "format": c.format, "unit": c.unit, "role": c.role, "n": c.n, "about": c.about}
            for c in table.columns
        ],
        "rows": [[{"gap": cell.reason} if isinstance(cell, Gap) else cell for cell in row] for row in table.rows],
        "notes": list(table.notes),
        **flagged,
    }


def to_markdown(table: Table) -> str:
    """A pipe table under its title, emphasised rows in bold, notes as a list."""
    grid = lay_out(table)
    lines = [f"### {_markdown(table.title)}", "", _pipes([_markdown(header) for header in grid.headers])]
    lines.append("|" + "|".join("---:" if numeric else "---" for numeric in grid.numeric) + "|")
    for row, strong in zip(grid.rows, grid.emphasised, strict=True):
        cells = [_markdown(cell) for cell in row]
        lines.append(_pipes([f"**{cell}**" if strong and cell else cell for cell in cells]))
    lines += ["", *(f"- {_markdown(note)}" for note in _notes(table, grid)), ""]
    return "\n".join(lines)


def to_latex(table: Table) -> str:
    """A `table` with `booktabs` rules, emphasised rows in bold, notes under it."""
    grid = lay_out(table)
    align = "".join("r" if numeric else "l" for numeric in grid.numeric)
    lines = [
        r"\begin{table}[t]", r"\centering", rf"\caption{{{_latex(table.title)}}}", rf"\label{{tab:{table.name}}}",
        rf"\begin{{tabular}}{{{align}}}", r"\toprule", _latex_row(grid.headers, strong=False), r"\midrule",
    ]  # fmt: skip
    lines += [_latex_row(row, strong=strong) for row, strong in zip(grid.rows, grid.emphasised, strict=True)]
    lines += [r"\bottomrule", r"\end{tabular}"]
    lines += [rf"\par\footnotesize {_latex(note)}" for note in _notes(table, grid)]
    return "\n".join([*lines, r"\end{table}", ""])


def to_text(table: Table, width: int | None = None) -> str:
    """The table for a terminal (as wide as it is, or 160 columns): in parts below each other where it is wider."""
    from wildtrace.tables.drawing import Drawn, draw  # noqa: PLC0415 - rich is heavy, and only text needs it

    grid = lay_out(table)
    drawn = Drawn(
        headers=tuple(map(_plain, grid.headers)),
        rows=tuple(tuple(map(_plain, row)) for row in grid.rows),
        numeric=grid.numeric,
        title=_plain(table.title),
    )
    columns = width or shutil.get_terminal_size((_NO_TERMINAL, 24)).columns
    return draw(drawn, columns, [_plain(note) for note in _notes(table, grid)])


RENDERERS: dict[str, Callable[[Table], str]] = {
    "csv": to_csv,
    "json": to_json,
    "md": to_markdown,
    "tex": to_latex,
}


def _notes(table: Table, grid: Grid) -> tuple[str, ...]:
    if table.n is None:
        return grid.notes
    counted = f"n = {table.n:,} {table.counted}".rstrip()
    return (f"{counted}.", *grid.notes)


def _flagged_columns(table: Table) -> dict[int, str]:
    """For each row with numbers that rest on flagged answers the names of their columns."""
    found: dict[int, list[str]] = {}
    for row, column in sorted(table.flagged):
        found.setdefault(row, []).append(table.columns[column].name)
    return {row: ", ".join(names) for row, names in found.items()}


def _csv_cell(cell: Cell) -> str | int | float:
    if isinstance(cell, Gap):
        return ""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    return _csv_text(cell) if isinstance(cell, str) else cell


def _csv_text(text: str) -> str:
    shown = _HIDDEN.sub(lambda found: printable(found[0]), text)
    return f"'{shown}" if text.startswith(FORMULA_STARTS) else _CELL_START.sub(r"\1'", shown)


def _pipes(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _seen(json_line: str) -> str:
    if json_line.isprintable():
        return json_line
    return "".join(char if char.isprintable() else json.dumps(char)[1:-1] for char in json_line)


def _plain(text: str) -> str:
    """On one line, and with what would steer a terminal, or make two names look alike, shown as escapes."""
    return printable(_LINE_END.sub(" ", text))


def _markdown(text: str) -> str:
    return _MARKDOWN.sub(r"\\\1", _plain(text))


def _latex(text: str) -> str:
    return "".join(_LATEX.get(char, char) for char in _plain(text))


def _latex_row(cells: tuple[str, ...], *, strong: bool) -> str:
    return " & ".join(rf"\textbf{{{_latex(cell)}}}" if strong else _latex(cell) for cell in cells) + r" \\"
