"""The relabelling study: draw items blind, write sheets, read labels, hand both to the statistic.

The sheets show the question, the evidence and the rubric under a made id: a question id may give the geometry away.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from wildtrace.diagnose.base import Table
from wildtrace.diagnose.relabel import Label, RelabelStudy, compute
from wildtrace.diagnose.strata import draw_items
from wildtrace.errors import DataError
from wildtrace.studies.run import (
    StudyFile,
    draw,
    quoted,
    read_filled,
    read_study,
    refuse_drawn,
    replace_rows,
    write_sheet,
    write_study,
)
from wildtrace.types import Item
from wildtrace.vocabulary import GEOMETRIES

PER_GEOMETRY = 14
COLUMNS = ("question_id", "annotator", "primary")
ALL_COLUMNS = (*COLUMNS, "secondary")
LABELS_FILE = "labels.csv"


class Drawn(msgspec.Struct):
    """The key of one item: the id on the sheet, the real one, and the original label."""

    blind_id: str
    question_id: str
    geometry: str


class RelabelFile(StudyFile):
    """The key of the study."""

    items: list[Drawn]


def sample(data: Path, items: Sequence[Item], folder: Path, size: int, seed: int) -> int:
    """Draw `size` items of each geometry and write key and sheets; returns how many items.

    DataError where an item of `data` has a geometry that annotators cannot give, or none has any.
    """
    by_id = {item.question_id: item for item in items}
    geometry_of = dict(_geometries(data, items))
    if not geometry_of:
        raise DataError(f"{data}: no item has a geometry; give each one of {', '.join(GEOMETRIES)}")
    ids = draw(
        size, len(items), lambda count: draw_items(geometry_of, count, seed), "add items of this geometry to the data"
    )
    drawn = [Drawn(f"r{at:03d}", name, geometry_of[name]) for at, name in enumerate(ids, 1)]
    refuse_drawn(folder)
    rows = [_row(entry, by_id[entry.question_id]) for entry in drawn]
    head = f"Labels: {', '.join(GEOMETRIES)}.\n\n"
    text = head + "\n".join(_text(entry, by_id[entry.question_id]) for entry in drawn)
    write_sheet(folder, (*ALL_COLUMNS, "question", "evidence", "rubric"), rows, text)
    write_study(folder, RelabelFile(study="relabel", seed=seed, items=drawn))
    return len(drawn)


def bring_in(folder: Path, files: Sequence[Path]) -> int:
    """Check filled-in sheets and keep their labels; an annotator's rows replace their earlier ones."""
    rows = _read(files, read_study(folder, RelabelFile, "relabel"))
    if not rows:
        raise DataError(f"{', '.join(map(str, files))}: no row has a primary label; fill in the sheet first")
    return replace_rows(folder / LABELS_FILE, ALL_COLUMNS, rows, "annotator")


def result(folder: Path) -> Table:
    """The table of the study as far as labels were imported; they are checked as sheets are."""
    study = read_study(folder, RelabelFile, "relabel")
    path = folder / LABELS_FILE
    rows = _read([path], study) if path.exists() else []
    labels = tuple(Label(row["question_id"], row["annotator"], row["primary"], row["secondary"]) for row in rows)
    return compute(RelabelStudy({entry.blind_id: entry.geometry for entry in study.items}, labels))


def _geometries(data: Path, items: Sequence[Item]) -> Iterator[tuple[str, str]]:
    for item in items:
        label = _label(item.geometry, f"{data}: item {item.question_id}")
        if label:
            yield item.question_id, label


def _read(files: Sequence[Path], study: RelabelFile) -> list[dict[str, str]]:
    """The rows that have a primary label, each of them right. DataError names the file and the row."""
    known = {entry.blind_id for entry in study.items}
    rows: dict[tuple[str, str], dict[str, str]] = {}
    for path in files:
        for at, row in read_filled(path, COLUMNS, ("secondary",)):
            if not row["primary"]:
                continue
            where = f"{path}: row {at} ({row['question_id']})"
            if row["question_id"] not in known:
                raise DataError(f"{where}: the study has no such item; import the sheet of this study")
            if not row["annotator"]:
                raise DataError(f"{where} names no annotator; fill in who gave the label")
            key = (row["question_id"], row["annotator"])
            if key in rows:
                raise DataError(f"{where} repeats an earlier row of {row['annotator']!r}; keep one of them")
            rows[key] = {**row, **{name: _label(row[name], where) for name in ("primary", "secondary")}}
    return list(rows.values())


def _label(value: str, where: str) -> str:
    if not value:
        return ""
    label = GEOMETRIES.read(value)
    if label is None:
        raise DataError(f"{where}: {value!r} is no geometry; use one of {', '.join(GEOMETRIES)}")
    return label


def _rubric(item: Item) -> str:
    return "\n".join(f"{criterion.points:g} points: {criterion.text}" for criterion in item.rubric.criteria)


def _row(entry: Drawn, item: Item) -> tuple[str, ...]:
    return (entry.blind_id, "", "", "", item.question.text, "\n".join(clue.quote for clue in item.clues), _rubric(item))


def _text(entry: Drawn, item: Item) -> str:
    parts = {
        "Question": item.question.text,
        "Evidence": "\n\n".join(clue.quote for clue in item.clues) or "none given",
        "Rubric": _rubric(item),
    }
    body = "\n\n".join(f"**{title}**\n\n{quoted(text)}" for title, text in parts.items())
    return f"## {entry.blind_id}\n\n{body}\n"
