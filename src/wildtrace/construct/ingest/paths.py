"""The files that arguments name, those in folders and archives too; a file's size is looked at before it is read."""

from __future__ import annotations

import stat
import tarfile
import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from wildtrace.construct.ingest.formats import FORMATS
from wildtrace.construct.ingest.ingest import LARGEST_FILE
from wildtrace.errors import DataError

_SUFFIXES: Final = frozenset(suffix for each in FORMATS for suffix in each.suffixes)
_ZIP = (".zip",)
_TAR = (".tar", ".tgz", ".tar.gz", ".tar.bz2", ".tar.xz")
_MOST_MEMBERS = 100_000
_MOST_UNPACKED = 4 * LARGEST_FILE


@dataclass(frozen=True, slots=True)
class InputFile:
    """A file to be read; one in an archive has the archive's path and its name there for a path. `read`: DataError."""

    path: Path
    read: Callable[[], bytes]


def find_files(arguments: Sequence[Path], *, recursive: bool) -> Iterator[InputFile]:
    """Every file that the arguments name, in order; within a folder or an archive by name, those of known formats."""
    for path in arguments:
        if path.is_dir():
            yield from _in_folder(path, recursive=recursive)
        elif path.is_file() and _is_archive(path):
            yield from _in_archive(path)
        else:
            yield InputFile(path, lambda path=path: read_file(path))  # type: ignore[misc] # the default binds the path


def _is_archive(path: Path) -> bool:
    return path.name.lower().endswith((*_ZIP, *_TAR))


def _failing(path: Path, reason: str) -> InputFile:
    def fail() -> bytes:
        raise DataError(reason)

    return InputFile(path, fail)


def _in_folder(folder: Path, *, recursive: bool) -> Iterator[InputFile]:
    """The files of a folder, and of those in it where `recursive`; links that lead out of it are not followed."""
    root = folder.resolve()
    paths = folder.rglob("*") if recursive else folder.iterdir()
    has_files = False
    for path in sorted(paths):
        is_hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
        if is_hidden or not (path.suffix.lower() in _SUFFIXES or _is_archive(path)) or path.is_dir():
            continue
        has_files = True
        if not path.resolve().is_relative_to(root):
            yield _failing(path, f"{path} is a link that leads out of {folder}; name the file itself")
        elif _is_archive(path) and path.is_file():
            yield from _in_archive(path)
        else:
            yield InputFile(path, lambda path=path: read_file(path))  # type: ignore[misc] # the default binds the path
    if not has_files:
        hint = "" if recursive else ", or give --recursive for the folders in it"
        yield _failing(folder, f"{folder} is a folder without files of a known format; name others{hint}")


def _in_archive(path: Path) -> Iterator[InputFile]:
    """The files of known formats in an archive, by name; nothing is unpacked to disk."""
    try:
        names = sorted(_members(path))
    # zipfile, tarfile and the decompressors raise many kinds for broken archives.
    except Exception as error:
        yield _failing(path, f"{path} is no readable archive ({error}); fetch it again")
        return
    wanted = [name for name in names if PurePosixPath(name).suffix.lower() in _SUFFIXES]
    if not wanted:
        yield _failing(path, f"{path} is an archive without files of a known format; name another file")
    for name in wanted:
        yield InputFile(path / name, lambda name=name: _member(path, name))  # type: ignore[misc] # the default binds the name


def _members(path: Path) -> dict[str, int]:
    """The regular files of an archive with their sizes, as it states them. DataError where they are too many."""
    if path.name.lower().endswith(_ZIP):
        with zipfile.ZipFile(path) as archive:
            sizes = {each.filename: each.file_size for each in archive.infolist() if not each.is_dir()}
    else:
        with tarfile.open(path) as tar:
            sizes = {each.name: each.size for each in tar if each.isreg()}
    if len(sizes) > _MOST_MEMBERS or sum(sizes.values()) > _MOST_UNPACKED:
        raise DataError(f"more than {_MOST_MEMBERS} files or {_MOST_UNPACKED // 1_000_000_000} GB")
    return sizes


def _member(path: Path, name: str) -> bytes:
    """One file of an archive. DataError where it cannot be read or is too large."""
    try:
        if path.name.lower().endswith(_ZIP):
            with zipfile.ZipFile(path) as archive, archive.open(name) as entry:
                content = entry.read(LARGEST_FILE + 1)
        else:
            with tarfile.open(path) as tar:
                member = tar.extractfile(name)
                content = member.read(LARGEST_FILE + 1) if member is not None else b""
    except Exception as error:
        raise DataError(f"{path / name} cannot be read ({error}); fetch the archive again") from None
    if len(content) > LARGEST_FILE:
        raise _too_large(path / name)
    return content


def read_file(path: Path) -> bytes:
    """A file's bytes, also of one in an archive. DataError where it is too large or no regular file."""
    archive = next((parent for parent in path.parents if _is_archive(parent) and parent.is_file()), None)
    if archive is not None:
        return _member(archive, path.relative_to(archive).as_posix())
    try:
        status = path.stat()
        if stat.S_ISREG(status.st_mode):
            if status.st_size > LARGEST_FILE:
                raise _too_large(path)
            return path.read_bytes()
    except OSError as error:
        raise DataError(f"{path} cannot be read ({error.strerror}); name an existing file") from None
    if stat.S_ISDIR(status.st_mode):
        raise DataError(f"{path} is a folder; name the files in it")
    raise DataError(f"{path} is no regular file; write what it gives to one and name that")


def _too_large(path: Path) -> DataError:
    return DataError(f"{path} is larger than {LARGEST_FILE // 1_000_000} MB; split it and run again")
