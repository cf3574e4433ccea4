"""The functions behind `import wildtrace`: each builds the job of a flow and runs it (docs/python.md).

They take paths as text or `Path`, and work with and without a running event loop: where one runs, as in a notebook, the
flow runs on a loop of its own in a thread, and an interrupt of the cell ends it as Ctrl-C ends the command.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, fields, is_dataclass
from os import PathLike
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any, TypeVar

from wildtrace.calls.progress import Progress
from wildtrace.diagnose.base import Settings
from wildtrace.endpoints.config import Endpoint, RunConfig, parse_config
from wildtrace.endpoints.config import load_config as read_config
from wildtrace.errors import WildtraceError
from wildtrace.estimate.run import Estimate, EstimateJob
from wildtrace.estimate.run import estimate as run_estimate
from wildtrace.evaluate.run import EvaluateJob
from wildtrace.evaluate.run import evaluate as run_evaluate
from wildtrace.evaluate.tasks import Condition
from wildtrace.judge.run import JudgeJob
from wildtrace.judge.run import judge as run_judge
from wildtrace.release.formats import load_items
from wildtrace.release.sample_release import copy_to
from wildtrace.scores.loading import Sources
from wildtrace.tables.table import Table
from wildtrace.types import Aggregate, Item, Response, Score, Span

if TYPE_CHECKING:
    import pandas

    from wildtrace.construct.ingest.run import IngestOutcome
    from wildtrace.construct.run import InduceOutcome
    from wildtrace.ground.grounding import Grounding
    from wildtrace.report.document import Report

__all__ = [
    "Endpoint",
    "Evaluation",
    "Item",
    "Judging",
    "Response",
    "Rows",
    "RunConfig",
    "Score",
    "Span",
    "Table",
    "WildtraceError",
    "compare",
    "estimate",
    "evaluate",
    "ground",
    "induce",
    "ingest",
    "judge",
    "load_config",
    "load_release",
    "report",
    "sample_release",
    "serve_offline",
]

AnyPath = str | PathLike[str]
Row = TypeVar("Row")
Result = TypeVar("Result")


class Rows(tuple[Row, ...]):
    """A tuple of one flow's results, which `to_frame` shows as a table."""

    __slots__ = ()

    def to_frame(self) -> pandas.DataFrame:
        """A pandas DataFrame: a row a result, a column a field; `question.text` is the field of a field."""
        import pandas as pd  # noqa: PLC0415 - only frames need pandas, which is no dependency

        return pd.DataFrame([dict(_columns(row)) for row in self])


def _columns(row: Any) -> Iterator[tuple[str, Any]]:
    for field in fields(row):
        value = getattr(row, field.name)
        if is_dataclass(value):
            yield from ((f"{field.name}.{part.name}", getattr(value, part.name)) for part in fields(value))
        else:
            yield field.name, value


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The answers of a release, and why the run ended early where it did: run it again to ask what is pending."""

    responses: Rows[Response]
    pending: int
    stopped_by: Exception | None


@dataclass(frozen=True, slots=True)
class Judging:
    """The scores of the answers (credits from 0 to 1), their means, and why judges ended early, by judge."""

    scores: Rows[Score]
    aggregate: Aggregate
    stopped: Mapping[str, Exception]


def load_release(data: AnyPath) -> Rows[Item]:
    """The items of a release's data file, .json or .jsonl. DataError names the row that is wrong."""
    return Rows(load_items(Path(data)))


def sample_release(folder: AnyPath) -> Path:
    """Copy the packaged sample release (`tasks.json`, `corpus/`) to a folder; returns the folder."""
    copy_to(Path(folder))
    return Path(folder)


def load_config(config: AnyPath | Mapping[str, Any]) -> RunConfig:
    """Read a config.json, or the same as a dict. ConfigError names the key that is wrong."""
    if isinstance(config, Mapping):
        return parse_config(dict(config), "the configuration")
    return read_config(Path(config))


def estimate(
    config: RunConfig, data: AnyPath, corpus: AnyPath, *, out: AnyPath | None = None, limit: int | None = None
) -> Estimate:
    """What a run will send, take and cost, without any request; what the responses file `out` has is left out."""
    return run_estimate(EstimateJob(config, Path(data), Path(corpus), Path(out) if out else None, limit))


def evaluate(
    config: RunConfig,
    data: AnyPath,
    corpus: AnyPath,
    out: AnyPath,
    *,
    condition: Condition = "full",
    limit: int | None = None,
    progress: Progress | None = None,
) -> Evaluation:
    """Answer every task of a release with the evidence withheld, and write the responses file `out`.

    Call it again to go on where a run ended: no finished call is repeated.
    """
    job = EvaluateJob(config, Path(data), Path(corpus), Path(out), condition, limit)
    outcome = _run(run_evaluate(job, progress))
    return Evaluation(Rows(outcome.responses), outcome.pending, outcome.stopped_by)


def judge(
    config: RunConfig,
    data: AnyPath,
    responses: AnyPath,
    out: AnyPath,
    *,
    limit: int | None = None,
    progress: Progress | None = None,
) -> Judging:
    """Grade the answers of a responses file with the configuration's judges, and write the scores file `out`."""
    outcome = _run(run_judge(JudgeJob(config, Path(data), Path(responses), Path(out), limit), progress))
    return Judging(Rows(outcome.scores), outcome.aggregate, outcome.stopped)


def report(
    data: AnyPath,
    scores: Sequence[AnyPath],
    out: AnyPath,
    *,
    responses: Sequence[AnyPath] = (),
    corpus: AnyPath | None = None,
    seed: int = 0,
    resamples: int = 10_000,
    figures: bool = True,
) -> Report:
    """Make every table and figure from scores files, in the folder `out`; the report's `tables` are returned too."""
    from wildtrace.report.run import ReportJob  # noqa: PLC0415 - templates and drawing are heavy
    from wildtrace.report.run import report as run_report  # noqa: PLC0415

    sources = Sources(Path(data), tuple(map(Path, scores)), tuple(map(Path, responses)))
    settings = Settings(seed=seed, resamples=resamples)
    return run_report(ReportJob(sources, Path(out), settings, Path(corpus) if corpus else None, figures=figures))


def compare(a: AnyPath, b: AnyPath, *, data: AnyPath | None = None, seed: int = 0, resamples: int = 10_000) -> Table:
    """The table of the difference between two scores files, paired by item and clustered by document."""
    from wildtrace.report.compare import CompareJob  # noqa: PLC0415 - as in report
    from wildtrace.report.compare import compare as run_compare  # noqa: PLC0415

    settings = Settings(seed=seed, resamples=resamples)
    return run_compare(CompareJob(str(a), str(b), Path(data) if data else None, settings=settings))


def ground(quotes: Sequence[str], text: str) -> Rows[Grounding]:
    """Whether and where each quote stands in a text: a status, and a Span where it is located."""
    from wildtrace.ground.grounding import Quote, Source, ground_all  # noqa: PLC0415 - needs the extra `build`

    return Rows(ground_all([Quote(quote) for quote in quotes], Source("text", text)))


def ingest(
    files: Sequence[AnyPath],
    workspace: AnyPath,
    *,
    family: str | None = None,
    language: str | None = None,
    unwrap: bool = False,
    replace: bool = False,
) -> Rows[IngestOutcome]:
    """Bring files into a workspace as canonical text; the outcome of each file says what came of it."""
    from wildtrace.construct.ingest.run import IngestOptions, ingest_files  # noqa: PLC0415 - needs the extra `build`

    options = IngestOptions(family, language, unwrap, replace)
    return Rows(ingest_files([Path(file) for file in files], Path(workspace), options))


def induce(
    workspace: AnyPath, config: RunConfig | None = None, *, progress: Progress | None = None
) -> Rows[InduceOutcome]:
    """Find evidence trails in every source of a workspace, by the configuration's roles, or by rules without one."""
    from wildtrace.construct.run import InduceOptions, induce_sources  # noqa: PLC0415 - needs the extra `build`

    folder = Path(workspace)
    options = InduceOptions(config=config)
    with ThreadPoolExecutor(1) as pool:  # its roles are asked on an event loop of their own
        return pool.submit(Rows, induce_sources(folder, options, progress)).result()


@contextmanager
def serve_offline() -> Iterator[str]:
    """Serve the offline models on loopback while the block runs; gives the base URL. They need no key."""
    from wildtrace.endpoints.offline.server import offline_endpoint  # noqa: PLC0415 - aiohttp is heavy

    ready, done = Event(), Event()
    urls: list[str] = []

    async def serve() -> None:
        try:
            async with offline_endpoint() as url:
                urls.append(url)
                ready.set()
                await asyncio.to_thread(done.wait)
        finally:
            ready.set()

    with ThreadPoolExecutor(1) as pool:
        served = pool.submit(asyncio.run, serve())
        ready.wait()
        try:
            if not urls:
                served.result()
            yield urls[0]
        finally:
            done.set()
        served.result()


def _run(flow: Coroutine[Any, Any, Result]) -> Result:
    """Run a flow to its end, in a thread where an event loop runs here already."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(flow)
    running: list[tuple[asyncio.AbstractEventLoop, asyncio.Task[Any]]] = []

    async def run() -> Result:
        task = asyncio.current_task()
        if task is not None:
            running.append((asyncio.get_running_loop(), task))
        return await flow

    with ThreadPoolExecutor(1) as pool:
        ended = pool.submit(asyncio.run, run())
        try:
            return ended.result()
        except KeyboardInterrupt:
            for loop, task in running:
                loop.call_soon_threadsafe(task.cancel)
            raise
