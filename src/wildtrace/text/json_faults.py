"""What is wrong in a text that is whole JSON: a value that no strict reader takes, a key that stands twice."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from typing import Any, Final

HALF: Final = r"half a character (\ud800 to \udfff without its other half)"
TOO_LARGE: Final = "a number that is too large"
TOO_DEEP: Final = "objects or lists that are nested too deeply"
_HALF: Final = re.compile(r"\\u[dD][89a-fA-F]")


def json_fault(text: str | bytes) -> str | None:
    """The first value that JSON does not know, as a message names it; None where the text is no JSON at all.

    Python's own reader takes such values and writes them: NaN and the infinities, numbers beyond the range of 64 bits,
    an escaped half of a surrogate pair. Nesting beyond some hundreds of levels is refused by all.
    """
    faults: list[str] = []

    def constant(name: str) -> None:
        faults.append(f"{name}, which is no JSON")

    def number(digits: str) -> float:
        value = float(digits)
        if math.isinf(value):
            faults.append(TOO_LARGE)
        return value

    try:
        said = text if isinstance(text, str) else text.decode()
        json.loads(said, parse_constant=constant, parse_float=number, parse_int=number)
    except RecursionError:
        return TOO_DEEP if text.rstrip()[-1:] in ("]", "}", b"]", b"}") else None
    except ValueError:
        return None
    return faults[0] if faults else HALF if _HALF.search(said) else TOO_DEEP


class _Doubled(dict[str, Any]):
    """An object in which a key stands twice."""

    key = ""


def twin_key(text: str) -> tuple[list[str | int], str] | None:
    """The first key that stands twice in one object, with the way to that object; None where none does.

    Of two values under one key every reader keeps one, in silence. `text` must be JSON.
    """
    doubled: list[_Doubled] = []

    def table(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        value = dict(pairs)
        if len(value) == len(pairs):
            return value
        marked = _Doubled(value)
        seen: set[str] = set()
        marked.key = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        doubled.append(marked)
        return marked

    try:
        whole = json.loads(text, object_pairs_hook=table)
    except RecursionError:
        return None
    return next(_ways(whole), ([], doubled[0].key)) if doubled else None


def _ways(whole: Any) -> Iterator[tuple[list[str | int], str]]:
    """The ways to the doubled objects; one inside a value that another of its key has replaced is found no more."""
    left: list[tuple[list[str | int], Any]] = [([], whole)]
    while left:
        way, value = left.pop()
        if isinstance(value, _Doubled):
            yield way, value.key
        if isinstance(value, dict | list):
            entries = value.items() if isinstance(value, dict) else enumerate(value)
            left.extend(([*way, step], entry) for step, entry in reversed(list(entries)))
