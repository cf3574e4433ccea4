"""One document through extraction, linking and mining: the pure steps that a flow puts together.

`survey_task` and `read_task` are what processes are given; they take and return small plain data.
"""

from __future__ import annotations

import gc
import pickle
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from importlib import resources
from typing import Final

from wildtrace.construct.extract.extraction import (
    Known,
    Manner,
    decide,
    finder_of,
    manner_of,
    read_stretch,
    survey_stretch,
)
from wildtrace.construct.extract.stretches import stretches
from wildtrace.construct.extract.survey import Survey, joined
from wildtrace.construct.packing import pack_records
from wildtrace.types import Matter, Record, Window

Range = tuple[int, int]
Piece = tuple[int, str]
"""A part of a stretch that is no front or back matter: its offset and its text."""

_PACKAGES: Final = (
    "construct/extract",
    "construct/link",
    "construct",
    "construct/geometries",
    "languages",
    "languages/en",
    "languages/zh",
    "text",
)


@dataclass(frozen=True, slots=True)
class Plan:
    """How a document is taken apart: its manner and the pieces of each window's stretch."""

    manner: Manner
    pieces: tuple[tuple[Piece, ...], ...]


def plan(text: str, windows: Sequence[Window], matter: Sequence[Matter]) -> Plan:
    """Take a document apart, without its front and back matter."""
    manner = manner_of(text)
    ranges = stretches(text, [(window.start, window.end) for window in windows], by_line=manner.by_line)
    aside = [(part.start, part.end) for part in matter]
    pieces = tuple(tuple((start, text[start:end]) for start, end in _without(stretch, aside)) for stretch in ranges)
    return Plan(manner, pieces)


def _without(stretch: Range, aside: Sequence[Range]) -> Iterator[Range]:
    place, end = stretch
    for start, after in sorted(aside):
        if after <= place or start >= end:
            continue
        if start > place:
            yield place, start
        place = max(place, after)
    if place < end:
        yield place, end


@contextmanager
def without_collector() -> Iterator[None]:
    """Spare the garbage collector, which would look through a million records that hold no cycle again and again."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def survey_task(task: tuple[Manner, Sequence[Piece]]) -> Survey:
    """Survey the pieces of neighbouring stretches."""
    manner, pieces = task
    with without_collector():
        return joined(survey_stretch(text, offset, manner) for offset, text in pieces)


def cast_of(source: str, text: str, manner: Manner, surveys: Sequence[Survey]) -> tuple[Sent, list[Record]]:
    """What reading needs to know of the document, to send along, and the entity records."""
    known, records = decide(source, text, manner, surveys)
    return Sent(known), records


class Sent:
    """What is known of a document, for many tasks: pickled once where it goes to other processes, else never."""

    def __init__(self, known: Known) -> None:
        self.known = known
        self._pickled: bytes | None = None

    def __reduce__(self) -> tuple[Callable[[bytes], Sent], tuple[bytes]]:
        if self._pickled is None:
            self._pickled = pickle.dumps(self.known, pickle.HIGHEST_PROTOCOL)
        return _received, (self._pickled,)


@lru_cache(maxsize=1)
def _received(data: bytes) -> Sent:
    """Unpickled once for all the tasks of a document; the bytes come from this program alone."""
    return Sent(pickle.loads(data))  # noqa: S301 - made by a Sent in the process that sent the task


def read_task(task: tuple[Sent, Sequence[tuple[int, Sequence[Piece]]]]) -> list[tuple[int, bytes]]:
    """The packed records of some windows, by their places."""
    known, windows = task[0].known, task[1]
    finder = finder_of(known)
    with without_collector():
        return [
            (
                place,
                pack_records(
                    [record for offset, text in pieces for record in read_stretch(text, offset, known, finder)]
                ),
            )
            for place, pieces in windows
        ]


@lru_cache(maxsize=1)
def rules_digest() -> str:
    """A digest of the rules' own source text: what other rules made is another thing."""
    digest = sha256()
    root = resources.files("wildtrace")
    for package in _PACKAGES:
        folder = root.joinpath(package)
        for file in sorted(folder.iterdir(), key=lambda entry: entry.name):
            if file.name.endswith(".py"):
                digest.update(file.name.encode())
                digest.update(file.read_bytes())
    return digest.hexdigest()[:16]
