"""What induction keeps in a workspace: the reading of each source with its account, and its trails.

Each is written in one transaction. `made_by` is a digest of prompts, roles and text: what another version made is not
taken for this one's. The calls themselves stand in the ledger, from which a reading can be made again.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, RowMapping, text

from wildtrace.construct.account import Account
from wildtrace.construct.workspace import Workspace
from wildtrace.errors import DataError
from wildtrace.types import Reading, Source, Trail


def put_reading(workspace: Workspace, reading: Reading, made_by: str, account: Account) -> None:
    """Keep what was read out of a source, in place of an earlier reading and its trails."""
    with workspace.transaction() as connection:
        connection.execute(text("DELETE FROM trails WHERE source = :source"), {"source": reading.source})
        _put_reading(connection, reading, made_by, account, finished=False)


def put_trails(workspace: Workspace, reading: Reading, made_by: str, account: Account, trails: Sequence[Trail]) -> None:
    """Keep a source's trails by rank, accepted ones first, with its reading: it is finished then."""
    rows = [
        {
            "id": trail.id,
            "source": reading.source,
            "geometry": trail.geometry,
            "place": place,
            "body": msgspec.json.encode(trail).decode(),
        }
        for place, trail in enumerate(trails)
    ]
    with workspace.transaction() as connection:
        _put_reading(connection, reading, made_by, account, finished=True)
        connection.execute(text("DELETE FROM trails WHERE source = :source"), {"source": reading.source})
        if rows:
            connection.execute(
                text(
                    "INSERT INTO trails (id, source, geometry, place, body)"
                    " VALUES (:id, :source, :geometry, :place, :body)"
                ),
                rows,
            )


def _put_reading(connection: Connection, reading: Reading, made_by: str, account: Account, *, finished: bool) -> None:
    connection.execute(
        text(
            "INSERT OR REPLACE INTO readings (source, made_by, reading, account, finished)"
            " VALUES (:source, :made_by, :reading, :account, :finished)"
        ),
        {
            "source": reading.source,
            "made_by": made_by,
            "reading": zlib.compress(msgspec.msgpack.encode(reading), 6),
            "account": json.dumps(account.as_row(), ensure_ascii=False),
            "finished": int(finished),
        },
    )


def finished_by(workspace: Workspace, source: str) -> str | None:
    """What made a source's trails; None where it is not finished."""
    rows = _read(workspace, "SELECT made_by FROM readings WHERE source = :source AND finished = 1", source=source)
    return rows[0]["made_by"] if rows else None


def reading_of(workspace: Workspace, source: Source) -> Reading:
    """What was read out of a source. DataError where it has no reading yet."""
    rows = _read(workspace, "SELECT reading FROM readings WHERE source = :source", source=source.id)
    if not rows:
        raise _not_yet(workspace, source)
    with workspace.reading():
        return msgspec.msgpack.decode(zlib.decompress(rows[0]["reading"]), type=Reading)


def account_of(workspace: Workspace, source: Source) -> Account:
    """What reading and proving a source took. DataError where it has no reading yet."""
    rows = _read(workspace, "SELECT account FROM readings WHERE source = :source", source=source.id)
    if not rows:
        raise _not_yet(workspace, source)
    with workspace.reading():
        return msgspec.json.decode(rows[0]["account"], type=Account)


def trails_of(workspace: Workspace, source: Source) -> list[Trail]:
    """A source's trails by rank, accepted ones first. DataError where it is not finished yet."""
    if finished_by(workspace, source.id) is None:
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
    """The ids of all trails, source by source, by rank."""
    return [row["id"] for row in _read(workspace, "SELECT id FROM trails ORDER BY source, place")]


def _read(workspace: Workspace, query: str, **values: Any) -> list[RowMapping]:
    return workspace.rows(text(query), **values)


def _not_yet(workspace: Workspace, source: Source) -> DataError:
    run = f"wildtrace induce --workspace {workspace.path.parent} --config CONFIG"
    return DataError(f"{source.title} has no evidence yet; run `{run}` (or --offline)")
