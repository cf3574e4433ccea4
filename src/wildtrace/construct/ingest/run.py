"""Ingest files into a workspace, one after the other; one that fails stops only itself."""

from __future__ import annotations

import hashlib
import stat
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from wildtrace.construct.ingest import Ingested, ingest
from wildtrace.construct.segment import segment
from wildtrace.construct.workspace import Holding, Kept, Workspace, open_workspace
from wildtrace.errors import DataError
from wildtrace.text.sentences import paragraphs, sentences_of
from wildtrace.types import Range, Source, Structure


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
        raise DataError(_how_it_differs(path, before, digest, options))
    found = ingest(raw, str(path), family=options.family, language=options.language, unwrap=options.unwrap)
    twin = next((kept for kept in known.values() if kept.source.id == found.source.id and kept.path != place), None)
    if twin is not None:
        raise DataError(f"{path} has the same text as {twin.path}, which the workspace has; leave one of them out")
    windows = tuple(segment(found.text, found.source.id, found.source.tier))
    workspace.put(
        Holding(found.source, place, found.text, _structure(found), windows, options.settings(), _origin(found))
    )
    return IngestOutcome(path, "added" if before is None else "replaced", found.source, found, len(windows))


def _read(path: Path) -> bytes:
    """A file's bytes. DataError where it is no regular file: a folder has none, a pipe might never end."""
    try:
        mode = path.stat().st_mode
        if stat.S_ISREG(mode):
            return path.read_bytes()
    except OSError as error:
        raise DataError(f"{path} cannot be read ({error.strerror}); name an existing file") from None
    if stat.S_ISDIR(mode):
        raise DataError(f"{path} is a folder; name the files in it")
    raise DataError(f"{path} is no regular file; write what it gives to one and name that")


def _how_it_differs(path: Path, before: Kept, digest: str, options: IngestOptions) -> str:
    """What is not as it was, the file's content or options of the command, with what they were and are."""
    differing = [
        f"{name} was {_option(before.settings.get(name))} and is {_option(value)}"
        for name, value in options.settings().items()
        if before.settings.get(name) != value
    ]
    parts = ["has changed since it was ingested"] if before.source.file_sha256 != digest else []
    if differing:
        parts.append(f"was ingested with other options ({', '.join(differing)})")
    advice = "give those again, or " if differing and len(parts) == 1 else ""
    return f"{path} {' and '.join(parts)}; {advice}run again with --replace, which drops what was built before"


def _option(value: Any) -> str:
    return {None: "not given", False: "off", True: "on"}.get(value, str(value))


def _origin(found: Ingested) -> dict[str, Any]:
    """Where the text comes from, as the workspace keeps it."""
    return {
        "map": asdict(found.map),
        "parts": [[part.name, part.start] for part in found.parts],
        "removed": [[removal.kind, removal.start, removal.end, removal.text] for removal in found.removed],
        "broken": found.broken,
    }


def _structure(found: Ingested) -> Structure:
    """Paragraphs and sentences outside matter."""
    parts = list(paragraphs(found.text))
    sentences = [Range(*each) for group in sentences_of(found.text, parts) for each in group]
    own = [each for each in sentences if not any(m.start < each.end and each.start < m.end for m in found.matter)]
    return Structure(paragraphs=tuple(Range(*each) for each in parts), sentences=tuple(own), matter=found.matter)


def faulty_sources(workspace: Workspace) -> dict[str, str]:
    """Why sources are not to be worked on, by id: their file has changed since it was ingested, or cannot be read.

    The workspace has the text of a file that is gone; but nobody could tell any more where it came from.
    """
    faults = {kept.source.id: _fault(Path(kept.path), kept.source.file_sha256) for kept in workspace.kept()}
    return {source: fault for source, fault in faults.items() if fault is not None}


def _fault(path: Path, digest: str) -> str | None:
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return f"{path} is gone since it was ingested; put it back and run again"
    except OSError as error:
        return f"{path} cannot be read any more ({error.strerror}); make it readable and run again"
    try:
        changed = hashlib.sha256(_read(path)).hexdigest() != digest
    except DataError:
        return f"{path} cannot be read any more; make it readable and run again"
    return f"{path} has changed since it was ingested; ingest it again with --replace" if changed else None
