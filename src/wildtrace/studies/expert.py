"""The expert study: people score answers by the rubric, and their points are compared with the panel's (Table 10).

Annotators see question, rubric, key facts, evidence and answer; not who answered, nor what the panel gave.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import msgspec

from wildtrace.diagnose.expert import ExpertCell, ExpertStudy, PointRow
from wildtrace.diagnose.expert import compute as compute_table
from wildtrace.diagnose.strata import BINS, Candidate, draw_balanced
from wildtrace.errors import DataError
from wildtrace.scores.loading import Loaded
from wildtrace.studies.sheets import Row, read_number, read_sheets, replace_rows, section, write_sheet
from wildtrace.studies.study import Answer, StudyFile, answers, candidates, draw, read_study, refuse_drawn, write_study
from wildtrace.tables.table import Table
from wildtrace.types import Criterion, Item

SIZE = 60
COLUMNS = ("cell_id", "criterion_id", "annotator", "points")
POINTS_FILE = "points.csv"


class Cell(msgspec.Struct):
    """The key of one answer."""

    cell_id: str
    question_id: str
    model: str
    panel: float
    score_bin: str
    family: str
    geometry: str
    rubric: dict[str, float]


class ExpertFile(StudyFile):
    """The key of the study."""

    cells: list[Cell]


def sample(loaded: Loaded, folder: Path, size: int, seed: int) -> int:
    """Draw answers balanced by score bin and family, and write the key and the sheets; returns how many."""
    pool = candidates(loaded)
    drawn = draw(size, _most(pool), lambda number: draw_balanced(pool, number, seed), "add scores files")
    cells = answers(loaded, drawn)
    refuse_drawn(folder)
    columns = (*COLUMNS, "points_possible", "criterion", "question", "response", "key_facts", "evidence")
    rows = (row for answer in cells for row in _rows(answer))
    write_sheet(folder, columns, rows, "\n".join(_text(answer) for answer in cells))
    write_study(folder, ExpertFile(study="expert", seed=seed, cells=[_key(answer) for answer in cells]))
    return len(cells)


def import_sheets(folder: Path, files: Sequence[Path]) -> int:
    """Check filled-in sheets and store their points, in place of the annotators' earlier ones; how many are stored."""
    rows = _read(files, read_study(folder, ExpertFile, "expert"))
    if not rows:
        raise DataError(f"{', '.join(map(str, files))}: no row has points; fill in the sheet first")
    return replace_rows(folder / POINTS_FILE, COLUMNS, rows)


def compute(folder: Path) -> Table:
    """The table of the study as far as points were imported; the stored points are checked as sheets are."""
    study = read_study(folder, ExpertFile, "expert")
    cells = (
        ExpertCell(cell.cell_id, cell.panel, cell.score_bin, cell.family, cell.geometry, cell.rubric)
        for cell in study.cells
    )
    path = folder / POINTS_FILE
    rows = _read([path], study) if path.exists() else []
    points = (PointRow(row["cell_id"], row["criterion_id"], row["annotator"], float(row["points"])) for row in rows)
    return compute_table(ExpertStudy(tuple(cells), tuple(points)))


def _most(pool: Sequence[Candidate]) -> int:
    """The size that no balanced draw exceeds: its shortest score bin and its shortest family allow no more."""
    bins, families = Counter(each.bin for each in pool), Counter(each.family for each in pool)
    by_bin = len(BINS) * min(bins[name] for name in BINS) + len(BINS) - 1
    return min(by_bin, len(families) * min(families.values(), default=0) + len(families))


def _read(files: Iterable[Path], study: ExpertFile) -> list[Row]:
    rubrics = {cell.cell_id: cell.rubric for cell in study.cells}

    def check(row: Row, where: str) -> Row:
        rubric = rubrics.get(row["cell_id"])
        if rubric is None:
            raise DataError(f"{where}: the study has no such cell; import the sheet of this study")
        if row["criterion_id"] not in rubric:
            raise DataError(f"{where}: the rubric has no such criterion; it has {', '.join(rubric)}")
        return {**row, "points": str(read_number(row["points"], rubric[row["criterion_id"]], "points", where))}

    return read_sheets(files, COLUMNS, "points", check)


def _key(answer: Answer) -> Cell:
    candidate = answer.candidate
    return Cell(
        cell_id=answer.cell_id,
        question_id=candidate.question_id,
        model=candidate.model,
        panel=candidate.score,
        score_bin=candidate.bin,
        family=candidate.family,
        geometry=candidate.geometry,
        rubric={name: criterion.points for name, criterion in _criteria(answer.item)},
    )


def _criteria(item: Item) -> Iterator[tuple[str, Criterion]]:
    """The criteria with an id each: their own, with the place in the rubric where two share one."""
    counts = Counter(criterion.id for criterion in item.rubric.criteria)
    for place, criterion in enumerate(item.rubric.criteria, 1):
        yield criterion.id if counts[criterion.id] == 1 else f"{criterion.id}#{place}", criterion


def _rows(answer: Answer) -> Iterator[tuple[str, ...]]:
    item = answer.item
    facts, evidence = "\n".join(item.key_facts), "\n".join(clue.quote for clue in item.clues)
    shown = (item.question.text, answer.text, facts, evidence)
    for name, criterion in _criteria(item):
        yield (answer.cell_id, name, "", "", f"{criterion.points:g}", criterion.text, *shown)


def _text(answer: Answer) -> str:
    item = answer.item
    rubric = (f"{name} ({criterion.points:g} points): {criterion.text}" for name, criterion in _criteria(item))
    parts = {
        "Question": item.question.text,
        "Rubric": "\n".join(rubric),
        "Key facts": "\n".join(item.key_facts),
        "Evidence, verbatim": "\n\n".join(clue.quote for clue in item.clues),
        "Answer": answer.text,
    }
    return section(answer.cell_id, parts)
