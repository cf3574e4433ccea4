"""A stretch as the extractors see it: its units and, by place, all that was found in it once.

A unit is what one event record quotes: a sentence, or short neighbouring sentences of one paragraph together; a
sentence is cut at a cue that states a cause, a contrast or an explanation, so that both ends of the relation are units.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final, NamedTuple, TypeVar

from wildtrace.languages.cues import Cue, cues
from wildtrace.languages.dates import TimeMention, times
from wildtrace.languages.en.openings import openings
from wildtrace.languages.hours import Hours, with_hours
from wildtrace.languages.speech import Marks, Speech, speeches
from wildtrace.text.letters import small_letters
from wildtrace.text.sentences import paragraphs, sentences_of

Range = tuple[int, int]
Item = TypeVar("Item")
CUTTING: Final = frozenset({"causes", "enables", "explains", "contrasts"})


@dataclass(frozen=True, slots=True)
class Sizes:
    """How long a unit shall be, in code points: joined up to `enough`, never beyond `most`; ends of a cut.

    `across` is up to where a short unit goes on into the next paragraph.
    """

    enough: int
    across: int
    most: int
    cut: int


ENGLISH: Final = Sizes(enough=145, across=72, most=380, cut=22)
CHINESE: Final = Sizes(enough=230, across=180, most=380, cut=6)
# These state a relation anywhere, but begin a clause only behind a pause.
_NEEDS_PAUSE: Final = re.compile(
    r"(?:however|therefore|consequently|accordingly|hence|thus|nevertheless|nonetheless|similarly|instead of"
    r"|rather than|despite|notwithstanding|though|so (?:he|she|they|I|we)|explains|accounted|accounts|proved"
    r"|the secret|revealed|had in fact|had really|all along|confessed|enabled|permitted"
    r"|probably|most likely|was likely|were likely|it is likely|suggest|indicat|consistent|evidence that|associated"
    r"|concluded|determined|investigat|commission found|说明白|明白了)",
    re.IGNORECASE,
)
_PAUSE: Final = re.compile(r"[,;:.!?—–)\"”-]\s*$")
_LETTERS: Final = re.compile(r"[^\W\d_]")
_LEAST_LETTERS: Final = 2
_WIDEST_GAP: Final = 12
_PLAINLY: Final = 24
_RULES: Final = re.compile(r"[|│┼─═_]{1}|\d{3}|\s{4}|\.{4}")
_LEAST_SHARE: Final = 0.55


class Unit(NamedTuple):
    """A unit's range, its paragraph's place on the page, and the cue that its start was cut or opened with."""

    start: int
    end: int
    paragraph: int
    cue: Cue | None = None


Piece = tuple[int, int, int, Cue | None]
"""What units are joined from, with the same fields: a plain tuple, of which there are more."""


@dataclass(slots=True)
class Page:
    """One stretch: its text (offsets are the page's), where it begins in the document, and what stands in it.

    `small` is the text in small letters, with a space at every place where no letter of ASCII stands; `openings` are
    the places where an English phrase of a table may begin.
    """

    text: str
    small: str
    offset: int
    chinese: bool
    paragraphs: list[Range]
    units: list[Unit] = field(default_factory=list)
    cues: list[Cue] = field(default_factory=list)
    times: list[TimeMention] = field(default_factory=list)
    speeches: list[tuple[Speech, int]] = field(default_factory=list)
    openings: list[int] | None = None


def read_page(
    text: str, offset: int, marks: Marks | None, *, chinese: bool, by_line: bool, hours: Hours | None = None
) -> Page:
    """Read one stretch."""
    page = Page(text, small_letters(text), offset, chinese, list(paragraphs(text, by_line=by_line)))
    page.openings = None if chinese else openings(text)
    page.cues = list(cues(text, page.openings, chinese=chinese))
    page.times = list(times(text, places=page.openings, chinese=chinese))
    if hours is not None:
        page.times = with_hours(page.times, text, hours)
    page.units = list(_units(page))
    if marks is not None:
        page.speeches = [
            (speech, place)
            for place, (start, end) in enumerate(page.paragraphs)
            for speech in speeches(text, start, end, marks)
        ]
    return page


def within(found: Sequence[Item], starts: Sequence[int], start: int, end: int) -> Sequence[Item]:
    """Those of `found`, which begin at `starts`, that begin in [start, end)."""
    return found[bisect_left(starts, start) : bisect_left(starts, end)]


def unit_at(starts: Sequence[int], place: int) -> int:
    """The index of the unit, by the units' starts, that `place` stands in or behind; -1 before the first."""
    return bisect_right(starts, place) - 1


def _units(page: Page) -> Iterator[Unit]:
    sizes = CHINESE if page.chinese else ENGLISH
    pieces = _prose(page, sizes)
    if not page.chinese:
        pieces = (piece for piece in pieces if _is_prose(page, piece[0], piece[1]))
    yield from _joined(page, pieces, sizes)


def _prose(page: Page, sizes: Sizes) -> Iterator[Piece]:
    """The page's sentences, cut at its cues."""
    cutting = [cue for cue in page.cues if cue.relation in CUTTING]
    starts = [*(cue.start for cue in cutting), len(page.text)]
    after = 0
    for place, found in enumerate(sentences_of(page.text, page.paragraphs)):
        for first, last in found:
            before = after
            while starts[after] < last:
                after += 1
            if before == after:
                yield first, last, place, None
                continue
            for begin, stop, cue in _pieces(page.text, (first, last), cutting[before:after], sizes):
                yield begin, stop, place, cue


def _pieces(text: str, sentence: Range, found: Iterable[Cue], sizes: Sizes) -> Iterator[tuple[int, int, Cue | None]]:
    """A sentence cut at the cues that leave enough on either side; a cue that opens it belongs to its first piece."""
    start, end = sentence
    bounds: list[tuple[int, Cue | None]] = [(start, None)]
    for cue in found:
        if cue.start - start < sizes.cut // 2 and bounds[-1] == (start, None):
            bounds[-1] = (start, cue)
        elif min(cue.start - bounds[-1][0], end - cue.start) >= _least(cue, sizes) and _begins_clause(text, cue):
            bounds.append((cue.start, cue))
    for (first, opening), (after, _) in pairwise([*bounds, (end, None)]):
        yield first, after, opening


def _least(cue: Cue, sizes: Sizes) -> int:
    """How long either side of a cut must be: a contrast is common, and worth one in long sentences only."""
    return 3 * sizes.cut if cue.relation == "contrasts" else sizes.cut


def _begins_clause(text: str, cue: Cue) -> bool:
    if cue.relation != "contrasts" and not _NEEDS_PAUSE.match(text, cue.start):
        return True
    before = text[cue.start - 3 : cue.start]
    return _PAUSE.search(before) is not None or before[-1:] in "，；：。！？“”「」"


def _is_prose(page: Page, start: int, end: int) -> bool:
    """Whether most is letters, which those of ASCII alone mostly answer."""
    letters = end - start - page.small.count(" ", start, end)
    if letters >= _LEAST_LETTERS and letters >= _LEAST_SHARE * (end - start - page.text.count(" ", start, end)):
        return True
    return is_prose(page.text[start:end])


def is_prose(text: str) -> bool:
    """Whether a unit's text is mostly letters: no row of a table, no rule, no number alone on its line."""
    if len(text) > _PLAINLY and text[0].isalpha() and _RULES.search(text) is None:
        return True
    letters = len(_LETTERS.findall(text))
    return letters >= _LEAST_LETTERS and letters >= _LEAST_SHARE * (len(text) - text.count(" "))


def _joined(page: Page, pieces: Iterable[Piece], sizes: Sizes) -> Iterator[Unit]:
    """Pieces as units, short neighbours joined; a piece with a cue begins a unit of its own."""
    pieces = iter(pieces)
    first = next(pieces, None)
    if first is None:
        return
    most = sizes.most
    begun, ended, paragraph, opening = first
    for start, end, place, cue in pieces:
        enough = sizes.enough if place == paragraph else sizes.across if _leads_on(page, ended, start, opening) else 0
        if (
            cue is None
            and ended - begun < enough
            and not _is_parted(page, ended, start)
            and end - begun <= most
            and start - ended <= _WIDEST_GAP
        ):
            ended = end
        else:
            yield Unit(begun, ended, paragraph, opening)
            begun, ended, paragraph, opening = start, end, place, cue
    yield Unit(begun, ended, paragraph, opening)


_NUMBERED: Final = re.compile(r"\n\s*\d+(?:\.\d+)*\.?\s")
_CHAPTER: Final = re.compile(r"第[一二三四五六七八九十百零〇\d]{1,6}[回章卷折]\s")
_NUMBER_LENGTH: Final = 12


def _is_parted(page: Page, ended: int, start: int) -> bool:
    """Whether the number of a section, or a chapter's heading, stands between two pieces."""
    if page.chinese:
        return _CHAPTER.match(page.text, start) is not None
    return _NUMBERED.search(page.text, ended, start + _NUMBER_LENGTH) is not None


def _leads_on(page: Page, ended: int, start: int, opening: Cue | None) -> bool:
    """Whether a short unit may go on into the next paragraph: no English heading, end of a cut, or to a number."""
    if page.chinese:
        return True
    return opening is None and not page.text[ended - 1].isalnum() and not page.text[start].isdigit()
