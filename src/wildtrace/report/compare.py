"""The flow of `wildtrace compare`: two scores files, or two systems of a matrix, paired by item."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from wildtrace.diagnose.base import Settings, Table
from wildtrace.diagnose.compare import Pair, compute
from wildtrace.diagnose.flagged import standing_notes
from wildtrace.errors import ConfigError, DataError, UsageError
from wildtrace.scores.build import Run, from_matrix, from_runs
from wildtrace.scores.comparable import check
from wildtrace.scores.loading import load_runs, load_tasks
from wildtrace.scores.matrix import read_matrix
from wildtrace.scores.table import UNKNOWN, BoolArray, ScoreTable, Tasks

NO_DATA = "Without --data every item counts as a document of its own, and there are no slices."


@dataclass(frozen=True, slots=True)
class CompareJob:
    """What to compare: two scores files, or two systems by name where `matrix` is given."""

    a: str
    b: str
    data: Path | None = None
    matrix: Path | None = None
    allow_mixed: bool = False
    settings: Settings = field(default_factory=Settings)


def compare(job: CompareJob) -> Table:
    """The comparison table of A minus B; DataError, ConfigError or UsageError where the two cannot be compared."""
    scores, asked = _from_files(job) if job.matrix is None else _from_matrix(job, job.matrix)
    if job.data is None:
        scores = scores.with_marks([NO_DATA])
    return compute(pair_of(scores, asked, job.settings))


def pair_of(scores: ScoreTable, asked: BoolArray, settings: Settings) -> Pair:
    """Pair the two systems of a table on the items that both have a row for and nobody still has to judge.

    `asked` says for system and item whether there is a row: one whose status is missing counts zero, and an item
    without a row is listed and not compared.
    """
    waiting = scores.unjudged().any(axis=0)
    shared = np.asarray(asked.all(axis=0))
    used = np.flatnonzero(shared & ~waiting)
    if not len(used):
        raise DataError(
            f"{scores.models[0]} and {scores.models[1]} have no judged item in common; compare runs of one release"
        )
    filled, answered = scores.zero_filled(), scores.answered()
    known = not bool((scores.status[:, used] == UNKNOWN).any())
    return Pair(
        tasks=scores.tasks.select(used),
        name_a=scores.models[0],
        name_b=scores.models[1],
        a=filled[0, used],
        b=filled[1, used],
        both=(answered[0] & answered[1])[used] if known else None,
        only_a=_ids(scores.tasks, asked[0] & ~asked[1]),
        only_b=_ids(scores.tasks, asked[1] & ~asked[0]),
        unjudged=_ids(scores.tasks, shared & waiting),
        settings=settings,
        marks=(*scores.marks, *standing_notes(scores)),
    )


def _ids(tasks: Tasks, mask: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> tuple[str, ...]:
    return tuple(sorted(tasks.question_ids[at] for at in np.flatnonzero(mask)))


def _asked(tasks: Tasks, first: Collection[str], second: Collection[str]) -> BoolArray:
    return np.array([[name in ids for name in tasks.question_ids] for ids in (first, second)], dtype=np.bool_)


def _from_files(job: CompareJob) -> tuple[ScoreTable, BoolArray]:
    first, second = _named(load_runs([Path(job.a), Path(job.b)], []))
    for run in (first, second):
        if run.provenance.condition != first.provenance.condition:
            raise ConfigError(
                f"{second.path} was made under another condition than {first.path}; compare like with like"
            )
    marks = check([first.provenance, second.provenance], allow_mixed=job.allow_mixed)
    held = [{score.question_id for score in run.file.scores} for run in (first, second)]
    table = from_runs(_tasks(job, held[0] | held[1]), (), [first, second]).with_marks(marks)
    return table, _asked(table.tasks, *held)


def _named(runs: Sequence[Run]) -> tuple[Run, Run]:
    first, second = runs
    if first.path.resolve() == second.path.resolve():
        raise UsageError(f"{first.path} is named twice; name two scores files")
    if first.model != second.model:
        return first, second
    return replace(first, model=str(first.path)), replace(second, model=str(second.path))


def _from_matrix(job: CompareJob, path: Path) -> tuple[ScoreTable, BoolArray]:
    matrix = read_matrix(path)
    known = sorted(set(matrix.model))
    for name in (job.a, job.b):
        if name not in known:
            raise UsageError(f"{path} has no system {name!r}; it has {', '.join(known[:20])}")
    if job.a == job.b:
        raise UsageError(f"{job.a!r} is named twice; name two systems")
    pair = matrix.only({job.a, job.b})
    table = from_matrix(_tasks(job, pair.question_id), pair, allow_mixed=job.allow_mixed)
    rows = [table.models.index(job.a), table.models.index(job.b)]
    both = replace(
        table,
        models=(job.a, job.b),
        credit=table.credit[rows],
        status=table.status[rows],
        reason=table.reason[rows],
        panel=table.panel[rows],
        cap_source=("", ""),
        answer_chars=table.answer_chars[rows],
    )
    return both, _asked(both.tasks, *(set(matrix.only({name}).question_id) for name in (job.a, job.b)))


def _tasks(job: CompareJob, ids: Collection[str]) -> Tasks:
    if job.data is not None:
        tasks, _ = load_tasks(job.data)
        wanted = set(ids)
        chosen = [at for at, name in enumerate(tasks.question_ids) if name in wanted]
        strangers = wanted.difference(tasks.question_ids)
        if strangers:
            raise DataError(
                f"{job.data} lacks {min(strangers)!r}, which was scored; name the data the runs were made with"
            )
        return tasks.select(np.array(chosen, dtype=np.intp))
    known = tuple(sorted(set(ids)))
    none = ("",) * len(known)
    return Tasks(known, none, none, none, none)
