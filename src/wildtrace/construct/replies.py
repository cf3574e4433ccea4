"""Reading a role's reply: one JSON object, wherever in the text it stands; of a broken one the entries that are whole.

Nothing is mended: a cut entry is left out, a whole one before it counts. Values of another kind than expected read as
absent, so that one bad field does not cost an entry and one bad entry does not cost a reply.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final

Entry = dict[str, Any]

_DECODER: Final = json.JSONDecoder(strict=False)  # a raw line end inside a string is harmless
_LIST: Final = re.compile(r'"(\w+)"\s*:\s*\[')


def is_whole(text: str) -> bool:
    """Whether a reply holds a JSON object that is read to its end."""
    return _last_object(text) is not None


def read_object(text: str) -> Entry:
    """The object of a reply: the last whole one, else the entries of its lists that are whole; {} where nothing is."""
    found = _last_object(text)
    if found is not None:
        return found
    return {match[1]: list(_entries(text, match.end())) for match in reversed(list(_LIST.finditer(text)))}


def entries(value: Any) -> list[Entry]:
    """The objects of a list; none where it is no list."""
    return [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else []


def text_of(value: Any) -> str:
    """A string in one line, or the digits of a number; empty for anything else."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    return " ".join(str(value).split())


def texts_of(value: Any) -> tuple[str, ...]:
    """The strings of a list, or one string; none for anything else."""
    values = value if isinstance(value, list) else [value]
    return tuple(text for text in map(text_of, values) if text)


def _last_object(text: str) -> Entry | None:
    """The last object that stands by itself in a text; those inside it, or inside a broken one, are none."""
    found: Entry | None = None
    at = text.find("{")
    while at >= 0:
        try:
            value, end = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            if _looks_like_a_reply(text, at):
                return found
            end = at + 1
        else:
            found = value
        at = text.find("{", end)
    return found


def _looks_like_a_reply(text: str, at: int) -> bool:
    """Whether a broken object begins with a named value, as a reply does and a brace in a sentence does not."""
    return re.match(r'\{\s*"\w+"\s*:', text[at : at + 200]) is not None


def _entries(text: str, at: int) -> Iterator[Entry]:
    """The objects of a list that begins at `at`, up to the first that is broken."""
    while True:
        while at < len(text) and (text[at].isspace() or text[at] == ","):
            at += 1
        if text[at : at + 1] != "{":
            return
        try:
            value, at = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            return
        yield value
