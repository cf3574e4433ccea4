"""Whole-file writes that are there or not there, never half."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path

from wildtrace.errors import OutputError


def write_atomically(path: Path, parts: Iterable[bytes]) -> None:
    """Write a file beside `path`, bring it to disk, put it in place. OutputError, and nothing changed, on failure."""
    temporary: Path | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".tmp", dir=path.parent)
        temporary = Path(name)
        with os.fdopen(handle, "wb") as file:
            file.writelines(parts)
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(path)
        temporary = None
    except OSError as error:
        raise OutputError(
            f"{path} cannot be written ({error.strerror}); free the disk or choose another output, then run again"
        ) from None
    finally:
        if temporary is not None:
            with contextlib.suppress(OSError):
                temporary.unlink()


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current
