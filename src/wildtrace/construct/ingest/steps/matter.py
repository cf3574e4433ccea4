"""Front and back matter: contents, licences, adverts, notes, lists, indexes. It stays in the text and is marked.

What is told by form alone is marked only where several signs agree: a contents list by entries that come back as
headings, adverts by prices and formats side by side, an index by entries that end with page numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from wildtrace.construct.ingest.contents import contents
from wildtrace.construct.ingest.draft import Block, Draft, Options
from wildtrace.construct.ingest.listings import listings
from wildtrace.construct.ingest.transcribers import notes
from wildtrace.types import Matter

_START = re.compile(r"^\*\*\*\s*START OF (?:THE|THIS) PROJECT GUTENBERG.*?\*\*\*[^\S\n]*\n?", re.MULTILINE | re.DOTALL)
_END = re.compile(
    r"^(?:\*\*\*\s*END OF (?:THE|THIS) PROJECT GUTENBERG"
    r"|End of (?:the |this )?Project Gutenberg(?:['’]s\b|\s+[Ee]-?(?:[Bb]ook|[Tt]ext)\b))",
    re.MULTILINE,
)
_LONGEST_MARKER = 400
_PRICE = re.compile(r"\b\d{1,3}s\.|\b\d{1,2}d\.|[$£]\s?\d|\b[Pp]rice\b|\bnet\b")
_FORMAT = re.compile(
    r"\b(?:8vo|12mo|16mo|18mo|4to|octavo|duodecimo)\b|\bcloth\b|\bpaper covers\b|定[价價]", re.IGNORECASE
)
_LEAST_ADVERTS = 4
_WIDEST_ADVERT = 600
_LONGEST_ADVERT = 5_000
_DENSE = 0.5
_BACK = re.compile(
    r"^[ \t\u3000]*(?:(?P<index>(?:general |subject )?index(?: of [a-z ]{1,30})?|索引)"
    r"|(?P<errata>errata|corrigenda|勘[误誤]表?)"
    r"|(?P<advert>advertisements?|(?:books|works|novels) (?:published )?by [^\n]{1,60}|by the same author"
    r"|[^\n]{0,40}\b(?:publications|new books|catalogue)\b[^\n]{0,40}))[.:]?[ \t]*$",
    re.MULTILINE | re.IGNORECASE,
)
_BACK_SHARE = 0.6
"""Back matter begins in the last two fifths of a work, which for a book in parts is its last part."""
_INDEX_ENTRY = re.compile(r"\b\d{1,4}(?:[-–]\d{1,4})?(?:\s*(?:n\.|ff?\.))?[.;]?\s*$|\bsee (?:also )?\w", re.IGNORECASE)
_ERRATUM = re.compile(r"\b(?:for|read|page|p\.|line|insert|delete|omit)\b|[页頁行]|应[为作]|應[為作]", re.IGNORECASE)
_LEAST_ENTRIES = 5
_LONGEST_ERRATA = 8_000
_LONGEST_ENTRY = 200
_ENTRY_SHARE = {"index": 0.5, "errata": 0.4, "advert": 0.0}


def matter_of(text: str) -> tuple[Matter, ...]:
    """The front and back matter of a canonical text, in order, not overlapping."""
    licences = list(_licences(text))
    work_end = licences[-1].start if licences and licences[-1].end >= len(text.rstrip()) else len(text)
    found = [*licences, *notes(text, licences), *contents(text), *listings(text), *_adverts(text)]
    return merged([*found, *_back_matter(text, work_end)])


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


def _back_matter(text: str, work_end: int) -> Iterator[Matter]:
    """Indexes, errata and publishers' lists under a heading of their own at the end, by the lines beneath it."""
    found = [
        match for match in _BACK.finditer(text, int(len(text) * _BACK_SHARE), work_end) if _stands_alone(text, match)
    ]
    ends = [each.start() for each in found[1:]] + [work_end]
    for match, end in zip(found, ends, strict=False):
        kind = match.lastgroup or ""
        stop = min(end, match.end() + _LONGEST_ERRATA) if kind == "errata" else end
        lines = [line for line in text[match.end() : stop].split("\n") if line.strip()]
        pattern = _INDEX_ENTRY if kind == "index" else _ERRATUM
        entries = sum(pattern.search(line) is not None for line in lines)
        is_prose = sum(len(line) > _LONGEST_ENTRY for line in lines) * 5 > len(lines)
        if kind == "advert":
            if lines and match.start() > 0.9 * work_end and sum(_PRICE.search(line) is not None for line in lines) >= 2:
                yield Matter("advert", match.start(), stop)
        elif (len(lines) >= _LEAST_ENTRIES and entries >= _ENTRY_SHARE[kind] * len(lines) and not is_prose) or (
            kind == "errata" and lines and entries >= _ENTRY_SHARE[kind] * len(lines)
        ):
            yield Matter(kind, match.start(), stop)


def _stands_alone(text: str, match: re.Match[str]) -> bool:
    """Whether a line has an empty one, or nothing, before it."""
    return text[max(0, match.start() - 2) : match.start()] in ("", "\n", "\n\n") or text[: match.start()].endswith(
        "\n\n"
    )


def _adverts(text: str) -> Iterator[Matter]:
    """Stretches of paragraphs of which most name prices and book formats."""
    priced = [match.start() for match in _PRICE.finditer(text)]
    group: list[int] = []
    for before, after in pairwise([*priced, len(text) + 2 * _WIDEST_ADVERT]):
        group.append(before)
        if after - before > _WIDEST_ADVERT:
            yield from _advert(text, group)
            group = []


def _behind(text: str, blank: int, low: int) -> int:
    """Where a paragraph begins behind a blank line; where there is none from `low` on, at a line."""
    if blank >= 0:
        return blank + 2
    return text.find("\n", low) + 1 if low else 0


def _advert(text: str, places: list[int]) -> Iterator[Matter]:
    """The paragraphs from the first to the last of these places, if prices are dense among them."""
    low, high = max(0, places[0] - _LONGEST_ADVERT), min(len(text), places[-1] + _LONGEST_ADVERT)
    start = _behind(text, text.rfind("\n\n", low, places[0]), low)
    end = text.find("\n\n", places[-1], high)
    end = high if end < 0 else end
    paragraphs = [part for part in text[start:end].split("\n\n") if part.strip()]
    dense = sum(_FORMAT.search(part) is not None and _PRICE.search(part) is not None for part in paragraphs)
    if dense >= _LEAST_ADVERTS and dense >= _DENSE * len(paragraphs):
        yield Matter("advert", start, end)


def mark_matter(draft: Draft, options: Options) -> Draft:
    """Mark what the text's own form says is matter, besides what the file declared."""
    del options
    return draft.with_blocks(Block("matter", each.start, each.end, 0, each.kind) for each in matter_of(draft.text))
