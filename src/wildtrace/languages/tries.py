"""One regular expression for many fixed phrases, in the shape of a prefix tree: as quick for a thousand as for ten.

Where such a phrase may begin in English text `text.openings` finds for several expressions at once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

_END = ""


def matches(
    pattern: re.Pattern[str], text: str, start: int, end: int, places: Iterable[int] | None = None, back: int = 0
) -> Iterator[re.Match[str]]:
    """What `finditer` finds in `text[start:end]`; with `places`, what begins `back` characters before one of them."""
    if places is None:
        yield from pattern.finditer(text, start, end)
        return
    done = start
    for place in places:
        if place - back >= done:
            match = pattern.match(text, place - back, end)
            if match is not None:
                done = match.end()
                yield match


def phrase_pattern(phrases: Iterable[str]) -> str:
    """The source of a regular expression that matches the longest of `phrases` at a place; white space matches any.

    Raises ValueError where there is no phrase.
    """
    tree: dict[str, Any] = {}
    for phrase in phrases:
        branch = tree
        for character in phrase:
            branch = branch.setdefault(character, {})
        branch[_END] = {}
    if not tree:
        raise ValueError("a pattern needs at least one phrase")
    return _source(tree)


def _source(tree: dict[str, Any]) -> str:
    ends = _END in tree
    branches = [_one(character) + _source(rest) for character, rest in tree.items() if character != _END]
    if not branches:
        return ""
    body = branches[0] if len(branches) == 1 and not ends else f"(?:{'|'.join(branches)})"
    return f"{body}?" if ends else body


def _one(character: str) -> str:
    return r"\s+" if character == " " else re.escape(character)
