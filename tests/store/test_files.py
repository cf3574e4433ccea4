"""Whole-file writes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from wildtrace.errors import OutputError
from wildtrace.store.files import stands, write_atomically


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
    assert [True, False, False] == [stands(tmp_path / name) for name in ("a", "b", "a/b")]
