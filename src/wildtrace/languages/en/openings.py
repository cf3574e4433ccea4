"""Where an English text may tell of a relation, a time, a cause or a number in words: one look for all their phrases.

What begins there, each reader of such phrases says for itself; a place that is not among these begins none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from wildtrace.languages.causes import CAUSE_BEGINNINGS, CAUSE_PHRASES
from wildtrace.languages.cues import english_phrases
from wildtrace.languages.dates import TIME_PHRASES
from wildtrace.languages.measures import NUMBER_WORDS
from wildtrace.languages.tries import phrase_pattern

_PHRASES: Final = {*english_phrases(), *TIME_PHRASES, *CAUSE_PHRASES, *NUMBER_WORDS}
# What stands before a word is looked for, not its many first letters: a text's first one has a line end there.
_OPENING: Final = re.compile(rf"[^A-Za-z0-9_](?:{phrase_pattern(sorted(_PHRASES))}|{CAUSE_BEGINNINGS})")


def openings(text: str) -> list[int]:
    """The places where a phrase may begin, in order."""
    return list(_openings(f"\n{text}"))


def _openings(text: str) -> Iterator[int]:
    """Of a text with a line end before it; a phrase may begin inside another."""
    match = _OPENING.search(text)
    while match is not None:
        yield match.start()
        match = _OPENING.search(text, match.start() + 1)
