"""An output that is also an input is refused, however its path is spelt."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from wildtrace.errors import DataError
from wildtrace.outputs import is_same, refuse_input, refuse_inside


def test_one_file_under_other_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A relative path, a detour, a symbolic and a hard link lead to one file; another file is another."""
    book = tmp_path / "book.txt"
    book.write_text("words", encoding="utf-8")
    (tmp_path / "folder").mkdir()
    (tmp_path / "soft.txt").symlink_to(book)
    os.link(book, tmp_path / "hard.txt")
    monkeypatch.chdir(tmp_path)
    spelt = [Path("book.txt"), tmp_path / "folder" / ".." / "book.txt", Path("soft.txt"), Path("hard.txt")]
    assert [True] * 4 == [is_same(one, book) for one in spelt]
    (tmp_path / "copy.txt").write_text("words", encoding="utf-8")
    assert not is_same(tmp_path / "copy.txt", book)


def test_a_file_that_is_not_there_yet(tmp_path: Path) -> None:
    """What SQLite would keep beside a file is refused before it is there; a missing folder is no failure."""
    with pytest.raises(DataError, match=r"a-wal is the workspace itself; name another file"):
        refuse_input(tmp_path / "a-wal", [(tmp_path / "." / "a-wal", "the workspace itself")])
    refuse_input(tmp_path / "no" / "b", [(tmp_path / "a", "the workspace itself")])


def test_a_folder_of_the_program(tmp_path: Path) -> None:
    """Every depth of it is refused, through a link too; its neighbours with a longer name are not."""
    (tmp_path / "own").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "own")
    for out in (tmp_path / "own" / "x", tmp_path / "link" / "y" / "x", tmp_path / "own"):
        with pytest.raises(DataError, match="in there; name another file"):
            refuse_inside(out, tmp_path / "own", "in there")
    refuse_inside(tmp_path / "own.jsonl", tmp_path / "own", "in there")
