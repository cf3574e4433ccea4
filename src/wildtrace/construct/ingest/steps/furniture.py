"""Running headers, running footers and page numbers: lines that repeat at page edges or count the pages.

A line at the edge of a page is furniture when it comes back on pages close together and each number in it stays the
same or counts with the pages, for at least three of them before it begins anew; so a chapter's number at the top of its
first page is not, nor is a paragraph's. Without page breaks, numbers alone on their line must count up by one, and must
say that they are page numbers, or be as far apart as pages are and part sentences, as pages do and sections never do.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise, takewhile

from wildtrace.construct.ingest.draft import Draft, Edit, Options, without_overlaps

_EDGE_LINES = 3
_LEAST_PAGES = 3
_WIDEST_GAP = 3
_COUNTING_SHARE = 0.8
_SURE_PAGES = 5
_NUMERAL = re.compile(r"\d{1,5}")
_ROMAN_LINE = re.compile(r"^\W*([ivxl]{1,7})\W*$")
_ROMAN_PAGE = re.compile(r"\bpage ([ivxl]{1,7})\b")
_ROMAN_DIGITS = {"i": 1, "v": 5, "x": 10, "l": 50}
_DECLARED = re.compile(r"^\W*(?:page|pg\.?|p\.)\s*#(?:\s*(?:of|/)\s*#)?\W*$|^\W*第\s*#\s*[页頁]\W*$")
_SET_OFF = re.compile(r"^[-–—‹›·•|~=\[({]\s*#\s*[-–—‹›·•|~=\])}]$")
_BARE = re.compile(r"^#$")
# No full stop or bracket behind it: that numbers a paragraph.
_PAGE_NUMBER = re.compile(r"^[-–—‹›«»·•|~=\[({]*\s*#(?:\s*[-–/]\s*#)?\s*[-–—‹›«»·•|~=\])}]*$")
_INLINE = re.compile(r"\[(Pg|Page|p)\.?\s*(\d{1,4})\]\s?")
_LEAST_INLINE = 5
_RUNS_ON = re.compile(r"[^\W\d_][,，、]?$")
_GOES_ON = re.compile(r"\s*[^\W\d_A-Z]")
_RUN_ON_SHARE = 0.25
# A shorter line before a number is a heading, which need not end as a sentence does.
_SHORTEST_WRAP = 12
_SECTION = re.compile(r"^(?:chapter|part|book|section|act|scene|canto|letter|volume)\W*$|^[章回卷节節]$")
# Begins in the middle of a sentence, ends one, or has the words of one.
_PROSE = re.compile(
    r"^\s*[a-z]\w* \w+ \w+ \w+|\w+ \w+ \w+ \w+[.!?,;]\s*$|(?:\b[a-z]+ ){5}"
    r"|^\s*[a-z].*[.,;!?]\s*$|[，。；！？].*[，。；！？]|[。！？]\s*$|[\u4e00-\u9fff]{20}"
)
_CHAPTER = re.compile(r"^(?:chapter|book|part)\b[ #.ivxlc]*(?:\W|$)|^第[〇零一二三四五六七八九十百千#]{1,7}[回章节節]")
_BESIDE = 3
_LEAST_NOTICE = 6
_LEAST_NOTICES = 5
"""As many chapters must have the same notice, and most of all chapters."""
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


def remove_furniture(draft: Draft, options: Options) -> Draft:
    """This draft without running headers and footers, page numbers and notices that come back at every chapter.

    Form feeds end its pages where it has any.
    """
    del options
    text = draft.text
    found = _at_page_edges(text) if text.count("\f") >= _LEAST_PAGES - 1 else _without_pages(text)
    lines = {(line.start, line.end): kind for line, kind in found}
    # A line goes with its line feed; the last one of a page has none.
    edits = [Edit(start, end + text.startswith("\n", end), "", kind) for (start, end), kind in lines.items()]
    # `[Page 5]` on a line of its own is found as both.
    return draft.edited(without_overlaps([*edits, *_inline_numbers(text)]))


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
    halves: list[int] = []
    middles: list[_Line] = []
    start = 0
    for page, content in enumerate(text.split("\f")):
        lines = [line for line in _lines(content, page, start) if line.key]
        edges.append(("header", lines[:_EDGE_LINES]))
        edges.append(("footer", lines[-_EDGE_LINES:][::-1]))
        halves += [len(lines) // 2] * 2
        middles += lines[_EDGE_LINES:-_EDGE_LINES]
        start += len(content) + 1
    found = _recurring(edges)
    recurring_words = {_words(line.key) for line in found if any(character.isalpha() for character in line.key)}
    for (edge, lines), half in zip(edges, halves, strict=True):
        outer = list(takewhile(found.__contains__, lines))
        # Behind a line that is not furniture only what comes back for long is, and not at the page's other edge.
        outer += [line for line in lines[len(outer) : half] if found.get(line, 0) >= _SURE_PAGES]
        for line in [*outer, *(line for line in lines if line not in outer and _is_other_side(line, recurring_words))]:
            has_words = any(character.isalpha() for character in line.key)
            yield line, f"running {edge}" if has_words else "page number"
    # Where footnotes follow a footer in the text, it stands inside the page.
    yield from ((line, "running footer") for line in middles if _is_other_side(line, recurring_words))


def _is_other_side(line: _Line, recurring_words: set[str]) -> bool:
    """Whether a line has the words of a recurring one in another order or with a Roman number, as other sides do."""
    return "#" in line.key and _words(line.key) in recurring_words


def _recurring(edges: list[tuple[str, list[_Line]]]) -> dict[_Line, int]:
    """The lines at page edges that come back as furniture does, each with how many do so with it."""
    groups: defaultdict[tuple[str, str], list[_Line]] = defaultdict(list)
    for edge, lines in edges:
        for line in lines:
            groups[edge, line.key].append(line)
    runs = (_counting(run) for lines in groups.values() for run in _close_together(lines))
    return {line: len(lines) for lines in runs for line in lines}


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
    remaining, counts = run, False
    for place in range(len(run[0].numbers)):
        same = _steady(run, [line.numbers[place] for line in run])
        counted = _steady(run, [line.numbers[place] - line.page for line in run])
        steady = same or counted
        remaining = [line for line in remaining if line in steady]
        counts = counts or not same
    return [line for line in remaining if counts or not line.prose]


def _steady(run: list[_Line], values: list[int]) -> set[_Line]:
    """The lines of stretches that share a value, if nearly all of the run lie in such.

    A run has several where numbers begin anew: Roman front pages, pages left uncounted, chapters in a running header.
    """
    places: defaultdict[int, list[int]] = defaultdict(list)
    for place, value in enumerate(values):
        places[value].append(place)
    steady = {run[place] for same in places.values() for stretch in _stretches(same) for place in stretch}
    return steady if len(steady) >= _COUNTING_SHARE * len(run) else set()


def _stretches(places: list[int]) -> Iterator[list[int]]:
    """Stretches of at least three places with hardly another place between them."""
    stretch: list[int] = []
    for before, place in pairwise([*places, places[-1] + 2 * _WIDEST_GAP]):
        stretch.append(before)
        if place - before > _WIDEST_GAP:
            if len(stretch) >= max(_LEAST_PAGES, _COUNTING_SHARE * (before - stretch[0] + 1)):
                yield stretch
            stretch = []


def _without_pages(text: str) -> Iterator[tuple[_Line, str]]:
    lines = [line for line in _lines(text, 0, 0) if line.key]
    for pattern in (_DECLARED, _SET_OFF, _BARE):
        places = [n for n, line in enumerate(lines) if line.numbers and pattern.match(line.key)]
        for run in _counting_up(places, lines):
            headers = _beside(run, lines)
            if pattern is _DECLARED or headers or _are_pages([lines[n] for n in run], text, bare=pattern is _BARE):
                yield from ((lines[n], "page number") for n in run)
                yield from ((line, "running header") for line in headers)
    yield from _notices(lines)
    recurring: defaultdict[str, list[_Line]] = defaultdict(list)
    for line in lines:
        if _TITLE.match(line.key) and not line.prose and not line.numbers and not _SECTION.match(line.key):
            recurring[line.key].append(line)
    for same in recurring.values():
        if len(same) >= _LEAST_HEADERS and _are_even(same, _EVEN_HEADERS) and not _are_headings(same, text):
            yield from ((line, "running header") for line in same)


def _notices(lines: list[_Line]) -> Iterator[tuple[_Line, str]]:
    """Lines that stand beside most chapters' headings with only their numbers changed, as sites put them there."""
    chapters = [n for n, line in enumerate(lines) if _CHAPTER.match(line.key)]
    beside = {n + step for n in chapters for step in range(-_BESIDE, _BESIDE + 1)} - set(chapters)
    groups: defaultdict[str, list[_Line]] = defaultdict(list)
    for n in sorted(beside):
        if 0 <= n < len(lines) and len(lines[n].key) >= _LEAST_NOTICE and lines[n].key != _NO_FURNITURE:
            groups[lines[n].key].append(lines[n])
    everywhere = Counter(line.key for line in lines)
    for key, same in groups.items():
        # What also stands elsewhere is a refrain or a form of the work's own.
        if len(same) >= max(_LEAST_NOTICES, 0.6 * len(chapters)) and everywhere[key] == len(same):
            yield from ((line, "notice") for line in same)


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
        if count >= max(_LEAST_PAGES, 0.6 * len(run)) and not _SECTION.match(key):
            found += [line for line in beside if line.key == key]
    return found


def _are_pages(lines: list[_Line], text: str, *, bare: bool) -> bool:
    """Whether numbers on lines of their own stand as pages' do: a page's length apart, parting sentences.

    Sections and years of annals, however even, begin where a sentence has ended. Numbers without marks must also be
    many and evenly spaced.
    """
    if bare and (len(lines) < _LEAST_NUMBERS or not _are_even(lines, _EVEN_NUMBERS)):
        return False
    parting = sum(_parts_a_sentence(line, text) for line in lines)
    return _is_page_length(_gaps(lines)) and parting >= max(2, _RUN_ON_SHARE * len(lines))


def _parts_a_sentence(line: _Line, text: str) -> bool:
    """Whether the text before a line has not ended a sentence and the text after it does not begin one."""
    before = text[max(0, line.start - 4 * _SHORTEST_WRAP) : line.start].rstrip()
    is_wrapped = len(before) - before.rfind("\n") > _SHORTEST_WRAP
    return is_wrapped and _RUNS_ON.search(before) is not None and _GOES_ON.match(text, line.end) is not None


def _are_headings(lines: list[_Line], text: str) -> bool:
    """Whether lines that come back stand between blank lines each time and never part a sentence."""
    return all(
        text[max(0, line.start - 2) : line.start] in ("", "\n\n")
        and text[line.end : line.end + 2] in ("", "\n", "\n\n")
        and not _parts_a_sentence(line, text)
        for line in lines
    )


def _gaps(lines: list[_Line]) -> list[int]:
    """The distances between lines, shortest first."""
    return sorted(after.start - before.end for before, after in pairwise(lines))


def _is_page_length(gaps: list[int]) -> bool:
    return _PAGE_LENGTHS[0] <= gaps[len(gaps) // 2] <= _PAGE_LENGTHS[1]


def _are_even(lines: list[_Line], tolerance: float) -> bool:
    """Whether lines stand a page's length apart, the middle half of the distances within `tolerance` of one another."""
    gaps = _gaps(lines)
    low, high = gaps[len(gaps) // 4], gaps[len(gaps) * 3 // 4]
    return _is_page_length(gaps) and high < tolerance * low


def _inline_numbers(text: str) -> list[Edit]:
    """Page numbers in brackets within the text.

    Nothing else says `Pg`, so three that follow one another are enough; others may be citations, unless five follow one
    another a page's length apart.
    """
    found = list(_INLINE.finditer(text))
    own = [match for match in found if match[1] == "Pg"]
    rising = sum(int(after[2]) - int(before[2]) == 1 for before, after in pairwise(own))
    taken = own if rising >= _LEAST_PAGES - 1 else []
    for word in ("Page", "p"):
        taken += _inline_pages([match for match in found if match[1] == word])
    return [Edit(match.start(), match.end(), "", "page number") for match in taken]


def _inline_pages(found: list[re.Match[str]]) -> Iterator[re.Match[str]]:
    """Runs of numbers that count up by one, each a page's length after the one before."""
    run: list[re.Match[str]] = []
    for match in [*found, None]:
        follows = match is not None and (
            not run
            or (
                int(match[2]) - int(run[-1][2]) == 1
                and _PAGE_LENGTHS[0] // 2 <= match.start() - run[-1].end() <= _PAGE_LENGTHS[1]
            )
        )
        if not follows:
            if len(run) >= _LEAST_INLINE:
                yield from run
            run = []
        if match is not None:
            run.append(match)
