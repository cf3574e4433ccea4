"""Ingest files into a workspace, one after the other; one that fails stops only itself."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from wildtrace.build.ingest import Ingested, ingest
from wildtrace.build.segment import segment
from wildtrace.errors import DataError
from wildtrace.store.workspace import Holding, Kept, Workspace, open_workspace
from wildtrace.types import Source


@dataclass(frozen=True, slots=True)
class IngestOptions:
    """How files are ingested; `replace` lets a file that changed take its earlier text's place."""

    family: str | None = None
    language: str | None = None
    unwrap: bool = False
    replace: bool = False

    def settings(self) -> dict[str, Any]:
        """What of these shapes the source."""
        return {"family": self.family, "language": self.language, "unwrap": self.unwrap}


@dataclass(frozen=True, slots=True)
class IngestOutcome:
    """What came of one file. `source` is None where it failed, and then `reason` says why."""

    path: Path
    status: Literal["added", "replaced", "unchanged", "failed"]
    source: Source | None = None
    ingested: Ingested | None = None
    windows: int = 0
    reason: str | None = None


def ingest_files(files: Sequence[Path], folder: Path, options: IngestOptions) -> Iterator[IngestOutcome]:
    """Ingest each file and say what came of it; each is committed before the next is read.

    Raises what opening the workspace raises (75, 65, 74) and OutputError where it cannot be written.
    """
    with open_workspace(folder, create=True) as workspace:
        for path in files:
            try:
                yield _ingest_file(path, workspace, options)
            except DataError as error:
                yield IngestOutcome(path, "failed", reason=str(error))


def _ingest_file(path: Path, workspace: Workspace, options: IngestOptions) -> IngestOutcome:
    raw = _read(path)
    place = str(path.resolve())
    digest = hashlib.sha256(raw).hexdigest()
    known = {kept.path: kept for kept in workspace.kept()}
    before = known.get(place)
    if before is not None and before.source.file_sha256 == digest and before.settings == options.settings():
        return IngestOutcome(path, "unchanged", before.source)
    if before is not None and not options.replace:
        raise DataError(_how_it_differs(path, before, digest))
    found = ingest(raw, str(path), family=options.family, language=options.language, unwrap=options.unwrap)
    twin = next((kept for kept in known.values() if kept.source.id == found.source.id and kept.path != place), None)
    if twin is not None:
        raise DataError(f"{path} has the same text as {twin.path}, which the workspace has; leave one of them out")
    windows = tuple(segment(found.text, found.source.id, found.source.tier))
    workspace.put(Holding(found.source, place, found.text, found.matter, windows, options.settings(), _origin(found)))
    return IngestOutcome(path, "added" if before is None else "replaced", found.source, found, len(windows))


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise DataError(f"{path} cannot be read ({error.strerror}); name an existing file") from None


def _how_it_differs(path: Path, before: Kept, digest: str) -> str:
    what = "has changed since it was ingested" if before.source.file_sha256 != digest else "was ingested otherwise"
    return f"{path} {what}; run again with --replace, which drops what was built from the earlier text"


def _origin(found: Ingested) -> dict[str, Any]:
    """Where the text comes from, as the workspace keeps it."""
    return {
        "map": asdict(found.map),
        "parts": [[part.name, part.start] for part in found.parts],
        "removed": [[removal.kind, removal.start, removal.end, removal.text] for removal in found.removed],
        "broken": found.broken,
    }


def changed_sources(workspace: Workspace) -> list[tuple[Source, str]]:
    """The sources whose file is there and is no longer what was ingested, with the file's path.

    A file that is gone is no change: the workspace has its text.
    """
    changed: list[tuple[Source, str]] = []
    for kept in workspace.kept():
        path = Path(kept.path)
        if path.is_file() and hashlib.sha256(_read(path)).hexdigest() != kept.source.file_sha256:
            changed.append((kept.source, kept.path))
    return changed
