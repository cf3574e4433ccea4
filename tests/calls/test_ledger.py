"""The call ledger: committed means on disk, one holder at a time, the first of two records counts."""

from __future__ import annotations

import asyncio
import random
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from wildtrace.calls.ledger import Ledger, ledger_path, open_ledger
from wildtrace.errors import BusyError, DataError, OutputError

TEXT = st.text(st.characters(exclude_categories=["Cs"]))
RECORD = st.dictionaries(
    TEXT, st.none() | st.booleans() | st.integers(-(2**53), 2**53) | TEXT | st.lists(TEXT), max_size=4
)


def test_it_stands_beside_its_output(tmp_path: Path) -> None:
    """With its whole name, so that two outputs never share one."""
    assert tmp_path / "a.json.ledger" == ledger_path(tmp_path / "a.json")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25)
@given(records=st.lists(st.tuples(st.binary(min_size=1, max_size=4), RECORD), max_size=8))
def test_what_was_added_is_there_when_it_is_opened_again(
    tmp_path_factory: pytest.TempPathFactory, records: list[tuple[bytes, dict[str, object]]]
) -> None:
    """Any records under any keys, one by one or together; of two under one key the first, and callers are told so."""
    path = tmp_path_factory.mktemp("ledger") / "x.ledger"
    held = dict(reversed(records))

    async def add_all(ledger: Ledger) -> None:
        for key, record in records:
            assert held[key] == await ledger.add(key, record)

    with open_ledger(path) as ledger:
        asyncio.run(add_all(ledger))
        ledger.put(calls=[(key, {"late": 1}) for key in held])
        assert held == {key: ledger.find(key) for key in held}
        ledger.put(meta={"signature": {"a": 1}}, calls=[(b"another", {"水": None})])
    with open_ledger(path) as ledger:
        assert {**held, b"another": {"水": None}} == {key: ledger.find(key) for key in {**held, b"another": None}}
        assert (len({**held, b"another": 0}), {"a": 1}) == (len(ledger), ledger.meta("signature"))
        assert ledger.find(b"never") is None
        assert ledger.meta("never") is None


async def test_a_call_returns_when_another_reader_can_see_it(tmp_path: Path) -> None:
    """A copy of the files at that moment holds the record: it is not only in this process."""
    path = tmp_path / "x.ledger"
    with open_ledger(path) as ledger:
        await asyncio.gather(*(ledger.add(bytes([n]), {"n": n}) for n in range(50)))
        copy = tmp_path / "copy"
        copy.mkdir()
        for name in ("x.ledger", "x.ledger-wal"):
            shutil.copy(tmp_path / name, copy)
        with open_ledger(copy / "x.ledger") as other:
            assert [{"n": n} for n in range(50)] == [other.find(bytes([n])) for n in range(50)]


async def test_of_records_that_come_together_under_one_key_the_first_counts(tmp_path: Path) -> None:
    """In one commit or in several, by calls or at once; the file holds one row a key."""
    path = tmp_path / "x.ledger"
    with open_ledger(path) as ledger:
        told = await asyncio.gather(*(ledger.add(b"k", {"n": n}) for n in range(20)))
        assert [{"n": 0}] * 20 == told
        ledger.put(calls=[(b"m", {"n": 1}), (b"m", {"n": 2})])
        assert {"n": 1} == ledger.find(b"m")
    with sqlite3.connect(path) as connection:
        assert [(b"k",), (b"m",)] == connection.execute("SELECT key FROM calls ORDER BY key").fetchall()
    connection.close()


async def test_a_record_takes_anothers_place_only_where_that_is_said(tmp_path: Path) -> None:
    """An overflow that was asked again under another cap; on disk too."""
    path = tmp_path / "x.ledger"
    with open_ledger(path) as ledger:
        await ledger.add(b"k", {"n": 0})
        assert {"n": 0} == await ledger.add(b"k", {"n": 1})
        assert {"n": 2} == await ledger.add(b"k", {"n": 2}, instead=True)
        assert {"n": 2} == ledger.find(b"k")
        assert 1 == len(ledger)
    with open_ledger(path) as ledger:
        assert {"n": 2} == ledger.find(b"k")


def test_of_two_rows_under_one_key_in_a_file_the_first_counts(tmp_path: Path) -> None:
    """As an earlier version may have left them."""
    path = tmp_path / "x.ledger"
    with open_ledger(path) as ledger:
        ledger.put(calls=[(b"a", {"n": 1}), (b"b", {"n": 2})])
    with sqlite3.connect(path) as connection:
        connection.execute("INSERT INTO calls (key, record) SELECT x'61', record FROM calls WHERE key = x'62'")
    connection.close()
    with open_ledger(path) as ledger:
        assert {"n": 1} == ledger.find(b"a")


async def test_a_cancelled_caller_loses_no_record(tmp_path: Path) -> None:
    """What was handed over is committed, and settling waits for it."""
    with open_ledger(tmp_path / "x.ledger") as ledger:
        task = asyncio.create_task(ledger.add(b"k", {"a": 1}))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await ledger.settle()
        assert {"a": 1} == ledger.find(b"k")


@pytest.mark.timeout(60)
@pytest.mark.parametrize("failure", [MemoryError("no room"), RuntimeError("odd")])
async def test_whatever_fails_in_a_commit_is_told_to_every_caller(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failure: Exception
) -> None:
    """Nobody waits for ever, and what is added later is committed."""
    with open_ledger(tmp_path / "x.ledger") as ledger:
        with monkeypatch.context() as broken:
            broken.setattr(Ledger, "_insert", lambda *_: (_ for _ in ()).throw(failure))
            told = await asyncio.gather(*(ledger.add(bytes([n]), {}) for n in range(3)), return_exceptions=True)
        assert [failure] * 3 == told
        await ledger.settle()
        assert {"a": 1} == await ledger.add(b"k", {"a": 1})
        assert (b"\0" in ledger, 1) == (False, len(ledger))


@pytest.mark.timeout(60)
async def test_a_writer_that_is_stopped_lets_its_callers_go(tmp_path: Path) -> None:
    """Cancelled while it writes: who waits for it is cancelled too."""
    with open_ledger(tmp_path / "x.ledger") as ledger:
        before = asyncio.all_tasks()
        caller = asyncio.create_task(ledger.add(b"k", {}))
        for _ in range(2):
            await asyncio.sleep(0)
        (writer,) = asyncio.all_tasks() - before - {caller}
        writer.cancel()
        with pytest.raises(asyncio.CancelledError):
            await caller


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
    foreign, newer, torn = tmp_path / "foreign", tmp_path / "newer", tmp_path / "torn"
    with sqlite3.connect(foreign) as connection:
        connection.execute("CREATE TABLE t (a)")
    connection.close()
    with open_ledger(newer) as ledger:
        ledger.put(meta={"format": "wildtrace.ledger/1"})
    torn.write_bytes(b"something else entirely " * 100)
    for path, said in (
        (foreign, "another program or version"),
        (newer, "another program or version"),
        (torn, "torn or no ledger"),
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


def test_document_facts_are_replaced_as_a_whole(tmp_path: Path) -> None:
    """What is no longer named is forgotten."""
    with open_ledger(tmp_path / "x.ledger") as ledger:
        assert {} == ledger.documents()
        ledger.put_documents({"a\0stamp": {"chars": 1}, "水\0stamp": {"chars": 2}})
        ledger.put_documents({"水\0stamp": {"chars": 3}})
        assert {"水\0stamp": {"chars": 3}} == ledger.documents()


def test_what_it_forgets_it_does_not_take_room_for(tmp_path: Path) -> None:
    """Nor does it find it, then or when opened again; the rest stays, and what was said with it."""
    path = tmp_path / "x.ledger"
    chance = random.Random(3)
    calls = [(b"%d" % n, {"response": chance.randbytes(500).hex()}) for n in range(90)]
    with open_ledger(path) as ledger:
        ledger.put(calls=calls)
    large = path.stat().st_size
    with open_ledger(path) as ledger:
        ledger.forget({key for key, _ in calls[1:]} | {b"never"}, meta={"handed_over": 89})
        assert (1, calls[0][1], None) == (len(ledger), ledger.find(b"0"), ledger.find(b"7"))
        ledger.put(calls=[(b"7", {"n": 7})])
    assert large > 10 * path.stat().st_size
    with open_ledger(path) as ledger:
        assert (2, calls[0][1], {"n": 7}) == (len(ledger), ledger.find(b"0"), ledger.find(b"7"))
        assert 89 == ledger.meta("handed_over")


def test_where_it_cannot_forget_it_keeps(tmp_path: Path) -> None:
    """A full disk at that moment loses nothing and stops nothing."""
    path = tmp_path / "x.ledger"
    with open_ledger(path) as ledger:
        ledger.put(calls=[(b"k", {"n": 1})])
        ledger._connection.execute("PRAGMA query_only=1")
        ledger.forget({b"k"}, meta={"handed_over": 1})
        assert {"n": 1} == ledger.find(b"k")
    with open_ledger(path) as ledger:
        assert ({"n": 1}, None) == (ledger.find(b"k"), ledger.meta("handed_over"))


def filled(path: Path) -> bytes:
    """A ledger's bytes, with enough in every table for several pages."""
    with open_ledger(path) as ledger:
        calls = [(b"%016d" % n, {"response": {"status": "ok", "response": f"{n} 水 " * 40}}) for n in range(60)]
        ledger.put(meta={"signature": {"a": 1}, "tasks": {f"q{n}": f"{n:x}" for n in range(60)}}, calls=calls)
        ledger.put_documents({f"{n}\0stamp": {"chars": n} for n in range(60)})
    return path.read_bytes()


def read_whole(path: Path) -> list[Any]:
    """Everything that a run reads of a ledger, and a write."""
    with open_ledger(path) as ledger:
        said: list[Any] = [ledger.meta(name) for name in ("signature", "tasks")]
        said += [ledger.documents(), *(ledger.find(b"%016d" % n) for n in range(60))]
        ledger.put(meta={"started": "now"}, calls=[(b"new", {"a": 1})])
        ledger.put_documents({"a": {"chars": 1}})
    return said


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
            said = read_whole(path)
        except DataError:
            refused += 1
        else:
            for value in said:
                assert value is None or isinstance(value, dict)
            assert all(one in (two, None) for one, two in zip(said[3:], true[3:], strict=True))
    assert refused > 100


@pytest.mark.parametrize(
    "script",
    [
        "DROP TABLE calls; CREATE TABLE calls (x);",
        "DROP TABLE meta; CREATE TABLE meta (x);",
        "DELETE FROM meta WHERE name = 'tasks'; INSERT INTO meta VALUES ('tasks', 'text');",
        "DROP TABLE calls; CREATE TABLE calls (id INTEGER PRIMARY KEY, key, record); INSERT INTO calls VALUES (1,2,3)",
        "UPDATE calls SET record = 5;",
        "UPDATE calls SET record = x'';",
        "UPDATE calls SET key = 'text';",
        "UPDATE calls SET record = (SELECT value FROM meta WHERE name = 'format');",
        "UPDATE meta SET value = 'text' WHERE name = 'documents';",
        "UPDATE meta SET value = CAST(x'ff' AS TEXT) WHERE name = 'documents';",
        "UPDATE meta SET value = (SELECT value FROM meta WHERE name = 'format') WHERE name = 'documents';",
    ],
)
def test_tables_of_another_shape_are_a_torn_ledger(tmp_path: Path, script: str) -> None:
    """Other columns, other kinds of values, values of another table."""
    path = tmp_path / "x.ledger"
    filled(path)
    with sqlite3.connect(path) as connection:
        connection.executescript(script)
    connection.close()
    with pytest.raises(DataError, match="torn or no ledger") as refused:
        read_whole(path)
    assert 65 == refused.value.exit_status


def test_a_record_has_the_fields_that_are_read(tmp_path: Path) -> None:
    """Of their kinds; what is not asked for may be anything."""
    with open_ledger(tmp_path / "x.ledger") as ledger:
        ledger.put(calls=[(b"k", {"reply": "a", "cut": True})])
        assert {"reply": "a", "cut": True} == ledger.find(b"k", reply=str)
        for wanted in ({"reply": bool}, {"cut": str}, {"sent_at": float}):
            with pytest.raises(DataError, match="torn or no ledger"):
                ledger.find(b"k", **wanted)
