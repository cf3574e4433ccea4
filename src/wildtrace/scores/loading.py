"""Reading what report, compare and reliability start from: tasks, scores files, responses files, a matrix."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from wildtrace.calls.identity import judged_task_digests
from wildtrace.errors import ConfigError, DataError, UsageError
from wildtrace.scores.aggregate import aggregate
from wildtrace.scores.build import Run, from_both, from_matrix, from_runs, tasks_of
from wildtrace.scores.comparable import check, refuse_other_data
from wildtrace.scores.matrix import Matrix, read_matrix, read_tasks
from wildtrace.scores.results import ScoresFile, read_responses, read_scores
from wildtrace.scores.table import STATUSES, ScoreTable, Tasks
from wildtrace.types import Item, Response
from wildtrace.vocabulary import CONDITIONS

FULL = "full"
_TABLES = (".csv", ".parquet")


@dataclass(frozen=True, slots=True)
class Sources:
    """Where scores come from: `scores` and their `responses`, or a `matrix`; `families` overrules names' families."""

    data: Path
    scores: tuple[Path, ...] = ()
    responses: tuple[Path, ...] = ()
    matrix: Path | None = None
    families: Mapping[str, str] = field(default_factory=dict)
    allow_mixed: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Loaded:
    """Scores under the protocol's condition, those under other conditions, the items, and the runs' files."""

    scores: ScoreTable
    items: tuple[Item, ...]
    other_conditions: Mapping[str, ScoreTable]
    runs: tuple[Run, ...]


def load(sources: Sources) -> Loaded:
    """Read and check everything; DataError, ConfigError or UsageError with one sentence where it does not fit."""
    tasks, items = load_tasks(sources.data)
    if not sources.scores and sources.matrix is None:
        raise UsageError("give at least one --scores file, or a --matrix")
    matrix = read_matrix(sources.matrix) if sources.matrix is not None else None
    if not sources.scores and matrix is not None:
        used, kept = _in_use(tasks, items, set(matrix.question_id))
        table = from_matrix(used, matrix, allow_mixed=sources.allow_mixed, families=sources.families)
        _refuse_unknown_names(sources.families, [table])
        return Loaded(table.with_marks(_left_out(tasks, used)), kept, {}, ())
    return _from_scores(sources, tasks, items, matrix)


def with_tiers(loaded: Loaded, tiers: Mapping[str, str]) -> Loaded:
    """The same, where an item that tells neither tier nor token estimate has the tier of its corpus file (rule 30)."""
    if all(item.tier for item in loaded.items):
        return loaded
    items = tuple(replace(item, tier=item.tier or tiers[item.question.corpus_file]) for item in loaded.items)
    tasks = replace(loaded.scores.tasks, tiers=tuple(item.tier for item in items))
    others = {name: replace(table, tasks=tasks) for name, table in loaded.other_conditions.items()}
    return replace(loaded, scores=replace(loaded.scores, tasks=tasks), items=items, other_conditions=others)


def load_tasks(path: Path) -> tuple[Tasks, tuple[Item, ...]]:
    """The facts of the items from a release's data file or a task table; the items too where there are any.

    They come in the order of their ids, so that no sum depends on the order of a file, not even in its last bit.
    """
    if path.suffix in _TABLES:
        tasks = tasks_of(read_tasks(path))
        return tasks.select(np.argsort(np.array(tasks.question_ids, dtype=object), kind="stable")), ()
    from wildtrace.release.formats import load_items  # noqa: PLC0415 - not needed for a task table

    items = tuple(sorted(load_items(path), key=lambda item: item.question_id))
    return Tasks.of(items), items


def load_runs(scores: Sequence[Path], responses: Sequence[Path]) -> tuple[Run, ...]:
    """Read scores files, each with the responses file of the same model and condition where one is given."""
    answers = _answers(responses)
    runs = []
    for path in scores:
        file = read_scores(path)
        _check_counts(path, file)
        model = str(file.provenance.get("model") or path.name.split(".")[0])
        run = Run(path, model, file)
        runs.append(replace(run, responses=answers.pop((model, run.provenance.condition), {})))
    if answers:
        model, condition = next(iter(answers))
        raise DataError(f"the responses of {model!r} ({condition}) belong to none of the scores files; leave them out")
    return tuple(runs)


def _check_counts(path: Path, file: ScoresFile) -> None:
    """DataError where a row has an unknown status, or the head of a scores file counts otherwise than its rows do."""
    for at, score in enumerate(file.scores):
        if score.status not in STATUSES:
            raise DataError(
                f"{path}: scores[{at}] ({score.question_id}) has the unknown status {score.status!r}; mend or remove "
                "this row"
            )
    counted = aggregate(file.scores)
    for name, said, found in (
        ("scored_n", file.scored_n, counted.scored_n),
        ("zeros", dict(sorted(file.zeros.items())), counted.zeros),
    ):
        if said != found:
            raise DataError(f"{path} says {name} {said} where its rows say {found}; judge anew, or mend the file")


def _from_scores(sources: Sources, tasks: Tasks, items: tuple[Item, ...], matrix: Matrix | None) -> Loaded:
    runs = load_runs(sources.scores, sources.responses)
    by_condition = {name: [run for run in runs if run.provenance.condition == name] for name in CONDITIONS}
    _refuse_unknown_condition(runs)
    prints = judged_task_digests(items)
    for run in runs:
        refuse_other_data(run.provenance, prints, sources.data)
    full = sorted(by_condition.pop(FULL), key=lambda run: run.model)
    if not full:
        raise ConfigError(
            f"{runs[0].path} was made under the condition {runs[0].provenance.condition!r}; only full-document runs "
            "enter a leaderboard, so add the run under --condition full"
        )
    ids = {score.question_id for run in runs for score in run.file.scores}
    used, kept = _in_use(tasks, items, ids.union(matrix.question_id if matrix is not None else ()))
    marks = check([run.provenance for run in full], allow_mixed=sources.allow_mixed)
    if matrix is None:
        table = from_runs(used, kept, full, sources.families)
    else:
        words = _refuse_unmarked_mix(matrix, full, allow_mixed=sources.allow_mixed)
        table = from_both(used, kept, full, matrix, sources.families).with_marks([words])
    table = table.with_marks((*marks, *_left_out(tasks, used)))
    others = {}
    for name, group in by_condition.items():
        if group:
            both = [full[0].provenance, *(run.provenance for run in group)]
            said = check(both, allow_mixed=sources.allow_mixed, other_condition=True)
            others[name] = from_runs(used, kept, group, sources.families).with_marks(said)
    _refuse_unknown_names(sources.families, [table, *others.values()])
    return Loaded(table, kept, others, tuple(runs))


def _refuse_unmarked_mix(matrix: Matrix, runs: Sequence[Run], *, allow_mixed: bool) -> str:
    """The mark of runs and a matrix in one table; ConfigError unless that was asked for, or where a run is offline."""
    offline = next((run for run in runs if run.provenance.offline), None)
    if offline is not None:
        raise ConfigError(
            f"{offline.path} holds offline scores, which share no table with {matrix.path}; report them apart"
        )
    words = f"{matrix.path} carries no signature, so whether its scores are comparable with the runs' is unknown"
    if not allow_mixed:
        raise ConfigError(f"{words}; report them apart, or mark the table with --allow-mixed")
    return f"MIXED: {words}."


def _refuse_unknown_names(families: Mapping[str, str], tables: Sequence[ScoreTable]) -> None:
    known = sorted({name for table in tables for name in (*table.models, *table.judges)})
    for name in families:
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            hint = f"did you mean {near[0]!r}? " if near else ""
            raise UsageError(
                f"--family names {name!r}, which is no model and no judge here; {hint}known: {', '.join(known)}"
            )


def _refuse_unknown_condition(runs: Sequence[Run]) -> None:
    for run in runs:
        if run.provenance.condition not in CONDITIONS:
            raise ConfigError(
                f"{run.path} was made under the unknown condition {run.provenance.condition!r}; known are "
                f"{', '.join(CONDITIONS)}"
            )


def _answers(paths: Sequence[Path]) -> dict[tuple[str, str], dict[str, Response]]:
    answers: dict[tuple[str, str], dict[str, Response]] = {}
    for path in paths:
        file = read_responses(path)
        key = (
            str(file.provenance.get("model") or path.name.split(".")[0]),
            str(file.provenance.get("condition") or FULL),
        )
        if key in answers:
            raise DataError(f"{path} is a second responses file of {key[0]!r} ({key[1]}); leave one out")
        answers[key] = {response.question_id: response for response in file.responses}
    return answers


def _in_use(tasks: Tasks, items: tuple[Item, ...], ids: set[str]) -> tuple[Tasks, tuple[Item, ...]]:
    chosen = np.array([at for at, name in enumerate(tasks.question_ids) if name in ids], dtype=np.intp)
    return tasks.select(chosen), tuple(items[at] for at in chosen) if items else ()


def _left_out(tasks: Tasks, used: Tasks) -> tuple[str, ...]:
    missing = len(tasks) - len(used)
    if not missing:
        return ()
    return (f"A part of the release: {missing} of {len(tasks)} items are in no scores file and are left out.",)
