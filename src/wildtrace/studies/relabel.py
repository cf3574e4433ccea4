"""The relabelling study: people name the geometry of items, and their labels are compared with the original (Table 5).

Annotators see question, evidence and rubric under a made id, since a question id may give the geometry away.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from wildtrace.diagnose.relabel import Label, RelabelStudy
from wildtrace.diagnose.relabel import compute as compute_table
from wildtrace.diagnose.strata import draw_items
from wildtrace.errors import DataError
from wildtrace.geometries import GEOMETRY_NAMES
from wildtrace.studies.sheets import Row, read_sheets, replace_rows, section, write_sheet
from wildtrace.studies.study import StudyFile, draw, read_study, refuse_drawn, write_study
from wildtrace.tables.table import Table
from wildtrace.types import Item

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
    """Draw `size` items of each geometry and write the key and the sheets; returns how many items.

    DataError where an item of `data` has a geometry that annotators cannot give, or none has any.
    """
    labels = {item.question_id: _label(item.geometry, f"{data}: item {item.question_id}") for item in items}
    if not any(labels.values()):
        raise DataError(f"{data}: no item has a geometry; give each one of {', '.join(GEOMETRY_NAMES)}")
    more = "add items of this geometry to the data"
    ids = draw(size, len(items), lambda number: draw_items(labels, number, seed), more)
    drawn = [Drawn(f"r{number:03d}", question_id, labels[question_id]) for number, question_id in enumerate(ids, 1)]
    refuse_drawn(folder)
    by_id = {item.question_id: item for item in items}
    shown = {entry.blind_id: _shown(by_id[entry.question_id]) for entry in drawn}
    rows = ((blind_id, "", "", "", *parts.values()) for blind_id, parts in shown.items())
    sections = (section(blind_id, parts) for blind_id, parts in shown.items())
    text = "\n".join([f"Labels: {', '.join(GEOMETRY_NAMES)}.\n", *sections])
    write_sheet(folder, (*ALL_COLUMNS, "question", "evidence", "rubric"), rows, text)
    write_study(folder, RelabelFile(study="relabel", seed=seed, items=drawn))
    return len(drawn)


def import_sheets(folder: Path, files: Sequence[Path]) -> int:
    """Check filled-in sheets and store their labels, in place of the annotators' earlier ones; how many are stored."""
    rows = _read(files, read_study(folder, RelabelFile, "relabel"))
    if not rows:
        raise DataError(f"{', '.join(map(str, files))}: no row has a primary label; fill in the sheet first")
    return replace_rows(folder / LABELS_FILE, ALL_COLUMNS, rows)


def compute(folder: Path) -> Table:
    """The table of the study as far as labels were imported; the stored labels are checked as sheets are."""
    study = read_study(folder, RelabelFile, "relabel")
    path = folder / LABELS_FILE
    rows = _read([path], study) if path.exists() else []
    labels = tuple(Label(row["question_id"], row["annotator"], row["primary"], row["secondary"]) for row in rows)
    return compute_table(RelabelStudy({entry.blind_id: entry.geometry for entry in study.items}, labels))


def _read(files: Iterable[Path], study: RelabelFile) -> list[Row]:
    ids = {entry.blind_id for entry in study.items}

    def check(row: Row, where: str) -> Row:
        if row["question_id"] not in ids:
            raise DataError(f"{where}: the study has no such item; import the sheet of this study")
        return {**row, "primary": _label(row["primary"], where), "secondary": _label(row["secondary"], where)}

    return read_sheets(files, COLUMNS, "primary", check, optional=("secondary",))


def _label(value: str, where: str) -> str:
    """The geometry that a label or its synonym means, an empty one stays empty. DataError for any other word."""
    label = GEOMETRY_NAMES.read(value) if value else ""
    if label is None:
        raise DataError(f"{where}: {value!r} is no geometry; use one of {', '.join(GEOMETRY_NAMES)}")
    return label


def _shown(item: Item) -> dict[str, str]:
    rubric = (f"{criterion.points:g} points: {criterion.text}" for criterion in item.rubric.criteria)
    return {
        "Question": item.question.text,
        "Evidence": "\n\n".join(clue.quote for clue in item.clues),
        "Rubric": "\n".join(rubric),
    }
