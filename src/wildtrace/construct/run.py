"""Induction: from a workspace's sources to records, evidence graphs and trails (paper, section 2.4; stages 2 to 6).

Each source is done on its own: one that fails stops only itself. Windows are committed as they are finished, the graph
with its trails at once; the same command goes on from there, and does nothing where nothing has changed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, Literal, TypeVar

import msgspec

from wildtrace.calls.progress import Finished, Progress, Silent
from wildtrace.construct import evidence
from wildtrace.construct.asking import RolesJob, UnansweredError
from wildtrace.construct.induction import (
    Plan,
    Sent,
    cast_of,
    plan,
    read_task,
    rules_digest,
    survey_task,
    without_collector,
)
from wildtrace.construct.ingest.run import faulty_sources
from wildtrace.construct.mine import Mined, Report, mine
from wildtrace.construct.packing import pack_edges, pack_records, unpack_edges, unpack_records
from wildtrace.construct.role_calls import Built, ByRules, Heard, with_roles, without_roles
from wildtrace.construct.spread import Spread, spread
from wildtrace.construct.workspace import Workspace, open_workspace
from wildtrace.errors import DataError
from wildtrace.files import write_atomically
from wildtrace.types import EvidenceGraph, Source

Piece = TypeVar("Piece")

REVIEW: Final = "induce.review"
"""The folder of a workspace where the extractor's fuzzy quotes stand, a file a source."""
_TASKS_EACH = 4
_FEW_WINDOWS = 24
"""Below this many windows a pool costs more than it saves."""


@dataclass(frozen=True, slots=True)
class InduceOptions:
    """How to induce: processes (None: one a core), and the roles' models, None for rules alone."""

    workers: int | None = None
    roles: RolesJob | None = None


@dataclass(frozen=True, slots=True)
class InduceOutcome:
    """What came of one source; `reason` says why where it failed, or lacks answers of a role.

    `left_out` counts the records of the extractor that the bound on volume had no room for, `heard` is how each role
    answered that was asked.
    """

    source: Source
    status: Literal["induced", "unchanged", "failed", "incomplete"]
    records: int = 0
    edges: int = 0
    trails: int = 0
    reports: tuple[Report, ...] = ()
    reason: str | None = None
    left_out: int = 0
    heard: Mapping[str, Heard] = field(default_factory=dict)


def induce_sources(
    folder: Path, options: InduceOptions | None = None, progress: Progress | None = None
) -> Iterator[InduceOutcome]:
    """Induce every source of a workspace and say what came of each; each is committed before the next is begun.

    Raises what opening the workspace raises (75, 65, 74), OutputError where it cannot be written, and what stops the
    models' endpoints (78, 2); a source's own failure is its outcome.
    """
    options, progress = options or InduceOptions(), progress or Silent()
    if options.roles is not None:
        options.roles.check_keys()
    with open_workspace(folder) as workspace:
        sources = workspace.sources()
        if not sources:
            raise DataError(f"{folder} has no sources; bring some in with `wildtrace ingest`")
        faults = faulty_sources(workspace)
        with spread(_workers(workspace, sources, options)) as spreading:
            for source in sources:
                yield _outcome(workspace, source, options, progress, spreading, faults.get(source.id))


def _workers(workspace: Workspace, sources: Sequence[Source], options: InduceOptions) -> int | None:
    most = max(len(workspace.windows(source.id)) for source in sources)
    return options.workers or (1 if most < _FEW_WINDOWS else None)


def _outcome(
    workspace: Workspace,
    source: Source,
    options: InduceOptions,
    progress: Progress,
    spreading: Spread,
    fault: str | None,
) -> InduceOutcome:
    if fault is not None:
        return InduceOutcome(source, "failed", reason=fault)
    made_by = made_by_of(workspace, source, options.roles)
    if evidence.graph_made_by(workspace, source.id) == made_by:
        return InduceOutcome(source, "unchanged", reports=_reports(workspace, source))
    try:
        with without_collector():
            built, mined = _induce(workspace, source, options, progress, spreading, made_by)
    except DataError as error:
        return InduceOutcome(source, "failed", reason=str(error))
    except UnansweredError as error:
        return InduceOutcome(source, "incomplete", reason=str(error))
    counts = (len(built.graph.records), len(built.graph.edges), len(mined.trails))
    return InduceOutcome(source, "induced", *counts, mined.reports, left_out=built.left_out, heard=built.heard)


def _reports(workspace: Workspace, source: Source) -> tuple[Report, ...]:
    """What mining said of a source when it was induced; nothing where that cannot be read."""
    try:
        return msgspec.convert(evidence.reports_of(workspace, source), tuple[Report, ...])
    except (msgspec.ValidationError, DataError):
        return ()


def made_by_of(workspace: Workspace, source: Source, roles: RolesJob | None) -> str:
    """The digest of what a source's evidence is made by: rules, text, matter, windows, models."""
    facts = (
        rules_digest(),
        source.sha256,
        [asdict(matter) for matter in workspace.matter(source.id)],
        [window.id for window in workspace.windows(source.id)],
        roles.signature if roles is not None else None,
    )
    return sha256(repr(facts).encode()).hexdigest()[:32]


def _induce(
    workspace: Workspace,
    source: Source,
    options: InduceOptions,
    progress: Progress,
    spreading: Spread,
    made_by: str,
) -> tuple[Built, Mined]:
    rules = by_rules(workspace, source, made_by, spreading, progress)
    if options.roles is None:
        built = without_roles(source, rules)
    else:
        built = with_roles(options.roles, source, rules, progress)
        _put_review(workspace, source, built.review, progress)
    mined = built.mined or mine(built.graph)
    kept = evidence.KeptGraph(
        made_by,
        pack_records(built.own),
        pack_edges(built.graph.edges, built.graph.records),
        tuple(asdict(report) for report in mined.reports),
    )
    evidence.put_graph(workspace, source.id, kept, mined.trails, _changed(rules, built))
    return built, mined


def _changed(rules: ByRules, built: Built) -> list[tuple[int, bytes]]:
    """The packed records of the windows where some made room, by place."""
    pairs = zip(rules.by_window, built.by_window, strict=True)
    return [(place, pack_records(after)) for place, (before, after) in enumerate(pairs) if after is not before]


def by_rules(
    workspace: Workspace,
    source: Source,
    made_by: str,
    spreading: Spread,
    progress: Progress,
    *,
    keep: bool = True,
) -> ByRules:
    """A source read by rules, window by window; with `keep` each window is committed as it is finished."""
    text = workspace.text(source.id)
    windows = workspace.windows(source.id)
    matter = workspace.matter(source.id)
    taken_apart = plan(text, windows, matter)
    flat = [piece for pieces in taken_apart.pieces for piece in pieces]
    surveys = spreading.map(survey_task, [(taken_apart.manner, part) for part in _parts(flat)])
    known, entities = cast_of(source.id, text, taken_apart.manner, list(surveys))
    packed = _read(workspace, source, taken_apart, known, made_by, spreading, progress, keep=keep)
    by_window = [unpack_records(source.id, text, data) for data in packed]
    return ByRules(text, windows, matter, known, entities, by_window)


def _put_review(workspace: Workspace, source: Source, review: Sequence[Mapping[str, Any]], progress: Progress) -> None:
    """Write what a person must look at, a row an entry; no file where there is nothing."""
    path = workspace.path.parent / REVIEW / f"{source.id}.jsonl"
    if review:
        write_atomically(path, (json.dumps(row, ensure_ascii=False).encode() + b"\n" for row in review))
        progress.say(f"for review: quotes that differ from the source in a few words, {len(review)} in {path}")
    else:
        path.unlink(missing_ok=True)


def _read(
    workspace: Workspace,
    source: Source,
    taken_apart: Plan,
    known: Sent,
    made_by: str,
    spreading: Spread,
    progress: Progress,
    *,
    keep: bool,
) -> list[bytes]:
    """The packed records of every window, in order; those that an earlier run finished are not read again."""
    done = evidence.windows_done(workspace, source.id, made_by)
    open_ = [(place, pieces) for place, pieces in enumerate(taken_apart.pieces) if place not in done]
    progress.start(f"windows of {source.title}", len(taken_apart.pieces), len(done))
    for finished in spreading.map(read_task, [(known, part) for part in _parts(open_)]):
        if keep:
            evidence.put_windows(workspace, source.id, made_by, finished)
        done.update(finished)
        for _ in finished:
            progress.advance(Finished("ok", attempts=0))
    return [done[place] for place in sorted(done)]


def _parts(pieces: Sequence[Piece]) -> list[Sequence[Piece]]:
    """Neighbouring pieces in parts worth sending to a process."""
    size = max(1, min(16, len(pieces) // _TASKS_EACH))
    return [pieces[start : start + size] for start in range(0, len(pieces), size)]


def load_graph(workspace: Workspace, source: Source) -> EvidenceGraph:
    """The evidence graph of a source. DataError where it has none yet."""
    kept = evidence.graph_of(workspace, source)
    text = workspace.text(source.id)
    packed = [kept.entities, *evidence.all_windows(workspace, source.id)]
    records = [record for data in packed for record in unpack_records(source.id, text, data)]
    records.sort(key=lambda record: (record.span.start, record.span.end, record.id))
    return EvidenceGraph(source.id, source.chars, tuple(records), tuple(unpack_edges(source.id, records, kept.edges)))
