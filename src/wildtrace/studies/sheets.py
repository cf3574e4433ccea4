"""Sheets for annotators: written as CSV to fill in and as Markdown to read, and read back with every row checked.

A sheet is opened in a spreadsheet, so a text that one would run is written with an apostrophe before it. Rows are
counted from 1 without the header, blank lines counted, as a spreadsheet shows them less one.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from wildtrace.errors import DataError
from wildtrace.files import write_atomically
from wildtrace.tables.formats import FORMULA_STARTS

# A sheet repeats whole answers, which may be longer than the csv module's limit of 131,072 characters a field.
csv.field_size_limit(1 << 30)

Row = dict[str, str]


def write_sheet(folder: Path, columns: Sequence[str], rows: Iterable[Sequence[str]], text: str) -> None:
    """Write `sheet.csv`, which people fill in, and `sheet.md`, which they read."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, quoting=csv.QUOTE_ALL, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([f"'{cell}" if cell.startswith(FORMULA_STARTS) else cell for cell in row] for row in rows)
    # Spreadsheets take a CSV file for UTF-8 only where it begins with a byte order mark.
    write_atomically(folder / "sheet.csv", [buffer.getvalue().encode("utf-8-sig")])
    write_atomically(folder / "sheet.md", [text.encode()])


def section(heading: str, parts: Mapping[str, str]) -> str:
    """One entry of `sheet.md`: each part in a fence longer than any in its text, so that nothing in it is markup."""
    lines = [f"## {heading}\n"]
    for title, text in parts.items():
        fence = "````"
        while fence in text:
            fence += "`"
        lines.append(f"**{title}**\n\n{fence}text\n{text or 'none given'}\n{fence}\n")
    return "\n".join(lines)


def read_rows(path: Path, columns: Sequence[str], optional: Sequence[str] = ()) -> list[tuple[int, Row]]:
    """The rows of a CSV file as (number, the named columns), blank ones left out. DataError where it is none."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
        # Where the comma is the decimal sign, spreadsheets save CSV with semicolons.
        first_line = text.split("\n", 1)[0]
        delimiter = ";" if first_line.count(";") > first_line.count(",") else ","
        header, *rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)) or [[]]
    except OSError as error:
        raise DataError(f"{path} cannot be read ({error.strerror}); name a filled-in sheet") from None
    except UnicodeDecodeError:
        raise DataError(f"{path} is not UTF-8; save the sheet as CSV in UTF-8") from None
    except csv.Error as error:
        raise DataError(f"{path} is no CSV ({error}); save the sheet as CSV in UTF-8") from None
    missing = [name for name in columns if name not in header]
    if missing:
        raise DataError(f"{path} has no column {', '.join(missing)}; import the sheet with its header line")
    numbered = [(number, dict(zip(header, row, strict=False))) for number, row in enumerate(rows, 1) if row]
    return [(number, {name: _cell(row.get(name, "")) for name in (*columns, *optional)}) for number, row in numbered]


def read_sheets(
    paths: Iterable[Path],
    columns: Sequence[str],
    given: str,
    check: Callable[[Row, str], Row],
    optional: Sequence[str] = (),
) -> list[Row]:
    """The rows of filled-in sheets that have something in the column `given`.

    The columns before it say what a row is about and whose it is, so no two rows may share them. `check` gets a row and
    the words that name it, and returns it as it is stored. DataError names the file and the row.
    """
    key = columns[: columns.index(given)]
    rows: dict[tuple[str, ...], Row] = {}
    for path in paths:
        for number, row in read_rows(path, columns, optional):
            if not row[given]:
                continue
            where = f"{path}: row {number} ({', '.join(row[name] for name in key if name != 'annotator')})"
            checked = check(row, where)
            if not row["annotator"]:
                raise DataError(f"{where} names no annotator; fill in whose it is")
            identity = tuple(row[name] for name in key)
            if identity in rows:
                raise DataError(f"{where} repeats an earlier row of {row['annotator']!r}; keep one of them")
            rows[identity] = checked
    return list(rows.values())


def read_number(text: str, most: float, name: str, where: str) -> float:
    """A number from 0 to `most`, with a decimal point or comma. DataError names the row."""
    try:
        value = float(text.replace(",", "."))
    except ValueError:
        value = float("nan")
    if not 0 <= value <= most:
        raise DataError(f"{where}: {name} {text!r} is no number from 0 to {most:g}; mend the row or remove it")
    return value


def replace_rows(path: Path, columns: Sequence[str], rows: Sequence[Row]) -> int:
    """Add rows to a study's file in place of the earlier rows of the same annotators; returns how many it has now."""
    annotators = {row["annotator"] for row in rows}
    earlier = [row for _, row in read_rows(path, columns)] if path.exists() else []
    merged = [*(row for row in earlier if row["annotator"] not in annotators), *rows]
    write_rows(path, columns, merged)
    return len(merged)


def write_rows(path: Path, columns: Sequence[str], rows: Iterable[Mapping[str, object]]) -> None:
    """Write a study's own CSV file."""
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    write_atomically(path, [buffer.getvalue().encode()])


def _cell(text: str) -> str:
    text = text.strip()
    return text[1:] if text.startswith("'") and text[1:].startswith(FORMULA_STARTS) else text
