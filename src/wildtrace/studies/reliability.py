"""The flow of `wildtrace reliability`: draw a study, import what people or a judge gave, compute its table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from wildtrace.calls.progress import Progress
from wildtrace.diagnose.base import Table
from wildtrace.endpoints.config import RunConfig
from wildtrace.errors import UsageError
from wildtrace.scores.loading import Sources, load, load_tasks
from wildtrace.studies import evidence_visible as study_evidence
from wildtrace.studies import expert as study_expert
from wildtrace.studies import relabel as study_relabel
from wildtrace.studies.run import Kind


@dataclass(frozen=True, slots=True)
class SampleJob:
    """What to draw and from where. `size` is the number of answers, for relabel that of items of each geometry."""

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
        size = job.size or study_relabel.PER_GEOMETRY
        return study_relabel.sample(job.sources.data, items, job.out, size, job.seed)
    if job.sources.matrix is not None or job.sources.data.suffix in (".csv", ".parquet"):
        raise UsageError(f"the study {job.study} shows answers and rubrics: give --data, --scores and --responses")
    loaded = load(job.sources)
    if job.study == "expert":
        return study_expert.sample(loaded, job.out, job.size or study_expert.SIZE, job.seed)
    return study_evidence.sample(loaded, job.out, job.size or study_evidence.SIZE, job.seed, job.judge)


def bring_in(study: Kind, folder: Path, files: Sequence[Path]) -> int:
    """Import filled-in sheets or a judge's replies; returns how many rows the study holds now."""
    if not files:
        raise UsageError("name at least one filled-in file to import")
    flows = {
        "expert": study_expert.bring_in,
        "relabel": study_relabel.bring_in,
        "evidence-visible": study_evidence.bring_in,
    }
    return flows[study](folder, files)


async def ask(folder: Path, config: RunConfig, progress: Progress | None = None) -> study_evidence.Asked:
    """Have the judge of an evidence-visible study grade what it has not graded yet."""
    return await study_evidence.ask(folder, config, progress)


def result(study: Kind, folder: Path) -> Table:
    """The study's table as far as anything was imported."""
    flows = {
        "expert": study_expert.result,
        "relabel": study_relabel.result,
        "evidence-visible": study_evidence.result,
    }
    return flows[study](folder)
