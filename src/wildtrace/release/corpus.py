"""The corpus folder: which file a task means, and nothing outside (decisions.md, rule 5)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path, PurePosixPath, PureWindowsPath

from wildtrace.errors import DataError


def locate(corpus: Path, corpus_file: str) -> Path:
    """The path of a corpus file. DataError where it leaves the folder, by its name or through a link."""
    relative = PurePosixPath(corpus_file)
    windows = PureWindowsPath(corpus_file)
    outside = relative.is_absolute() or windows.drive or windows.root or ".." in (*relative.parts, *windows.parts)
    if outside or "\0" in corpus_file or not relative.parts:
        raise DataError(f"corpus_file {corpus_file!r} leaves the corpus folder; name a file inside {corpus}")
    path = corpus / relative
    if not path.resolve().is_relative_to(corpus.resolve()):
        raise DataError(f"corpus_file {corpus_file!r} is a link out of {corpus}; put the file itself there")
    return path


def locate_all(corpus: Path, corpus_files: Iterable[str]) -> dict[str, Path]:
    """The path of every corpus file. DataError names the missing ones; nothing has been asked yet when it is raised."""
    if not corpus.is_dir():
        raise DataError(f"{corpus} is no folder; name the release's corpus folder")
    paths = {name: locate(corpus, name) for name in dict.fromkeys(corpus_files)}
    missing = [name for name, path in paths.items() if not path.is_file()]
    if missing:
        raise DataError(f"{corpus} lacks {_few(missing)}; restore the corpus, nothing was asked")
    return paths


def _few(names: Sequence[str]) -> str:
    shown = ", ".join(names[:5])
    return shown if len(names) <= 5 else f"{shown} and {len(names) - 5} more files"
