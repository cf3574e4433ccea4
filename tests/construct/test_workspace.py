"""The workspace: what was committed is there, one process holds it, foreign and torn files are told apart."""

from __future__ import annotations

import hashlib
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import text

from wildtrace.construct import evidence
from wildtrace.construct.workspace import FILE, Holding, Workspace, open_workspace
from wildtrace.errors import BusyError, DataError, OutputError
from wildtrace.types import (
    ListItem,
    Matter,
    Note,
    PageStart,
    Range,
    Row,
    Section,
    Source,
    SourceTable,
    Structure,
    Trail,
    Window,
)

HOLD = (
    "import sys, time; from pathlib import Path; from wildtrace.construct.workspace import open_workspace\n"
    "with open_workspace(Path(sys.argv[1]), create=True):\n    print('held', flush=True); time.sleep(60)\n"
)


STRUCTURE = Structure(
    sections=(Section(0, 7, 1, Range(0, 2), "某文", "1"),),
    paragraphs=(Range(3, 7),),
    sentences=(Range(3, 7),),
    items=(ListItem(3, 7, "-", 2),),
    tables=(SourceTable(3, 7, (Row(3, 7, (Range(3, 7),)),), Row(3, 7, ())),),
    notes=(Note(3, 7, "3", 2), Note(3, 7, "*")),
    pages=(PageStart(0, "iv"),),
    matter=(Matter("note", 0, 2),),
)


def holding(source_id: str = "a", path: str = "/f/a.txt", content: str = "某文 text") -> Holding:
    """A source to put."""
    digest = hashlib.sha256(content.encode()).hexdigest()
    source = Source(source_id, "a.txt", "标题", None, "zh", "Hans", "utf-8", "L0", 5, len(content), digest, "1" * 64)
    windows = (
        Window(f"w2{source_id}", source_id, 2, 5, 0.2, "L0"),
        Window(f"w1{source_id}", source_id, 0, 4, 0.0, "L0"),
    )
    origin = {"map": {"starts": [0], "origins": [0], "copied": [True]}, "parts": [], "removed": [], "broken": 0}
    return Holding(source, path, content, STRUCTURE, windows, {"unwrap": False}, origin)


def test_what_was_put_comes_back(tmp_path: Path) -> None:
    """Source, text, matter, windows in order, settings and origin, after closing and opening again."""
    put = holding()
    with open_workspace(tmp_path / "w", create=True) as workspace:
        workspace.put(put)
    with open_workspace(tmp_path / "w") as workspace:
        assert [put.source] == workspace.sources()
        assert put.source == workspace.source("a")
        assert put.text == workspace.text("a")
        assert put.structure == workspace.structure("a")
        assert put.structure.matter == workspace.matter("a")
        assert tuple(reversed(put.windows)) == workspace.windows("a")
        assert put.origin == workspace.origin("a")
        assert [(put.source, put.path, put.settings)] == [
            (kept.source, kept.path, kept.settings) for kept in workspace.kept()
        ]


def test_sources_keep_their_order_and_replace_by_path(tmp_path: Path) -> None:
    """Sources come in the order of adding; a new text of one path takes the old one's windows and matter away."""
    with open_workspace(tmp_path, create=True) as workspace:
        workspace.put(holding("b", "/f/b.txt"))
        workspace.put(holding("a", "/f/a.txt"))
        assert ["b", "a"] == [source.id for source in workspace.sources()]
        workspace.put(holding("c", "/f/b.txt", "another text"))
        assert ["a", "c"] == [source.id for source in workspace.sources()]
        assert () == workspace.windows("b")
        assert 2 == len(workspace.windows("c"))


def test_a_transaction_is_whole_or_nothing(tmp_path: Path) -> None:
    """What fails within a transaction leaves the workspace as it was, and the workspace goes on."""

    def fail_halfway(workspace: Workspace) -> None:
        with workspace.transaction() as connection:
            connection.execute(text("DELETE FROM sources"))
            raise RuntimeError

    with open_workspace(tmp_path, create=True) as workspace:
        workspace.put(holding())
        with pytest.raises(RuntimeError):
            fail_halfway(workspace)
        assert ["a"] == [source.id for source in workspace.sources()]
        workspace.put(holding("b", "/f/b.txt"))
        assert 2 == len(workspace.sources())


def test_a_missing_workspace_and_a_missing_source_are_named(tmp_path: Path) -> None:
    """Opening creates nothing unless asked; an unknown id is one sentence."""
    with pytest.raises(DataError, match="is no workspace"), open_workspace(tmp_path / "none"):
        pass
    assert not (tmp_path / "none").exists()
    with open_workspace(tmp_path, create=True) as workspace, pytest.raises(DataError, match="no source 'x'"):
        workspace.source("x")


@pytest.mark.timeout(60)
def test_a_second_process_is_told_so(tmp_path: Path) -> None:
    """While one process holds the workspace another is refused at once; when it is killed, it is free again."""
    holder = subprocess.Popen([sys.executable, "-c", HOLD, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    try:
        assert holder.stdout is not None
        assert "held\n" == holder.stdout.readline()
        with pytest.raises(BusyError, match="in use by another process"), open_workspace(tmp_path):
            pass
    finally:
        holder.send_signal(signal.SIGKILL)
        holder.communicate()
    with open_workspace(tmp_path) as workspace:
        assert [] == workspace.sources()


def test_a_kill_while_writing_leaves_what_was_committed(tmp_path: Path) -> None:
    """A process killed inside a transaction leaves the sources committed before, and nothing of the open one."""
    script = (
        "import os, sys; sys.path.insert(0, os.getcwd()); from pathlib import Path; from sqlalchemy import text\n"
        "from tests.construct.test_workspace import holding; from wildtrace.construct.workspace import open_workspace\n"
        "with open_workspace(Path(sys.argv[1]), create=True) as w:\n"
        "    w.put(holding())\n"
        "    with w.transaction() as c:\n"
        "        c.execute(text('DELETE FROM windows')); os.kill(os.getpid(), 9)\n"
    )
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", script, str(tmp_path)], cwd=root, check=False)
    assert -signal.SIGKILL == done.returncode
    with open_workspace(tmp_path) as workspace:
        assert ["a"] == [source.id for source in workspace.sources()]
        assert 2 == len(workspace.windows("a"))


def test_torn_foreign_and_other_versions_files_are_told_apart(tmp_path: Path) -> None:
    """No database, another program's database, a database of a later version: each has its sentence."""
    (tmp_path / "torn").mkdir()
    (tmp_path / "torn" / FILE).write_bytes(b"SQLite format 3\x00" + b"\xff" * 5000)
    with pytest.raises(DataError, match="torn or no workspace"), open_workspace(tmp_path / "torn"):
        pass
    (tmp_path / "foreign").mkdir()
    with sqlite3.connect(tmp_path / "foreign" / FILE) as connection:
        connection.execute("CREATE TABLE other (x)")
    connection.close()
    with pytest.raises(DataError, match="another program"), open_workspace(tmp_path / "foreign", create=True):
        pass
    with open_workspace(tmp_path / "later", create=True) as workspace, workspace.transaction() as opened:
        opened.execute(text("UPDATE meta SET value = '999'"))
    with pytest.raises(DataError, match="another version"), open_workspace(tmp_path / "later"):
        pass


@pytest.mark.parametrize("part", range(1, 16))
def test_a_file_that_is_damaged_anywhere_is_said_to_be_torn(tmp_path: Path, part: int) -> None:
    """Eight kilobytes overwritten, at each sixteenth of the file: one sentence, at opening or at reading."""
    lines = {str(number): hashlib.sha256(str(number).encode()).hexdigest() for number in range(20_000)}
    put = replace(holding(content="\n".join(f"水 {line}" for line in lines.values())), origin={"map": lines})
    with open_workspace(tmp_path, create=True) as workspace:
        workspace.put(put)
    path = tmp_path / FILE
    with path.open("r+b") as file:
        file.seek(path.stat().st_size * part // 16)
        file.write(b"\x9c\xff" * 4096)

    def read() -> None:
        with open_workspace(tmp_path) as workspace:
            workspace.text("a")
            workspace.origin("a")

    with pytest.raises(DataError, match="is torn or no workspace; restore it"):
        read()


READERS: dict[str, Callable[[Workspace], object]] = {
    "sources.settings": lambda opened: opened.kept(),
    "sources.text": lambda opened: opened.text("a"),
    "sources.origin": lambda opened: opened.origin("a"),
    "window_records.records": lambda opened: evidence.all_windows(opened, "a"),
    "window_records.records ": lambda opened: evidence.windows_done(opened, "a", "me"),
    "graphs.entities": lambda opened: evidence.graph_of(opened, opened.source("a")),
    "graphs.edges": lambda opened: evidence.graph_of(opened, opened.source("a")),
    "graphs.reports": lambda opened: evidence.graph_of(opened, opened.source("a")),
    "graphs.reports ": lambda opened: evidence.reports_of(opened, opened.source("a")),
    "trails.body": lambda opened: evidence.trails_of(opened, opened.source("a")),
    "trails.body ": lambda opened: evidence.trail_by_id(opened, "t1"),
}


@pytest.mark.parametrize("place", READERS)
@pytest.mark.parametrize("value", ["x'fffe'", "CAST(x'fffe' AS TEXT)", "'{'", "'字'"])
def test_a_value_that_cannot_be_read_is_one_sentence(tmp_path: Path, place: str, value: str) -> None:
    """Whatever stands in its place: bytes, bytes that are no text, a beginning of JSON, another text."""
    table, column = place.strip().split(".")
    with open_workspace(tmp_path, create=True) as workspace:
        workspace.put(holding())
        evidence.put_windows(workspace, "a", "me", [(0, b"records")])
        trail = Trail("t1", "a", "forward", (), (), 0.5, {})
        evidence.put_graph(workspace, "a", evidence.KeptGraph("me", b"", b"", ()), [trail])
        with workspace.transaction() as connection:
            connection.exec_driver_sql(f"UPDATE {table} SET {column} = {value}")  # noqa: S608 - our own names
        with pytest.raises(DataError, match="is torn or no workspace; restore it"):
            READERS[place](workspace)
        workspace.put(holding("b", "/f/b.txt"))


def test_a_read_within_a_transaction_leaves_it_whole(tmp_path: Path) -> None:
    """Of the workspace and of its evidence: what was written before and after it is committed together."""
    with open_workspace(tmp_path, create=True) as workspace:
        workspace.put(holding())
        with workspace.transaction() as connection:
            connection.execute(text("UPDATE sources SET title = 'x'"))
            assert (None, "x") == (evidence.graph_made_by(workspace, "a"), workspace.source("a").title)
            assert [] == evidence.trail_ids(workspace)
        assert "x" == workspace.source("a").title


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes anywhere")
def test_a_folder_that_takes_no_file_is_an_output_error(tmp_path: Path) -> None:
    """A folder without write permission is named."""
    tmp_path.chmod(0o500)
    with pytest.raises(OutputError, match="cannot be written"), open_workspace(tmp_path / "w", create=True):
        pass


def test_a_file_in_the_folders_place_is_an_output_error(tmp_path: Path) -> None:
    """Where a file stands in the way of the folder, the sentence says what cannot be written."""
    (tmp_path / "w").write_text("", encoding="utf-8")
    with pytest.raises(OutputError, match="cannot be written"), open_workspace(tmp_path / "w", create=True):
        pass
