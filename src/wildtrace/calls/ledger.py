"""The call ledger: every finished call of an output, durable before it counts (decisions.md, rule 28).

One SQLite file beside the output, `<out>.ledger`. A call is finished when its record is committed; records that finish
together are committed together, off the event loop, and a caller goes on only when its record is on disk. The file is
held exclusively, so that a second process on the same output is told so. It also keeps the run's signature and the
facts of documents already read, by their file stamp. Calls are read whole when the ledger is opened. A key has one
record: the first, whatever is added later, so that a finished call stays what it is; only a record that is said to
stand `instead` takes the place of another. What it leaves out: prompts (their hash is in the key), everything that is
not finished, and what it was told to `forget`, since the output has it.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
import zlib
from collections.abc import Collection, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import orjson

from wildtrace.errors import BusyError, DataError, OutputError

FORMAT = "wildtrace.ledger/2"
_SCHEMA = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE calls (id INTEGER PRIMARY KEY, key BLOB NOT NULL, record BLOB NOT NULL);
"""
_DOCUMENTS: Final = "documents"


def ledger_path(out: Path) -> Path:
    """The ledger of an output file; where that is a link, beside what it points to, so that a file has one ledger."""
    target = Path(os.path.realpath(out))
    return target.with_name(target.name + ".ledger")


# A ledger that handed its records over is a few rows in three tables, each of which takes whole pages.
_PAGE_SIZE: Final = 1024
# What nearly every record says, so that a small one is not mostly its own keys.
_COMMON: Final = b'{"response":{"status":"ok","response":"","finish_reason":"stop","usage":{"prompt_tokens":,"completion_tokens":,"total_tokens":},"flags":[],"attempts":1,"latency_s":,"served_model":"},"sent_at":,"cap":}{"reply":"{\\"points_awarded\\":[],\\"total\\":}","fingerprint":'  # noqa: E501


def _pack(value: Any) -> bytes:
    packer = zlib.compressobj(9, zdict=_COMMON)
    return packer.compress(orjson.dumps(value)) + packer.flush()


def _unpack(data: bytes) -> Any:
    unpacker = zlib.decompressobj(zdict=_COMMON)
    return orjson.loads(unpacker.decompress(data) + unpacker.flush())


@dataclass(frozen=True, slots=True)
class _Row:
    """A packed record on its way to the disk."""

    key: bytes
    record: bytes
    instead: bool = False


_Adding = tuple[_Row, asyncio.Future[None]]
"""A record with what its caller waits for."""


def _settle(batch: Iterable[_Adding], error: Exception | None) -> None:
    """Tell the callers of a batch that it is committed, or why it is not."""
    for _, done in batch:
        if not done.done():
            done.set_result(None) if error is None else done.set_exception(error)


class Ledger:
    """An open ledger. Use `open_ledger`."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self._path = path
        self._connection = connection
        self._calls: dict[bytes, bytes] = dict(connection.execute("SELECT key, record FROM calls ORDER BY id DESC"))
        if not all(isinstance(part, bytes) for row in self._calls.items() for part in row):
            raise self.torn()
        self._waiting: list[_Adding] = []
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="ledger")
        self._flushing: asyncio.Task[None] | None = None

    def __len__(self) -> int:
        return len(self._calls)

    @property
    def path(self) -> Path:
        """Where it stands."""
        return self._path

    def __contains__(self, key: bytes) -> bool:
        return key in self._calls

    def find(self, key: bytes, **wanted: type) -> Any | None:
        """The record of a finished call, or None. DataError where its fields are not of the kinds `wanted`."""
        packed = self._calls.get(key)
        if packed is None:
            return None
        record = self._read(packed)
        if not isinstance(record, dict) or any(not isinstance(record.get(name), wanted[name]) for name in wanted):
            raise self.torn()
        return record

    async def add(self, key: bytes, record: Any, *, instead: bool = False) -> Any:
        """Commit a finished call; returns the record that counts for its key when that is on disk.

        That is the first one, which stays as it is, unless this one is to stand `instead` of it. OutputError where it
        cannot be written.
        """
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        row = _Row(key, _pack(record), instead)
        self._waiting.append((row, done))
        if self._flushing is None:
            self._flushing = asyncio.create_task(self._flush())
        await asyncio.shield(done)
        kept = self._calls[key]
        return record if kept is row.record else self._read(kept)

    async def _flush(self) -> None:
        batch: list[_Adding] = []
        try:
            while self._waiting:
                batch, self._waiting = self._waiting, []
                _settle(batch, await self._committed([row for row, _ in batch]))
        except BaseException:
            # Nobody writes any more: who waits for this batch or the next must not wait for ever.
            for _, done in (*batch, *self._waiting):
                done.cancel()
            raise
        finally:
            self._flushing = None

    async def _committed(self, added: Iterable[_Row]) -> Exception | None:
        """Commit what is new of these; what its callers are to be told where that fails, whatever went wrong."""
        loop = asyncio.get_running_loop()
        try:
            rows = self._new(added)
            await loop.run_in_executor(self._writer, self._commit, rows)
            self._calls.update((row.key, row.record) for row in rows)
        except Exception as error:
            return error
        return None

    def _new(self, rows: Iterable[_Row]) -> list[_Row]:
        """One row a key: those that are to stand instead of what is there, and the first of those under a new key."""
        new: dict[bytes, _Row] = {}
        for row in rows:
            if row.instead or not (row.key in self._calls or row.key in new):
                new[row.key] = row
        return list(new.values())

    async def settle(self) -> None:
        """Wait until everything that was added is committed or has failed."""
        while self._flushing is not None:
            await asyncio.wait([self._flushing])

    def _commit(self, rows: list[_Row]) -> None:
        try:
            with self._connection:
                self._insert(rows)
        except sqlite3.Error as error:
            raise _cannot_write(self._path, error) from None

    def _insert(self, rows: list[_Row]) -> None:
        self._connection.executemany("DELETE FROM calls WHERE key = ?", [(row.key,) for row in rows if row.instead])
        self._connection.executemany(
            "INSERT INTO calls (key, record) VALUES (?, ?)", [(row.key, row.record) for row in rows]
        )

    def meta(self, name: str) -> Any | None:
        """A named value of the run, or None. DataError where the ledger is torn."""
        rows = self._select("SELECT value FROM meta WHERE name = ?", name)
        return self._read(rows[0][0]) if rows else None

    def put(
        self, *, meta: dict[str, Any] | None = None, calls: Iterable[tuple[bytes, Any]] = (), instead: bool = False
    ) -> None:
        """Commit named values and calls at once; calls that are there already are treated as in `add`."""
        rows = self._new(_Row(key, _pack(record), instead) for key, record in calls)
        named = [(name, _pack(value)) for name, value in (meta or {}).items()]
        with _writing(self._path), self._connection:
            self._connection.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", named)
            self._insert(rows)
        self._calls.update((row.key, row.record) for row in rows)

    def forget(self, keys: Collection[bytes], *, meta: dict[str, Any]) -> None:
        """Let go of these calls, whose records are safe elsewhere; commit named values with that.

        Nothing is lost where this fails: the records then stand in both places, and the next run tries again.
        """
        named = [(name, _pack(value)) for name, value in meta.items()]
        with suppress(sqlite3.Error):
            with self._connection:
                self._connection.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", named)
                rows = self._connection.execute("SELECT id, key FROM calls").fetchall()
                self._connection.executemany(
                    "DELETE FROM calls WHERE id = ?", [(id_,) for id_, key in rows if key in keys]
                )
            for key in keys:
                self._calls.pop(key, None)
            self._connection.execute("VACUUM")

    def documents(self) -> dict[str, Any]:
        """The facts of documents read before, by file stamp. DataError where the ledger is torn."""
        facts = self.meta(_DOCUMENTS)
        if facts is not None and not isinstance(facts, dict):
            raise self.torn()
        return facts or {}

    def put_documents(self, facts: dict[str, Any]) -> None:
        """Keep the facts of documents, replacing what was known."""
        self.put(meta={_DOCUMENTS: facts})

    def torn(self) -> DataError:
        """What to raise where the ledger says nothing that this program writes."""
        return _torn(self._path)

    def _select(self, query: str, *values: str) -> list[Any]:
        try:
            return self._connection.execute(query, values).fetchall()
        except _DAMAGED as error:
            raise _opening_failed(self._path, error) from None

    def _read(self, data: bytes) -> Any:
        try:
            return _unpack(data)
        except _UNREADABLE:
            raise self.torn() from None

    def close(self) -> None:
        """Let go of the file."""
        self._writer.shutdown()
        self._connection.close()


_UNREADABLE = (zlib.error, ValueError, TypeError)
# What the database, or reading its values, raises on a damaged file.
_DAMAGED = (sqlite3.Error, ValueError, TypeError, OverflowError, MemoryError)


def _cannot_write(path: Path, error: Exception) -> OutputError:
    return OutputError(
        f"{path} cannot be written ({error}); free the disk, or choose another output, then run the same command again"
    )


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        damaged = getattr(error, "sqlite_errorname", "").startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB"))
        raise _torn(path) if damaged else _cannot_write(path, error) from None


@contextmanager
def open_ledger(path: Path) -> Iterator[Ledger]:
    """Open or create the ledger at `path` for this process alone.

    Raises BusyError where another process holds it, DataError where it is torn or foreign, OutputError where the folder
    cannot be written.
    """
    ledger = _open(path)
    try:
        yield ledger
    finally:
        ledger.close()


def _open(path: Path) -> Ledger:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(path, timeout=0.5, check_same_thread=False)
    except (OSError, sqlite3.Error) as error:
        raise OutputError(f"{path} cannot be written ({error}); choose another output folder") from None
    try:
        _claim(connection, path)
        return Ledger(path, connection)
    except _DAMAGED as error:
        connection.close()
        raise _opening_failed(path, error) from None
    except BaseException:
        connection.close()
        raise


def _claim(connection: sqlite3.Connection, path: Path) -> None:
    """Take the exclusive lock, create the tables or check that they are ours."""
    connection.executescript(f"PRAGMA page_size={_PAGE_SIZE}; PRAGMA locking_mode=EXCLUSIVE;")
    _refuse_foreign(connection, path)
    # FULL: a paid answer must outlive a power cut, not only a killed process.
    connection.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;")
    connection.execute("BEGIN IMMEDIATE")
    if not _refuse_foreign(connection, path):
        connection.execute("COMMIT")
        connection.executescript(f"BEGIN; {_SCHEMA}")
        connection.execute("INSERT INTO meta VALUES ('format', ?)", (_pack(FORMAT),))
    connection.execute("COMMIT")
    if connection.execute("PRAGMA quick_check").fetchone() != ("ok",):
        raise _torn(path)
    row = connection.execute("SELECT value FROM meta WHERE name = 'format'").fetchone()
    try:
        written = None if row is None else _unpack(row[0])
    except _UNREADABLE:
        raise _torn(path) from None
    if written != FORMAT:
        raise _foreign(path)


def _refuse_foreign(connection: sqlite3.Connection, path: Path) -> bool:
    """Refuse a database with other tables than ours, before a byte of it is changed; whether ours are there."""
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if tables and not {"meta", "calls"} <= tables:
        raise _foreign(path)
    return bool(tables)


def _torn(path: Path) -> DataError:
    return DataError(
        f"{path} is torn or no ledger; restore it from a copy, or move it away: the next run takes over what the "
        "output file beside it holds and asks only the rest"
    )


def _foreign(path: Path) -> DataError:
    return DataError(f"{path} belongs to another program or version; move it away or choose another output")


def _opening_failed(path: Path, error: Exception) -> BusyError | DataError | OutputError:
    code = getattr(error, "sqlite_errorname", "")
    if code.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return BusyError(f"{path} is in use by another process; wait for it to end or choose another output")
    if code.startswith(("SQLITE_CANTOPEN", "SQLITE_READONLY", "SQLITE_FULL", "SQLITE_IOERR", "SQLITE_PERM")):
        return _cannot_write(path, error)
    return _torn(path)
