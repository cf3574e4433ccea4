"""The corpus folder: which file a task means, and nothing outside (docs/protocol.md, rule 5)."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Final

from wildtrace.errors import DataError

LONGEST_SHOWN: Final = 100


def locate(corpus: Path, corpus_file: str) -> Path:
    """The path of a corpus file. DataError where it leaves the folder, by its name or through a link."""
    return _locate(corpus, _root(corpus), corpus_file)


def _root(corpus: Path) -> Path:
    """What the corpus folder's name stands for."""
    try:
        return corpus.resolve()
    except (OSError, RuntimeError):  # RuntimeError: links in a circle
        raise DataError(f"{corpus} cannot be used; name the release's corpus folder") from None


def _locate(corpus: Path, root: Path, corpus_file: str) -> Path:
    """The same where it is known what the folder's name stands for: to follow links costs more than all else here."""
    relative = PurePosixPath(corpus_file)
    windows = PureWindowsPath(corpus_file)
    outside = relative.is_absolute() or windows.drive or windows.root or ".." in (*relative.parts, *windows.parts)
    if outside or "\0" in corpus_file or not relative.parts:
        raise DataError(f"corpus_file {corpus_file!r} leaves the corpus folder; name a file inside {corpus}")
    path = corpus / relative
    try:
        inside = path.resolve().is_relative_to(root)
    except (OSError, RuntimeError):  # RuntimeError: links in a circle
        raise DataError(
            f"corpus_file {_shown(corpus_file)} cannot be used; put the file itself into {corpus}"
        ) from None
    if not inside:
        raise DataError(f"corpus_file {corpus_file!r} is a link out of {corpus}; put the file itself there")
    return path


def locate_all(corpus: Path, corpus_files: Iterable[str]) -> dict[str, Path]:
    """The path of every corpus file. DataError names the missing ones; nothing has been asked yet when it is raised."""
    if not os.path.isdir(corpus):  # noqa: PTH112 - where it may not be looked at, Path.is_dir raises
        raise DataError(f"{corpus} is no folder; name the release's corpus folder")
    root = _root(corpus)
    paths = {name: _locate(corpus, root, name) for name in dict.fromkeys(corpus_files)}
    missing = [name for name, path in paths.items() if not _is_file(corpus, path)]
    if missing:
        raise DataError(f"{corpus} lacks {_few(missing)}; restore the corpus, nothing was asked")
    return paths


def _is_file(corpus: Path, path: Path) -> bool:
    try:
        return path.is_file()
    except OSError as error:
        name = _shown(str(path.relative_to(corpus)))
        raise DataError(f"{corpus}: {name} cannot be read ({error.strerror}); restore the corpus") from None


def _shown(name: str) -> str:
    """A name in quotes, cut to fit a sentence."""
    return repr(name if len(name) <= LONGEST_SHOWN else f"{name[: LONGEST_SHOWN - 1]}…")


def _few(names: Sequence[str]) -> str:
    shown = ", ".join(name[:LONGEST_SHOWN] for name in names[:5])
    return shown if len(names) <= 5 else f"{shown} and {len(names) - 5} more files"
