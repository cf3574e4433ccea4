"""The causes that an English sentence states, with the words that state them.

`X because Y`, `Owing to Y, X`, `X led to Y`, `X, so that Y`, `Therefore, X`. A cue that is denied, asked about or
imagined states nothing (`was not caused by`, `whether fatigue contributed to`, `if the alarm had caused`), nor do ways
that lead and what is due to arrive. Only what one sentence says by such a cue is claimed: words that also tell of time
(`since`, `as`, `for`) are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from wildtrace.languages.base import Connective, Range, any_of, data, trimmed

_LEAST: Final = 6
"""Code points that either end has at least."""
_NEAR: Final = 80
"""How far back the words that govern a cue are looked for, in code points."""
_NOT: Final = r"(?:\b(?:not|never|neither|nor|hardly|scarcely|cannot)|n['’]t)"
_OPEN: Final = (
    r"\b(?:whether|if|unless|den(?:y|ies|ied|ying)|no\s+(?:evidence|indication|proof|suggestion)|nor"
    r"|(?:reject|dismiss|disput|disprov|rul)\w*\b[^.;:]*\bthat)\b[^,.;:]*$"
)
# `He could not because he was hurt` leaves out the verb that it denies; `not only because` states its cause.
_DENIED: Final = rf"(?<!\bcould\s)(?<!\bwould\s)(?<!\bdid\s){_NOT}(?:\s+(?!only\b)[\w-]+){{0,3}}\s*$"
_NOBODY: Final = r"(?:^|\b(?:that|and|but)\b|[,;:])\W*(?:no|none|neither|nothing|nobody)\b[^,;:]*$"
_UNREAL: Final = r"^\W*had\s+(?!to\b)"
_WAY: Final = re.compile(
    r"\b\w*(?:stair|door|ladder|path|road|passage|gate|step|street|lane|way|corridor|bridge)s?(?:case|way)?s?\b[^.;]{0,40}$"
    r"|,\s*(?:and\s+)?one[^.;]{0,30}$"
)
_BREAK: Final = re.compile(r"[;:]\s|--|—|\(")
_AFTER: Final = re.compile(
    r"[;:)]|--|—|,\s+(?:and|but|so|or|yet|which|who|where|while|when|then|he|she|it|they|I|we|you|there|the)\b"
)
_COMMA: Final = re.compile(
    r",\s+(?=(?:and\s+)?(?:he|she|it|they|I|we|you|there|this|that|the|his|her|their|my|our|its|a|an|all|no|[A-Z]\w+)\b)"
)


@cache
def _pattern() -> re.Pattern[str]:
    words = data("wildtrace.languages.en", "words.json")
    return re.compile(
        rf"(?P<opens>^\W*(?:{any_of(words['effect_opens'])})\b,?)"
        rf"|\b(?:(?P<cause>{any_of(words['cause_behind'])})|(?P<effect>{any_of(words['effect_behind'])})"
        rf"|(?P<link>(?<=,\s)(?:and\s+)?(?:{any_of(words['effect_opens'])})))\b",
        re.IGNORECASE,
    )


@cache
def _guards() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What denies any cue, and what denies one whose subject stands before it."""
    flags = re.IGNORECASE
    return re.compile(f"{_OPEN}|{_DENIED}", flags), re.compile(f"{_OPEN}|{_DENIED}|{_NOBODY}", flags)


def connectives(sentence: str) -> list[Connective]:
    """The causes that one sentence states, in order."""
    return [found for found in _found(sentence) if all(end - start >= _LEAST for start, end in _ends(found))]


def _ends(found: Connective) -> list[Range]:
    return [found.effect] if found.cause is None else [found.cause, found.effect]


def _found(text: str) -> Iterator[Connective]:
    for match in _pattern().finditer(text):
        kind, (start, end) = match.lastgroup, match.span()
        if _is_denied(text, start, verb=kind == "effect"):
            continue
        if kind == "opens":
            yield Connective(start, end, None, trimmed(text, end, len(text)))
        elif kind == "cause":
            yield from _reason(text, start, end)
        elif not (match[0].lower().startswith("le") and _WAY.search(text[:start])) and not _is_purpose(text, match):
            yield Connective(start, end, _clause(text, start), _phrase(text, end))


def _is_denied(text: str, at: int, *, verb: bool) -> bool:
    before = text[max(0, at - _NEAR) : at]
    return _guards()[verb].search(before) is not None or re.match(_UNREAL, text[:at], re.IGNORECASE) is not None


def _is_purpose(text: str, match: re.Match[str]) -> bool:
    """Whether `so that` says what for: `so that he might be heard`, and without the comma before a result."""
    if " ".join(match[0].lower().split()) != "so that":
        return False
    might = re.match(r"\s+(?:\w+\s+){1,3}(?:may|might|can|could|should|would|will)\b", text[match.end() :])
    return might is not None or text[: match.start()].rstrip()[-1:] not in (",", ";")


def _reason(text: str, start: int, end: int) -> Iterator[Connective]:
    """The cause behind its cue: the effect before it, or, where the cue opens the sentence, behind a comma."""
    if any(character.isalnum() for character in text[:start]):
        yield Connective(start, end, _phrase(text, end), _clause(text, start))
        return
    comma = _COMMA.search(text, end + _LEAST)
    if comma is not None:
        yield Connective(start, end, trimmed(text, end, comma.start()), trimmed(text, comma.end(), len(text)))


def _clause(text: str, at: int) -> Range:
    """What stands before a cue, from the last break that leaves enough."""
    breaks = [match.end() for match in _BREAK.finditer(text, 0, at) if at - match.end() > 2 * _LEAST]
    return trimmed(text, breaks[-1] if breaks else 0, at)


def _phrase(text: str, at: int) -> Range:
    after = _AFTER.search(text, at + _LEAST)
    return trimmed(text, at, after.start() if after else len(text))
