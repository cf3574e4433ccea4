"""Score matrices and task tables: long CSV or Parquet, one row for each question, system and judge.

    matrix     question_id, model, judge, score, status, reason     (score null unless judged; judge, status and reason
                                                                     may be absent)
    tasks      question_id, source_id, tier, source_family, geometry, and any numeric columns (structure)

CSV is UTF-8 with a header line. Parquet is read and written by DuckDB (the `parquet` extra).
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from wildtrace.errors import ConfigError, DataError
from wildtrace.files import write_atomically

MATRIX_COLUMNS = ("question_id", "model", "judge", "score", "status", "reason")
TASK_COLUMNS = ("question_id", "source_id", "tier", "source_family", "geometry")
_CSV_BLOCK = 10_000
_SPECIAL = re.compile(r'[,"\r\n]')


@dataclass(frozen=True, slots=True)
class Matrix:
    """A score matrix, a column each: `score` is 0 to 1 or None; `status` is None when the file has no such column.

    `number` is the row's number in the file, from 1, the header not counted and blank lines counted.
    """

    path: Path
    question_id: list[str]
    model: list[str]
    judge: list[str]
    score: list[float | None]
    status: list[str] | None
    reason: list[str]
    number: list[int]

    def where(self, row: int) -> str:
        """How a message names row `row`: by its number in the file (see `number`), its item and its system."""
        return f"{self.path}: row {self.number[row]} ({self.question_id[row]}, {self.model[row]})"

    def only(self, models: Collection[str]) -> Matrix:
        """The rows of these systems alone."""
        rows = [at for at, model in enumerate(self.model) if model in models]
        return Matrix(
            path=self.path,
            question_id=[self.question_id[at] for at in rows],
            model=[self.model[at] for at in rows],
            judge=[self.judge[at] for at in rows],
            score=[self.score[at] for at in rows],
            status=None if self.status is None else [self.status[at] for at in rows],
            reason=[self.reason[at] for at in rows],
            number=[self.number[at] for at in rows],
        )


@dataclass(frozen=True, slots=True)
class TaskTable:
    """A task table: the text columns in `text`, every other column as numbers (None where empty) in `structure`."""

    text: Mapping[str, list[str]]
    structure: Mapping[str, list[float | None]] = field(default_factory=dict)


def read_matrix(path: Path) -> Matrix:
    """Read a score matrix.

    Raises DataError with the file, the row and what to do: a missing column, a score that is no number from 0 to 1,
    an empty id, a row that stands twice.
    """
    columns, numbers = _read(path)
    _require(path, columns, ("question_id", "model", "score"))
    size = len(columns["question_id"])
    empty: list[Any] = [None] * size
    matrix = Matrix(
        path=path,
        question_id=[_text(value) for value in columns["question_id"]],
        model=[_text(value) for value in columns["model"]],
        judge=[_text(value) for value in columns.get("judge", empty)],
        score=_numbers(path, "score", columns["score"], numbers),
        status=[_text(value) or "unknown" for value in columns["status"]] if "status" in columns else None,
        reason=[_text(value) for value in columns.get("reason", empty)],
        number=numbers,
    )
    _check(matrix)
    return matrix


def read_tasks(path: Path) -> TaskTable:
    """Read a task table. Columns that the format does not name must be numeric. DataError as for a matrix."""
    columns, numbers = _read(path)
    _require(path, columns, ("question_id",))
    size = len(columns["question_id"])
    text = {name: [_text(value) for value in columns.get(name, [None] * size)] for name in TASK_COLUMNS}
    seen: set[str] = set()
    for number, question_id in zip(numbers, text["question_id"], strict=True):
        if not question_id:
            raise DataError(f"{path}: row {number} has no question_id; give it one or remove the row")
        if question_id in seen:
            raise DataError(f"{path}: row {number} repeats question_id {question_id!r}; keep one of the rows")
        seen.add(question_id)
    structure = {name: column for name, column in columns.items() if name not in text}
    return TaskTable(text, {name: _numbers(path, name, column, numbers) for name, column in structure.items()})


def write_matrix(path: Path, rows: Iterable[Sequence[Any]]) -> None:
    """Write rows of (question_id, model, judge, score or None, status, reason), CSV or Parquet by the path's ending."""
    types = ("VARCHAR", "VARCHAR", "VARCHAR", "DOUBLE", "VARCHAR", "VARCHAR")
    _write(path, MATRIX_COLUMNS, types, rows)


def write_tasks(path: Path, structure: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Write rows of the task columns followed by those of `structure`, CSV or Parquet by the path's ending."""
    types = ("VARCHAR",) * len(TASK_COLUMNS) + ("DOUBLE",) * len(structure)
    _write(path, (*TASK_COLUMNS, *structure), types, rows)


def _check(matrix: Matrix) -> None:
    seen: dict[tuple[str, str, str], int] = {}
    for at, key in enumerate(zip(matrix.question_id, matrix.model, matrix.judge, strict=True)):
        if not key[0] or not key[1]:
            raise DataError(
                f"{matrix.path}: row {matrix.number[at]} lacks a question_id or a model; fill it or remove the row"
            )
        if key in seen:
            raise DataError(f"{matrix.where(at)} repeats row {matrix.number[seen[key]]}; keep one of them")
        seen[key] = at
        score = matrix.score[at]
        if score is not None and not 0.0 <= score <= 1.0:
            raise DataError(
                f"{matrix.where(at)} has the score {score:g}; scores are from 0 to 1, empty when not judged"
            )


def _require(path: Path, columns: Mapping[str, list[Any]], names: Sequence[str]) -> None:
    missing = [name for name in names if name not in columns]
    if missing:
        raise DataError(f"{path} has no column {', '.join(missing)}; it has {', '.join(columns) or 'none'}")
    if not columns[names[0]]:
        raise DataError(f"{path} has no rows; name a file with at least one")


def _text(value: Any) -> str:
    return "" if value is None else str(value)


def _number(value: Any, where: str) -> float | None:
    if value is None or value == "":
        return None
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise DataError(
            f"{where} is {str(value)[:40]!r}, which is no number; leave it empty when there is none"
        ) from None
    if not math.isfinite(number):
        raise DataError(f"{where} is {value}; leave it empty when there is none")
    return number


def _numbers(path: Path, name: str, column: Sequence[Any], numbers: Sequence[int]) -> list[float | None]:
    return [_number(value, f"{path}: row {at}: {name}") for at, value in zip(numbers, column, strict=True)]


def _read(path: Path) -> tuple[dict[str, list[Any]], list[int]]:
    """The columns, and each row's number in the file."""
    if not path.is_file():
        raise DataError(f"{path} cannot be read (no such file); name a .csv or .parquet file")
    return _read_parquet(path) if path.suffix == ".parquet" else _read_csv(path)


def _read_csv(path: Path) -> tuple[dict[str, list[Any]], list[int]]:
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise DataError(f"{path} cannot be read ({error.strerror}); name a .csv or .parquet file") from None
    except UnicodeDecodeError:
        raise DataError(f"{path} is not UTF-8; save it as UTF-8 CSV") from None
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    except csv.Error as error:
        raise DataError(f"{path} is no CSV ({error}); mend it") from None
    if not rows:
        raise DataError(f"{path} is empty; name a file with a header line and rows")
    header = [name.strip() for name in rows[0]]
    if len(set(header)) != len(header):
        raise DataError(f"{path} names a column twice in its header; rename one")
    body = {at: row for at, row in enumerate(rows[1:], 1) if row}
    for at, row in body.items():
        if len(row) != len(header):
            raise DataError(f"{path}: row {at} has {len(row)} fields where the header has {len(header)}; mend it")
    return {name: [row[place] for row in body.values()] for place, name in enumerate(header)}, list(body)


def _read_parquet(path: Path) -> tuple[dict[str, list[Any]], list[int]]:
    duckdb = _duckdb()
    connection = duckdb.connect()
    try:
        # A path is a pattern to the reader: the brackets keep its own characters from being one.
        found = connection.execute("SELECT * FROM read_parquet(?)", [_literal(path)])
        names = [entry[0] for entry in found.description]
        columns = found.fetchall()
    except duckdb.Error as error:
        raise DataError(f"{path} is no Parquet file that can be read ({str(error).splitlines()[0][:120]})") from None
    finally:
        connection.close()
    numbers = list(range(1, len(columns) + 1))
    return {name: [_plain(row[place]) for row in columns] for place, name in enumerate(names)}, numbers


def _plain(value: Any) -> Any:
    # A NaN in a nullable column is a missing number in the tools that write it.
    return None if isinstance(value, float) and math.isnan(value) else value


def _literal(path: Path) -> str:
    return "".join(f"[{char}]" if char in "*?[" else char for char in str(path.absolute()))


def _write(path: Path, names: Sequence[str], types: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    if path.suffix == ".parquet":
        _write_parquet(path, names, types, rows)
    else:
        write_atomically(path, _csv_parts(names, rows))


def _csv_parts(names: Sequence[str], rows: Iterable[Sequence[Any]]) -> Iterator[bytes]:
    lines = [_line(names)]
    for row in rows:
        lines.append(_line(row))
        if len(lines) == _CSV_BLOCK:
            yield "".join(lines).encode()
            lines.clear()
    yield "".join(lines).encode()


def _line(values: Sequence[Any]) -> str:
    return ",".join(map(_field, values)) + "\n"


def _field(value: Any) -> str:
    # The standard writer leaves a lone carriage return unquoted, which its reader then takes for the end of the row.
    text = "" if value is None else str(value)
    return '"' + text.replace('"', '""') + '"' if _SPECIAL.search(text) else text


def _write_parquet(path: Path, names: Sequence[str], types: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    # The rows go through a CSV beside the file: a typed load of it is many times faster than inserts.
    duckdb = _duckdb()
    staged, written = path.with_name(f".{path.name}.csv"), path.with_name(f".{path.name}.tmp")
    write_atomically(staged, _csv_parts(names, rows))
    kinds = ", ".join(f"{_quoted(name)}: {_quoted(kind)}" for name, kind in zip(names, types, strict=True))
    connection = duckdb.connect()
    try:
        source = f"{_quoted(_literal(staged))}, header = true, delim = ',', quote = '\"', escape = '\"', "
        source += f"auto_detect = false, columns = {{{kinds}}}, nullstr = '', strict_mode = true"
        query = f"COPY (SELECT * FROM read_csv({source})) TO {_quoted(str(written))} (FORMAT parquet)"  # noqa: S608 - quoted
        connection.execute(query)
        write_atomically(path, [written.read_bytes()])
    except duckdb.Error as error:
        raise DataError(f"{path} cannot be made ({str(error).splitlines()[0][:120]})") from None
    finally:
        connection.close()
        staged.unlink(missing_ok=True)
        written.unlink(missing_ok=True)


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _duckdb() -> Any:
    try:
        import duckdb  # noqa: PLC0415 - the extra is needed for Parquet alone
    except ImportError:
        raise ConfigError("Parquet needs the extra: pip install -e '.[parquet]' in the checkout, or use .csv") from None
    return duckdb
