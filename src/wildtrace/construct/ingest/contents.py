"""Lists of contents: leaders, page numbers, or entries that come back as headings in order, once each, show them.

A heading alone does not make one: speakers and refrains come back more often, and what a knapsack holds does not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from wildtrace.types import Matter

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
_CHAPTER_NUMBER = re.compile(
    r"^\s*(?:(?:chapter|part|book|section|appendix)\s+)?(?:[ivxlc]+|\d+(?:\.\d+)*|[a-z])\b[.):]?\s+|^\s*第.{1,7}[回章节節卷部篇]\s*",
    re.IGNORECASE,
)
_SURE_SHARE = 0.5
_MOST_HEADINGS = 2
_PAGE_TAIL = re.compile(r"\S\s+(?:\d{1,4}|[ivxlc]{1,7})\s*$")
_SPEECH = re.compile(r"[\"“”「」『』|│┃\[\]]|[!?,;！？，；]\s*$")
_PROSE = re.compile(r"[，。；！？].*[，。；！？]|[.!?]\s+[A-Z].*[.!?]\s*$|(?:\b[a-z]+ ){5}")
_NUMBER_ALONE = re.compile(r"^\s*(?:\d+\.?)+\s*$|^\s*(?:Figure|Table|Appendix) \d+\s*$")
_NEUTRAL = -2
_LEAST_LISTED = 5
_MOST_LINES = 800


def contents(text: str) -> Iterator[Matter]:
    """Lists of headings in front, under a heading of their own or recognised by their entries alone."""
    later = _headings(text)
    front = text[: max(_LEAST_FRONT, int(len(text) * _FRONT_SHARE))]
    lines = [(match.start(), match.end(), match[0]) for match in re.finditer(r"[^\n]+", front) if match[0].strip()]
    covered = 0
    for at, (start, _, line) in enumerate(lines):
        if start >= covered and _CONTENTS_HEADING.match(line):
            last = _last_entry(lines[at + 1 : at + 1 + _MOST_LINES], later)
            if last >= 0:
                covered = lines[at + 1 + last][1]
                yield Matter("contents", start, covered)
    places = [_place_of_heading(line, end, later.last) for _, end, line in lines]
    often = {
        at
        for at, place in enumerate(places)
        if place > 0 and later.counts.get(_folded(lines[at][2]), 0) > _MOST_HEADINGS
    }
    for first, last in _runs(places, often):
        yield Matter("contents", lines[first][0], lines[last][1])


def _last_entry(lines: list[tuple[int, int, str]], later: _Headings) -> int:
    """The last entry of a list that begins with these lines: where others follow, or the first entry comes again.

    -1 where hardly an entry names a page or comes back as a heading: what a knapsack holds is no contents list.
    """
    seen: list[str] = []
    last, strangers, sure = -1, 0, 0
    for at, (_, end, line) in enumerate(lines):
        if len(line) > _LONGEST_LINE:
            break
        folded = _folded(_ENTRY_TAIL.sub("", line)) or _folded(line)
        is_entry = len(line) <= _LONGEST_ENTRY and (_names_a_page(line) or _CHAPTER.match(line) is not None)
        if len(folded) > 3 and any(each.startswith(folded) for each in seen[:2]):
            break
        strangers = 0 if is_entry else strangers + 1
        if strangers > _MOST_STRANGERS:
            break
        if is_entry:
            last = at
            seen.append(folded)
            sure += _names_a_page(line) or _comes_back(line, end, later.last)
    return last if len(seen) >= _LEAST_ENTRIES - 1 and sure >= _SURE_SHARE * len(seen) else -1


def _names_a_page(line: str) -> bool:
    return bool(_LEADERS.search(line) or _PAGE_TAIL.search(line))


def _comes_back(line: str, end: int, last: Mapping[str, int]) -> bool:
    """Whether an entry, or one of its parts, the number and the title, stands as a heading after `end`."""
    numbered = _CHAPTER_NUMBER.match(line)
    parts = [line, _ENTRY_TAIL.sub("", line), *([line[numbered.end() :], numbered[0]] if numbered else [])]
    return any(last.get(folded, -1) >= end for folded in map(_folded, parts) if folded)


@dataclass(frozen=True, slots=True)
class _Headings:
    """Where each line that may be a heading stands last, and how often, by its letters."""

    last: Mapping[str, int]
    counts: Mapping[str, int]


def _headings(text: str) -> _Headings:
    """The lines that stand alone or begin an indented paragraph's section."""
    lines = re.finditer(
        rf"(?:(?<=\n\n)|\A)[^\n]{{1,{_LONGEST_ENTRY}}}(?=\n|\Z)|^[^\s　][^\n]{{0,{_LONGEST_ENTRY}}}(?=\n[\s　])",
        text,
        re.MULTILINE,
    )
    last: dict[str, int] = {}
    counts: dict[str, int] = {}
    for match in lines:
        folded = _folded(match[0])
        last[folded] = match.start()
        counts[folded] = counts.get(folded, 0) + 1
    return _Headings(last, counts)


def _folded(line: str) -> str:
    return "".join(character for character in line.casefold() if character.isalnum())


def _place_of_heading(line: str, end: int, later: Mapping[str, int]) -> int:
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


def _runs(places: list[int], often: set[int]) -> Iterator[tuple[int, int]]:
    """First and last of runs of entries whose headings stand in the entries' order, with few other lines among them.

    A list's entry stands in it and over its section; where most stand more often, they are speakers or a refrain.
    """
    run: list[int] = []
    strangers = 0
    for at, place in enumerate([*places, *[-1] * (_MOST_STRANGERS + 1)]):
        if place >= 0:
            run.append(at)
            strangers = 0
            continue
        strangers += place != _NEUTRAL
        if run and strangers > _MOST_STRANGERS:
            if _is_list([places[entry] for entry in run]) and 2 * len(often.intersection(run)) < len(run):
                yield run[0], run[-1]
            run = []


def _is_list(places: list[int]) -> bool:
    headings = [place for place in places if place]
    rising = sum(before < after for before, after in pairwise(headings))
    return len(set(headings)) + places.count(0) >= _LEAST_LISTED and rising >= _IN_ORDER * (len(headings) - 1)
