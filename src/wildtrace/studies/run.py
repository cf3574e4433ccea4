"""The flow of `wildtrace reliability`: draw a study, import what people or a judge gave, compute its table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from wildtrace.errors import UsageError
from wildtrace.scores.loading import Loaded, Sources, load, load_tasks
from wildtrace.studies import evidence_visible, expert, relabel
from wildtrace.studies.study import Kind
from wildtrace.tables.table import Table


@dataclass(frozen=True, slots=True)
class SampleJob:
    """What to draw and from where.

    `size` is the number of answers, for relabel that of items of each geometry; `judge` is the one that an
    evidence-visible study asks, and may be left out where the scores have only one.
    """

    study: Kind
    sources: Sources
    out: Path
    size: int | None = None
    seed: int = 0
    judge: str | None = None


def sample(job: SampleJob) -> int:
    """Draw a study into a new folder; returns how many answers or items it has."""
    if job.study == "relabel":
        _, items = load_tasks(job.sources.data)
        if not items:
            raise UsageError(f"{job.sources.data} holds no evidence: relabelling needs a release's data file")
        return relabel.sample(job.sources.data, items, job.out, job.size or relabel.PER_GEOMETRY, job.seed)
    loaded = _load_answers(job)
    if job.study == "expert":
        return expert.sample(loaded, job.out, job.size or expert.SIZE, job.seed)
    return evidence_visible.sample(loaded, job.out, job.size or evidence_visible.SIZE, job.seed, job.judge)


def _load_answers(job: SampleJob) -> Loaded:
    if job.sources.matrix is not None or job.sources.data.suffix in (".csv", ".parquet"):
        raise UsageError(f"the study {job.study} shows answers and rubrics: give --data, --scores and --responses")
    return load(job.sources)


IMPORTS: Final[Mapping[Kind, Callable[[Path, Sequence[Path]], int]]] = {
    "expert": expert.import_sheets,
    "evidence-visible": evidence_visible.import_judgements,
    "relabel": relabel.import_sheets,
}
COMPUTES: Final[Mapping[Kind, Callable[[Path], Table]]] = {
    "expert": expert.compute,
    "evidence-visible": evidence_visible.compute,
    "relabel": relabel.compute,
}


def import_files(study: Kind, folder: Path, files: Sequence[Path]) -> int:
    """Import filled-in sheets or a judge's replies; returns how many rows the study has now."""
    if not files:
        raise UsageError("name at least one filled-in file to import")
    return IMPORTS[study](folder, files)


def compute(study: Kind, folder: Path) -> Table:
    """The study's table as far as anything was imported."""
    return COMPUTES[study](folder)
