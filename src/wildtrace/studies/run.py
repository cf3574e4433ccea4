"""What the three studies share: the study file, the sheets for people, and reading what they filled in.

A study is a folder. `study.json` holds the key (who answered, what the panel gave, the original label) and is not for
annotators; `sheet.csv` and `sheet.md` are, and hold nothing of it. Imported rows go to a CSV file beside them.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeVar

import msgspec
import orjson

from wildtrace.diagnose.strata import Candidate
from wildtrace.errors import DataError, UsageError
from wildtrace.files import write_atomically
from wildtrace.scores.loading import Loaded
from wildtrace.tables.formats import FORMULA_STARTS
from wildtrace.types import Item

Kind = Literal["expert", "evidence-visible", "relabel"]
KINDS: tuple[Kind, ...] = ("expert", "evidence-visible", "relabel")
FORMAT: Literal["wildtrace.study/1"] = "wildtrace.study/1"
STUDY_FILE = "study.json"

T = TypeVar("T", bound="StudyFile")
D = TypeVar("D")

# A sheet repeats whole answers, which may be longer than the standard limit of a field.
csv.field_size_limit(1 << 30)


class StudyFile(msgspec.Struct, kw_only=True):
    """What every study's key says of itself."""

    format: Literal["wildtrace.study/1"] = FORMAT
    study: Kind
    seed: int


@dataclass(frozen=True, slots=True)
class Answer:
    """A drawn answer: its candidate, its item and its text."""

    cell_id: str
    candidate: Candidate
    item: Item
    text: str


def refuse_drawn(folder: Path) -> None:
    """UsageError where the folder holds a study already: a study is drawn once."""
    path = folder / STUDY_FILE
    if path.exists():
        raise UsageError(f"{path} exists: a study is drawn once; choose another --out")


def write_study(folder: Path, study: StudyFile) -> None:
    """Write the key: last, since a folder that has it is a whole study. UsageError where there is one already."""
    refuse_drawn(folder)
    write_atomically(folder / STUDY_FILE, [orjson.dumps(msgspec.to_builtins(study), option=orjson.OPT_INDENT_2)])


def read_study(folder: Path, kind: type[T], name: Kind) -> T:
    """Read the key of a study of this kind. DataError where there is none, or it is another study's."""
    path = folder / STUDY_FILE
    advice = f"name the folder that `wildtrace reliability sample {name}` wrote"
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise DataError(f"{path} cannot be read ({error.strerror}); {advice}") from None
    try:
        head = msgspec.json.decode(raw, type=StudyFile)
        if head.study == name:
            return msgspec.json.decode(raw, type=kind)
    except msgspec.DecodeError as error:
        raise DataError(f"{path} is no study file ({error}); {advice}") from None
    raise DataError(f"{path} is of the study {head.study}, not {name}; name that study")


def draw(size: int, most: int, of: Callable[[int], list[D]], more: str) -> list[D]:
    """What `of` draws of this size. DataError adds the largest size up to `most` that works, and how to have `more`."""
    try:
        return of(size)
    except DataError as error:
        why = str(error).partition("; choose a smaller --size")[0]
    largest = next((least for least in range(min(size - 1, most), 0, -1) if _can_draw(of, least)), 0)
    if not largest:
        raise DataError(f"{why}; {more}, as no smaller --size works")
    raise DataError(f"{why}; choose --size {largest}, the largest that works, or {more}")


def candidates(loaded: Loaded) -> list[Candidate]:
    """Every fully judged answer of the loaded scores."""
    scores = loaded.scores
    mean, answered = scores.panel_mean(), scores.answered()
    tasks = scores.tasks
    return [
        Candidate(model, tasks.question_ids[at], float(mean[row, at]), tasks.families[at], tasks.geometries[at])
        for row, model in enumerate(scores.models)
        for at in range(len(tasks))
        if answered[row, at]
    ]


def answers(loaded: Loaded, drawn: Sequence[Candidate]) -> list[Answer]:
    """The drawn answers with their texts, numbered in their (random) order. DataError where a text was not given."""
    by_model = {run.model: run.responses for run in loaded.runs if run.provenance.condition == "full"}
    items = {item.question_id: item for item in loaded.items}
    found = []
    for number, candidate in enumerate(drawn, 1):
        response = by_model.get(candidate.model, {}).get(candidate.question_id)
        if response is None or response.response is None:
            raise DataError(
                f"the answer of {candidate.model!r} to {candidate.question_id!r} is in no responses file; "
                "add the run's --responses"
            )
        found.append(Answer(f"c{number:03d}", candidate, items[candidate.question_id], response.response))
    return found


def criterion_ids(item: Item) -> list[str]:
    """An id for each criterion of the rubric: its own, with its place where two share one."""
    ids = [criterion.id for criterion in item.rubric.criteria]
    return [name if ids.count(name) == 1 else f"{name}#{at}" for at, name in enumerate(ids, 1)]


def write_sheet(folder: Path, columns: Sequence[str], rows: Iterable[Sequence[Any]], text: str) -> None:
    """Write the sheet that people fill in (CSV, safe to open in a spreadsheet) and the one they read (Markdown)."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, quoting=csv.QUOTE_ALL, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([_safe(value) for value in row] for row in rows)
    write_atomically(folder / "sheet.csv", ["\ufeff".encode(), buffer.getvalue().encode()])
    write_atomically(folder / "sheet.md", [text.encode()])


def read_filled(path: Path, columns: Sequence[str], optional: Sequence[str] = ()) -> list[tuple[int, dict[str, str]]]:
    """Rows of a filled-in CSV sheet: (row number, the named columns). DataError names the file and the row.

    Rows are counted from 1, the header not counted and blank lines counted.
    """
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise DataError(f"{path} cannot be read ({error.strerror}); name a filled-in sheet") from None
    except UnicodeDecodeError:
        raise DataError(f"{path} is not UTF-8; save the sheet as CSV in UTF-8") from None
    try:
        header, *rows = [*csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text))] or [[]]
    except csv.Error as error:
        raise DataError(f"{path} is no CSV ({error}); save the sheet as CSV in UTF-8") from None
    missing = [name for name in columns if name not in header]
    if missing:
        raise DataError(f"{path} has no column {', '.join(missing)}; import the sheet with its header line")
    filled = [(at, dict(zip(header, row, strict=False))) for at, row in enumerate(rows, 1) if row]
    return [(at, {name: _unsafe(row.get(name)) for name in (*columns, *optional)}) for at, row in filled]


def read_number(text: str, most: float, name: str, where: str) -> float:
    """A number from 0 to `most` as people write it, with a decimal point or comma. DataError names the row."""
    try:
        value = float(text.replace(",", "."))
    except ValueError:
        value = float("nan")
    if not 0 <= value <= most:
        raise DataError(f"{where}: {name} {text!r} is no number from 0 to {most:g}; mend the row or remove it")
    return value


def replace_rows(path: Path, columns: Sequence[str], rows: Sequence[Mapping[str, str]], by: str) -> int:
    """Put imported rows into the study's file: whoever (`by`) is in them, their earlier rows go. Returns all rows."""
    newcomers = {row[by] for row in rows}
    kept = [row for _, row in read_filled(path, columns) if row[by] not in newcomers] if path.exists() else []
    merged = [*kept, *rows]
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: row[name] for name in columns} for row in merged)
    write_atomically(path, [buffer.getvalue().encode()])
    return len(merged)


def quoted(text: str) -> str:
    """A text as a Markdown block in which nothing is markup."""
    fence = "````"
    while fence in text:
        fence += "`"
    return f"{fence}text\n{text}\n{fence}"


def _can_draw(of: Callable[[int], list[D]], size: int) -> bool:
    try:
        of(size)
    except DataError:
        return False
    return True


def _safe(value: Any) -> str:
    text = "" if value is None else str(value)
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text


def _unsafe(value: str | None) -> str:
    text = (value or "").strip()
    return text[1:] if text.startswith("'") and text[1:].startswith(FORMULA_STARTS) else text


def _delimiter(text: str) -> str:
    # Spreadsheets of half the world save CSV with semicolons.
    header = text.split("\n", 1)[0]
    return ";" if header.count(";") > header.count(",") else ","
