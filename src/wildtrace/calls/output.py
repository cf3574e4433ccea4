"""An output: a results file and the ledger that it is made from (docs/protocol.md, rules 27 and 28).

The ledger is the truth of what was paid for, and the results file is made anew from it at the end of every run. A file
that was lost, cut or changed is therefore replaced; what a file has and its ledger lacks, as where the ledger was moved
away, is read back into the ledger first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from wildtrace.calls.identity import Identity
from wildtrace.calls.ledger import Ledger, ledger_path, open_ledger
from wildtrace.calls.progress import Progress
from wildtrace.calls.provenance import now
from wildtrace.calls.record import Record
from wildtrace.errors import CorruptFileError, DataError, ForeignFileError
from wildtrace.files import exists
from wildtrace.text.counting import counted


class ResultsFile(Protocol):
    """What is read of a results file, whatever it holds."""

    @property
    def provenance(self) -> dict[str, Any]:
        """How it came to be."""
        ...

    @property
    def has_finished(self) -> bool:
        """Whether it holds what a call was made for."""
        ...


File = TypeVar("File", bound=ResultsFile)


@dataclass(frozen=True, slots=True)
class Output(Generic[File]):
    """An output that is this process's alone; `file` is None where there is none that can be read."""

    path: Path
    ledger: Ledger
    file: File | None

    def claim(self, identity: Identity, only_in_file: Iterable[tuple[str, Record]], progress: Progress) -> str:
        """Make the output this run's; when it was started.

        `only_in_file` are the calls, by key, that the file has and the ledger lacks: they are read back into it. A run
        that finished no call leaves nothing to protect: a config that was mended goes on under its own name. Raises
        ConfigError, showing the difference, where the output was made under other settings or with other data.
        """
        tasks, started = dict(identity.tasks), None
        if self.file is not None and self.file.has_finished:
            provenance = self.file.provenance
            identity.refuse_other(str(self.path), provenance.get("signature", {}), provenance.get("tasks", {}))
            tasks = {**provenance.get("tasks", {}), **tasks}
            started = provenance.get("started")
        if is_new := not len(self.ledger):
            started = started or now()
        else:
            settings = self.ledger.meta("settings", dict[str, Any]) or {}
            earlier = self.ledger.meta("tasks", dict[str, str]) or {}
            identity.refuse_other(str(self.path), settings, earlier)
            tasks = {**earlier, **tasks}
            started = self.ledger.meta("started", str) or started or now()
        missing: dict[str, Record] = {}
        for key, record in only_in_file:
            missing.setdefault(key, record)
        signed = {"settings": dict(identity.settings), "tasks": tasks, "started": started}
        if any(self.ledger.meta(name, Any) != value for name, value in signed.items()):
            self.ledger.set_meta(signed)
        if missing:
            self.ledger.add_all((key, len(self.ledger.records(key)), record) for key, record in missing.items())
            if is_new:
                calls = counted(len(missing), "finished call is", "finished calls are")
                progress.say(
                    f"{self.ledger.path.name} was lost; {calls} read back into a new one from {self.path.name}."
                )
        return started


@contextmanager
def open_output(path: Path, read: Callable[[Path], File], kind: str, progress: Progress) -> Iterator[Output[File]]:
    """Open an output: its ledger, and its file as `read` reads it; `kind` is what the file holds.

    A file of another kind is refused before a ledger is made beside it. One that is cut or changed is passed over where
    the ledger can replace it. Raises what `read` and `open_ledger` raise.
    """
    if not exists(ledger_path(path)):
        _read(path, read, kind)
    with open_ledger(ledger_path(path)) as ledger:
        try:
            file = _read(path, read, kind)
        except CorruptFileError as error:
            if not len(ledger):
                raise
            file = None
            progress.say(f"{str(error).partition(';')[0]}; it is made anew from its ledger.")
        yield Output(path, ledger, file)


def _read(path: Path, read: Callable[[Path], File], kind: str) -> File | None:
    try:
        return read(path) if exists(path) else None
    except ForeignFileError:
        raise DataError(f"{path} exists and is no {kind} file; choose another --out") from None
