"""Front and back matter: contents, licences, adverts and notes of transcribers. It stays in the text and is marked.

Marked stretches take no part in extraction. What is told by form alone is marked only where several signs agree: a
contents list by entries that come back as headings, adverts by prices and formats side by side.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from wildtrace.types import Matter

_START = re.compile(r"^\*\*\*\s*START OF (?:THE|THIS) PROJECT GUTENBERG.*?\*\*\*[^\S\n]*\n?", re.MULTILINE | re.DOTALL)
_END = re.compile(
    r"^(?:\*\*\*\s*END OF (?:THE|THIS) PROJECT GUTENBERG|End of (?:the )?Project Gutenberg|End of Project Gutenberg's)",
    re.MULTILINE,
)
_LONGEST_MARKER = 400
_NOTE = re.compile(
    r"^[ \t]*\[?(?:Transcriber['’]?s?['’]? notes?|Produced by |E-text prepared by |This e(?:text|book) was produced)",
    re.MULTILINE | re.IGNORECASE,
)
_LONGEST_NOTE = 3000
_CONTENTS_HEADING = re.compile(
    r"^[ \t　]*(?:table of )?contents\.?[ \t]*$|^[ \t　]*目[ 　]*[录錄次][ \t　]*$", re.MULTILINE | re.IGNORECASE
)
_LEADERS = re.compile(r"(?:\.\s?){4,}\s*(?:\d+|[ivxlc]+)\s*$|…{2,}\s*\d+\s*$")
_ENTRY_TAIL = re.compile(r"[\s.…·]*(?:\d+|[ivxlc]+)?\s*$", re.IGNORECASE)
_LONGEST_ENTRY = 120
_LONGEST_LINE = 300
_LEAST_ENTRIES = 4
_MOST_STRANGERS = 2
_IN_ORDER = 0.8
_FRONT_SHARE = 0.2
_LEAST_FRONT = 20_000
_CHAPTER = re.compile(
    r"^\W*(?:(?:chapter|part|book|appendix|section|figure|table)\b|[IVXLC]+\.|\d+(?:\.\d+)*\.?(?:\s|$)|第.{1,7}[回章节節卷部篇])",
    re.IGNORECASE,
)
_PAGE_TAIL = re.compile(r"\S\s+(?:\d{1,4}|[ivxlc]{1,7})\s*$")
_SPEECH = re.compile(r"[\"“”「」『』|│┃\[\]]|[!?,;！？，；]\s*$")
_PROSE = re.compile(r"[，。；！？].*[，。；！？]|[.!?]\s+[A-Z].*[.!?]\s*$|(?:\b[a-z]+ ){5}")
_NUMBER_ALONE = re.compile(r"^\s*(?:\d+\.?)+\s*$|^\s*(?:Figure|Table|Appendix) \d+\s*$")
_NEUTRAL = -2
_LEAST_LISTED = 5
_MOST_LINES = 800
_PRICE = re.compile(r"\b\d{1,3}s\.|\b\d{1,2}d\.|[$£]\s?\d|\b[Pp]rice\b|\bnet\b")
_FORMAT = re.compile(
    r"\b(?:8vo|12mo|16mo|18mo|4to|octavo|duodecimo)\b|\bcloth\b|\bpaper covers\b|定[价價]", re.IGNORECASE
)
_LEAST_ADVERTS = 4
_DENSE = 0.5


def matter_of(text: str) -> tuple[Matter, ...]:
    """The front and back matter of a canonical text, in order, not overlapping."""
    found = [*_licences(text), *_notes(text), *_contents(text), *_adverts(text)]
    return merged(found)


def merged(found: Sequence[Matter]) -> tuple[Matter, ...]:
    """Stretches in order; where two overlap, the one that begins first keeps the common part."""
    ordered: list[Matter] = []
    for matter in sorted(found, key=lambda each: (each.start, -each.end)):
        start = max(matter.start, ordered[-1].end if ordered else 0)
        if start < matter.end:
            ordered.append(Matter(matter.kind, start, matter.end))
    return tuple(ordered)


def _licences(text: str) -> Iterator[Matter]:
    """From the end of one book's text to the start of the next one's, as the markers of Project Gutenberg tell."""
    starts = [match.end() for match in _START.finditer(text) if match.end() - match.start() < _LONGEST_MARKER]
    ends = [match.start() for match in _END.finditer(text)]
    if starts and (not ends or starts[0] < ends[0]):
        yield Matter("licence", 0, starts[0])
    for end in ends:
        following = next((start for start in starts if start > end), len(text))
        yield Matter("licence", end, following)


def _notes(text: str) -> Iterator[Matter]:
    """A transcriber's paragraph, and a bracketed or headed note to its end."""
    for match in _NOTE.finditer(text):
        closing = text.find("]", match.start()) + 1 if "[" in match[0] else 0
        end = closing or text.find("\n\n", match.end() + 2) + 1 or len(text)
        if end - match.start() <= _LONGEST_NOTE:
            yield Matter("note", match.start(), end)


def _contents(text: str) -> Iterator[Matter]:
    """Lists of headings in front, under a heading of their own or told by their entries alone."""
    front = text[: max(_LEAST_FRONT, int(len(text) * _FRONT_SHARE))]
    lines = [(match.start(), match.end(), match[0]) for match in re.finditer(r"[^\n]+", front) if match[0].strip()]
    covered = 0
    for at, (start, _, line) in enumerate(lines):
        if start >= covered and _CONTENTS_HEADING.match(line):
            last = _last_entry([each[2] for each in lines[at + 1 : at + 1 + _MOST_LINES]])
            if last >= 0:
                covered = lines[at + 1 + last][1]
                yield Matter("contents", start, covered)
    later = _headings(text)
    places = [_place_of_heading(line, end, later) for _, end, line in lines]
    for first, last in _runs(places):
        yield Matter("contents", lines[first][0], lines[last][1])


def _last_entry(lines: list[str]) -> int:
    """The last entry of a list that begins with these lines: where others follow, or the first entry comes again."""
    seen: list[str] = []
    last, strangers = -1, 0
    for at, line in enumerate(lines):
        if len(line) > _LONGEST_LINE:
            break
        folded = _folded(_ENTRY_TAIL.sub("", line)) or _folded(line)
        is_entry = len(line) <= _LONGEST_ENTRY and bool(
            _LEADERS.search(line) or _PAGE_TAIL.search(line) or _CHAPTER.match(line)
        )
        if len(folded) > 3 and any(each.startswith(folded) for each in seen[:2]):
            break
        strangers = 0 if is_entry else strangers + 1
        if strangers > _MOST_STRANGERS:
            break
        if is_entry:
            last = at
            seen.append(folded)
    return last if len(seen) >= _LEAST_ENTRIES - 1 else -1


def _headings(text: str) -> dict[str, int]:
    """Where each line that stands alone, or begins an indented paragraph's section, stands last, by its letters."""
    lines = re.finditer(
        rf"(?:(?<=\n\n)|\A)[^\n]{{1,{_LONGEST_ENTRY}}}(?=\n|\Z)|^[^\s　][^\n]{{0,{_LONGEST_ENTRY}}}(?=\n[\s　])",
        text,
        re.MULTILINE,
    )
    return {_folded(match[0]): match.start() for match in lines}


def _folded(line: str) -> str:
    return "".join(character for character in line.casefold() if character.isalnum())


def _place_of_heading(line: str, end: int, later: dict[str, int]) -> int:
    """Where a line that may be an entry stands again as a heading, -1 where nowhere; 0 for one that says so itself."""
    if len(line) > _LONGEST_LINE:
        return -1
    if _LEADERS.search(line):
        return 0
    if _NUMBER_ALONE.match(line):
        return _NEUTRAL
    if len(line) > _LONGEST_ENTRY or _SPEECH.search(line) or _PROSE.search(line):
        return -1
    entry, whole = _folded(_ENTRY_TAIL.sub("", line)), _folded(line)
    place = max(later.get(entry, -1), later.get(whole, -1)) if len(whole) > 1 else -1
    return place if place >= end else -1


def _runs(places: list[int]) -> Iterator[tuple[int, int]]:
    """First and last of runs of entries whose headings stand in the entries' order, with few other lines among them."""
    run: list[int] = []
    strangers = 0
    for at, place in enumerate([*places, *[-1] * (_MOST_STRANGERS + 1)]):
        if place >= 0:
            run.append(at)
            strangers = 0
            continue
        strangers += place != _NEUTRAL
        if run and strangers > _MOST_STRANGERS:
            if _is_list([places[entry] for entry in run]):
                yield run[0], run[-1]
            run = []


def _is_list(places: list[int]) -> bool:
    headings = [place for place in places if place]
    rising = sum(before < after for before, after in pairwise(headings))
    return len(set(headings)) + places.count(0) >= _LEAST_LISTED and rising >= _IN_ORDER * (len(headings) - 1)


def _adverts(text: str) -> Iterator[Matter]:
    """Stretches of paragraphs of which most name prices and book formats."""
    priced = [match.start() for match in _PRICE.finditer(text)]
    group: list[int] = []
    for before, after in pairwise([*priced, len(text) + _LONGEST_NOTE]):
        group.append(before)
        if after - before > 600:
            yield from _advert(text, group)
            group = []


def _advert(text: str, places: list[int]) -> Iterator[Matter]:
    """The paragraphs from the first to the last of these places, if prices are dense among them."""
    start = text.rfind("\n\n", 0, places[0]) + 2 if "\n\n" in text[: places[0]] else 0
    end = text.find("\n\n", places[-1])
    end = len(text) if end < 0 else end
    paragraphs = [part for part in text[start:end].split("\n\n") if part.strip()]
    dense = sum(_FORMAT.search(part) is not None and _PRICE.search(part) is not None for part in paragraphs)
    if dense >= _LEAST_ADVERTS and dense >= _DENSE * len(paragraphs):
        yield Matter("advert", start, end)
