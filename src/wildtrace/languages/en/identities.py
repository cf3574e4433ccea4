"""Statements of English text that two names are one referent's: `X, alias Y`, `X, better known as “the Y”`."""

from __future__ import annotations

import re
from functools import cache

from wildtrace.languages.base import Identity, any_of, data

_WORD = r"[A-ZÀ-Þ][\w'’-]+"
_JOIN = r"(?:\s+(?:of|the|de|la|von|van|al|bin)){0,2}\s+"
_TITLE = r"(?:(?:Mr|Mrs|Dr|Capt|Col|Gen|Rev|St)\.\s+)?"
_NAME = rf"{_TITLE}{_WORD}(?:{_JOIN}{_WORD}){{0,4}}"


@cache
def _pattern() -> re.Pattern[str]:
    words = data("wildtrace.languages.en", "words.json")
    return re.compile(
        rf"(?P<name>{_NAME}),?\s+(?:\()?(?P<cue>{any_of(words['identity'])})\s+(?:as\s+)?"
        rf"(?:the\s+)?[“\"‘'_]?(?P<alias>(?:the\s+)?{_NAME})"
    )


@cache
def _no_names() -> frozenset[str]:
    return frozenset(data("wildtrace.languages.en", "words.json")["no_names"])


def identities(text: str) -> list[Identity]:
    """The statements of a text, in order; one name that only repeats the other states nothing."""
    found = []
    for match in _pattern().finditer(text):
        start, end = match.span("name")
        first = text[start:end].split(None, 1)
        if first[0] in _no_names():
            if len(first) == 1:
                continue
            start = text.index(first[1], start)
        name, alias = text[start:end], match["alias"]
        if alias.split(None, 1)[0] not in _no_names() and alias not in name and name not in alias:
            found.append(Identity((start, end), match.span("alias"), *match.span("cue")))
    return found
