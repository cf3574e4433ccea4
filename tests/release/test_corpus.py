"""Corpus files: inside the folder or nowhere."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from wildtrace.errors import DataError
from wildtrace.release.corpus import locate, locate_all

PARTS = st.lists(st.sampled_from(["..", ".", "a", "水", "/", "\\", "C:", "~", ""]), max_size=6).map("/".join)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(name=PARTS)
def test_what_is_located_is_inside(tmp_path: Path, name: str) -> None:
    """For any name: refused, or a path below the folder."""
    try:
        path = locate(tmp_path, name)
    except DataError:
        return
    assert path.resolve().is_relative_to(tmp_path.resolve())
    assert ".." not in path.parts


def test_files_in_folders_and_of_any_script_are_found(tmp_path: Path) -> None:
    """Once each, in the order first named; a corpus folder that is itself a link is fine."""
    folder = tmp_path / "real"
    (folder / "书").mkdir(parents=True)
    (folder / "书" / "一 卷.txt").write_text("x")
    (folder / "b.txt").write_text("x")
    link = tmp_path / "corpus"
    link.symlink_to(folder)
    assert ["书/一 卷.txt", "b.txt"] == list(locate_all(link, ["书/一 卷.txt", "b.txt", "书/一 卷.txt"]))


def test_missing_files_are_named_and_many_are_counted(tmp_path: Path) -> None:
    """Five by name; a folder of that name is no file."""
    (tmp_path / "f3").mkdir()
    with pytest.raises(DataError, match=r"lacks f0, f1, f2, f3, f4 and 2 more files"):
        locate_all(tmp_path, [f"f{n}" for n in range(7)])
    with pytest.raises(DataError, match=r"gone is no folder"):
        locate_all(tmp_path / "gone", ["a"])


def test_a_corpus_folder_that_stands_for_nothing_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A link to itself; a working folder that is gone."""
    circle = tmp_path / "circle"
    circle.symlink_to(circle)
    with pytest.raises(DataError, match="circle cannot be used"):
        locate(circle, "a.txt")
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    with pytest.raises(DataError, match="cannot be used"):
        locate_all(Path(), ["a.txt"])
    monkeypatch.chdir(tmp_path)
