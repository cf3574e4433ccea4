"""Whether a file that is to be written is one that the same command reads: it would be lost."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from wildtrace.errors import DataError


def refuse_input(out: Path, inputs: Iterable[tuple[Path, str]]) -> None:
    """DataError where `out` is one of `inputs`, (path, what it is), by another name or through a link too."""
    for path, what in inputs:
        if is_same(out, path):
            raise DataError(f"{out} is {what}; name another file")


def refuse_inside(out: Path, folder: Path, what: str) -> None:
    """DataError where `out` would stand in a folder whose files are the program's own."""
    real = Path(os.path.realpath(folder))
    if real in (at := Path(os.path.realpath(out)), *at.parents):
        raise DataError(f"{out} is {what}; name another file")


def is_same(one: Path, other: Path) -> bool:
    """Whether two paths lead to one file, which need not be there; hard links are one file."""
    if os.path.realpath(one) == os.path.realpath(other):
        return True
    try:
        return one.samefile(other)
    except (OSError, ValueError):
        return False
