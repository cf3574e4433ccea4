"""The score table, filled from scores files and from a matrix, checked against the tasks they claim to be about."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np

from wildtrace.errors import ConfigError, DataError
from wildtrace.scores.aggregate import zero_reason
from wildtrace.scores.comparable import OFFLINE_MARK, Provenance
from wildtrace.scores.matrix import Matrix, TaskTable
from wildtrace.scores.results import ScoresFile
from wildtrace.scores.table import MISSING, OK, STATUSES, UNKNOWN, BoolArray, FloatArray, Points, ScoreTable, Tasks
from wildtrace.types import Item, Judgement, Response, Score
from wildtrace.vocabulary import TIERS

OFFLINE_SUFFIX: Final = " (offline)"
PANEL_MEAN: Final = "panel mean"
"""The judge of a matrix that names none: its scores are those of a panel."""
_UNUSABLE_FLAG: Final = "mismatch"
# A credit is its total over the rubric's points, up to the rounding of a division.
_SAME: Final = 1e-9

# The maker's name is looked for anywhere in a name, since routes put prefixes before it (`mr.claude-sonnet-4-6`).
_MAKERS: Final = {
    "claude": ("claude", "opus", "sonnet", "haiku"),
    "gpt": ("gpt", "chatgpt", "davinci"),
    "gemini": ("gemini", "gemma"),
    "qwen": ("qwen", "qwq"),
    "deepseek": ("deepseek",),
    "glm": ("glm", "chatglm"),
    "kimi": ("kimi", "moonshot"),
    "doubao": ("doubao", "seed"),
    "minimax": ("minimax",),
    "llama": ("llama",),
    "mistral": ("mistral", "mixtral", "magistral", "ministral"),
    "grok": ("grok",),
}
_MAKER_OF: Final = {word: family for family, words in _MAKERS.items() for word in words}


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


def families_of(names: Iterable[str], overrides: Mapping[str, str]) -> dict[str, str]:
    """The family of models of each name, for the family bias of judges.

    The given one (`--family NAME=FAMILY`), else the known maker in the name, else its first word, else the name.
    """
    return {name: overrides.get(name) or _family(name) for name in names}


def _family(name: str) -> str:
    words = re.findall(r"[a-z]+", name.lower())
    known = (_MAKER_OF[word] for word in words if word in _MAKER_OF)
    return next(known, words[0] if words else name)


def from_runs(
    tasks: Tasks, items: Sequence[Item], runs: Sequence[Run], families: Mapping[str, str] | None = None
) -> ScoreTable:
    """The table of several scores files over the same tasks.

    DataError names the file and the row of an id that the data does not hold or a score that is not its total over the
    rubric's points, and two files of one model. A task that a file lacks is `missing`.
    """
    return _filled(tasks, items, runs, None, families or {})


def from_matrix(
    tasks: Tasks, matrix: Matrix, *, allow_mixed: bool, families: Mapping[str, str] | None = None
) -> ScoreTable:
    """The table of a score matrix.

    A row without a judge gives a panel's mean, or the status of an answer that nobody judged. ConfigError where a judge
    gave one of the systems no score at all: that is another panel.
    """
    return _filled(tasks, (), (), matrix, families or {}, allow_mixed=allow_mixed)


def from_both(
    tasks: Tasks, items: Sequence[Item], runs: Sequence[Run], matrix: Matrix, families: Mapping[str, str]
) -> ScoreTable:
    """Scores files and a matrix in one table, which is done on request alone: a matrix carries no signature.

    DataError where both hold a system of one name, ConfigError where only the matrix is offline.
    """
    twice = sorted({run.model for run in runs} & set(matrix.model))
    if twice:
        raise DataError(f"{twice[0]!r} is in the matrix and in a scores file; leave it out of one of them")
    table = _filled(tasks, items, runs, matrix, families, allow_mixed=True)
    if OFFLINE_MARK in table.marks:
        raise ConfigError(f"{matrix.path}: offline scores never share a table with those of language models")
    return table


def _filled(
    tasks: Tasks,
    items: Sequence[Item],
    runs: Sequence[Run],
    matrix: Matrix | None,
    families: Mapping[str, str],
    *,
    allow_mixed: bool = False,
) -> ScoreTable:
    _refuse_same_model(runs)
    models = [run.model for run in runs]
    judges = {name for run in runs for name in run.file.judges}
    if matrix is not None:
        models += sorted(set(matrix.model))
        judges |= set(_judges_of(matrix))
    builder = _Builder(tasks, items, models, sorted(judges))
    for run in runs:
        builder.add_run(run)
    marks = builder.add_matrix(matrix, allow_mixed=allow_mixed) if matrix is not None else []
    return builder.table(families).with_marks(marks)


def _refuse_same_model(runs: Sequence[Run]) -> None:
    seen: dict[str, Path] = {}
    for run in runs:
        if run.model in seen:
            raise DataError(
                f"{run.path} and {seen[run.model]} are both of {run.model!r}; leave one out, or compare them with "
                "wildtrace compare"
            )
        seen[run.model] = run.path


def _judges_of(matrix: Matrix) -> list[str]:
    """The judges of a matrix; one that stands for the panel where it names none."""
    named = sorted({judge for judge in matrix.judge if judge})
    nameless = [at for at, judge in enumerate(matrix.judge) if not judge and matrix.score[at] is not None]
    if nameless and named:
        raise DataError(f"{matrix.where(nameless[0])} has a score but no judge, where other rows name one; name it too")
    offline = [judge for judge in named if judge.endswith(OFFLINE_SUFFIX)]
    if offline and len(offline) < len(named):
        raise ConfigError(f"{matrix.path}: offline judges stand beside others; offline scores never share a table")
    return named or [PANEL_MEAN]


class _Builder:
    """Arrays being filled, a system a row."""

    def __init__(self, tasks: Tasks, items: Sequence[Item], models: Sequence[str], judges: Sequence[str]) -> None:
        self.tasks, self.models, self.judges = tasks, models, judges
        self.item_at = {question_id: at for at, question_id in enumerate(tasks.question_ids)}
        self.model_at = {name: at for at, name in enumerate(models)}
        self.judge_at = {name: at for at, name in enumerate(judges)}
        shape = (len(models), len(tasks))
        self.credit = np.full((*shape, len(judges)), np.nan)
        self.status = np.full(shape, MISSING, dtype=np.int8)
        self.reason = np.full(shape, -1, dtype=np.int16)
        self.chars = np.full(shape, np.nan)
        self.panel = np.zeros((len(models), len(judges)), dtype=np.bool_)
        self.cap_source = [""] * len(models)
        self.reasons: dict[str, int] = {}
        self.answer_flags: dict[str, BoolArray] = {}
        self.judge_flags: dict[str, BoolArray] = {}
        self.rubrics = [[criterion.points for criterion in item.rubric.criteria] for item in items]
        self.full_points = [item.rubric.points for item in items]
        self.first = np.concatenate([[0], np.cumsum([len(rubric) for rubric in self.rubrics])]).astype(np.intp)
        self.awarded = np.full((len(models), int(self.first[-1]), len(judges)), np.nan)
        self.unusable = 0

    def add_run(self, run: Run) -> None:
        row = self.model_at[run.model]
        self.panel[row, [self.judge_at[name] for name in run.file.judges]] = True
        self.cap_source[row] = str(run.file.provenance.get("cap_source") or "")
        for at, score in enumerate(run.file.scores):
            item = self.item_at.get(score.question_id)
            where = f"{run.path}: scores[{at}] ({score.question_id})"
            if item is None:
                raise DataError(f"{where} is not in the data; name the data file that the run was made with")
            self._answer(row, item, score, run.responses.get(score.question_id))
            if score.status == "ok":
                self._judgements(row, item, score, where)

    def _answer(self, row: int, item: int, score: Score, response: Response | None) -> None:
        self.status[row, item] = STATUSES.index(score.status)
        if score.status != "ok":
            self.reason[row, item] = self._reason(zero_reason(score))
        if response is not None and response.response is not None:
            self.chars[row, item] = len(response.response)
        for flag in {*score.flags, *(response.flags if response else ())}:
            self.answer_flags.setdefault(flag, np.zeros(self.status.shape, dtype=np.bool_))[row, item] = True

    def _reason(self, label: str) -> int:
        """The number of a reason; -1 for one that is the status itself."""
        return -1 if label in STATUSES else self.reasons.setdefault(label, len(self.reasons))

    def _judgements(self, row: int, item: int, score: Score, where: str) -> None:
        for name, entry in score.judges.items():
            if not isinstance(entry, Judgement):
                continue
            judge = self.judge_at[name]
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

    def add_matrix(self, matrix: Matrix, *, allow_mixed: bool) -> list[str]:
        """Fill the matrix's systems in; what must be said of every table made from it."""
        rows = [self.model_at[name] for name in sorted(set(matrix.model))]
        judges = _judges_of(matrix)
        self.status[rows] = UNKNOWN if matrix.status is None else MISSING
        stated: dict[tuple[int, int], int] = {}
        for at in range(len(matrix.question_id)):
            self._matrix_row(matrix, at, self.judge_at[matrix.judge[at] or judges[0]], stated)
        offline = [OFFLINE_MARK] if judges[0].endswith(OFFLINE_SUFFIX) else []
        return [*offline, *self._matrix_panel(matrix, rows, judges, allow_mixed=allow_mixed)]

    def _matrix_row(self, matrix: Matrix, at: int, judge: int, stated: dict[tuple[int, int], int]) -> None:
        row, item = self.model_at[matrix.model[at]], self.item_at.get(matrix.question_id[at])
        if item is None:
            raise DataError(f"{matrix.where(at)} is not in the data; name the data the scores were made with")
        name = matrix.status[at] if matrix.status is not None else "unknown"
        if name not in STATUSES:
            raise DataError(f"{matrix.where(at)} has the unknown status {name!r}; use one of {', '.join(STATUSES)}")
        status = STATUSES.index(name)
        if stated.setdefault((row, item), status) != status:
            raise DataError(
                f"{matrix.where(at)} gives the answer another status than an earlier row; one of them is wrong"
            )
        self.status[row, item] = status
        score = matrix.score[at]
        if score is not None and status in (OK, UNKNOWN):
            self.credit[row, item, judge] = score
        elif score:
            raise DataError(f"{matrix.where(at)} has a score and the status {name!r}; one of them is wrong")
        if matrix.reason[at] and status != OK:
            reason = self._reason(matrix.reason[at])
            if self.reason[row, item] not in (-1, reason):
                raise DataError(
                    f"{matrix.where(at)} gives the answer another reason than an earlier row; one of them is wrong"
                )
            self.reason[row, item] = reason

    def _matrix_panel(
        self, matrix: Matrix, rows: Sequence[int], judges: Sequence[str], *, allow_mixed: bool
    ) -> list[str]:
        """Who belongs to the panels of the matrix's systems: its judges; one that scored nobody is of no panel."""
        places = [self.judge_at[name] for name in judges]
        self.panel[np.ix_(rows, places)] = True
        scored = np.asarray((~np.isnan(self.credit[rows][:, :, places])).any(axis=1))
        judged, used = np.asarray(scored.any(axis=1)), np.asarray(scored.any(axis=0))
        marks = ["A matrix carries no signature: whether its runs are comparable is not checked."]
        for judge in np.flatnonzero(~used & judged.any()).tolist():
            words = f"{judges[judge]} scored nobody"
            if not allow_mixed:
                raise ConfigError(f"{matrix.path}: {words}; leave the judge out, or mark the table with --allow-mixed")
            marks.append(f"MIXED: {words}.")
            self.panel[rows, places[judge]] = False
        for system, judge in np.argwhere(~scored & judged[:, None] & used).tolist():
            words = f"{self.models[rows[system]]} has no score by {judges[judge]}, which judged the others"
            if not allow_mixed:
                raise ConfigError(
                    f"{matrix.path}: {words}, so their panels differ; leave the system or the judge out, or mark the "
                    "table with --allow-mixed"
                )
            marks.append(f"MIXED: {words}.")
            self.panel[rows[system], places[judge]] = False
        return marks

    def table(self, families: Mapping[str, str]) -> ScoreTable:
        return ScoreTable(
            tasks=self.tasks,
            models=tuple(self.models),
            judges=tuple(self.judges),
            credit=self.credit,
            status=self.status,
            reason=self.reason,
            reasons=tuple(self.reasons),
            panel=self.panel,
            cap_source=tuple(self.cap_source),
            answer_chars=self.chars,
            answer_flags=self.answer_flags,
            judge_flags=self.judge_flags,
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
