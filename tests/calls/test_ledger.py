"""The call ledger: committed means on disk, one holder at a time, nothing corrupt is read."""

from __future__ import annotations

import asyncio
import random
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from wildtrace.calls.ledger import Ledger, call_key, ledger_path, open_ledger
from wildtrace.calls.record import Failure, Record
from wildtrace.endpoints.base import Reply
from wildtrace.errors import BusyError, DataError, OutputError

REPLIES = st.builds(Reply, st.text(), reasoning=st.none() | st.text(), refused=st.booleans(), latency_s=st.floats(0, 9))
RECORDS = st.builds(Record.of, REPLIES, st.text(max_size=3), st.none() | st.integers(1, 9)) | st.builds(
    Record, failure=st.builds(Failure, st.text(max_size=3), st.text(max_size=5)), sent_at=st.just((1.5,))
)


def said(number: int) -> Record:
    """A record."""
    return Record(reply=Reply(f"{number} 水 " * 40), sent_at=(1.0,))


def test_it_stands_beside_its_output(tmp_path: Path) -> None:
    """With its whole name, so that two outputs never share one."""
    assert tmp_path / "a.json.ledger" == ledger_path(tmp_path / "a.json")


@given(st.lists(st.text(max_size=4), min_size=1, max_size=3), st.lists(st.text(max_size=4), min_size=1, max_size=3))
def test_a_key_is_of_all_its_parts(left: list[str], right: list[str]) -> None:
    """Equal for equal parts alone: where one part ends cannot be confused."""
    assert (left == right) == (call_key(*left) == call_key(*right))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25)
@given(calls=st.lists(st.tuples(st.sampled_from("abc"), RECORDS), max_size=8))
def test_what_was_added_is_there_when_it_is_opened_again(
    tmp_path_factory: pytest.TempPathFactory, calls: list[tuple[str, Record]]
) -> None:
    """Any records under any keys, one by one or together, in the order of their samples; half characters too."""
    path = tmp_path_factory.mktemp("ledger") / "x.ledger"
    wanted = {key: [record for each, record in calls if each == key] for key in "abc"}
    numbered = [(key, [each for each, _ in calls[:at]].count(key), record) for at, (key, record) in enumerate(calls)]

    async def add_each(ledger: Ledger) -> None:
        for call in numbered[:4]:
            await ledger.add(*call)

    with open_ledger(path) as ledger:
        asyncio.run(add_each(ledger))
        ledger.add_all(numbered[4:])
        ledger.set_meta({"started": "now", "tasks": {"水": "a"}})
        ledger.set_meta({"started": "later"})
    with open_ledger(path) as ledger:
        assert wanted == {key: ledger.records(key) for key in "abc"}
        assert (len(calls), "later", {"水": "a"}) == (
            len(ledger),
            ledger.meta("started", str),
            ledger.meta("tasks", dict[str, str]),
        )
        assert ([], None) == (ledger.records("never"), ledger.meta("never", str))


async def test_a_call_returns_when_another_reader_can_see_it(tmp_path: Path) -> None:
    """A copy of the files at that moment holds the record: it is not only in this process."""
    path = tmp_path / "x.ledger"
    with open_ledger(path) as ledger:
        await asyncio.gather(*(ledger.add(str(n), 0, said(n)) for n in range(50)))
        copy = tmp_path / "copy"
        copy.mkdir()
        for name in ("x.ledger", "x.ledger-wal"):
            shutil.copy(tmp_path / name, copy)
        with open_ledger(copy / "x.ledger") as other:
            assert [[said(n)] for n in range(50)] == [other.records(str(n)) for n in range(50)]


async def test_a_cancelled_caller_loses_no_record(tmp_path: Path) -> None:
    """What was given to be added is committed, and settling waits for it."""
    with open_ledger(tmp_path / "x.ledger") as ledger:
        task = asyncio.create_task(ledger.add("k", 0, said(1)))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await ledger.settle()
        assert [said(1)] == ledger.records("k")


@pytest.mark.timeout(60)
@pytest.mark.parametrize("failure", [MemoryError("no room"), RuntimeError("odd")])
async def test_whatever_fails_in_a_commit_is_told_to_every_caller(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failure: Exception
) -> None:
    """Nobody waits for ever, and what is added later is committed."""
    with open_ledger(tmp_path / "x.ledger") as ledger:
        with monkeypatch.context() as broken:
            broken.setattr(Ledger, "_write", lambda *_: (_ for _ in ()).throw(failure))
            ended = await asyncio.gather(*(ledger.add(str(n), 0, said(n)) for n in range(3)), return_exceptions=True)
        assert [failure] * 3 == ended
        await ledger.settle()
        await ledger.add("k", 0, said(1))
        assert ([], 1) == (ledger.records("0"), len(ledger))


@pytest.mark.timeout(60)
async def test_a_writer_that_is_stopped_lets_its_callers_go(tmp_path: Path) -> None:
    """Cancelled while it writes: who waits for it is cancelled too."""
    with open_ledger(tmp_path / "x.ledger") as ledger:
        before = asyncio.all_tasks()
        caller = asyncio.create_task(ledger.add("k", 0, said(1)))
        for _ in range(2):
            await asyncio.sleep(0)
        (writer,) = asyncio.all_tasks() - before - {caller}
        writer.cancel()
        with pytest.raises(asyncio.CancelledError):
            await caller


@pytest.mark.parametrize("statement", range(4))
def test_a_ledger_whose_making_was_interrupted_is_gone_on_with(tmp_path: Path, statement: int) -> None:
    """Ended after so many statements, as by a kill or a full disk: the tables are made in one transaction."""
    path = tmp_path / "x.ledger"
    script = (
        "import os, sqlite3, sys\n"
        "from pathlib import Path\n"
        "import wildtrace.calls.ledger as module\n"
        "connect, left = sqlite3.connect, [int(sys.argv[2])]\n"
        "class Dying(sqlite3.Connection):\n"
        "    def execute(self, statement, *values):\n"
        "        done = super().execute(statement, *values)\n"
        "        if statement.lstrip().startswith(('BEGIN', 'CREATE', 'INSERT')):\n"
        "            left[0] -= 1\n"
        "            if left[0] < 0:\n"
        "                os._exit(9)\n"
        "        return done\n"
        "sqlite3.connect = lambda *a, **k: connect(*a, factory=Dying, **k)\n"
        "with module.open_ledger(Path(sys.argv[1])):\n"
        "    pass\n"
    )
    assert 9 == subprocess.run([sys.executable, "-c", script, str(path), str(statement)], check=False).returncode
    with open_ledger(path) as ledger:
        ledger.add_all([("k", 0, said(1))])
        assert 1 == len(ledger)


def test_a_second_holder_is_refused(tmp_path: Path) -> None:
    """While the first is open; afterwards it is free."""
    path = tmp_path / "x.ledger"
    with (
        open_ledger(path),
        pytest.raises(BusyError, match=r"x\.ledger is in use by another process"),
        open_ledger(path),
    ):
        pass
    with open_ledger(path) as ledger:
        assert 0 == len(ledger)


def test_another_programs_file_is_refused_and_left_alone(tmp_path: Path) -> None:
    """A database of other tables, of another version, and what is no database."""
    foreign, newer, corrupt = tmp_path / "foreign", tmp_path / "newer", tmp_path / "corrupt"
    with sqlite3.connect(foreign) as connection:
        connection.execute("CREATE TABLE t (a)")
    connection.close()
    with open_ledger(newer) as ledger:
        ledger.set_meta({"format": "wildtrace.ledger/1"})
    corrupt.write_bytes(b"something else entirely " * 100)
    for path, said in (
        (foreign, "another program or version"),
        (newer, "another program or version"),
        (corrupt, "corrupt or no ledger"),
    ):
        before = path.read_bytes()
        with pytest.raises(DataError, match=said), open_ledger(path):
            pass
        assert before == path.read_bytes()


def test_a_folder_in_its_place_is_an_output_error(tmp_path: Path) -> None:
    """Named; exit status 74."""
    with pytest.raises(OutputError, match="cannot be written") as refused, open_ledger(tmp_path):
        pass
    assert 74 == refused.value.exit_status


def filled(path: Path) -> bytes:
    """A ledger's bytes, with enough in every table for several pages."""
    with open_ledger(path) as ledger:
        ledger.set_meta({"settings": {"a": 1}, "tasks": {f"q{n}": f"{n:x}" for n in range(200)}, "started": "now"})
        ledger.add_all((f"{n:016d}", sample, said(n)) for n in range(60) for sample in range(2))
    return path.read_bytes()


def read_whole(path: Path) -> list[Any]:
    """Everything that a run reads of a ledger, and a write."""
    with open_ledger(path) as ledger:
        values: list[Any] = [ledger.meta("settings", dict[str, Any]), ledger.meta("tasks", dict[str, str])]
        values += [ledger.records(f"{n:016d}") for n in range(60)]
        ledger.set_meta({"started": "later"})
        ledger.add_all([("new", 0, said(1))])
    return values


def test_a_damaged_ledger_is_one_sentence_or_reads_as_it_was(tmp_path: Path) -> None:
    """Bytes flipped anywhere, pages zeroed or swapped, the end cut off: never another error, never another value."""
    path = tmp_path / "x.ledger"
    whole = filled(path)
    true = read_whole(path)
    chance = random.Random(7)
    refused = 0
    for round_ in range(300):
        damaged = bytearray(whole)
        for _ in range(chance.choice([1, 3, 40])):
            damaged[chance.randrange(len(damaged))] ^= chance.randrange(1, 256)
        if round_ % 10 == 0:
            page = chance.randrange(1, len(damaged) // 1024) * 1024
            damaged[page : page + 1024] = bytes(1024)
        if round_ % 25 == 0:
            del damaged[chance.randrange(len(damaged)) :]
        for name in ("x.ledger-wal", "x.ledger-shm"):
            (tmp_path / name).unlink(missing_ok=True)
        path.write_bytes(damaged)
        try:
            values = read_whole(path)
        except DataError:
            refused += 1
        else:
            assert all(one in (two, None) for one, two in zip(values[:2], true[:2], strict=True))
            assert all(
                set(map(repr, one)) <= set(map(repr, two)) for one, two in zip(values[2:], true[2:], strict=True)
            )
    assert refused > 100


@pytest.mark.parametrize(
    "script",
    [
        "DELETE FROM meta WHERE name = 'tasks'; INSERT INTO meta VALUES ('tasks', 'text', 'text');",
        "UPDATE calls SET record = 5;",
        "UPDATE calls SET record = x'';",
        "UPDATE calls SET record = replace(record, '水', '火'), digest = digest || 'a';",
        "UPDATE calls SET sample = sample + 9;",
        "UPDATE calls SET digest = '';",
        "UPDATE calls SET record = (SELECT value FROM meta WHERE name = 'format');",
        "UPDATE meta SET value = 'text' WHERE name = 'settings';",
        "UPDATE meta SET value = CAST(x'ff' AS TEXT) WHERE name = 'settings';",
        "UPDATE meta SET value = (SELECT value FROM meta WHERE name = 'format') WHERE name = 'settings';",
    ],
)
def test_rows_that_do_not_fit_their_digest_are_a_corrupt_ledger(tmp_path: Path, script: str) -> None:
    """Other values, other kinds of values, values of another row."""
    path = tmp_path / "x.ledger"
    filled(path)
    with sqlite3.connect(path) as connection:
        connection.executescript(script)
    connection.close()
    with pytest.raises(DataError, match="corrupt or no ledger") as refused:
        read_whole(path)
    assert 65 == refused.value.exit_status


def test_tables_of_another_shape_are_another_programs(tmp_path: Path) -> None:
    """Other columns."""
    for table in ("calls", "meta"):
        path = tmp_path / f"{table}.ledger"
        filled(path)
        with sqlite3.connect(path) as connection:
            connection.executescript(f"DROP TABLE {table}; CREATE TABLE {table} (x);")
        connection.close()
        with pytest.raises(DataError, match="belongs to another program or version"):
            read_whole(path)


@pytest.mark.parametrize("value", ["2026-01-01T00:00:00Z", ["a"], {"q": 5}, 5])
def test_named_values_of_another_kind_are_a_corrupt_ledger(tmp_path: Path, value: Any) -> None:
    """Whoever reads one says what it must be."""
    with open_ledger(tmp_path / "x.ledger") as ledger:
        ledger.set_meta({"tasks": value})
        with pytest.raises(DataError, match="corrupt or no ledger"):
            ledger.meta("tasks", dict[str, str])
