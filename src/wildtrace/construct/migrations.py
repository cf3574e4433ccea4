"""The workspace's tables, step by step: each migration brings a workspace of one version to the next.

A migration is never changed once released; a new one is added at the end of `MIGRATIONS`, whose length is the version.
"""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import Connection, text

_SOURCES = (
    """
    CREATE TABLE sources (
        id TEXT PRIMARY KEY, path TEXT NOT NULL UNIQUE, added INTEGER NOT NULL, file TEXT NOT NULL, title TEXT NOT NULL,
        family TEXT, language TEXT NOT NULL, script TEXT NOT NULL, charset TEXT NOT NULL, tier TEXT NOT NULL,
        tokens INTEGER NOT NULL, chars INTEGER NOT NULL, sha256 TEXT NOT NULL, file_sha256 TEXT NOT NULL,
        settings TEXT NOT NULL, text TEXT NOT NULL, origin BLOB NOT NULL
    )
    """,
    """
    CREATE TABLE matter (
        source TEXT NOT NULL REFERENCES sources (id) ON DELETE CASCADE,
        start_at INTEGER NOT NULL, end_at INTEGER NOT NULL, kind TEXT NOT NULL,
        PRIMARY KEY (source, start_at)
    )
    """,
    """
    CREATE TABLE windows (
        id TEXT PRIMARY KEY, source TEXT NOT NULL REFERENCES sources (id) ON DELETE CASCADE,
        start_at INTEGER NOT NULL, end_at INTEGER NOT NULL, position REAL NOT NULL, tier TEXT NOT NULL
    )
    """,
    "CREATE INDEX windows_of_source ON windows (source, start_at)",
)

_EVIDENCE = (
    """
    CREATE TABLE window_records (
        source TEXT NOT NULL REFERENCES sources (id) ON DELETE CASCADE, place INTEGER NOT NULL, made_by TEXT NOT NULL,
        records BLOB NOT NULL, PRIMARY KEY (source, place)
    )
    """,
    """
    CREATE TABLE graphs (
        source TEXT PRIMARY KEY REFERENCES sources (id) ON DELETE CASCADE, made_by TEXT NOT NULL,
        entities BLOB NOT NULL, edges BLOB NOT NULL, reports TEXT NOT NULL
    )
    """,
    """
    CREATE TABLE trails (
        id TEXT PRIMARY KEY, source TEXT NOT NULL REFERENCES sources (id) ON DELETE CASCADE,
        geometry TEXT NOT NULL, place INTEGER NOT NULL, body TEXT NOT NULL
    )
    """,
    "CREATE INDEX trails_of_source ON trails (source, place)",
)


def _run(statements: tuple[str, ...]) -> Callable[[Connection], None]:
    def migrate(connection: Connection) -> None:
        for statement in statements:
            connection.execute(text(statement))

    return migrate


MIGRATIONS: tuple[Callable[[Connection], None], ...] = (_run(_SOURCES), _run(_EVIDENCE))
