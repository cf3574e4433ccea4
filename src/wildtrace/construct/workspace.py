"""The workspace of a construction: sources with their canonical text, and what is built from them.

One SQLite file in the workspace's folder, written through SQLAlchemy Core, held by one process at a time. Texts are
stored once; all else refers to them by offsets. What a transaction wrote is there after a crash, the rest is not.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import msgspec
import orjson
from sqlalchemy import (
    Column,
    Connection,
    Float,
    Integer,
    LargeBinary,
    MetaData,
    RowMapping,
    String,
    Table,
    create_engine,
    delete,
    func,
    insert,
    select,
    text,
)
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import StaticPool

from wildtrace.errors import BusyError, DataError, OutputError
from wildtrace.types import Matter, Source, Structure, Window

FILE = "workspace.sqlite"
_FORMAT = "wildtrace.workspace"
_VERSION = "1"
"""The version of schema.sql: raised with every change of it that is released."""

_METADATA = MetaData()
_META = Table("meta", _METADATA, Column("name", String, primary_key=True), Column("value", String))
_SOURCES = Table(
    "sources",
    _METADATA,
    *(
        Column(name, String)
        for name in ("id", "path", "file", "title", "family", "language", "script", "charset", "tier")
    ),
    *(Column(name, Integer) for name in ("added", "tokens", "chars")),
    *(Column(name, String) for name in ("sha256", "file_sha256", "settings", "text")),
    *(Column(name, LargeBinary) for name in ("structure", "origin")),
)
_WINDOWS = Table(
    "windows",
    _METADATA,
    *(Column(name, String) for name in ("id", "source", "tier")),
    *(Column(name, Integer) for name in ("start_at", "end_at")),
    Column("position", Float),
)
_UNREADABLE: Final = (zlib.error, msgspec.DecodeError, ValueError, TypeError, AttributeError, LookupError)
"""What reading a value raises where the file is damaged inside it."""
_FACTS = [_SOURCES.c[name] for name in Source.__slots__]


@dataclass(frozen=True, slots=True)
class Holding:
    """A source as a workspace takes it in.

    `settings` are the options it was ingested with; `origin` says where its text comes from: the map to the decoded
    file, its parts, what was removed. Both are JSON values.
    """

    source: Source
    path: str
    text: str
    structure: Structure
    windows: tuple[Window, ...]
    settings: dict[str, Any]
    origin: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Kept:
    """What a workspace knows of the file a source came from."""

    source: Source
    path: str
    settings: dict[str, Any]


class Workspace:
    """An open workspace. Use `open_workspace`."""

    def __init__(self, path: Path, connection: Connection) -> None:
        self.path = path
        self.connection = connection

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """All of what is written within, or nothing. OutputError where the disk does not take it."""
        try:
            with self.connection.begin():
                yield self.connection
        except DBAPIError as error:
            raise _writing_failed(self.path, error.orig or error) from None

    @contextmanager
    def reading(self) -> Iterator[None]:
        """DataError where what is read within cannot be read, since the file is damaged."""
        try:
            yield
        except DBAPIError as error:
            raise _opening_failed(self.path, error.orig or error) from None
        except _UNREADABLE:
            raise _torn(self.path) from None

    def rows(self, query: Any, **values: Any) -> list[RowMapping]:
        """All rows of a query. DataError where they cannot be read."""
        is_within = self.connection.in_transaction()
        try:
            with self.reading():
                return list(self.connection.execute(query, values).mappings())
        finally:
            if not is_within:
                # A read begins a transaction of its own; the next write begins another.
                self.connection.rollback()

    def sources(self) -> list[Source]:
        """The sources in the order in which they were added."""
        return [_source(row) for row in self.rows(select(*_FACTS).order_by(_SOURCES.c.added))]

    def source(self, source_id: str) -> Source:
        """One source; DataError where the workspace has none of that id."""
        rows = self.rows(select(*_FACTS).where(_SOURCES.c.id == source_id))
        if not rows:
            raise DataError(f"{self.path.parent} has no source {source_id!r}; name one that it lists")
        return _source(rows[0])

    def kept(self) -> list[Kept]:
        """Every source with the path and the settings it was ingested with."""
        query = select(*_FACTS, _SOURCES.c.path, _SOURCES.c.settings).order_by(_SOURCES.c.added)
        rows = self.rows(query)
        with self.reading():
            return [Kept(_source(row), row["path"], json.loads(row["settings"])) for row in rows]

    def text(self, source_id: str) -> str:
        """A source's canonical text. DataError where it is not the one that was put."""
        row = self.rows(select(_SOURCES.c.text, _SOURCES.c.sha256).where(_SOURCES.c.id == source_id))[0]
        with self.reading():
            value: str = row["text"]
            if hashlib.sha256(value.encode()).hexdigest() != row["sha256"]:
                raise _torn(self.path)
        return value

    def origin(self, source_id: str) -> dict[str, Any]:
        """Where a source's text comes from: `map`, `parts`, `removed`, `broken`."""
        row = self.rows(select(_SOURCES.c.origin).where(_SOURCES.c.id == source_id))[0]
        with self.reading():
            value: dict[str, Any] = orjson.loads(zlib.decompress(row["origin"]))
        return value

    def structure(self, source_id: str) -> Structure:
        """What a source consists of: sections, paragraphs, sentences, lists, tables, notes, pages, matter."""
        row = self.rows(select(_SOURCES.c.structure).where(_SOURCES.c.id == source_id))[0]
        with self.reading():
            return msgspec.msgpack.decode(zlib.decompress(row["structure"]), type=Structure)

    def matter(self, source_id: str) -> tuple[Matter, ...]:
        """A source's front and back matter, in order."""
        return self.structure(source_id).matter

    def windows(self, source_id: str) -> tuple[Window, ...]:
        """A source's windows, in order."""
        query = select(_WINDOWS).where(_WINDOWS.c.source == source_id).order_by(_WINDOWS.c.start_at)
        return tuple(
            Window(row["id"], row["source"], row["start_at"], row["end_at"], row["position"], row["tier"])
            for row in self.rows(query)
        )

    def put(self, holding: Holding) -> None:
        """Take in a source with its structure and windows; what an earlier one from the same path left goes with it."""
        source = holding.source
        with self.transaction() as connection:
            connection.execute(delete(_SOURCES).where((_SOURCES.c.path == holding.path) | (_SOURCES.c.id == source.id)))
            added = connection.execute(select(func.coalesce(func.max(_SOURCES.c.added), 0))).scalar_one() + 1
            row = {
                **asdict(source),
                "path": holding.path,
                "added": added,
                "settings": json.dumps(holding.settings, sort_keys=True),
                "text": holding.text,
                "structure": zlib.compress(msgspec.msgpack.encode(holding.structure), 6),
                "origin": zlib.compress(orjson.dumps(holding.origin), 6),
            }
            connection.execute(insert(_SOURCES), row)
            if holding.windows:
                connection.execute(insert(_WINDOWS), [_window_row(window) for window in holding.windows])


def _source(row: RowMapping) -> Source:
    return Source(**{name: row[name] for name in Source.__slots__})


def _window_row(window: Window) -> dict[str, Any]:
    return {
        "id": window.id,
        "source": window.source,
        "start_at": window.start,
        "end_at": window.end,
        "position": window.position,
        "tier": window.tier,
    }


@contextmanager
def open_workspace(folder: Path, *, create: bool = False) -> Iterator[Workspace]:
    """Open the workspace in `folder` for this process alone.

    BusyError where another process holds it; DataError where there is none and none is to be created, or the file is
    torn, foreign or of another version; OutputError where it cannot be written.
    """
    path = folder / FILE
    if not create and not path.is_file():
        raise DataError(f"{folder} is no workspace; make one with `wildtrace ingest FILES... --workspace {folder}`")
    raw = _connect(path)
    engine = create_engine("sqlite://", creator=lambda: raw, poolclass=StaticPool)
    try:
        with engine.connect() as connection:
            _check_version(connection, path)
            yield Workspace(path, connection)
    finally:
        engine.dispose()
        raw.close()


def _connect(path: Path) -> sqlite3.Connection:
    """The file, claimed for this process."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(path, timeout=0.5, check_same_thread=False)
    except (OSError, sqlite3.Error) as error:
        raise _cannot_write(path, error) from None
    try:
        # FULL: what was paid for must outlive a power cut, not only a killed process.
        for pragma in ("locking_mode=EXCLUSIVE", "journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
            connection.execute(f"PRAGMA {pragma}")
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("COMMIT")
        # It reads the whole file: about a millisecond a megabyte.
        is_whole = connection.execute("PRAGMA quick_check(1)").fetchone() == ("ok",)
    except sqlite3.Error as error:
        connection.close()
        raise _opening_failed(path, error) from None
    if not is_whole:
        connection.close()
        raise _torn(path)
    return connection


def _check_version(connection: Connection, path: Path) -> None:
    """Make the tables of a new file. DataError where the file is another program's or another version's."""
    try:
        with connection.begin():
            tables = set(connection.execute(text("SELECT name FROM sqlite_master WHERE type = 'table'")).scalars())
            if not tables:
                for statement in files("wildtrace.construct").joinpath("schema.sql").read_text("utf-8").split(";"):
                    if statement.strip():
                        connection.execute(text(statement))
                connection.execute(insert(_META), {"name": _FORMAT, "value": _VERSION})
                return
            value = None
            if "meta" in tables:
                value = connection.execute(select(_META.c.value).where(_META.c.name == _FORMAT)).scalar()
    except DBAPIError as error:
        raise _opening_failed(path, error.orig or error) from None
    if value is None:
        raise DataError(f"{path} belongs to another program; choose another workspace")
    if value != _VERSION:
        raise DataError(f"{path} was made by another version of wildtrace; use that version or ingest the files again")


def _cannot_write(path: Path, error: BaseException) -> OutputError:
    return OutputError(f"{path} cannot be written ({error}); free the disk or choose another workspace, then run again")


def _writing_failed(path: Path, error: BaseException) -> DataError | OutputError:
    damaged = getattr(error, "sqlite_errorname", "").startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB"))
    return _torn(path) if damaged else _cannot_write(path, error)


def _opening_failed(path: Path, error: BaseException) -> BusyError | DataError | OutputError:
    code = getattr(error, "sqlite_errorname", "")
    if code.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return BusyError(f"{path} is in use by another process; wait for it to end or choose another workspace")
    if code.startswith(("SQLITE_CANTOPEN", "SQLITE_READONLY", "SQLITE_FULL", "SQLITE_IOERR", "SQLITE_PERM")):
        return _cannot_write(path, error)
    return _torn(path)


def _torn(path: Path) -> DataError:
    return DataError(f"{path} is torn or no workspace; restore it from a copy or choose another workspace")
