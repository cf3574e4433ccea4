"""Front and back matter: contents, licences, adverts, notes, lists, indexes. It stays in the text and is marked.

What form alone shows is marked only where several signs agree: a contents list by entries that come back as headings,
adverts by prices and formats side by side, an index by entries that end with page numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from wildtrace.construct.ingest.contents import contents
from wildtrace.construct.ingest.draft import Block, Draft, Options
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

# Notes of those who transcribed a book.
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

# Lists of words and of a series.
_WORD_LIST = re.compile(
    r"^[ \t]*(?:list of )?(?:abbreviations|acronyms|glossary|glossary of terms)"
    r"(?: and (?:abbreviations|acronyms|glossary))?[ \t]*:?$"
    r"|^[ \t　]*(?:缩略语|縮略語|缩写|縮寫|术语|術語|词汇|詞彙)(?:表|对照表|對照表)?[ \t　]*$",
    re.MULTILINE | re.IGNORECASE,
)
_EDGE_SHARE = 0.2
_FARTHEST = 200_000
_LONGEST_WORDS = 12_000
# A page's end may leave a gap, too; but a heading has a capital, and the next term here has none.
_WORDS_END = re.compile(rf"\n(?:[ \t]*\n){{2,}}+(?![ \t]*[a-z])|(?i:{_WORD_LIST.pattern})", re.MULTILINE)
_LONGEST_TERM = 60
_LEAST_TERMS = 4
_NO_TERM = re.compile(r"[.!?,;:。！？，；：]\s*$|[.!?]\s+[A-Z]")
_TERM_SHARE = 0.4
_ACRONYM = re.compile(r"^[ \t]*(?=[^\s]*[A-Z0-9][^\s]*[A-Z])[A-Za-z0-9&/.-]{2,12}[ \t]+\S")
_MOST_STRANGERS = 2
_SERIES = re.compile(
    r"^[ \t]*(?:recent|other|previous|earlier|further)\b[^\n]{0,60}\breports?\b"
    r"(?:[^\n]{0,30}\b(?:published|issued)\b[^\n]*| in this series[ \t]*)?$",
    re.MULTILINE | re.IGNORECASE,
)
_NUMBERED = re.compile(r"^[ \t]*(?:[A-Z]{1,3}-)?\d{2,4}-\d{2,4}\b", re.MULTILINE)
_LONGEST_SERIES = 8000
_LEAST_NUMBERED = 5
_MOST_A_REPORT = 500
"""Code points for each numbered report of a series list."""


def mark_matter(draft: Draft, options: Options) -> Draft:
    """Mark what the text's own form says is matter, besides what the file declared."""
    del options
    return draft.with_blocks(Block("matter", each.start, each.end, 0, each.kind) for each in matter_of(draft.text))


def matter_of(text: str) -> tuple[Matter, ...]:
    """The front and back matter of a canonical text, in order, not overlapping."""
    licences = list(_licences(text))
    work_end = licences[-1].start if licences and licences[-1].end >= len(text.rstrip()) else len(text)
    found = [*licences, *_transcribers_notes(text, licences), *contents(text), *_listings(text), *_adverts(text)]
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


def _transcribers_notes(text: str, licences: Sequence[Matter]) -> Iterator[Matter]:
    """Notes of those who transcribed the book, which speak of the file.

    Those with a heading stand anywhere, credits near the beginning, the end or a licence.
    """
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


def _listings(text: str) -> Iterator[Matter]:
    """The lists of abbreviations and terms, and the list of a series' other reports.

    They explain words and name other events, so that a row of one is no evidence about the work's own. Each has a
    heading alone on its line near the beginning or the end, and rows under it.
    """
    edge = min(max(2 * _LONGEST_WORDS, int(len(text) * _EDGE_SHARE)), _FARTHEST)
    for begin, stop in ((0, edge), (max(edge, len(text) - edge), len(text))):
        for match in _WORD_LIST.finditer(text, begin, stop):
            end = _end_of_words(text, match.end())
            if end:
                yield Matter("word list", match.start(), end)
    for match in _SERIES.finditer(text, max(0, len(text) - _LONGEST_SERIES)):
        numbers = len(_NUMBERED.findall(text, match.end()))
        if numbers >= _LEAST_NUMBERED and numbers * _MOST_A_REPORT >= len(text) - match.end():
            yield Matter("series list", match.start(), len(text))
            return


def _end_of_words(text: str, start: int) -> int:
    """Where the rows under a heading end: at a gap if they are terms and explanations, else with the last acronym."""
    body = text[start : start + _LONGEST_WORDS]
    leading = len(body) - len(body.lstrip())
    end = _WORDS_END.search(body, leading)
    stop = end.start() if end is not None else 0
    rows = [row for row in re.split(r"\n[ \t]*\n", body[leading:stop]) if row.strip()]
    terms = sum(len(row) <= _LONGEST_TERM and not _NO_TERM.search(row) for row in rows)
    if terms >= _LEAST_TERMS and terms >= _TERM_SHARE * len(rows):
        return start + stop
    last = _last_acronym(body)
    return start + last if last else 0


def _last_acronym(body: str) -> int:
    """The end of the last line of a list of acronyms, 0 where there are too few."""
    found, end, strangers = 0, 0, 0
    for line in re.finditer(r"[^\n]*\S[^\n]*", body):
        if _ACRONYM.match(line[0]) and not _NO_TERM.search(line[0]):
            found, end, strangers = found + 1, line.end(), 0
            continue
        strangers += 1
        if strangers > _MOST_STRANGERS:
            break
    return end if found >= _LEAST_TERMS else 0
