"""The expert study: draw balanced answers, write scoring sheets, read points, hand both to the statistic."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from wildtrace.diagnose.base import Table
from wildtrace.diagnose.expert import ExpertCell, ExpertStudy, PointRow, compute
from wildtrace.diagnose.strata import BINS, Candidate, draw_balanced
from wildtrace.errors import DataError
from wildtrace.scores.loading import Loaded
from wildtrace.studies.run import (
    Answer,
    StudyFile,
    answers,
    candidates,
    criterion_ids,
    draw,
    quoted,
    read_filled,
    read_number,
    read_study,
    refuse_drawn,
    replace_rows,
    write_sheet,
    write_study,
)

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
    """Draw the answers and write key and sheets; returns how many."""
    pool = candidates(loaded)
    chosen = draw(size, _most(pool), lambda count: draw_balanced(pool, count, seed), "add scores files")
    drawn = answers(loaded, chosen)
    refuse_drawn(folder)
    columns = (*COLUMNS, "points_possible", "criterion", "question", "response", "key_facts", "evidence")
    rows = [row for answer in drawn for row in _rows(answer)]
    write_sheet(folder, columns, rows, "\n".join(_text(answer) for answer in drawn))
    write_study(folder, ExpertFile(study="expert", seed=seed, cells=[_cell(answer) for answer in drawn]))
    return len(drawn)


def bring_in(folder: Path, files: Sequence[Path]) -> int:
    """Check filled-in sheets and keep their points; an annotator's rows replace their earlier ones."""
    rows = _read(files, read_study(folder, ExpertFile, "expert"))
    if not rows:
        raise DataError(f"{', '.join(map(str, files))}: no row has points; fill in the sheet first")
    return replace_rows(folder / POINTS_FILE, COLUMNS, rows, "annotator")


def result(folder: Path) -> Table:
    """The table of the study as far as points were imported; they are checked as sheets are."""
    study = read_study(folder, ExpertFile, "expert")
    cells = tuple(
        ExpertCell(cell.cell_id, cell.panel, cell.score_bin, cell.family, cell.geometry, cell.rubric)
        for cell in study.cells
    )
    path = folder / POINTS_FILE
    rows = _read([path], study) if path.exists() else []
    rubrics = {cell.cell_id: cell.rubric for cell in study.cells}
    points = [
        PointRow(row["cell_id"], row["criterion_id"], row["annotator"], _points(row, rubrics, str(path)))
        for row in rows
    ]
    return compute(ExpertStudy(cells, tuple(points)))


def _most(pool: Sequence[Candidate]) -> int:
    """No balanced draw is larger than its shortest score bin and family allow."""
    bins, families = Counter(one.bin for one in pool), Counter(one.family for one in pool)
    by_bin = len(BINS) * min(bins[name] for name in BINS) + len(BINS) - 1
    return min(by_bin, len(families) * min(families.values(), default=0) + len(families))


def _read(files: Sequence[Path], study: ExpertFile) -> list[dict[str, str]]:
    """The rows that have points, each of them right. DataError names the file and the row."""
    rubrics = {cell.cell_id: cell.rubric for cell in study.cells}
    rows: dict[tuple[str, str, str], dict[str, str]] = {}
    for path in files:
        for at, row in read_filled(path, COLUMNS):
            if not row["points"]:
                continue
            where = f"{path}: row {at} ({row['cell_id']}, {row['criterion_id']})"
            _points(row, rubrics, where)
            key = (row["cell_id"], row["criterion_id"], row["annotator"])
            if key in rows:
                raise DataError(f"{where} repeats an earlier row of {row['annotator']!r}; keep one of them")
            rows[key] = row
    return list(rows.values())


def _points(row: Mapping[str, str], rubrics: Mapping[str, Mapping[str, float]], where: str) -> float:
    rubric = rubrics.get(row["cell_id"])
    if rubric is None:
        raise DataError(f"{where}: the study has no such cell; import the sheet of this study")
    if row["criterion_id"] not in rubric:
        raise DataError(f"{where}: the rubric has no such criterion; it has {', '.join(rubric)}")
    if not row["annotator"]:
        raise DataError(f"{where} names no annotator; fill in who gave the points")
    return read_number(row["points"], rubric[row["criterion_id"]], "points", where)


def _cell(answer: Answer) -> Cell:
    chosen, item = answer.candidate, answer.item
    points = [criterion.points for criterion in item.rubric.criteria]
    return Cell(
        cell_id=answer.cell_id,
        question_id=chosen.question_id,
        model=chosen.model,
        panel=chosen.score,
        score_bin=chosen.bin,
        family=chosen.family,
        geometry=chosen.geometry,
        rubric=dict(zip(criterion_ids(item), points, strict=True)),
    )


def _rows(answer: Answer) -> list[tuple[str, ...]]:
    item = answer.item
    facts, quotes = "\n".join(item.key_facts), "\n".join(clue.quote for clue in item.clues)
    return [
        (
            answer.cell_id,
            name,
            "",
            "",
            f"{criterion.points:g}",
            criterion.text,
            item.question.text,
            answer.text,
            facts,
            quotes,
        )
        for name, criterion in zip(criterion_ids(item), item.rubric.criteria, strict=True)
    ]


def _text(answer: Answer) -> str:
    item = answer.item
    rubric = "\n".join(
        f"{name} ({criterion.points:g} points): {criterion.text}"
        for name, criterion in zip(criterion_ids(item), item.rubric.criteria, strict=True)
    )
    parts = {
        "Question": item.question.text,
        "Rubric": rubric,
        "Key facts": "\n".join(item.key_facts) or "none given",
        "Evidence, verbatim": "\n\n".join(clue.quote for clue in item.clues) or "none given",
        "Answer": answer.text,
    }
    body = "\n\n".join(f"**{title}**\n\n{quoted(text)}" for title, text in parts.items())
    return f"## {answer.cell_id}\n\n{body}\n"
