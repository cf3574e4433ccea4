"""`wildtrace ingest` as a user runs it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.construct.ingest.files import book
from wildtrace.construct.workspace import open_workspace


def run(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run the command in a folder."""
    command = [sys.executable, "-m", "wildtrace", "ingest", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_files_are_ingested_and_failures_named_at_the_end(tmp_path: Path) -> None:
    """Good files are told with their facts, bad ones last, on the error stream, with exit 65 and no traceback."""
    (tmp_path / "a.md").write_text("# The Loss\n\nIt was a dark night and the sea was high.", encoding="utf-8")
    (tmp_path / "b.pdf").write_bytes(b"%PDF-1.7 torn")
    (tmp_path / "c.txt").write_text("那一日老爺吩咐眾人都到後面去。" * 9, encoding="cp950")
    done = run("a.md", "b.pdf", "c.txt", "--workspace", "w", folder=tmp_path)
    assert 65 == done.returncode
    assert ["a.md: added:", "c.txt: added:"] == [
        line[:13].strip() for line in done.stdout.splitlines() if ": added" in line
    ]
    assert "cp950 Hant zh" in done.stdout
    assert "removed: 1 piece of markup;" in done.stdout
    assert ("b.pdf", 1) == (done.stderr.split()[1], done.stderr.count("\n"))


def test_exit_statuses(tmp_path: Path) -> None:
    """Complete is 0, again is 0, usage is 64, a held workspace 75, an unwritable one 74."""
    (tmp_path / "a.txt").write_text("It was a dark night.", encoding="utf-8")
    assert 0 == run("a.txt", "--workspace", "w", "--family", "english_literature", folder=tmp_path).returncode
    again = run("a.txt", "--workspace", "w", "--family", "english_literature", folder=tmp_path)
    assert (0, True) == (again.returncode, "unchanged" in again.stdout)
    assert 64 == run("a.txt", folder=tmp_path).returncode
    assert 64 == run("a.txt", "--workspace", "w", "--family", "novels", folder=tmp_path).returncode
    with open_workspace(tmp_path / "w"):
        held = run("a.txt", "--workspace", "w", folder=tmp_path)
    assert (75, 1) == (held.returncode, held.stderr.count("\n"))
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert 74 == run("a.txt", "--workspace", "file/w", folder=tmp_path).returncode


def test_a_folder_among_files_stops_only_itself(tmp_path: Path) -> None:
    """An empty one is named at the end with 65, as a missing file is; the files beside it are in."""
    (tmp_path / "a.txt").write_text("It was a dark night.", encoding="utf-8")
    (tmp_path / "b").mkdir()
    done = run("b", "a.txt", "--workspace", "w", folder=tmp_path)
    assert (65, True) == (done.returncode, "a.txt: added" in done.stdout)
    assert (
        "wildtrace: b is a folder without files of a known format; name others, "
        "or give --recursive for the folders in it\n"
    ) == done.stderr


def test_a_file_that_is_read_in_part_is_in_and_gives_2(tmp_path: Path) -> None:
    """The part that is missing is named on the error stream; a file that failed beside it gives 65."""
    whole = book({"a.xhtml": "<p>It was a dark night.</p>", "b.xhtml": "<p>The sea was high.</p>"})
    (tmp_path / "b.epub").write_bytes(whole.replace(b"OPS/b.xhtml", b"OPS/x.xhtml"))
    done = run("b.epub", "--workspace", "w", folder=tmp_path)
    assert (2, True) == (done.returncode, "b.epub: added" in done.stdout)
    assert "its spine names 'i1', which is not in it" in done.stderr
    assert 65 == run("b.epub", "gone.txt", "--workspace", "v", folder=tmp_path).returncode


def test_folders_in_a_folder_are_read_where_that_is_asked_for(tmp_path: Path) -> None:
    """`--recursive`."""
    (tmp_path / "f" / "deeper").mkdir(parents=True)
    (tmp_path / "f" / "deeper" / "a.txt").write_text("It was a dark night.", encoding="utf-8")
    assert 65 == run("f", "--workspace", "w", folder=tmp_path).returncode
    done = run("f", "--recursive", "--workspace", "w", folder=tmp_path)
    assert (0, True) == (done.returncode, "f/deeper/a.txt: added" in done.stdout)
