"""Running headers, running footers and page numbers: lines that repeat at page edges or count the pages.

A line at the edge of a page is furniture when it comes back on pages close together and each number in it stays the
same or counts with the pages; so a chapter's number at the top of its first page is not, nor is a paragraph's. Without
page breaks, numbers alone on their line must count up by one, and must say that they are page numbers or be as far
apart as pages are.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise, takewhile

from wildtrace.build.ingest.draft import Edit

_EDGE_LINES = 3
_LEAST_PAGES = 3
_WIDEST_GAP = 3
_COUNTING_SHARE = 0.8
_NUMERAL = re.compile(r"\d{1,5}")
_ROMAN_LINE = re.compile(r"^\W*([ivxl]{1,7})\W*$")
_ROMAN_PAGE = re.compile(r"\bpage ([ivxl]{1,7})\b")
_ROMAN_DIGITS = {"i": 1, "v": 5, "x": 10, "l": 50}
_DECLARED = re.compile(
    r"^\W*(?:page|pg\.?|p\.)\s*#(?:\s*(?:of|/)\s*#)?\W*$|^[-–—‹›·•|~=\[({]\s*#\s*[-–—‹›·•|~=\])}]$|^\W*第\s*#\s*[页頁]\W*$"
)
_BARE = re.compile(r"^#$")
# No full stop or bracket behind it: that numbers a paragraph.
_PAGE_NUMBER = re.compile(r"^[-–—‹›«»·•|~=\[({]*\s*#(?:\s*/\s*#)?\s*[-–—‹›«»·•|~=\])}]*$")
_INLINE = re.compile(r"\[(?:Pg|Page|p)\.?\s*(\d{1,4})\]\s?")
# Begins in the middle of a sentence, ends one, or has the words of one.
_PROSE = re.compile(
    r"^\s*[a-z]\w* \w+ \w+ \w+|\w+ \w+ \w+ \w+[.!?,;]\s*$|(?:\b[a-z]+ ){5}"
    r"|[，。；！？].*[，。；！？]|[\u4e00-\u9fff]{20}"
)
_LEAST_NUMBERS = 10
_EVEN_NUMBERS = 1.6
_LEAST_HEADERS = 6
_EVEN_HEADERS = 1.25
# Begins with a letter; a line of marks or a bracketed note may recur for other reasons.
_TITLE = re.compile(r"^[^\W\d_][^\[\]|│]{3,79}$")
_LONGEST_LINE = 300
_NO_FURNITURE = "…"
_PAGE_LENGTHS = (600, 8000)


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of the text: its page, its offsets without the line feed, its text with numbers as `#`, its numbers.

    `prose` says that it reads like a line of running text, which may come back on many pages for other reasons.
    """

    page: int
    start: int
    end: int
    key: str
    numbers: tuple[int, ...]
    prose: bool


def furniture(text: str) -> list[Edit]:
    """The edits that take furniture out of a text whose pages form feeds end, or that has no form feeds."""
    found = _at_page_edges(text) if text.count("\f") >= _LEAST_PAGES - 1 else _without_pages(text)
    lines = {(line.start, line.end): kind for line, kind in found}
    edits = [_whole_line(text, start, end, kind) for (start, end), kind in sorted(lines.items())]
    return sorted([*edits, *_inline_numbers(text)])


def _whole_line(text: str, start: int, end: int, kind: str) -> Edit:
    """A line goes with its line feed; the last one of a page with the one before it."""
    if text[end : end + 1] == "\n":
        return Edit(start, end + 1, "", kind)
    return Edit(start, end, "", kind)


def _line(page: int, start: int, text: str) -> _Line:
    if len(text) > _LONGEST_LINE:
        return _Line(page, start, start + len(text), _NO_FURNITURE, (), prose=True)
    bare = " ".join(text.split()).casefold()
    roman = _ROMAN_LINE.match(bare) or _ROMAN_PAGE.search(bare)
    numbered = bare[: roman.start(1)] + str(_roman(roman[1])) + bare[roman.end(1) :] if roman else bare
    numbers = tuple(int(number) for number in _NUMERAL.findall(numbered))
    key = _NUMERAL.sub("#", numbered)
    return _Line(page, start, start + len(text), key, numbers, _PROSE.search(text) is not None)


def _roman(numeral: str) -> int:
    values = [_ROMAN_DIGITS[letter] for letter in numeral]
    return sum(-value if value < after else value for value, after in pairwise([*values, 0]))


def _at_page_edges(text: str) -> Iterator[tuple[_Line, str]]:
    edges: list[tuple[str, list[_Line]]] = []
    middles: list[_Line] = []
    start = 0
    for page, content in enumerate(text.split("\f")):
        lines = [line for line in _lines(content, page, start) if line.key]
        edges.append(("header", lines[:_EDGE_LINES]))
        edges.append(("footer", lines[-_EDGE_LINES:][::-1]))
        middles += lines[_EDGE_LINES:-_EDGE_LINES]
        start += len(content) + 1
    found = _recurring(edges)
    known = {_words(line.key) for line in found if any(character.isalpha() for character in line.key)}
    for edge, lines in edges:
        outer = list(takewhile(found.__contains__, lines))
        for line in [*outer, *(line for line in lines[len(outer) :] if _is_other_side(line, known))]:
            has_words = any(character.isalpha() for character in line.key)
            yield line, f"running {edge}" if has_words else "page number"
    # Where footnotes follow a footer in the text, it stands inside the page.
    yield from ((line, "running footer") for line in middles if _is_other_side(line, known))


def _is_other_side(line: _Line, known: set[str]) -> bool:
    """Whether a line has a known one's words in another order or with a Roman number: other sides and front pages."""
    return "#" in line.key and _words(line.key) in known


def _recurring(edges: list[tuple[str, list[_Line]]]) -> set[_Line]:
    """The lines at page edges that come back as furniture does."""
    groups: defaultdict[tuple[str, str], list[_Line]] = defaultdict(list)
    for edge, lines in edges:
        for line in lines:
            groups[edge, line.key].append(line)
    return {line for lines in groups.values() for run in _close_together(lines) for line in _counting(run)}


def _words(key: str) -> str:
    return " ".join(sorted(re.findall(r"[^\W_]+|#", key)))


def _lines(content: str, page: int, start: int) -> Iterator[_Line]:
    for line in content.split("\n"):
        yield _line(page, start, line)
        start += len(line) + 1


def _close_together(lines: list[_Line]) -> Iterator[list[_Line]]:
    """Runs of lines on pages no further apart than alternating sides and a missing page make them."""
    run: list[_Line] = []
    for line in lines:
        if run and line.page - run[-1].page > _WIDEST_GAP:
            yield run
            run = []
        run.append(line)
    yield run


def _counting(run: list[_Line]) -> list[_Line]:
    """The lines of a run whose every number stays the same or counts with the pages; none if they are too few."""
    if len({line.page for line in run}) < _LEAST_PAGES:
        return []
    if not any(character.isalpha() for character in run[0].key) and not _PAGE_NUMBER.match(run[0].key):
        return []
    kept, counts = run, False
    for place in range(len(run[0].numbers)):
        same = _steady(run, [line.numbers[place] for line in run])
        counted = _steady(run, [line.numbers[place] - line.page for line in run])
        steady = same or counted
        kept = [line for line in kept if line in steady]
        counts = counts or not same
    return [line for line in kept if counts or not line.prose]


def _steady(run: list[_Line], values: list[int]) -> set[_Line]:
    """The lines that share the commonest value, if nearly all do."""
    value, count = Counter(values).most_common(1)[0]
    if count < max(_LEAST_PAGES, _COUNTING_SHARE * len(run)):
        return set()
    return {line for line, each in zip(run, values, strict=True) if each == value}


def _without_pages(text: str) -> Iterator[tuple[_Line, str]]:
    lines = [line for line in _lines(text, 0, 0) if line.key]
    for pattern in (_DECLARED, _BARE):
        places = [n for n, line in enumerate(lines) if line.numbers and pattern.match(line.key)]
        for run in _counting_up(places, lines):
            headers = _beside(run, lines)
            if pattern is _DECLARED or headers or _are_pages_apart([lines[n] for n in run]):
                yield from ((lines[n], "page number") for n in run)
                yield from ((line, "running header") for line in headers)
    recurring: defaultdict[str, list[_Line]] = defaultdict(list)
    for line in lines:
        if _TITLE.match(line.key) and not line.prose and not line.numbers:
            recurring[line.key].append(line)
    for same in recurring.values():
        if len(same) >= _LEAST_HEADERS and _are_even(same, _EVEN_HEADERS):
            yield from ((line, "running header") for line in same)


def _counting_up(places: list[int], lines: list[_Line]) -> Iterator[list[int]]:
    """Runs of at least three numbers, each one more than the one before."""
    run: list[int] = []
    for place in [*places, -1]:
        if place >= 0 and (not run or lines[place].numbers[0] - lines[run[-1]].numbers[0] == 1):
            run.append(place)
            continue
        if len(run) >= _LEAST_PAGES:
            yield run
        run = [place]


def _beside(run: list[int], lines: list[_Line]) -> list[_Line]:
    """The lines next to page numbers that are the same at most of them."""
    found: list[_Line] = []
    for step in (-1, 1):
        beside = [lines[n + step] for n in run if 0 <= n + step < len(lines) and not lines[n + step].prose]
        key, count = Counter(line.key for line in beside).most_common(1)[0] if beside else ("", 0)
        if count >= max(_LEAST_PAGES, 0.6 * len(run)):
            found += [line for line in beside if line.key == key]
    return found


def _are_pages_apart(lines: list[_Line]) -> bool:
    """Whether numbers alone on their lines are as many and as evenly spaced as pages are; chapters are not."""
    return len(lines) >= _LEAST_NUMBERS and _are_even(lines, _EVEN_NUMBERS)


def _are_even(lines: list[_Line], tolerance: float) -> bool:
    """Whether lines stand a page's length apart, the middle half of the distances within `tolerance` of one another."""
    gaps = sorted(after.start - before.end for before, after in pairwise(lines))
    low, middle, high = (gaps[len(gaps) * quarter // 4] for quarter in (1, 2, 3))
    return _PAGE_LENGTHS[0] <= middle <= _PAGE_LENGTHS[1] and high < tolerance * low


def _inline_numbers(text: str) -> list[Edit]:
    """Page numbers in brackets within the text, where at least three follow one another."""
    found = list(_INLINE.finditer(text))
    rising = sum(int(after[1]) - int(before[1]) == 1 for before, after in pairwise(found))
    if rising < _LEAST_PAGES - 1:
        return []
    return [Edit(match.start(), match.end(), "", "page number") for match in found]
