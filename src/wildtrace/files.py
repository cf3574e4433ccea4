"""Files: written whole or not at all, and never over a file that the same command reads."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterable
from pathlib import Path

from wildtrace.errors import DataError, OutputError, too_many_files


def exists(path: Path) -> bool:
    """Whether an output is there already.

    OutputError where its folder does not even let itself be looked into, and where what is there is a pipe or a device.
    """
    try:
        mode = path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise OutputError(f"{path} cannot be written ({error.strerror}); choose another output") from None
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        raise OutputError(f"{path} cannot be written (it is no file that can be replaced); choose another output")
    return True


def _sync_folder(folder: Path) -> None:
    """Bring a folder's entries to disk: a new file's name must outlive a power cut."""
    with contextlib.suppress(OSError):  # not every file system lets a folder be opened or synchronised
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def write_atomically(path: Path, parts: Iterable[bytes]) -> None:
    """Write a file beside `path`, bring it to disk, put it in place. OutputError, and nothing changed, on failure.

    Where `path` is a link, what it points to is written, and the link stays. The file beside it is called
    `.<name>.tmp`, always, so that the next write clears away what a kill left of this one.
    """
    target = Path(os.path.realpath(path))
    exists(target)
    temporary = target.with_name(f".{target.name}.tmp")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        temporary.unlink(missing_ok=True)
        with temporary.open("xb") as file:
            file.writelines(parts)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(target)
        _sync_folder(target.parent)
    except OSError as error:
        with contextlib.suppress(OSError):
            temporary.unlink()
        if (crowded := too_many_files(error)) is not None:
            raise crowded from None
        raise OutputError(
            f"{path} cannot be written ({error.strerror}); free the disk or choose another output, then run again"
        ) from None


def refuse_input(out: Path, inputs: Iterable[tuple[Path, str]]) -> None:
    """DataError where `out` is one of `inputs`, (path, what it is), by another name or through a link too."""
    for path, what in inputs:
        if is_same(out, path):
            raise DataError(f"{out} is {what}; name another file")


def is_same(one: Path, other: Path) -> bool:
    """Whether two paths lead to one file, which need not be there; hard links are one file."""
    if os.path.realpath(one) == os.path.realpath(other):
        return True
    try:
        return one.samefile(other)
    except (OSError, ValueError):
        return False
