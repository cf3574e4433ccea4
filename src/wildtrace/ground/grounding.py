"""Where a quote stands in a source: exactly, up to how it is written, up to a few harmless words, or not at all.

A span is given only for the whole quote. What is never located: a part of a quote, fragments stitched together or out
of order, an ellipsis that hides words, a quote in which a number, a negation or a name differs. The method: the exact
text; then its skeleton (`text.skeleton`); then the regions that share its rarer words, aligned word by word, each
difference weighed (`text.difference`, `text.agreement`). Only `exact` and `normalised` admit a record; `fuzzy` is for
review.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, NamedTuple

from wildtrace.ground.difference import Change
from wildtrace.ground.places import Place, Source
from wildtrace.types import Span

Status = Literal["exact", "normalised", "fuzzy", "unsupported", "ambiguous", "misattributed"]

LOCATED: frozenset[str] = frozenset({"exact", "normalised", "fuzzy"})
ADMITTED: frozenset[str] = frozenset({"exact", "normalised"})
MOST_CANDIDATES = 20
_EQUAL_SCORES = 0.01

__all__ = ["ADMITTED", "LOCATED", "Candidate", "Grounding", "Quote", "Source", "Status", "ground", "ground_all"]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A place of a quote in a named source, for a reader to look at; `score` is 1 for the same words."""

    source: str
    start: int
    end: int
    score: float


@dataclass(frozen=True, slots=True)
class Grounding:
    """What came of grounding one quote. `span` is set when `status` is located; its text is the source's.

    `changes` are the differences of a fuzzy place; `reason` says why there is no span.
    """

    status: Status
    span: Span | None = None
    candidates: tuple[Candidate, ...] = ()
    changes: tuple[Change, ...] = ()
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Quote:
    """A quote to ground and, optionally, the half-open range of the source's code points where it is expected."""

    text: str
    window: tuple[int, int] | None = None


def ground(quote: Quote, source: Source, others: Sequence[Source] = ()) -> Grounding:
    """Ground one quote in `source`; where it stands nowhere there, say whether it stands in one of `others`."""
    return ground_all([quote], source, others)[0]


def ground_all(quotes: Sequence[Quote], source: Source, others: Sequence[Source] = ()) -> list[Grounding]:
    """Ground quotes in `source`; where some stand at several places and all are given in text order, use that order."""
    places = [source.places(quote.text) for quote in quotes]
    options = [_options(quote, found) for quote, found in zip(quotes, places, strict=True)]
    chosen = _in_order([quote.text for quote in quotes], options)
    return [
        _outcome(quote, source, found, choice, others)
        for quote, found, choice in zip(quotes, places, chosen, strict=True)
    ]


def _options(quote: Quote, places: list[Place]) -> list[Place]:
    """The located places that the window leaves, the exact ones alone if there are any."""
    located = [place for place in places if place.status in LOCATED]
    if quote.window is not None:
        located = [place for place in located if place.is_within(quote.window)] or located
    exact = [place for place in located if place.status == "exact"]
    if exact or not located:
        return exact
    best = max(place.score for place in located)
    return [place for place in located if place.score >= best - _EQUAL_SCORES]


def _in_order(texts: list[str], options: list[list[Place]]) -> list[list[Place]]:
    """Options after order has decided what it can: one for a located quote, several for an ambiguous one."""
    sure = [(row, found[0].start) for row, found in enumerate(options) if len(found) == 1]
    if any(before[1] > after[1] for before, after in pairwise(sure)):
        return options
    decided = list(options)
    rows_of: defaultdict[str, list[int]] = defaultdict(list)
    for row, found in enumerate(options):
        if len(found) > 1:
            rows_of[texts[row]].append(row)
    order = _Sure([row for row, _ in sure], [start for _, start in sure])
    for rows in rows_of.values():
        for group, possible in _groups(rows, options, order):
            if len(group) == len(possible):
                for row, place in zip(group, possible, strict=True):
                    decided[row] = [place]
    return decided


class _Sure(NamedTuple):
    """The rows with one place, in order, and where that begins; the places are in order too."""

    rows: list[int]
    starts: list[int]

    def around(self, row: int) -> tuple[int, int]:
        """Where the nearest of them before and after a row begin, -1 where there is none."""
        at = bisect_left(self.rows, row)
        after = at + (self.rows[at : at + 1] == [row])
        return self.starts[at - 1] if at else -1, self.starts[after] if after < len(self.rows) else -1


def _groups(rows: list[int], options: list[list[Place]], sure: _Sure) -> list[tuple[list[int], list[Place]]]:
    """Rows of one repeated quote with the places left to them: all of them, else those between the same sure rows.

    A single row needs a sure row on either side: one side alone says too little.
    """
    places = sorted(options[rows[0]], key=lambda place: place.start)
    if len(rows) > 1 and len(rows) == len(places) and _fits(rows, places, sure):
        return [(rows, places)]
    between: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    for row in rows:
        between[sure.around(row)].append(row)
    return [
        (group, [place for place in places if place.start >= before and (after < 0 or place.start < after)])
        for (before, after), group in between.items()
        if len(rows) > 1 or (before >= 0 and after >= 0)
    ]


def _fits(rows: list[int], places: list[Place], sure: _Sure) -> bool:
    """Whether places in order, one a row, keep the order of the sure ones."""
    for row, place in zip(rows, places, strict=True):
        before, after = sure.around(row)
        if place.start < before or 0 <= after < place.start:
            return False
    return True


def _outcome(
    quote: Quote, source: Source, places: list[Place], options: list[Place], others: Sequence[Source]
) -> Grounding:
    says_the_same = any(place.status in ADMITTED for place in options)
    elsewhere = () if says_the_same else _elsewhere(quote, others, near_too=not options)
    if elsewhere:
        return Grounding("misattributed", None, elsewhere, reason="it stands in another source")
    if len(options) == 1:
        place = options[0]
        status: Status = place.status
        span = Span.of(source.text, place.start, place.end)
        return Grounding(status, span, _candidates(source, places), place.changes)
    if options:
        return Grounding("ambiguous", None, _candidates(source, options), reason="it stands at several places")
    reason = places[0].reason if places else "it stands nowhere"
    return Grounding("unsupported", None, _candidates(source, places), reason=reason)


def _elsewhere(quote: Quote, others: Sequence[Source], *, near_too: bool) -> tuple[Candidate, ...]:
    """The places of a quote in other sources; one that is near in its own source must be the same there."""
    accepted = LOCATED if near_too else ADMITTED
    return tuple(
        candidate
        for other in others
        for candidate in _candidates(other, [place for place in other.places(quote.text) if place.status in accepted])
    )


def _candidates(source: Source, places: list[Place]) -> tuple[Candidate, ...]:
    return tuple(Candidate(source.name, place.start, place.end, place.score) for place in places[:MOST_CANDIDATES])
