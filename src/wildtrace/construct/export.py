"""Export what a workspace holds as JSON Lines; every offset points into the canonical text that `sources` exports."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import orjson

from wildtrace.construct import evidence
from wildtrace.construct.asking import LEDGER
from wildtrace.construct.export_sources import structure_rows, write_corpus
from wildtrace.construct.run import REVIEW, load_graph
from wildtrace.construct.workspace import FILE, Workspace, open_workspace
from wildtrace.errors import DataError
from wildtrace.files import write_atomically
from wildtrace.outputs import refuse_input, refuse_inside
from wildtrace.types import Clue, Record, Source, Trail

Row = dict[str, Any]

_BESIDE: Final = ("-wal", "-shm", "-journal")
"""What SQLite keeps beside a file."""


@dataclass(slots=True)
class Exported:
    """How many rows were written, and the sources that have none of it yet, each with the reason and what to do."""

    rows: int = 0
    left_out: list[tuple[Source, str]] = field(default_factory=list)


def export(folder: Path, what: str, out: Path, chosen: Sequence[str] = ()) -> Exported:
    """Write the rows of `what`, one of `WHAT`, to `out`: of the sources `chosen` by their ids, or of all.

    Raises DataError where no source has any of it yet, a chosen one is unknown, or `out` is a file of the workspace or
    of a source; OutputError where `out` cannot be written.
    """
    _refuse_own(folder, out)
    exported = Exported()
    with open_workspace(folder) as workspace:
        refuse_input(out, ((Path(kept.path), f"the file of the source {kept.source.id}") for kept in workspace.kept()))
        sources = [workspace.source(each) for each in dict.fromkeys(chosen)] if chosen else workspace.sources()
        write_atomically(out, _lines(workspace, what, sources, exported))
    return exported


def export_corpus(folder: Path, out: Path, chosen: Sequence[str] = ()) -> Exported:
    """Write the texts of the sources, one file each, into the folder `out`. Raises as `export` does."""
    _refuse_own(folder, out)
    with open_workspace(folder) as workspace:
        sources = [workspace.source(each) for each in dict.fromkeys(chosen)] if chosen else workspace.sources()
        if not sources:
            raise DataError(f"{folder} has no source yet; ingest files into it first")
        return Exported(write_corpus(workspace, sources, out))


def _lines(workspace: Workspace, what: str, sources: Sequence[Source], exported: Exported) -> Iterator[bytes]:
    """The rows of every source that has them, the others noted. DataError where none has."""
    for source in sources:
        try:
            rows = [orjson.dumps(row) + b"\n" for row in WHAT[what](workspace, source)]
        except DataError as error:
            exported.left_out.append((source, str(error)))
            if len(exported.left_out) == len(sources):
                raise
        else:
            exported.rows += len(rows)
            yield from rows


def _refuse_own(folder: Path, out: Path) -> None:
    """DataError where `out` is what ingest or induce wrote into the workspace's folder."""
    for name, what in ((FILE, "the workspace itself"), (LEDGER, "the ledger of the workspace's models")):
        refuse_input(out, [(folder / f"{name}{ending}", what) for ending in ("", *_BESIDE)])
    refuse_inside(out, folder / REVIEW, "in a folder that induce writes")


def _sources(workspace: Workspace, source: Source) -> Iterator[Row]:
    yield {
        "id": source.id,
        "file": source.file,
        "title": source.title,
        "family": source.family,
        "language": source.language,
        "tier": source.tier,
        "chars": source.chars,
        "sha256": source.sha256,
        "text": workspace.text(source.id),
    }


def _windows(workspace: Workspace, source: Source) -> Iterator[Row]:
    text = workspace.text(source.id)
    for window in workspace.windows(source.id):
        yield {
            "source": source.id,
            "id": window.id,
            "kind": "window",
            "start": window.start,
            "end": window.end,
            "quote": window.text_in(text),
            "provenance": "rule:segment",
            "position": window.position,
            "tier": window.tier,
        }


def _records(workspace: Workspace, source: Source) -> Iterator[Row]:
    for record in load_graph(workspace, source).records:
        yield record_row(record)


def record_row(record: Record) -> Row:
    """A record as exported."""
    return {
        "source": record.source,
        "id": record.id,
        "kind": record.kind,
        "start": record.span.start,
        "end": record.span.end,
        "quote": record.span.quote,
        "provenance": record.provenance,
        "fields": dict(record.fields),
    }


def _edges(workspace: Workspace, source: Source) -> Iterator[Row]:
    for edge in load_graph(workspace, source).edges:
        yield {
            "id": edge.id,
            "source": edge.source,
            "from": edge.head,
            "to": edge.tail,
            "type": edge.type,
            "basis": edge.basis,
            "provenance": edge.provenance,
            "confidence": edge.confidence,
            "status": edge.status,
        }


def _trails(workspace: Workspace, source: Source) -> Iterator[Row]:
    for trail in evidence.trails_of(workspace, source):
        yield trail_row(trail)


def trail_row(trail: Trail) -> Row:
    """A trail as exported."""
    return {
        "id": trail.id,
        "source": trail.source,
        "geometry": trail.geometry,
        "clues": [_clue(clue) for clue in trail.clues],
        "edges": list(trail.edges),
        "score": trail.score,
        "why": dict(trail.why),
    }


def _clue(clue: Clue) -> Row:
    return {"record": clue.span_id, "start": clue.start, "end": clue.end, "quote": clue.quote, "role": clue.role}


WHAT: Final[dict[str, Callable[[Workspace, Source], Iterator[Row]]]] = {
    "sources": _sources,
    "structure": structure_rows,
    "windows": _windows,
    "records": _records,
    "edges": _edges,
    "trails": _trails,
}
