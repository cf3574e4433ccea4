"""Ingest files into a workspace; one that fails stops only itself."""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from wildtrace.construct.ingest.child import Job
from wildtrace.construct.ingest.draft import Options
from wildtrace.construct.ingest.executors import Executor, Pending, ThisProcess
from wildtrace.construct.ingest.ingest import Ingested
from wildtrace.construct.ingest.paths import InputFile, find_files, read_file
from wildtrace.construct.segment import segment
from wildtrace.construct.workspace import Holding, Kept, Workspace, open_workspace
from wildtrace.errors import DataError
from wildtrace.types import Source


@dataclass(frozen=True, slots=True)
class IngestOptions:
    """How files are ingested; `replace` lets a file that changed take its earlier text's place."""

    family: str | None = None
    language: str | None = None
    unwrap: bool = False
    replace: bool = False
    encoding: str | None = None
    recursive: bool = False

    @property
    def reading(self) -> Options:
        """What of these shapes the source."""
        return Options(self.family, self.language, self.encoding, self.unwrap)


@dataclass(frozen=True, slots=True)
class IngestOutcome:
    """What came of one file. `source` is None where it failed, and then `reason` says why."""

    path: Path
    status: Literal["added", "replaced", "unchanged", "failed"]
    source: Source | None = None
    ingested: Ingested | None = None
    windows: int = 0
    reason: str | None = None

    @property
    def is_partial(self) -> bool:
        """Whether parts of the file could not be read."""
        return self.ingested is not None and bool(self.ingested.missing)


@dataclass(frozen=True, slots=True)
class _Reading:
    """A file that is being read, and what the workspace has of its path so far."""

    path: Path
    pending: Pending
    earlier: Kept | None


def ingest_files(
    paths: Sequence[Path], folder: Path, options: IngestOptions, executor: Executor | None = None
) -> Iterator[IngestOutcome]:
    """Ingest each file and say what came of it, in order; each is committed before its outcome is given.

    A folder or an archive among the paths stands for its files. Without an `executor` files are read in this process,
    one after the other. Raises what opening the workspace raises (75, 65, 74) and OutputError where it cannot be
    written.
    """
    executor = executor or ThisProcess()
    with open_workspace(folder, create=True) as workspace:
        under_way: deque[IngestOutcome | _Reading] = deque()
        for file in find_files(paths, recursive=options.recursive):
            under_way.append(_begin(file, workspace, options, executor))
            while len(under_way) >= executor.window:
                yield _finish(under_way.popleft(), workspace, options)
        while under_way:
            yield _finish(under_way.popleft(), workspace, options)


def _begin(
    file: InputFile, workspace: Workspace, options: IngestOptions, executor: Executor
) -> IngestOutcome | _Reading:
    """Begin to read a file, unless the workspace has it as it is."""
    path = file.path
    try:
        raw = file.read()
    except DataError as error:
        return IngestOutcome(path, "failed", reason=str(error))
    resolved = str(path.resolve())
    digest = hashlib.sha256(raw).hexdigest()
    earlier = next((kept for kept in workspace.kept() if kept.path == resolved), None)
    if earlier is not None and earlier.source.file_sha256 == digest and earlier.settings == asdict(options.reading):
        return IngestOutcome(path, "unchanged", earlier.source)
    if earlier is not None and not options.replace:
        return IngestOutcome(path, "failed", reason=_how_it_differs(path, earlier, digest, options.reading))
    return _Reading(path, executor.submit(Job(raw, str(path), options.reading)), earlier)


def _finish(reading: IngestOutcome | _Reading, workspace: Workspace, options: IngestOptions) -> IngestOutcome:
    """Wait for a file and put it into the workspace."""
    if isinstance(reading, IngestOutcome):
        return reading
    path = reading.path
    reply = reading.pending.result()
    ingested = reply.ingested
    if ingested is None:
        return IngestOutcome(path, "failed", reason=reply.fault)
    resolved = str(path.resolve())
    copy = next(
        (kept for kept in workspace.kept() if kept.source.id == ingested.source.id and kept.path != resolved), None
    )
    if copy is not None:
        reason = f"{path} has the same text as {copy.path}, which the workspace has; leave one of them out"
        return IngestOutcome(path, "failed", reason=reason)
    windows = tuple(segment(ingested.text, ingested.source.id, ingested.source.tier))
    settings = asdict(options.reading)
    workspace.put(
        Holding(ingested.source, resolved, ingested.text, ingested.structure, windows, settings, _origin(ingested))
    )
    return IngestOutcome(
        path, "added" if reading.earlier is None else "replaced", ingested.source, ingested, len(windows)
    )


def _how_it_differs(path: Path, earlier: Kept, digest: str, options: Options) -> str:
    """What is not as it was, the file's content or options of the command, with what they were and are."""
    differing = [
        f"{name} was {_option(earlier.settings.get(name))} and is {_option(value)}"
        for name, value in asdict(options).items()
        if earlier.settings.get(name) != value
    ]
    parts = ["has changed since it was ingested"] if earlier.source.file_sha256 != digest else []
    if differing:
        parts.append(f"was ingested with other options ({', '.join(differing)})")
    advice = "give those again, or " if differing and len(parts) == 1 else ""
    return f"{path} {' and '.join(parts)}; {advice}run again with --replace, which drops what was built before"


def _option(value: Any) -> str:
    return {None: "not given", False: "off", True: "on"}.get(value, str(value))


def _origin(ingested: Ingested) -> dict[str, Any]:
    """Where the text comes from, as the workspace keeps it."""
    return {
        "map": asdict(ingested.map),
        "parts": [[part.name, part.start] for part in ingested.parts],
        "removed": [[removal.kind, removal.start, removal.end, removal.text] for removal in ingested.removed],
        "broken": ingested.broken,
        "missing": list(ingested.missing),
        "doubts": list(ingested.doubts),
    }


def faulty_sources(workspace: Workspace) -> dict[str, str]:
    """Why sources are not to be worked on, by id: their file has changed since it was ingested, or cannot be read.

    The workspace has the text of a file that is gone; but nobody could tell any more where it came from.
    """
    faults = {kept.source.id: _fault(Path(kept.path), kept.source.file_sha256) for kept in workspace.kept()}
    return {source: fault for source, fault in faults.items() if fault is not None}


def _fault(path: Path, digest: str) -> str | None:
    try:
        changed = hashlib.sha256(read_file(path)).hexdigest() != digest
    except DataError:
        if not path.exists() and not any(parent.is_file() for parent in path.parents):
            return f"{path} is gone since it was ingested; put it back and run again"
        return f"{path} cannot be read any more; make it readable and run again"
    return f"{path} has changed since it was ingested; ingest it again with --replace" if changed else None
