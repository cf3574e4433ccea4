"""What is said in direct speech, and by whom, paragraph by paragraph, in English and Chinese.

The marks of a text are found out first, since a straight or a single mark opens speech in one book and an apostrophe in
the next. A speech that its paragraph leaves open ends with the paragraph: balance is never relied on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

Range = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Marks:
    """The opening and the closing mark of direct speech in a text; the same where they do not differ."""

    opening: str
    closing: str


@dataclass(frozen=True, slots=True)
class Speech:
    """A stretch of direct speech without its marks."""

    start: int
    end: int


_KNOWN: Final = (
    Marks("“", "”"),
    Marks("「", "」"),
    Marks("『", "』"),
    Marks('"', '"'),
    Marks("‘", "’"),
    Marks("'", "'"),
)
_SINGLE: Final = re.compile(r"(?:(?<=\s)|(?<=^)|(?<=[—-]))['‘](?=[A-Z])")
_CLOSING_SINGLE: Final = re.compile(r"(?<=[.,!?;:—-])['’](?!\w)")
_ENGLISH_VERBS: Final = (
    "said|says|asked|cried|replied|answered|returned|exclaimed|remarked|whispered|murmured|muttered|observed|added"
    "|continued|interrupted|repeated|laughed|sighed|shouted|called|began|went on|put in|rejoined|retorted|responded"
    "|inquired|enquired|demanded|declared|told|gasped|growled|stammered|faltered|groaned|screamed|suggested|proceeded"
    "|resumed|protested|explained|thought|quoth"
)
SPOKEN: Final = re.compile(rf"\b(?:{_ENGLISH_VERBS})\b")


def speech_marks(text: str) -> Marks | None:
    """The marks that open and close direct speech in `text`, by count; None where it has none to speak of."""
    counts = [(text.count(marks.opening), marks) for marks in _KNOWN[:4]]
    counts += [(len(_SINGLE.findall(text)), marks) for marks in _KNOWN[4:] if marks.opening in text]
    count, marks = max(counts, key=lambda pair: pair[0])
    return marks if count >= 2 else None


def speeches(text: str, start: int, end: int, marks: Marks) -> Iterator[Speech]:
    """The speeches of one paragraph, in order."""
    place = start
    while (opening := _find_opening(text, marks, place, end)) >= 0:
        closing = _find_closing(text, marks, opening + 1, end)
        if closing > opening + 1:
            yield Speech(opening + 1, closing)
        place = closing + 1


def _find_opening(text: str, marks: Marks, start: int, end: int) -> int:
    if marks.opening in "'‘":
        match = _SINGLE.search(text, start, end)
        return match.start() if match else -1
    return text.find(marks.opening, start, end)


def _find_closing(text: str, marks: Marks, start: int, end: int) -> int:
    if marks.closing in "'’":
        match = _CLOSING_SINGLE.search(text, start, end)
        return match.start() if match else end
    closing = text.find(marks.closing, start, end)
    return end if closing < 0 else closing
