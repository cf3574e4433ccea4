"""The outermost JSON objects of a text, read strictly first and tolerantly second.

Tolerated, and marked as repaired: trailing commas, single quotes, zero-width characters, full-width punctuation; always
in a balanced object. An object that is never closed is reported as such and never completed (decisions.md, rule 22).
Half a character that an escape names becomes U+FFFD, as in all replies (rule 17): no file could hold it.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, Final

from wildtrace.text.surrogates import replace_lone_escapes

ZERO_WIDTH: Final = "\u200b\u200c\u200d\u2060\ufeff\u180e"
_FULL_WIDTH: Final = str.maketrans("｛｝［］，：＂＇“”‘’", "{}[],:\"'\"\"''")
_ZERO_WIDTH_TABLE: Final = dict.fromkeys(map(ord, ZERO_WIDTH))
# A brace in prose is text; one that is followed by a key, or closed at once, opens an object.
_OPENING: Final = re.compile(rf"[{{｛][\s{ZERO_WIDTH}]*[\"'“‘＂＇}}｝]")
_BARE_QUOTE: Final = re.compile(r'(?<!\\)"')
_TRAILING_COMMA: Final = re.compile(r",(\s*[}\]])")
_CLOSERS: Final = {'"': '"', "＂": "＂", "“": "”", "'": "'", "‘": "’", "＇": "＇"}


@dataclass(frozen=True, slots=True)
class JsonObject:
    """An object of a text: where it stands, its value, and whether reading it took a repair."""

    start: int
    end: int
    value: dict[str, Any]
    repaired: bool


@dataclass(frozen=True, slots=True)
class Objects:
    """The objects of a text in order; `unclosed` says that one is opened and never closed."""

    found: tuple[JsonObject, ...]
    unclosed: bool


def find_objects(text: str) -> Objects:
    """The outermost objects of `text`. Linear: each character is looked at once by the scan."""
    found: list[JsonObject] = []
    place = 0
    while (opening := _OPENING.search(text, place)) is not None:
        end = _end_of(text, opening.start())
        if end is None:
            return Objects(tuple(found), unclosed=True)
        value, repaired = _value(text[opening.start() : end])
        if value is not None:
            found.append(JsonObject(opening.start(), end, value, repaired))
        place = end
    return Objects(tuple(found), unclosed=False)


def _end_of(text: str, start: int) -> int | None:
    """Where the bracket that opens at `start` is closed; brackets inside strings are text."""
    depth = 0
    place = start
    while place < len(text):
        char = text[place]
        if char in _CLOSERS:
            after = _string_end(text, place)
            if after is None:
                return None
            place = after
            continue
        if char in "{｛[［":
            depth += 1
        elif char in "}｝]］":
            depth -= 1
            if depth == 0:
                return place + 1
        place += 1
    return None


def _string_end(text: str, start: int) -> int | None:
    closer = _CLOSERS[text[start]]
    place = start + 1
    while place < len(text):
        if text[place] == "\\":
            place += 2
            continue
        if text[place] == closer:
            return place + 1
        place += 1
    return None


def _value(text: str) -> tuple[dict[str, Any] | None, bool]:
    strict = _load(text)
    if strict is not None and not any(char in key for key in strict for char in ZERO_WIDTH):
        return strict, False
    return _load(_repair(text)), True


def _load(text: str) -> dict[str, Any] | None:
    try:
        value = json.loads(replace_lone_escapes(text))
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _repair(text: str) -> str:
    """Ordinary JSON for what a tolerant reader understands in `text`."""
    parts: list[str] = []
    outside: list[str] = []
    place = 0
    while place < len(text):
        if text[place] not in _CLOSERS:
            outside.append(text[place])
            place += 1
            continue
        end = _string_end(text, place) or len(text)
        parts += [_plain("".join(outside)), _quoted(text[place:end])]
        outside.clear()
        place = end
    parts.append(_plain("".join(outside)))
    return _TRAILING_COMMA.sub(r"\1", "".join(parts))


def _plain(text: str) -> str:
    return text.translate(_ZERO_WIDTH_TABLE).translate(_FULL_WIDTH)


def _quoted(token: str) -> str:
    inner = token[1:-1].translate(_ZERO_WIDTH_TABLE)
    if token[0] != '"':
        inner = _BARE_QUOTE.sub(r'\\"', inner.replace("\\'", "'"))
    return f'"{inner}"'
