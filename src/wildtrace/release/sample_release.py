"""The sample release inside the package: three documents and 21 tasks, one per geometry and document.

Written for this project. It is small enough to read and to run without a key; it measures nothing about a model that
fits it into its window without effort.
"""

from __future__ import annotations

import shutil
from importlib import resources
from pathlib import Path

from wildtrace.errors import OutputError

FILES = ("tasks.json", "tasks.jsonl")


def sample_folder() -> Path:
    """Where the sample release is installed: `tasks.json`, `tasks.jsonl` and `corpus/`."""
    return Path(str(resources.files("wildtrace.release"))) / "sample"


def sample_data() -> Path:
    """The sample's tasks, in the nested form."""
    return sample_folder() / "tasks.json"


def sample_corpus() -> Path:
    """The folder of the sample's documents."""
    return sample_folder() / "corpus"


def copy_to(folder: Path) -> tuple[Path, ...]:
    """Copy the sample release to `folder`, made where it is missing; the paths written, or there already.

    Raises OutputError where a file of another content is in the way or the folder cannot be written.
    """
    sources = [*(sample_folder() / name for name in FILES), *sorted(sample_corpus().glob("*.txt"))]
    targets = [folder / source.relative_to(sample_folder()) for source in sources]
    try:
        for source, target in zip(sources, targets, strict=True):
            if target.exists() and target.read_bytes() != source.read_bytes():
                raise OutputError(f"{target} exists and is another file; choose an empty folder")
        for source, target in zip(sources, targets, strict=True):
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
    except OSError as error:
        raise OutputError(f"{folder} cannot be written ({error.strerror}); choose another folder") from error
    return tuple(targets)
