"""What is said in direct speech, and by whom, paragraph by paragraph, in English and Chinese.

The marks of a text are found out first, since a straight or a single mark opens speech in one book and an apostrophe in
the next. A speech that its paragraph leaves open ends with the paragraph: balance is never relied on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from wildtrace.languages.tries import phrase_pattern

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
# The mark alone is looked for; what stands before it is checked behind it: many times quicker.
_SINGLE: Final = re.compile(r"['‘](?<![^\s—-].)(?=[A-Z])")
_SINGLES: Final = [re.compile(_SINGLE.pattern.replace("['‘]", mark)) for mark in "'‘"]
"""The same, each mark apart: one character is counted more quickly than one of two."""
_CLOSING_SINGLE: Final = re.compile(r"['’](?<=[.,!?;:—-].)(?!\w)")
_VERB_WORDS = """
    said says asked cried replied answered returned exclaimed remarked whispered murmured muttered observed added
    interrupted repeated laughed sighed shouted called rejoined retorted responded inquired enquired demanded declared
    told gasped growled stammered faltered groaned screamed suggested protested explained quoth snapped wrote corrected
    echoed urged insisted agreed objected admitted confessed announced commented assented ejaculated sneered sobbed
    roared bawled shrieked yelled pleaded persisted pursued reflected mused panted hissed snarled grumbled chuckled
    drawled warned advised reminded concluded blurted
    expostulated remonstrated acquiesced affirmed asserted averred argued bellowed croaked grunted hinted implored
    jeered mumbled piped queried questioned reasoned scoffed soliloquised stuttered thundered vociferated wailed
    whimpered whined wondered breathed saying insinuated ordered spluttered reiterated finished spoke
"""
_SAYING = phrase_pattern(
    [*_VERB_WORDS.split(), *(f"{verb} in" for verb in ("put", "broke", "struck", "chimed")), "went on", "spoke up"]
)
_BEGINNING = "began|continued|proceeded|resumed|ventured|begged|thought"
SPEECH_VERBS: Final = rf"(?:{_SAYING}|(?:{_BEGINNING})(?!\s+(?:to|of|with)\b))"
"""The English verbs of saying, as a regular expression's source."""


def speech_marks(text: str) -> Marks | None:
    """The marks that open and close direct speech in `text`, by count; None where it has none to speak of."""
    counts = [(text.count(marks.opening), marks) for marks in _KNOWN[:4]]
    singles = sum(len(mark.findall(text)) for mark in _SINGLES)
    counts += [(singles, marks) for marks in _KNOWN[4:] if marks.opening in text]
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
    while marks.opening == marks.closing and closing > 0 and _opens(text, closing):
        inner = text.find(marks.closing, closing + 1, end)
        closing = text.find(marks.closing, inner + 1, end) if inner >= 0 else -1
    return end if closing < 0 else closing


def _opens(text: str, place: int) -> bool:
    """Whether a straight mark stands before a word, as the one that opens a quotation inside a speech does."""
    return text[place - 1].isspace() and text[place + 1 : place + 2].isalnum()
