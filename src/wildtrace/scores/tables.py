"""Score tables from scores files or from a matrix, checked against the tasks they claim to be about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from wildtrace.errors import ConfigError, DataError
from wildtrace.scores.aggregate import aggregate
from wildtrace.scores.comparable import OFFLINE_MARK, Provenance
from wildtrace.scores.matrix import Matrix, TaskTable
from wildtrace.scores.model_families import families_of
from wildtrace.scores.results import ScoresFile
from wildtrace.scores.table import MISSING, OK, STATUSES, UNKNOWN, BoolArray, FloatArray, Points, ScoreTable, Tasks
from wildtrace.types import Item, Judgement, Response, Score
from wildtrace.vocabulary import TIERS

OFFLINE_SUFFIX = " (offline)"
PANEL_MEAN = "panel mean"
_UNUSABLE_FLAG = "mismatch"
_SAME = 1e-9


@dataclass(frozen=True, slots=True)
class Run:
    """One system's scores file, and its responses where they were given."""

    path: Path
    model: str
    file: ScoresFile
    responses: Mapping[str, Response] = field(default_factory=dict)

    @property
    def provenance(self) -> Provenance:
        """What comparability needs of this run."""
        return Provenance(self.path, self.model, self.file.provenance, self.file.judges)


def tasks_of(table: TaskTable) -> Tasks:
    """The facts of a task table's items; a missing number becomes NaN."""
    return Tasks(
        question_ids=tuple(table.text["question_id"]),
        source_ids=tuple(table.text["source_id"]),
        tiers=tuple(tier.upper() if tier.upper() in TIERS else tier for tier in table.text["tier"]),
        families=tuple(table.text["source_family"]),
        geometries=tuple(table.text["geometry"]),
        structure={
            name: np.array([np.nan if value is None else value for value in column], dtype=np.float64)
            for name, column in table.structure.items()
        },
    )


def from_runs(
    tasks: Tasks, items: Sequence[Item], runs: Sequence[Run], families: Mapping[str, str] | None = None
) -> ScoreTable:
    """The table of several scores files over the same tasks.

    DataError names the file and the row of an id that the data does not hold or a score that is not its total over the
    rubric's points, and two files of one model. A task that a file lacks is `missing`.
    """
    _refuse_same_model(runs)
    builder = _Builder(
        tasks, items, [run.model for run in runs], sorted({name for run in runs for name in run.file.judges})
    )
    for row, run in enumerate(runs):
        builder.add(row, run)
    return builder.table(runs, families or {})


def from_matrix(
    tasks: Tasks, matrix: Matrix, *, allow_mixed: bool, families: Mapping[str, str] | None = None
) -> ScoreTable:
    """The table of a score matrix.

    A row without a judge gives a panel's mean, or the status of an answer that nobody judged. ConfigError where a judge
    gave one of the systems no score at all: that is another panel.
    """
    models, named = sorted(set(matrix.model)), sorted({judge for judge in matrix.judge if judge})
    nameless = [at for at, judge in enumerate(matrix.judge) if not judge and matrix.score[at] is not None]
    if nameless and named:
        raise DataError(f"{matrix.where(nameless[0])} has a score but no judge, where other rows name one; name it too")
    judges = named or [PANEL_MEAN]
    table = _matrix_table(tasks, matrix, models, judges)
    marks = [*_matrix_offline(matrix, judges), *_matrix_panel(matrix, table, allow_mixed=allow_mixed)]
    known = families_of([*models, *judges], families or {})
    return replace(table, families=known).with_marks(marks)


class _Builder:
    """Arrays being filled from scores files, a system a row."""

    def __init__(self, tasks: Tasks, items: Sequence[Item], models: Sequence[str], judges: Sequence[str]) -> None:
        self.tasks, self.models, self.judges = tasks, models, judges
        self.place = {question_id: at for at, question_id in enumerate(tasks.question_ids)}
        self.judge_place = {name: at for at, name in enumerate(judges)}
        shape = (len(models), len(tasks))
        self.credit = np.full((*shape, len(judges)), np.nan)
        self.status = np.full(shape, MISSING, dtype=np.int8)
        self.reason = np.full(shape, -1, dtype=np.int16)
        self.chars = np.full(shape, np.nan)
        self.reasons: dict[str, int] = {}
        self.answer_flags: dict[str, BoolArray] = {}
        self.judge_flags: dict[str, BoolArray] = {}
        self.rubrics = [[criterion.points for criterion in item.rubric.criteria] for item in items]
        self.full_points = [item.rubric.points for item in items]
        self.first = np.concatenate([[0], np.cumsum([len(rubric) for rubric in self.rubrics])]).astype(np.intp)
        self.awarded = np.full((len(models), int(self.first[-1]), len(judges)), np.nan)
        self.unusable = 0

    def add(self, row: int, run: Run) -> None:
        for at, score in enumerate(run.file.scores):
            item = self.place.get(score.question_id)
            where = f"{run.path}: scores[{at}] ({score.question_id})"
            if item is None:
                raise DataError(f"{where} is not in the data; name the data file that the run was made with")
            self._answer(row, item, score, run.responses.get(score.question_id))
            if score.status == "ok":
                self._judgements(row, item, score, where)

    def _answer(self, row: int, item: int, score: Score, response: Response | None) -> None:
        self.status[row, item] = STATUSES.index(score.status)
        reason = score.reason or (response.reason if response else None)
        if reason and score.status != "ok":
            label = f"pending:{reason}" if score.status == "pending" else reason
            self.reason[row, item] = self.reasons.setdefault(label, len(self.reasons))
        if response is not None and response.response is not None:
            self.chars[row, item] = len(response.response)
        for flag in {*score.flags, *(response.flags if response else ())}:
            self.answer_flags.setdefault(flag, np.zeros(self.status.shape, dtype=np.bool_))[row, item] = True

    def _judgements(self, row: int, item: int, score: Score, where: str) -> None:
        for name, entry in score.judges.items():
            if not isinstance(entry, Judgement):
                continue
            judge = self.judge_place[name]
            self._check_total(item, entry, f"{where} has the score {entry.score:g} by {name}")
            self.credit[row, item, judge] = entry.score
            for flag in entry.flags:
                self.judge_flags.setdefault(flag, np.zeros(self.credit.shape, dtype=np.bool_))[row, item, judge] = True
            self._points(row, item, judge, entry)

    def _check_total(self, item: int, entry: Judgement, words: str) -> None:
        most = self.full_points[item] if self.full_points else 0.0
        if most > 0 and abs(entry.score - entry.total / most) > _SAME:
            raise DataError(
                f"{words} where its total is {entry.total:g} of {most:g} points; one of them is wrong, so mend the row"
            )

    def _points(self, row: int, item: int, judge: int, entry: Judgement) -> None:
        if not self.rubrics or entry.points_awarded is None:
            return
        rubric, awarded = self.rubrics[item], entry.points_awarded
        fits = len(rubric) == len(awarded) and _UNUSABLE_FLAG not in entry.flags
        if not fits or any(not 0 <= got <= most for got, most in zip(awarded, rubric, strict=True)):
            self.unusable += 1
            return
        start = int(self.first[item])
        for at, (got, most) in enumerate(zip(awarded, rubric, strict=True)):
            if most > 0:
                self.awarded[row, start + at, judge] = got / most

    def table(self, runs: Sequence[Run], families: Mapping[str, str]) -> ScoreTable:
        return ScoreTable(
            tasks=self.tasks,
            models=tuple(self.models),
            judges=tuple(self.judges),
            credit=self.credit,
            status=self.status,
            reason=self.reason,
            reasons=tuple(self.reasons),
            panel=np.array([[judge in run.file.judges for judge in self.judges] for run in runs], dtype=np.bool_),
            cap_source=tuple(str(run.file.provenance.get("cap_source") or "") for run in runs),
            answer_chars=self.chars,
            answer_flags=self.answer_flags,
            judge_flags=self.judge_flags,
            zeros={run.model: aggregate(run.file.scores).zeros for run in runs},
            points=self._all_points(),
            families=families_of([*self.models, *self.judges], families),
        )

    def _all_points(self) -> Points | None:
        if not self.rubrics:
            return None
        sizes = [len(rubric) for rubric in self.rubrics]
        item = np.repeat(np.arange(len(sizes)), sizes).astype(np.intp)
        position = np.concatenate([np.arange(size) for size in sizes]).astype(np.intp)
        return Points(self.awarded, item, position, self.unusable)


def _refuse_same_model(runs: Sequence[Run]) -> None:
    seen: dict[str, Path] = {}
    for run in runs:
        if run.model in seen:
            raise DataError(
                f"{run.path} and {seen[run.model]} are both of {run.model!r}; leave one out, or compare them with "
                "wildtrace compare"
            )
        seen[run.model] = run.path


def _matrix_table(tasks: Tasks, matrix: Matrix, models: Sequence[str], judges: Sequence[str]) -> ScoreTable:
    empty = ScoreTable.of(tasks, models, judges, np.full((len(models), len(tasks), len(judges)), np.nan))
    empty.status[:] = UNKNOWN if matrix.status is None else MISSING
    reasons: dict[str, int] = {}
    stated: dict[tuple[int, int], int] = {}
    for at, (row, item, judge) in enumerate(_places(tasks, matrix, models, judges)):
        status = UNKNOWN if matrix.status is None else _status(matrix, at)
        if stated.setdefault((row, item), status) != status:
            raise DataError(
                f"{matrix.where(at)} gives the answer another status than an earlier row; one of them is wrong"
            )
        empty.status[row, item] = status
        score = matrix.score[at]
        if score is not None and status in (OK, UNKNOWN):
            empty.credit[row, item, judge] = score
        elif score:
            raise DataError(f"{matrix.where(at)} has a score and the status {STATUSES[status]!r}; one of them is wrong")
        if matrix.reason[at] and status != OK:
            reason = reasons.setdefault(matrix.reason[at], len(reasons))
            if empty.reason[row, item] not in (-1, reason):
                raise DataError(
                    f"{matrix.where(at)} gives the answer another reason than an earlier row; one of them is wrong"
                )
            empty.reason[row, item] = reason
    return replace(empty, reasons=tuple(reasons))


def _places(
    tasks: Tasks, matrix: Matrix, models: Sequence[str], judges: Sequence[str]
) -> Iterator[tuple[int, int, int]]:
    item_of = {name: at for at, name in enumerate(tasks.question_ids)}
    model_of = {name: at for at, name in enumerate(models)}
    judge_of = {name: at for at, name in enumerate(judges)}
    for at, question_id in enumerate(matrix.question_id):
        item = item_of.get(question_id)
        if item is None:
            raise DataError(f"{matrix.where(at)} is not in the data; name the data the scores were made with")
        yield model_of[matrix.model[at]], item, judge_of.get(matrix.judge[at], 0)


def _status(matrix: Matrix, at: int) -> int:
    name = matrix.status[at] if matrix.status is not None else "unknown"
    if name not in STATUSES:
        raise DataError(f"{matrix.where(at)} has the unknown status {name!r}; use one of {', '.join(STATUSES)}")
    return STATUSES.index(name)


def _matrix_offline(matrix: Matrix, judges: Sequence[str]) -> list[str]:
    """The mark of offline scores, which a matrix carries in its judges' names; never beside a panel of models."""
    offline = [judge for judge in judges if judge.endswith(OFFLINE_SUFFIX)]
    if offline and len(offline) < len(judges):
        raise ConfigError(f"{matrix.path}: offline judges stand beside others; offline scores never share a table")
    return [OFFLINE_MARK] if offline else []


def _matrix_panel(matrix: Matrix, table: ScoreTable, *, allow_mixed: bool) -> list[str]:
    present = np.asarray((~np.isnan(table.credit)).any(axis=1))
    judged = np.asarray(present.any(axis=1))
    marks = ["A matrix carries no signature: whether its runs are comparable is not checked."]
    used = np.asarray(present.any(axis=0))
    for judge in np.flatnonzero(~used & judged.any()):
        words = f"{table.judges[judge]} scored nobody"
        if not allow_mixed:
            raise ConfigError(f"{matrix.path}: {words}; leave the judge out, or mark the table with --allow-mixed")
        marks.append(f"MIXED: {words}.")
        table.panel[:, judge] = False
    for row, judge in zip(*np.nonzero(~present & judged[:, None] & used), strict=True):
        words = f"{table.models[row]} has no score by {table.judges[judge]}, which judged the others"
        if not allow_mixed:
            raise ConfigError(
                f"{matrix.path}: {words}, so their panels differ; leave the system or the judge out, or mark the table "
                "with --allow-mixed"
            )
        marks.append(f"MIXED: {words}.")
        table.panel[row, judge] = False
    return marks


def matrix_rows(table: ScoreTable) -> Iterator[tuple[str, str, str, float | None, str, str]]:
    """The rows of a matrix file, one for each question, system and judge of the system's panel.

    A matrix has no provenance, so offline scores carry their mark in the judges' names.
    """
    suffix = OFFLINE_SUFFIX if OFFLINE_MARK in table.marks else ""
    names = [judge if judge.endswith(suffix) else judge + suffix for judge in table.judges]
    for row, model in enumerate(table.models):
        for item, question_id in enumerate(table.tasks.question_ids):
            status = STATUSES[int(table.status[row, item])]
            reason = int(table.reason[row, item])
            for judge in np.flatnonzero(table.panel[row]):
                value = float(table.credit[row, item, judge])
                score = None if np.isnan(value) else value
                yield (
                    question_id,
                    model,
                    names[judge],
                    score,
                    status,
                    "" if reason < 0 else table.reasons[reason],
                )


def task_rows(tasks: Tasks) -> Iterator[tuple[str | float | None, ...]]:
    """The rows of a task table."""
    columns: list[FloatArray] = list(tasks.structure.values())
    labels = zip(tasks.question_ids, tasks.source_ids, tasks.tiers, tasks.families, tasks.geometries, strict=True)
    for at, label in enumerate(labels):
        yield (*label, *(None if np.isnan(column[at]) else float(column[at]) for column in columns))
