"""Numbers as they are written, in digits, English words and Chinese numerals, and where an edge cuts one in two.

A cut number is another number: `500` of `1 500`, `five` of `twenty-five`, 九百 of 八九百, `5` of `A5`. What a number
counts may be left without it: `men came` of `five men came` cuts nothing.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from wildtrace.text.normalise import APOSTROPHES, CJK, DASHES

# A number is read this far on either side of an edge: as far as any is written, however long a run of digits is.
_REACH: Final = 64
_NEAR: Final = 4
_MOST_WORDS: Final = 12
# Texts that repeat themselves, as hostile ones do, have few surroundings.
_REMEMBERED: Final = 1 << 12

_HYPHEN: Final = "[-‐‑‒–]"
_LETTER: Final = f"[^\\W\\d_{CJK}]"
_DIGIT: Final = "[\\d¹²³⁰⁴-⁹₀-₉]"
_SIGN: Final = f"(?<![^\\s(（])[+±{''.join(map(re.escape, sorted(DASHES)))}]"
# What stands between the digits of one number: points, thousands' apostrophes, and what cannot be seen.
_POINT: Final = f"[.,:/{''.join(sorted(APOSTROPHES))}\u00ad\u200b-\u200d\u2060\ufeff]"
_SPACE: Final = "[ \u00a0\u2009\u202f]"
_FRACTION: Final = f"{_SPACE}?[¼-¾⅐-⅞]|(?:{_SPACE}|-)\\d{{1,2}}/\\d{{1,2}}(?![\\d/])"
_GROUPED: Final = f"(?<!{_DIGIT})\\d{{1,3}}(?:{_SPACE}\\d{{3}}(?!{_DIGIT}))+(?:[.,]\\d+)?"
_FIGURES: Final = f"(?:{_GROUPED}|{_DIGIT}+(?:{_POINT}{_DIGIT}+)*)(?:{_FRACTION})?"

_NUMERALS: Final = "〇零一二两兩三四五六七八九十百千万萬亿億兆廿卅半双雙几幾"
_FORMAL: Final = "零壹贰貳叁叄肆伍陆陸柒捌玖拾佰仟"
_TENFOLD: Final = "十百千万萬亿億兆"
_PREFIX: Final = f"第|(?<![当當起最])初(?=[一二三四五六七八九十])|[数數](?=[{_TENFOLD}])"
_COUNT: Final = f"(?:[{_NUMERALS}]+|[{_FORMAL}]{{2,}}|{_FIGURES}[{_TENFOLD}]*)"
_MORE: Final = f"(?<=[{_TENFOLD}])(?:[多余餘]|[来來](?=[个個岁歲人里年天日名位]))"
# What follows the `core` makes it another number where it is cut off, but is none itself: `12%`, `5th`, 三十余.
_NUMBER: Final = re.compile(
    f"(?P<core>(?:{_SIGN})?(?:[$€£¥]\\s?|(?<!{_LETTER}){_LETTER}{{1,12}}{_HYPHEN}?(?=\\d))?"
    f"(?:{_PREFIX})?{_COUNT}(?:(?:分之|[点點又]|(?<=十)有){_COUNT})*)"
    f"(?:{_MORE}|(?<={_DIGIT})(?:\\s?[%‰％°]|{_LETTER}{{1,12}}))?"
)
_TAELS: Final = re.compile(f"[{_NUMERALS}](?<!一)[两兩]$")
_FIGURE: Final = re.compile(f"{_DIGIT}|[{_NUMERALS}{_FORMAL}¼-¾⅐-⅞]")

_UNITS: Final = "one|two|three|four|five|six|seven|eight|nine"
_TENS: Final = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
_PARTS: Final = "half|quarter|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth"
_PLURALS: Final = f"halves|(?:{_PARTS.removeprefix('half|')})s"
_TEEN: Final = "(?:thir|four|fif|six|seven|eigh|nine)teen"
_ORDINAL: Final = f"first|second|(?:eleven|twelf|{_TEEN}|(?:twen|thir|for|fif|six|seven|eigh|nine)tie)th"
_OTHERS: Final = f"ten|eleven|twelve|{_TEEN}|{_ORDINAL}|couple"
_POWERS: Final = "(?:hundred|thousand|million|billion|trillion|dozen|score)"
_WORD: Final = f"(?:{_PLURALS}|{_PARTS}|{_TENS}|{_UNITS}|{_OTHERS}|{_POWERS}(?:s|ths?)?)"
_JOINT: Final = f"(?:\\s{{1,4}}|{_HYPHEN}\\s{{0,4}})"
_FOLLOWING: Final = re.compile(
    f"(?:{_JOINT})?(?:(?:and|or|past|to){_JOINT})?(?:an?\\s{{1,4}})?({_WORD})\\b", re.IGNORECASE
)
_PRECEDING: Final = re.compile(
    f"(?:\\b({_WORD}|no)|{_DIGIT})({_JOINT})(?:(and|or|past|to){_JOINT})?(an?\\s{{1,4}})?$", re.IGNORECASE
)
# Two number words and what joins them (`-` for a hyphen, `a` for an article) that are one number, `5` for digits.
_ONE_NUMBER: Final = re.compile(
    f"{_WORD}-{_WORD}|no[- ]one|(?:{_WORD}|5) {_POWERS}(?:s|ths?)?|{_POWERS} (?:and )?{_WORD}"
    f"|(?:{_TENS}) (?:{_UNITS}|{_PARTS}|first|second)|(?:{_WORD}|5) (?:{_PLURALS})|(?:{_UNITS}) and (?:{_TENS})"
    f"|(?:{_WORD}|5) and (?:a )?(?:{_PARTS}|{_PLURALS})|(?:half|quarter) (?:past|to) {_WORD}"
    f"|half a {_POWERS}|{_WORD} or {_WORD}"
)


def number_start(text: str, at: int) -> int:
    """Where the number begins that an edge at `at` would cut the beginning off, else `at`; not further than is read."""
    for _ in range(_MOST_WORDS):
        step = _cut(text, at, with_rest=False)[0]
        at -= step
        if step in (0, _REACH):
            break
    return at


def number_end(text: str, at: int) -> int:
    """Where the number ends that an edge at `at` would cut the end off, else `at`; not further than is read."""
    for _ in range(_MOST_WORDS):
        step = _cut(text, at, with_rest=True)[1]
        at += step
        if step in (0, _REACH):
            break
    return at


def _cut(text: str, at: int, *, with_rest: bool) -> tuple[int, int]:
    """How many characters before and behind `at` belong to one number, or to two words of it, that it would cut."""
    before, after = text[max(0, at - _REACH) : at], text[at : at + _REACH]
    return _cut_between(before, after, with_rest=with_rest) if before and after else (0, 0)


@lru_cache(maxsize=_REMEMBERED)
def _cut_between(before: str, after: str, *, with_rest: bool) -> tuple[int, int]:
    if _FIGURE.search(before[-_NEAR:]) or _FIGURE.search(after[:_NEAR]):
        found = _cut_figures(before, after, with_rest=with_rest)
        if found != (0, 0):
            return found
    following = _FOLLOWING.match(after)
    return _cut_words(before, after, following) if following else (0, 0)


def _cut_figures(before: str, after: str, *, with_rest: bool) -> tuple[int, int]:
    edge = len(before)
    for match in _NUMBER.finditer(before + after):
        start, end = match.start(), _full_end(match) if with_rest else match.end("core")
        if start < edge < end:
            return edge - start, end - edge
    return 0, 0


def _full_end(match: re.Match[str]) -> int:
    """The end of a number with its rest, without the measure that is a numeral too (十两 is ten taels)."""
    return match.end() - 1 if _TAELS.search(match[0]) else match.end()


def _cut_words(before: str, after: str, following: re.Match[str]) -> tuple[int, int]:
    preceding = _PRECEDING.search(before + after[: following.start(1)])
    if preceding is None or preceding.start() >= len(before):
        return 0, 0
    first, gap, link, article = preceding.groups()
    joint = (f" {link} " if link else "-" if gap.strip() else " ") + ("a " if article else "")
    if _ONE_NUMBER.fullmatch(f"{first or 5}{joint}{following[1]}".lower()) is None:
        return 0, 0
    return len(before) - preceding.start(), following.end()
