"""Going on where an earlier run stopped, and refusing what another run made (decisions.md, rules 27 and 28).

An output and its ledger are one store. While a run goes on, what it finishes is in the ledger. When a run is complete,
its results file is on disk and holds every text, and the ledger hands its records over: it forgets them. What a file
would not hold any more when it is written anew (another `--limit`, a changed cap or answer, fewer tasks) goes back to
the ledger first. Keys are made of what the file says, so that each of its rows can be found by its call; how many calls
only the file has stands in the ledger, so that a file that is gone, or older, is not paid for again unasked.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Generic, Protocol, TypeVar

import msgspec

from wildtrace.calls.identity import refuse_changed_tasks, refuse_other_run
from wildtrace.calls.ledger import Ledger, ledger_path, open_ledger
from wildtrace.calls.provenance import now
from wildtrace.errors import DataError
from wildtrace.files import stands, state_of
from wildtrace.scores.results import ForeignFileError, ResponsesFile, ScoresFile, read_responses
from wildtrace.text.counting import counted
from wildtrace.types import OVERFLOW

Record = dict[str, Any]
File = TypeVar("File", ResponsesFile, ScoresFile)
Read_contra = TypeVar("Read_contra", contravariant=True)
_ONLY_IN_FILE: Final = "handed_over"


class Finder(Protocol[Read_contra]):
    """Finds the finished calls of a results file."""

    def beyond(self, ledger: Ledger, file: Read_contra) -> Iterator[tuple[bytes, Record]]:
        """Those that the ledger has not, as records by their keys. DataError where the file says too little."""
        ...


@dataclass(frozen=True, slots=True)
class Output(Generic[File]):
    """An output that is this process's alone: its ledger, open, and its results file, None where there is none."""

    path: Path
    ledger: Ledger
    file: File | None


@contextmanager
def open_output(path: Path, read: Callable[[Path], File]) -> Iterator[Output[File]]:
    """Open an output: its results file, refused before a ledger is made beside what is none, and its ledger.

    Raises what `read` and `open_ledger` raise.
    """
    seen = state_of(path)
    try:
        file = read(path) if stands(path) else None
    except ForeignFileError:
        kind = "responses" if read is read_responses else "scores"
        raise DataError(f"{path} exists and is no {kind} file; choose another --out") from None
    with open_ledger(ledger_path(path)) as ledger:
        if state_of(path) != seen:  # a process that held the ledger until now wrote it
            file = read(path) if stands(path) else None
        yield Output(path, ledger, file)


@dataclass(frozen=True, slots=True)
class Earlier:
    """What earlier runs left: the ledger, and by their keys the calls that only the results file has.

    `signature`, `tasks` (the prints of every task known) and `started` are what the ledger is to be signed with.
    """

    ledger: Ledger
    in_file: dict[bytes, Record]
    signature: Mapping[str, Any]
    tasks: Mapping[str, str]
    started: str

    def find(self, key: bytes, **wanted: type) -> Record | None:
        """The record of a finished call, or None. DataError where its fields are not of the kinds `wanted`."""
        found: Record | None = self.in_file.get(key) or self.ledger.find(key, **wanted)
        return found

    async def add(self, key: bytes, record: Record, *, instead: bool = False) -> Record:
        """Commit a finished call to the ledger; the record that counts for its key, as `Ledger.add` has it."""
        kept: Record = await self.ledger.add(key, record, instead=instead)
        self.in_file.pop(key, None)
        return kept

    def sign(self) -> None:
        """Sign the ledger, before a call is put into it."""
        self.ledger.put(meta=self._signed())

    def set_aside(self, standing: Collection[bytes]) -> None:
        """Keep in the ledger what the file holds and will not when it is written anew with the calls `standing`."""
        lost = [(key, record) for key, record in self.in_file.items() if key not in standing]
        if lost:
            meta = {**self._signed(), _ONLY_IN_FILE: len(self.in_file) - len(lost)}
            self.ledger.put(calls=lost, meta=meta, instead=True)

    def hand_over(self, standing: Collection[bytes], prints: Mapping[str, str]) -> None:
        """Let the ledger forget the calls `standing` in a complete file, on disk, that has the tasks of `prints`."""
        held = {key for key in standing if key in self.ledger}
        if held or (self.ledger.meta(_ONLY_IN_FILE) or 0) != len(standing):
            tasks = {question_id: mark for question_id, mark in self.tasks.items() if question_id not in prints}
            self.ledger.forget(held, meta={**self._signed(), "tasks": tasks, _ONLY_IN_FILE: len(standing)})

    def _signed(self) -> Record:
        return {"signature": dict(self.signature), "tasks": dict(self.tasks), "started": self.started}


def earlier_of(
    output: Output[File],
    finder: Finder[File],
    signed: Mapping[str, Any],
    prints: Mapping[str, str],
    parts: tuple[str, ...],
) -> Earlier:
    """What earlier runs left in an output. `parts` name what a print is made of.

    A run that finished no call leaves nothing to protect: a config that was mended goes on under its own name. Raises
    ConfigError, showing the difference, where the output was made under other settings or with other data, DataError
    where the file has less than the ledger handed over to it.
    """
    ledger, file, name = output.ledger, output.file, str(output.path)
    known = _meta(ledger, "tasks", dict[str, str]) or {}
    signature = _meta(ledger, "signature", dict[str, Any])
    started = _meta(ledger, "started", str)
    handed_over = _meta(ledger, _ONLY_IN_FILE, int) or 0
    held = len(ledger) or handed_over
    if held and signature is not None:
        refuse_other_run(name, signature, signed)
        refuse_changed_tasks(name, known, prints, parts)
    if file is None or not file.has_finished:
        _refuse_less(output, 0, handed_over)
        tasks = {**known, **prints} if held else prints
        return Earlier(ledger, {}, signed, tasks, (started if held else None) or now())
    refuse_other_run(name, file.provenance.get("signature", {}), signed)
    refuse_changed_tasks(name, file.provenance.get("tasks", {}), prints, parts)
    in_file = _first_of_each(output, finder)
    _refuse_less(output, sum(not is_overflow(record) for record in in_file.values()), handed_over)
    if not len(ledger):
        started = file.provenance.get("started")
    tasks = {**file.provenance.get("tasks", {}), **known, **prints}
    return Earlier(ledger, in_file, signed, tasks, started or now())


def _first_of_each(output: Output[File], finder: Finder[File]) -> dict[bytes, Record]:
    """The calls that only the file has; of two records of one call the first counts."""
    found: dict[bytes, Record] = {}
    if output.file is not None:
        try:
            for key, record in finder.beyond(output.ledger, output.file):
                found.setdefault(key, record)
        except DataError as error:
            raise DataError(f"{output.path}: {error}") from None
    return found


def is_overflow(record: Record | None) -> bool:
    """Whether a record is of an overflow, which lasts only as long as its cap and is handed over to no file."""
    said = record.get("response") if record is not None else None
    return isinstance(said, dict) and said.get("reason") == OVERFLOW


def _refuse_less(output: Output[File], found: int, handed_over: int) -> None:
    """DataError where the file has fewer calls beyond the ledger than that handed over to it."""
    if found >= handed_over:
        return
    has = "is gone, and with it" if output.file is None else f"holds {found} of"
    raise DataError(
        f"{output.path} {has} {counted(handed_over, 'finished call')} that its ledger handed over to it; restore the "
        f"file, or move {output.ledger.path} away to ask again what is not there"
    )


def _meta(ledger: Ledger, name: str, kind: Any) -> Any:
    """A named value of the ledger, or None; DataError where it is not of its kind."""
    value = ledger.meta(name)
    try:
        return value if value is None else msgspec.convert(value, kind)
    except msgspec.ValidationError:
        raise ledger.torn() from None
