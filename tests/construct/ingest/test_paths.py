"""The files that arguments name: folders, archives, links and sizes."""

from __future__ import annotations

import io
import os
import tarfile
import zipfile
from pathlib import Path

import pytest

from wildtrace.construct.ingest import paths
from wildtrace.construct.ingest.ingest import LARGEST_FILE
from wildtrace.errors import DataError


def texts(*arguments: Path, recursive: bool = False) -> dict[str, str]:
    """What each file holds, or why it cannot be read, by its name."""
    found = {}
    for each in paths.find_files(arguments, recursive=recursive):
        try:
            found[each.path.name] = each.read().decode()
        except DataError as error:
            found[each.path.name] = str(error)
    return found


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a text, a hidden file, one of no known format, and a text in a folder in it."""
    made = tmp_path / "files"
    (made / "deeper").mkdir(parents=True)
    for name in ("a.txt", ".hidden.txt", "picture.png", "deeper/b.md"):
        (made / name).write_text(name, encoding="utf-8")
    return made


def test_a_folder_stands_for_its_files_of_known_formats(folder: Path) -> None:
    """Those of the folders in it only where that is asked for; hidden files never."""
    assert {"a.txt": "a.txt"} == texts(folder)
    assert {"a.txt": "a.txt", "b.md": "deeper/b.md"} == texts(folder, recursive=True)


def test_a_link_that_leads_out_of_a_folder_is_not_followed(folder: Path, tmp_path: Path) -> None:
    """It is named; one that stays in the folder is read."""
    (tmp_path / "secret.txt").write_text("secret", encoding="utf-8")
    (folder / "out.txt").symlink_to(tmp_path / "secret.txt")
    (folder / "within.txt").symlink_to(folder / "a.txt")
    found = texts(folder)
    assert "a.txt" == found["within.txt"]
    assert f"{folder / 'out.txt'} is a link that leads out of {folder}; name the file itself" == found["out.txt"]


@pytest.mark.parametrize("suffix", [".zip", ".tar", ".tar.gz"])
def test_an_archive_stands_for_its_files_of_known_formats(tmp_path: Path, suffix: str) -> None:
    """In order of their names; each is found again by its path in the archive."""
    path = tmp_path / f"works{suffix}"
    entries = {"d/b.txt": b"second", "a.md": b"first", "c.png": b"picture"}
    if suffix == ".zip":
        with zipfile.ZipFile(path, "w") as made:
            for name, content in entries.items():
                made.writestr(name, content)
    else:
        with tarfile.open(path, "w:gz" if suffix.endswith("gz") else "w") as tar:
            for name, content in entries.items():
                member = tarfile.TarInfo(name)
                member.size = len(content)
                tar.addfile(member, io.BytesIO(content))
    assert [("a.md", "first"), ("b.txt", "second")] == list(texts(path).items())
    assert b"second" == paths.read_file(path / "d" / "b.txt")


def test_a_link_in_an_archive_is_no_file(tmp_path: Path) -> None:
    """Nothing outside the archive is read through it."""
    path = tmp_path / "works.tar"
    with tarfile.open(path, "w") as tar:
        link = tarfile.TarInfo("a.txt")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/hostname"
        tar.addfile(link)
    assert {"works.tar": f"{path} is an archive without files of a known format; name another file"} == texts(path)


def test_a_broken_archive_is_named(tmp_path: Path) -> None:
    """In one sentence."""
    (tmp_path / "works.zip").write_bytes(b"PK torn")
    assert "is no readable archive" in texts(tmp_path / "works.zip")["works.zip"]


def test_a_files_size_is_looked_at_before_it_is_read(tmp_path: Path) -> None:
    """A file of holes with more bytes than are read is refused without reading them."""
    path = tmp_path / "large.txt"
    path.touch()
    os.truncate(path, LARGEST_FILE + 1)
    assert {"large.txt": f"{path} is larger than 500 MB; split it and run again"} == texts(path)
