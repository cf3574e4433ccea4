"""Whole-file writes."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from wildtrace.errors import DataError, OutputError
from wildtrace.files import exists, is_same, refuse_input, write_atomically


def test_a_file_is_written_whole_into_new_folders(tmp_path: Path) -> None:
    """Parts in order, nothing left beside it, readable as other files are."""
    path, plain = tmp_path / "a" / "b.json", tmp_path / "plain"
    write_atomically(path, [b"one", b"", b"two"])
    plain.touch()
    assert (b"onetwo", [path]) == (path.read_bytes(), list(path.parent.iterdir()))
    assert plain.stat().st_mode == path.stat().st_mode


def test_a_failure_changes_nothing(tmp_path: Path) -> None:
    """An error of the parts leaves the old file, and the next write succeeds."""
    path = tmp_path / "a.json"
    write_atomically(path, [b"old"])

    def parts() -> Iterator[bytes]:
        yield b"new"
        raise OSError(28, "No space left on device")

    with pytest.raises(OutputError, match=r"a\.json cannot be written \(No space left on device\)"):
        write_atomically(path, parts())
    assert (b"old", [path]) == (path.read_bytes(), list(tmp_path.iterdir()))
    write_atomically(path, [b"new"])
    assert b"new" == path.read_bytes()


def test_a_folder_in_its_place_is_an_output_error(tmp_path: Path) -> None:
    """The folder stays."""
    (tmp_path / "a.json").mkdir()
    with pytest.raises(OutputError, match=r"a\.json cannot be written"):
        write_atomically(tmp_path / "a.json", [b"x"])
    assert ["a.json"] == [entry.name for entry in tmp_path.iterdir()]


def test_an_output_stands_or_not(tmp_path: Path) -> None:
    """A file does; nothing, and what lies under a file, does not."""
    (tmp_path / "a").touch()
    assert [True, False, False] == [exists(tmp_path / name) for name in ("a", "b", "a/b")]


@pytest.mark.parametrize("there", [True, False])
def test_a_link_stays_and_what_it_points_to_is_written(tmp_path: Path, there: bool) -> None:
    """Through two links, into a folder that may not be there yet; nothing is left beside either."""
    target, link, second = tmp_path / "结果" / "r.json", tmp_path / "link.json", tmp_path / "second.json"
    link.symlink_to(Path("结果") / "r.json")
    second.symlink_to(link)
    if there:
        write_atomically(target, [b"old"])
    write_atomically(second, [b"new"])
    assert (b"new", True, True) == (target.read_bytes(), link.is_symlink(), second.is_symlink())
    assert [target] == list(target.parent.iterdir())
    assert {"结果", "link.json", "second.json"} == {entry.name for entry in tmp_path.iterdir()}


def test_a_link_that_leads_nowhere_is_an_output_error(tmp_path: Path) -> None:
    """One to itself."""
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    with pytest.raises(OutputError, match="loop cannot be written"):
        write_atomically(loop, [b"x"])
    assert loop.is_symlink()


def test_a_pipe_or_a_device_is_not_replaced(tmp_path: Path) -> None:
    """They are no files; nothing waits for a reader."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (pipe, Path("/dev/null")):
        with pytest.raises(OutputError, match="it is no file that can be replaced"):
            exists(path)
        with pytest.raises(OutputError, match="it is no file that can be replaced"):
            write_atomically(path, [b"x"])
    assert pipe.is_fifo()


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
