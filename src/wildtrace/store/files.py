"""Whole-file writes that are there or not there, never half."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable
from pathlib import Path

from wildtrace.errors import OutputError, too_many_files


def stands(path: Path) -> bool:
    """Whether an output is there already; OutputError where its folder does not even let itself be looked into."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise OutputError(f"{path} cannot be written ({error.strerror}); choose another output") from None
    return True


def write_atomically(path: Path, parts: Iterable[bytes]) -> None:
    """Write a file beside `path`, bring it to disk, put it in place. OutputError, and nothing changed, on failure.

    The file beside it is called `.<name>.tmp`, always, so that the next write clears away what a kill left of this one.
    """
    temporary = path.with_name(f".{path.name}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary.unlink(missing_ok=True)
        with temporary.open("xb") as file:
            file.writelines(parts)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            temporary.unlink()
        if (crowded := too_many_files(error)) is not None:
            raise crowded from None
        raise OutputError(
            f"{path} cannot be written ({error.strerror}); free the disk or choose another output, then run again"
        ) from None
