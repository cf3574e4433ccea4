"""What induction keeps in a workspace: records by window, the graph and the trails of a source, each with what made it.

`made_by` is a digest of the rules, the models and the text's windows: what another version made is not taken for this
one's. Records and edges are kept as the bytes their stage packs; trails as rows, since they are looked up one by one.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from sqlalchemy import Connection, RowMapping, text

from wildtrace.construct.workspace import Workspace
from wildtrace.errors import DataError
from wildtrace.types import Source, Trail

_LEVEL = 1


@dataclass(frozen=True, slots=True)
class KeptGraph:
    """A source's packed entities and edges, what made them, and the reports of mining."""

    made_by: str
    entities: bytes
    edges: bytes
    reports: tuple[Mapping[str, Any], ...]


def put_windows(workspace: Workspace, source: str, made_by: str, windows: Iterable[tuple[int, bytes]]) -> None:
    """Keep the packed records of windows, by their place in the source; committed when it returns."""
    with workspace.transaction() as connection:
        _put_windows(connection, source, made_by, windows)


def windows_done(workspace: Workspace, source: str, made_by: str) -> dict[int, bytes]:
    """The packed records of the windows that `made_by` has finished, by place."""
    rows = _read(
        workspace,
        "SELECT place, records FROM window_records WHERE source = :source AND made_by = :made_by ORDER BY place",
        source=source,
        made_by=made_by,
    )
    with workspace.reading():
        return {row["place"]: zlib.decompress(row["records"]) for row in rows}


def all_windows(workspace: Workspace, source: str) -> list[bytes]:
    """The packed records of a source's windows, in order."""
    rows = _read(workspace, "SELECT records FROM window_records WHERE source = :source ORDER BY place", source=source)
    with workspace.reading():
        return [zlib.decompress(row["records"]) for row in rows]


def put_graph(
    workspace: Workspace,
    source: str,
    graph: KeptGraph,
    trails: Sequence[Trail],
    changed: Iterable[tuple[int, bytes]] = (),
) -> None:
    """Keep a source's graph and trails in place of earlier ones, and the windows that it changed, at once."""
    with workspace.transaction() as connection:
        _put_windows(connection, source, graph.made_by, changed)
        connection.execute(text("DELETE FROM trails WHERE source = :source"), {"source": source})
        connection.execute(
            text("DELETE FROM window_records WHERE source = :source AND made_by <> :made_by"),
            {"source": source, "made_by": graph.made_by},
        )
        connection.execute(
            text(
                "INSERT OR REPLACE INTO graphs (source, made_by, entities, edges, reports)"
                " VALUES (:source, :made_by, :entities, :edges, :reports)"
            ),
            {
                "source": source,
                "made_by": graph.made_by,
                "entities": zlib.compress(graph.entities, _LEVEL),
                "edges": zlib.compress(graph.edges, _LEVEL),
                "reports": json.dumps([dict(report) for report in graph.reports], ensure_ascii=False),
            },
        )
        _put_trails(connection, source, trails)


def graph_of(workspace: Workspace, source: Source) -> KeptGraph:
    """A source's graph. DataError where it has none yet."""
    rows = _read(
        workspace, "SELECT made_by, entities, edges, reports FROM graphs WHERE source = :source", source=source.id
    )
    if not rows:
        raise _not_yet(workspace, source)
    with workspace.reading():
        entities, edges = (zlib.decompress(rows[0][name]) for name in ("entities", "edges"))
        return KeptGraph(rows[0]["made_by"], entities, edges, tuple(json.loads(rows[0]["reports"])))


def reports_of(workspace: Workspace, source: Source) -> list[Any]:
    """What mining said of a source's geometries. DataError where it has no graph yet."""
    rows = _read(workspace, "SELECT reports FROM graphs WHERE source = :source", source=source.id)
    if not rows:
        raise _not_yet(workspace, source)
    with workspace.reading():
        reports: list[Any] = json.loads(rows[0]["reports"])
    return reports


def graph_made_by(workspace: Workspace, source: str) -> str | None:
    """What made a source's graph, or None where it has none yet."""
    rows = _read(workspace, "SELECT made_by FROM graphs WHERE source = :source", source=source)
    return rows[0]["made_by"] if rows else None


def trails_of(workspace: Workspace, source: Source) -> list[Trail]:
    """A source's trails by geometry and rank. DataError where it was not mined yet."""
    if graph_made_by(workspace, source.id) is None:
        raise _not_yet(workspace, source)
    rows = _read(workspace, "SELECT body FROM trails WHERE source = :source ORDER BY place", source=source.id)
    with workspace.reading():
        return [msgspec.json.decode(row["body"], type=Trail) for row in rows]


def trail_by_id(workspace: Workspace, trail_id: str) -> Trail | None:
    """One trail by its id, or by a beginning of it that no other has."""
    rows = _read(
        workspace,
        "SELECT body FROM trails WHERE substr(id, 1, :length) = :id LIMIT 2",
        id=trail_id,
        length=len(trail_id),
    )
    with workspace.reading():
        return msgspec.json.decode(rows[0]["body"], type=Trail) if len(rows) == 1 else None


def trail_ids(workspace: Workspace) -> list[str]:
    """The ids of all trails, source by source, by geometry and rank."""
    return [row["id"] for row in _read(workspace, "SELECT id FROM trails ORDER BY source, place")]


def _put_windows(connection: Connection, source: str, made_by: str, windows: Iterable[tuple[int, bytes]]) -> None:
    rows = [
        {"source": source, "place": place, "made_by": made_by, "records": zlib.compress(records, _LEVEL)}
        for place, records in windows
    ]
    if rows:
        connection.execute(
            text(
                "INSERT OR REPLACE INTO window_records (source, place, made_by, records)"
                " VALUES (:source, :place, :made_by, :records)"
            ),
            rows,
        )


def _put_trails(connection: Connection, source: str, trails: Sequence[Trail]) -> None:
    rows = [
        {
            "id": trail.id,
            "source": source,
            "geometry": trail.geometry,
            "place": place,
            "body": msgspec.json.encode(trail).decode(),
        }
        for place, trail in enumerate(trails)
    ]
    if rows:
        connection.execute(
            text(
                "INSERT INTO trails (id, source, geometry, place, body) VALUES (:id, :source, :geometry, :place, :body)"
            ),
            rows,
        )


def _read(workspace: Workspace, query: str, **values: Any) -> list[RowMapping]:
    return workspace.rows(text(query), **values)


def _not_yet(workspace: Workspace, source: Source) -> DataError:
    run = f"wildtrace induce --workspace {workspace.path.parent} --offline"
    return DataError(f"{source.title} has no evidence yet; run `{run}` (or --config)")
