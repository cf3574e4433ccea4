"""Lists beside a report's text: abbreviations and glossaries, and the other reports of its series.

They explain words and name other events, so that a row of one is no evidence about the work's own. Each is told by a
heading alone on its line near the beginning or the end, and by the rows under it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from wildtrace.types import Matter

_WORDS = re.compile(
    r"^[ \t]*(?:list of )?(?:abbreviations|acronyms|glossary|glossary of terms)"
    r"(?: and (?:abbreviations|acronyms|glossary))?[ \t]*:?$"
    r"|^[ \t　]*(?:缩略语|縮略語|缩写|縮寫|术语|術語|词汇|詞彙)(?:表|对照表|對照表)?[ \t　]*$",
    re.MULTILINE | re.IGNORECASE,
)
_EDGE_SHARE = 0.2
_FARTHEST = 200_000
_LONGEST_WORDS = 12_000
# A page's end may leave a gap, too; but a heading has a capital, and the next term here has none.
_WORDS_END = re.compile(rf"\n(?:[ \t]*\n){{2,}}+(?![ \t]*[a-z])|(?i:{_WORDS.pattern})", re.MULTILINE)
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
_DENSE = 500


def listings(text: str) -> Iterator[Matter]:
    """The word lists and the series list of a text."""
    edge = min(max(2 * _LONGEST_WORDS, int(len(text) * _EDGE_SHARE)), _FARTHEST)
    for begin, stop in ((0, edge), (max(edge, len(text) - edge), len(text))):
        for match in _WORDS.finditer(text, begin, stop):
            end = _end_of_words(text, match.end())
            if end:
                yield Matter("word list", match.start(), end)
    for match in _SERIES.finditer(text, max(0, len(text) - _LONGEST_SERIES)):
        numbers = len(_NUMBERED.findall(text, match.end()))
        if numbers >= _LEAST_NUMBERED and numbers * _DENSE >= len(text) - match.end():
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
