"""The call ledger: every finished call of an output, durable before it counts (docs/protocol.md, rule 28).

One SQLite file beside the output, `<out>.ledger`, with two tables: `meta` (the run's identity, the documents' facts)
and `calls` (a key, the number of the sample under that key, the record as JSON). A call is finished when its record is
committed; records that finish together are committed together, off the event loop, and a caller goes on only when its
record is on disk. The file is locked while it is open, so that a second process on the same output is refused. Each row
carries a digest, so that a changed byte is noticed. Nothing is ever removed: the ledger is what was paid for, and the
results file can be made anew from it. Prompts and keys are not in it; a prompt's digest is part of the key.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import msgspec

from wildtrace.calls.record import Record
from wildtrace.errors import BusyError, DataError, OutputError

FORMAT: Final = "wildtrace.ledger/3"
_TABLES: Final = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL, digest TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE calls (key TEXT, sample INTEGER, record TEXT NOT NULL, digest TEXT NOT NULL, PRIMARY KEY (key, sample))
    WITHOUT ROWID;
"""
_UNREADABLE: Final = (sqlite3.Error, ValueError, TypeError, OverflowError, MemoryError, RecursionError)
"""What the database, or reading its values, raises on a damaged file."""


def ledger_path(out: Path) -> Path:
    """The ledger of an output file; where that is a link, beside what it points to, so that a file has one ledger."""
    target = Path(os.path.realpath(out))
    return target.with_name(target.name + ".ledger")


def call_key(settings: str, *prompt: str) -> str:
    """The key of a call: a digest of the settings it is asked under and of its prompt, given in parts."""
    parts = [part.encode("utf-8", "surrogatepass") for part in (settings, *prompt)]
    # Each part's length stands before it, so that no two lists of parts read alike.
    framed = b"".join(len(part).to_bytes(8, "big") + part for part in parts)
    return hashlib.blake2b(framed, digest_size=16).hexdigest()


def _row_digest(*columns: object) -> str:
    return hashlib.blake2b("\0".join(map(str, columns)).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


class Ledger:
    """An open ledger. Use `open_ledger`."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._connection = connection
        self._waiting: list[tuple[tuple[object, ...], asyncio.Future[None]]] = []
        self._executor = ThreadPoolExecutor(1, thread_name_prefix="ledger")
        self._flushing: asyncio.Task[None] | None = None

    def __len__(self) -> int:
        """The finished calls."""
        ((count,),) = self._select("SELECT count(*) FROM calls")
        return int(count)

    def records(self, key: str) -> list[Record]:
        """The finished calls under a key, in the order of their samples. DataError where the ledger is corrupt."""
        rows = self._select("SELECT sample, record, digest FROM calls WHERE key = ? ORDER BY sample", key)
        try:
            return [
                msgspec.convert(self._loaded(text, digest, key, sample), Record, strict=True)
                for sample, text, digest in rows
            ]
        except msgspec.ValidationError:
            raise self.corrupt() from None

    async def add(self, key: str, sample: int, record: Record) -> None:
        """Commit a finished call; returns when it is on disk. OutputError where it cannot be written."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((_call_row(key, sample, record), done))
        if self._flushing is None:
            self._flushing = asyncio.create_task(self._flush())
        await asyncio.shield(done)

    def add_all(self, calls: Iterable[tuple[str, int, Record]]) -> None:
        """Commit finished calls at once, outside of a run's event loop."""
        self._insert([_call_row(*call) for call in calls])

    async def settle(self) -> None:
        """Wait until everything that was added is committed or has failed."""
        while self._flushing is not None:
            await asyncio.wait([self._flushing])

    async def _flush(self) -> None:
        batch = []
        try:
            while self._waiting:
                batch, self._waiting = self._waiting, []
                error: Exception | None = None
                try:
                    rows = [row for row, _ in batch]
                    await asyncio.get_running_loop().run_in_executor(self._executor, self._insert, rows)
                except Exception as failure:
                    error = failure
                for _, done in batch:
                    if not done.done():
                        done.set_result(None) if error is None else done.set_exception(error)
        except BaseException:
            # Nobody writes any more: who waits for this batch or the next must not wait for ever.
            for _, done in (*batch, *self._waiting):
                done.cancel()
            raise
        finally:
            self._flushing = None

    def _insert(self, rows: list[tuple[object, ...]]) -> None:
        self._write("INSERT INTO calls VALUES (?, ?, ?, ?)", rows)

    def _write(self, statement: str, rows: list[tuple[object, ...]]) -> None:
        try:
            with self._connection:
                self._connection.executemany(statement, rows)
        except sqlite3.Error as error:
            raise _failed(self.path, error, writing=True) from None

    def meta(self, name: str, kind: Any) -> Any | None:
        """A named value, or None. DataError where it is not of its kind or the ledger is corrupt."""
        rows = self._select("SELECT value, digest FROM meta WHERE name = ?", name)
        if not rows:
            return None
        try:
            return msgspec.convert(self._loaded(*rows[0], name), kind)
        except msgspec.ValidationError:
            raise self.corrupt() from None

    def set_meta(self, values: Mapping[str, Any]) -> None:
        """Commit named values, in the place of earlier ones."""
        rows = [_meta_row(name, value) for name, value in values.items()]
        self._write("INSERT OR REPLACE INTO meta VALUES (?, ?, ?)", rows)

    def corrupt(self) -> DataError:
        """What to raise where the ledger holds what this program does not write."""
        return _corrupt(self.path)

    def _select(self, query: str, *values: str) -> list[Any]:
        try:
            return self._connection.execute(query, values).fetchall()
        except _UNREADABLE as error:
            raise _failed(self.path, error) from None

    def _loaded(self, text: Any, digest: Any, *columns: object) -> Any:
        if digest != _row_digest(*columns, text):
            raise self.corrupt()
        try:
            return json.loads(text)
        except _UNREADABLE:
            raise self.corrupt() from None

    def close(self) -> None:
        """Let go of the file."""
        self._executor.shutdown()
        self._connection.close()


def _call_row(key: str, sample: int, record: Record) -> tuple[object, ...]:
    # ASCII JSON: a reply may hold half a character, which UTF-8 cannot.
    text = json.dumps(msgspec.to_builtins(record))
    return key, sample, text, _row_digest(key, sample, text)


def _meta_row(name: str, value: Any) -> tuple[object, ...]:
    text = json.dumps(value)
    return name, text, _row_digest(name, text)


@contextmanager
def open_ledger(path: Path) -> Iterator[Ledger]:
    """Open or create the ledger at `path` for this process alone.

    Raises BusyError where another process holds it, DataError where it is corrupt or foreign, OutputError where the
    folder cannot be written.
    """
    connection = _connected(path)
    try:
        _prepare(connection, path)
        ledger = Ledger(path, connection)
    except BaseException as error:
        connection.close()
        if isinstance(error, _UNREADABLE):
            raise _failed(path, error) from None
        raise
    try:
        yield ledger
    finally:
        ledger.close()


def _connected(path: Path) -> sqlite3.Connection:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # Transactions are begun and ended here, so that the tables are made in one.
        return sqlite3.connect(path, timeout=0.5, check_same_thread=False)
    except (OSError, sqlite3.Error) as error:
        raise OutputError(f"{path} cannot be written ({error}); choose another output folder") from None


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    """Lock the file, refuse it unchanged where it is foreign, and make the tables where it is new."""
    connection.execute("PRAGMA locking_mode=EXCLUSIVE")
    _has_tables(connection, path)
    # FULL: a paid answer must outlive a power cut, not only a killed process.
    connection.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;")
    connection.execute("BEGIN IMMEDIATE")
    if not _has_tables(connection, path):
        # One transaction: a process that is killed here leaves an empty file, and the next one begins anew.
        for statement in _TABLES.split(";"):
            connection.execute(statement)
        connection.execute("INSERT INTO meta VALUES (?, ?, ?)", _meta_row("format", FORMAT))
    connection.execute("COMMIT")
    if connection.execute("PRAGMA quick_check").fetchone() != ("ok",):
        raise _corrupt(path)
    row = connection.execute("SELECT value, digest FROM meta WHERE name = 'format'").fetchone()
    if row is None or row[1] != _row_digest("format", row[0]):
        raise _corrupt(path)
    if row[0] != json.dumps(FORMAT):
        raise _foreign(path)


def _has_tables(connection: sqlite3.Connection, path: Path) -> bool:
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if not tables:
        return False
    if not {"meta", "calls"} <= tables:
        raise _foreign(path)
    columns = {name: [row[1] for row in connection.execute(f"PRAGMA table_info({name})")] for name in ("meta", "calls")}
    if columns != {"meta": ["name", "value", "digest"], "calls": ["key", "sample", "record", "digest"]}:
        raise _foreign(path)
    return True


def _corrupt(path: Path) -> DataError:
    return DataError(
        f"{path} is corrupt or no ledger; restore it from a copy, or move it away: the next run reads back what the "
        "output file beside it holds and asks only the rest"
    )


def _foreign(path: Path) -> DataError:
    return DataError(f"{path} belongs to another program or version; move it away or choose another output")


def _failed(path: Path, error: BaseException, *, writing: bool = False) -> BusyError | DataError | OutputError:
    """What an error of the database means for the user."""
    code = getattr(error, "sqlite_errorname", "")
    if code.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return BusyError(f"{path} is in use by another process; wait for it to end or choose another output")
    cannot_write = code.startswith(("SQLITE_CANTOPEN", "SQLITE_READONLY", "SQLITE_FULL", "SQLITE_IOERR", "SQLITE_PERM"))
    damaged = code.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB", "SQLITE_CONSTRAINT"))
    if cannot_write or (writing and not damaged):
        return OutputError(
            f"{path} cannot be written ({error}); free the disk, or choose another output, then run the same command "
            "again"
        )
    return _corrupt(path)
