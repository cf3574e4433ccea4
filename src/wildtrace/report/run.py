"""The flow of `wildtrace report`: every table and figure from scores, written into one folder.

report.html                     the interactive report
tables/NAME.csv .json .md .tex  one table each in four forms
figures/NAME.svg .png .json     one figure each, and its Vega-Lite specification
report.json                     all tables, figures, runs and (with --answers embed) items, as docs/report.md has it
matrix.csv tasks.csv            the scores and the task table, in the form that --matrix and --data read

All of it is made before anything is written, and what an earlier report left that this one does not write goes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import orjson

from wildtrace.diagnose import STATISTICS
from wildtrace.diagnose.base import Figure, Funnel, FunnelStage, Inputs, Settings, Table
from wildtrace.diagnose.flagged import marked
from wildtrace.errors import DataError, OutputError
from wildtrace.files import exists, is_same, write_atomically
from wildtrace.report.document import Answers, Report, payload
from wildtrace.report.html import html_parts
from wildtrace.report.images import to_png, to_svg, xml_text
from wildtrace.report.items import item_records
from wildtrace.scores.build import Run, matrix_rows, task_rows
from wildtrace.scores.loading import Loaded, Sources, load, with_tiers
from wildtrace.scores.matrix import write_matrix, write_tasks
from wildtrace.scores.table import every_system
from wildtrace.tables.formats import RENDERERS
from wildtrace.types import Item

REPORTED = tuple(statistic for statistic in STATISTICS if statistic.kind in ("scores", "release"))

_Count = Annotated[int, msgspec.Meta(ge=0)]


class _Stage(msgspec.Struct):
    name: str
    rejected: _Count


class _FunnelFile(msgspec.Struct):
    format: Literal["wildtrace.funnel/1"]
    candidates: _Count
    locked: _Count
    stages: list[_Stage]


@dataclass(frozen=True, slots=True)
class ReportJob:
    """What to report: where the scores are, where to write, and what the statistics are told."""

    sources: Sources
    out: Path
    settings: Settings = field(default_factory=Settings)
    corpus: Path | None = None
    funnel: Path | None = None
    answers: Answers = "embed"
    figures: bool = True
    parquet: bool = False
    title: str = "Evidence-withheld evaluation"


def report(job: ReportJob) -> Report:
    """Compute and write everything; what cannot be given is stated in its table. Errors are raised before writing."""
    loaded = load(job.sources)
    documents = _documents(job.corpus, loaded.items) if job.corpus else {}
    if documents:
        loaded = with_tiers(loaded, {name: tier for name, (_, tier) in documents.items()})
    inputs = Inputs(
        scores=loaded.scores,
        settings=job.settings,
        items=loaded.items,
        funnel=read_funnel(job.funnel) if job.funnel else None,
        other_conditions=loaded.other_conditions,
        document_chars={name: chars for name, (chars, _) in documents.items()},
    )
    tables = tables_of(inputs)
    made = _document(job, loaded, tables)
    return _write(job, loaded, made)


def tables_of(inputs: Inputs) -> tuple[Table, ...]:
    """Every table of a report, each under the marks of its scores and with the numbers that rest on flagged answers."""
    tables = []
    for statistic in REPORTED:
        table = statistic.compute(inputs)
        tables.append(marked(table, inputs.scores) if statistic.kind == "scores" else table)
    return tuple(table.with_notes(inputs.scores.marks) for table in tables)


def figures_of(tables: Sequence[Table]) -> tuple[Figure, ...]:
    """The figures of these tables, where they have something to draw."""
    draw = {statistic.name: statistic.figure for statistic in REPORTED if statistic.figure is not None}
    made = (draw[table.name](table) for table in tables if table.name in draw)
    return tuple(figure for figure in made if figure is not None)


def read_funnel(path: Path) -> Funnel:
    """Read a funnel file. DataError where it is none or its numbers do not add up."""
    try:
        file = msgspec.json.decode(path.read_bytes(), type=_FunnelFile)
    except OSError as error:
        raise DataError(f"{path} cannot be read ({error.strerror}); name a funnel file") from None
    except msgspec.DecodeError as error:
        raise DataError(f"{path} is no funnel file ({error}); mend it, or name another") from None
    left = file.candidates - sum(stage.rejected for stage in file.stages)
    if left != file.locked or not file.candidates:
        raise DataError(
            f"{path}: {file.candidates} candidates less what the stages rejected leave {left}, not {file.locked}; "
            "mend the counts"
        )
    return Funnel(file.candidates, file.locked, tuple(FunnelStage(stage.name, stage.rejected) for stage in file.stages))


def _document(job: ReportJob, loaded: Loaded, tables: tuple[Table, ...]) -> Report:
    return Report(
        title=xml_text(job.title),
        tables=tables,
        figures=figures_of(tables) if job.figures else (),
        items=tuple(item_records(loaded, job.answers)),
        runs=tuple(_run_record(run) for run in loaded.runs),
        models=tuple(loaded.scores.models[place] for place in every_system(loaded.scores)),
        answers=job.answers,
        marks=loaded.scores.marks,
    )


def _run_record(run: Run) -> dict[str, Any]:
    kept = {key: value for key, value in run.file.provenance.items() if key != "tasks"}
    return {"file": run.path.name, "model": run.model, "provenance": kept}


def _documents(corpus: Path, items: tuple[Item, ...]) -> Mapping[str, tuple[int, str]]:
    """The code points and the tier of every document, by corpus file."""
    from wildtrace.release.corpus import locate_all  # noqa: PLC0415 - needed with --corpus alone
    from wildtrace.text.reading import decode  # noqa: PLC0415
    from wildtrace.text.script import is_cjk  # noqa: PLC0415
    from wildtrace.text.tiers import tier_of_text  # noqa: PLC0415

    paths = locate_all(corpus, [item.question.corpus_file for item in items])
    texts = ((name, decode(path.read_bytes(), str(path)).text) for name, path in paths.items())
    return {name: (len(text), tier_of_text(len(text), cjk=is_cjk(text))) for name, text in texts}


def _write(job: ReportJob, loaded: Loaded, made: Report) -> Report:
    files = dict(_rendered(made))
    pictures = {figure.name: _pictures(figure) for figure in made.figures}
    files |= {name: content for drawn in pictures.values() for name, content in drawn.items()}
    page = list(html_parts(made))
    tabular = ("csv", "parquet") if job.parquet else ("csv",)
    written = {*files, *(f"{name}.{ending}" for name in ("matrix", "tasks") for ending in tabular)}
    _refuse_inputs(job, {*written, "report.html"})
    _clear(job, written)
    for ending in tabular:
        write_matrix(job.out / f"matrix.{ending}", matrix_rows(loaded.scores))
        structure = list(loaded.scores.tasks.structure)
        write_tasks(job.out / f"tasks.{ending}", structure, task_rows(loaded.scores.tasks))
    for name, content in files.items():
        write_atomically(job.out / name, [content])
    write_atomically(job.out / "report.html", page)
    return replace(made, undrawn=tuple(name for name, drawn in pictures.items() if not drawn))


def _refuse_inputs(job: ReportJob, written: Collection[str]) -> None:
    """DataError where a table, a figure or the page would be written over what it is made from."""
    sources = job.sources
    read = [path for path in (sources.data, sources.matrix, *sources.scores, *sources.responses, job.funnel) if path]
    for name in sorted(written):
        for path in read:
            if is_same(job.out / name, path):
                raise DataError(f"{path} is read for this report, which would write over it; choose another --out")


def _rendered(made: Report) -> Iterator[tuple[str, bytes]]:
    for table in made.tables:
        for ending, render in RENDERERS.items():
            yield f"tables/{table.name}.{ending}", render(table).encode()
    for figure in made.figures:
        yield f"figures/{figure.name}.json", orjson.dumps(dict(figure.spec))
    yield "report.json", orjson.dumps(payload(made))


def _pictures(figure: Figure) -> dict[str, bytes]:
    """A figure's pictures; none where the compiler cannot draw it, which costs no other."""
    try:
        return {f"figures/{figure.name}.svg": to_svg(figure).encode(), f"figures/{figure.name}.png": to_png(figure)}
    except ValueError:
        return {}


def _clear(job: ReportJob, written: Collection[str]) -> None:
    """Remove what an earlier report wrote and this one does not, but nothing that this one was made from."""
    used = {path.resolve() for path in (job.sources.data, job.sources.matrix) if path is not None}
    for name in _optional_files():
        path = job.out / name
        if name in written or not exists(path) or path.resolve() in used:
            continue
        try:
            path.unlink()
        except OSError as error:
            raise OutputError(
                f"{path} is of an earlier report and cannot be removed ({error.strerror}); choose another --out"
            ) from None


def _optional_files() -> Iterator[str]:
    """Every file that some reports hold and others do not; those that all of them hold are written anew."""
    for statistic in REPORTED:
        if statistic.figure is not None:
            yield from (f"figures/{statistic.name}.{ending}" for ending in ("json", "svg", "png"))
    yield from (f"{name}.{ending}" for name in ("matrix", "tasks") for ending in ("csv", "parquet"))
