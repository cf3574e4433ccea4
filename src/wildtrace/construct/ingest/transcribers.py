"""Notes of those who transcribed a book: they speak of the file, not of the work, and are marked to their end."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from wildtrace.types import Matter

_SPEAKER = re.compile("Transcriber|TRANSCRIBER|transcriber")
_HEADING = re.compile(r"[ \t]*(\[?)Transcriber['’]?s?['’]? notes?\s*?(?::|\.|\]|--|—|(?=\n))[ \t]*", re.IGNORECASE)
# With a capital, and a name or those who stand for one: lace, too, is produced by hand.
_CREDIT = re.compile(
    r"^[ \t]*\[?(?:Produced by (?:(?:the|an?) )?(?:[A-Z]|anonymous)|E-?text prepared by"
    r"|This [Ee]-?(?:[Tt]ext|[Bb]ook) was produced)",
    re.MULTILINE,
)
_LONGEST_CREDIT = 3000
_NEAR = 3000
_LOOK_BACK = 100
_LONGEST_NOTE = 20_000
_OF_THE_FILE = re.compile(
    r"underscore|italic|typograph|typeset|spell(?:ing|t)|hyphen|punctuation|small cap|retained|silently|=equal"
    r"|correct(?:ed|ions?)\b|changed to|added|replaced|transcri|\be-?(?:text|book)|quotation marks?|mismatched"
    r"|as printed|was printed|uncaptioned|obvious errors",
    re.IGNORECASE,
)
_GAP = re.compile(r"\n[ \t]*\n[ \t]*\n")
_BLANK_BEFORE = re.compile(r"\n[ \t]*\n$")
_PARAGRAPH_END = re.compile(r"\n[ \t]*\n")


def notes(text: str, licences: Sequence[Matter]) -> Iterator[Matter]:
    """The notes in a text: headed ones anywhere, credits near its beginning, its end or a licence."""
    covered = 0
    for speaker in _SPEAKER.finditer(text):
        if speaker.start() < covered:
            continue
        start = text.rfind("\n", 0, speaker.start()) + 1
        match = _HEADING.match(text, start)
        if match is not None and _begins_paragraph(text, start):
            covered = (_closing(text, match.start(1)) if match[1] else 0) or _end_of_note(text, match.end())
            yield Matter("note", start, covered)
    for edge in {0, len(text), *(place for each in licences for place in (each.start, each.end))}:
        yield from _credits(text, max(0, edge - _NEAR), edge + _NEAR)


def _credits(text: str, begin: int, stop: int) -> Iterator[Matter]:
    """The paragraphs within a stretch of the text that name who produced the file."""
    for match in _CREDIT.finditer(text, begin, stop):
        end = _end_of_paragraph(text, match.end())
        if end - match.start() <= _LONGEST_CREDIT and _begins_paragraph(text, match.start()):
            yield Matter("note", match.start(), end)


def _begins_paragraph(text: str, start: int) -> bool:
    """Whether the line that begins at `start` has a blank line, or nothing, before it."""
    before = text[max(0, start - _LOOK_BACK) : start]
    return bool(_BLANK_BEFORE.search(before)) or (start <= _LOOK_BACK and not before.strip())


def _closing(text: str, opening: int) -> int:
    """The end of what a bracket encloses, 0 where it encloses more than a note."""
    depth = 0
    for match in re.compile(r"[\[\]]").finditer(text, opening, opening + _LONGEST_CREDIT):
        depth += 1 if match[0] == "[" else -1
        if not depth:
            return match.end()
    return 0


def _end_of_note(text: str, start: int) -> int:
    """The end of a note's first paragraph, and of those after it that also speak of the file."""
    body = re.compile(r"\s*").match(text, start)
    end = _end_of_paragraph(text, body.end() if body is not None else start)
    while not _GAP.match(text, end - 1):
        following = _end_of_paragraph(text, min(len(text), end + 1))
        paragraph = text[end:following]
        if following - start > _LONGEST_NOTE or following <= end or not _OF_THE_FILE.search(paragraph):
            break
        end = following
    return end


def _end_of_paragraph(text: str, start: int) -> int:
    """The offset after the line feed that ends the paragraph that `start` lies in; a line's where that has no end."""
    match = _PARAGRAPH_END.search(text, start, start + _LONGEST_NOTE)
    if match is not None:
        return match.start() + 1
    return len(text) if start + _LONGEST_NOTE >= len(text) else text.find("\n", start) + 1 or len(text)
