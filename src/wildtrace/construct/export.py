"""Export what a workspace holds as JSON Lines; every offset points into the canonical text that `sources` exports."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import orjson

from wildtrace.construct import evidence
from wildtrace.construct.document import Document
from wildtrace.construct.document_map import draw_map
from wildtrace.construct.export_sources import structure_rows, write_corpus
from wildtrace.construct.pieces import sentence_ranges
from wildtrace.construct.roles import LEDGER
from wildtrace.construct.workspace import FILE, Workspace, open_workspace
from wildtrace.errors import DataError
from wildtrace.files import refuse_input, write_atomically
from wildtrace.types import Clue, ProvedEdge, Source, Span, Trail

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


def _facts(workspace: Workspace, source: Source) -> Iterator[Row]:
    reading = evidence.reading_of(workspace, source)
    cluster = {fact: number for number, group in enumerate(reading.clusters) for fact in group}
    for fact in reading.facts:
        yield {
            "source": fact.source,
            "id": fact.id,
            "kind": fact.kind,
            "start": fact.start,
            "end": fact.end,
            "quote": fact.quote,
            "spans": [_span(span) for span in fact.spans],
            "provenance": fact.found_by,
            "gist": fact.gist,
            "inferred": fact.inferred,
            "who": list(fact.who),
            "when": fact.when,
            "status": fact.status,
            "level": fact.level,
            "same_claim": list(reading.clusters[cluster[fact.id]]) if fact.id in cluster else [],
        }


def _cast(workspace: Workspace, source: Source) -> Iterator[Row]:
    for member in evidence.reading_of(workspace, source).cast:
        yield {
            "source": source.id,
            "id": member.id,
            "names": list(member.names),
            "kind": member.kind,
            "gist": member.gist,
            "facts": list(member.facts),
            "quotes": [_span(span) for span in member.quotes],
        }


def _records(workspace: Workspace, source: Source) -> Iterator[Row]:
    """Facts, cast and pieces' summaries as local records (paper, Table 6): kind, place, fields."""
    for row in _facts(workspace, source):
        fields = {name: row.pop(name) for name in ("gist", "inferred", "who", "when", "status", "level", "same_claim")}
        yield {**row, "fields": fields}
    for member in evidence.reading_of(workspace, source).cast:
        for span in member.quotes[:1]:
            fields = {"name": member.names[0], "type": member.kind, "aliases": list(member.names[1:])}
            yield {
                "source": source.id,
                "id": member.id,
                "kind": "entity",
                **_span(span),
                "provenance": "reader",
                "fields": fields,
            }


def _links(workspace: Workspace, source: Source) -> Iterator[Row]:
    for link in evidence.reading_of(workspace, source).links:
        yield {
            "id": link.id,
            "source": link.source,
            "from": link.from_fact,
            "to": link.to_fact,
            "type": link.type,
            "basis": link.why,
            "provenance": link.found_by,
        }


def _map(workspace: Workspace, source: Source) -> Iterator[Row]:
    text, structure = workspace.text(source.id), workspace.structure(source.id)
    document = Document(source, text, sentence_ranges(text, structure), evidence.reading_of(workspace, source))
    drawn = draw_map(document, structure)
    yield {"source": source.id, "title": drawn.title, "lines": drawn.lines.split("\n"), "cast": drawn.cast.split("\n")}


def _edges(workspace: Workspace, source: Source) -> Iterator[Row]:
    """The edges of trails: those that were verified, each with its verdict."""
    for trail in evidence.trails_of(workspace, source):
        for edge in trail.edges:
            yield {"source": source.id, "trail": trail.id, **_edge(edge)}


def _edge(edge: ProvedEdge) -> Row:
    return {
        "from": edge.from_fact,
        "to": edge.to_fact,
        "type": edge.type,
        "basis": edge.why,
        "verdict": edge.verdict,
        "quotes": list(edge.quotes),
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
        "status": trail.status,
        "reason": trail.reason,
        "answer": trail.answer,
        "hedge": trail.hedge,
        "needs": dict(trail.needs),
        "clues": [_clue(clue) for clue in trail.clues],
        "edges": [_edge(edge) for edge in trail.edges],
        "score": trail.score,
        "interest": trail.interest,
        "leaks": [{"start": leak.start, "end": leak.end, "tells": leak.tells} for leak in trail.leaks],
        "steps": [{"stage": step.stage, "by": step.by, "note": step.note} for step in trail.steps],
    }


def _clue(clue: Clue) -> Row:
    row = {"record": clue.span_id, "start": clue.start, "end": clue.end, "quote": clue.quote, "role": clue.role}
    return {**row, **clue.extra}


def _span(span: Span) -> Row:
    return {"start": span.start, "end": span.end, "quote": span.quote}


WHAT: Final[dict[str, Callable[[Workspace, Source], Iterator[Row]]]] = {
    "sources": _sources,
    "structure": structure_rows,
    "windows": _windows,
    "facts": _facts,
    "cast": _cast,
    "links": _links,
    "map": _map,
    "trails": _trails,
    "records": _records,
    "edges": _edges,
}
