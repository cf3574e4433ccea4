"""Export what a workspace holds as JSON Lines; every offset points into the canonical text that `sources` exports."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import orjson

from wildtrace.pipeline.asking import LEDGER
from wildtrace.pipeline.induce import REVIEW, load_graph
from wildtrace.pipeline.outputs import refuse_input, refuse_inside
from wildtrace.store import evidence
from wildtrace.store.files import write_atomically
from wildtrace.store.workspace import FILE, Workspace, open_workspace
from wildtrace.types import Clue, Record, Source, Trail

Row = dict[str, Any]

_BESIDE: Final = ("-wal", "-shm", "-journal")
"""What SQLite keeps beside a file."""


def export(folder: Path, what: str, out: Path) -> int:
    """Write the rows of `what`, one of `WHAT`, to `out`; how many there are.

    Raises DataError where the workspace has none of it yet or `out` is a file of the workspace or of a source,
    OutputError where `out` cannot be written.
    """
    _refuse_own(folder, out)
    count = 0

    def lines(workspace: Workspace) -> Iterator[bytes]:
        nonlocal count
        for source in workspace.sources():
            for row in WHAT[what](workspace, source):
                count += 1
                yield orjson.dumps(row) + b"\n"

    with open_workspace(folder) as workspace:
        refuse_input(out, ((Path(kept.path), f"the file of the source {kept.source.id}") for kept in workspace.kept()))
        write_atomically(out, lines(workspace))
    return count


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
    "windows": _windows,
    "records": _records,
    "edges": _edges,
    "trails": _trails,
}
