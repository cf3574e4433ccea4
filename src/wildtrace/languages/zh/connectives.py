"""The causes that a Chinese sentence states, with the words that state them.

因为, 只因 and a single 因 tell the cause, and the effect stands behind it (因X，Y) unless the clause ends the sentence
(Y，因X。); 所以, 因此 and 故 tell the effect, and the cause stands before it, or in the sentence before.
"""

from __future__ import annotations

import re
from typing import Final

from wildtrace.languages.base import Connective, Range, trimmed

# Every branch begins with a character of its own, so that most places are passed over by one look at it. What follows
# or stands before guards against words that only hold the character: 原因, 故意, 因此地.
_CUE: Final = re.compile(
    "(?P<cause>因(?<![原何起病内內外前近成相无無]因)(?:[为為是](?!此)|(?![此而之果缘緣由循]))|由[于於]|为的是|為的是"
    "|只[为為](?=[他我你这這那有没沒])|缘是|緣是)"
    "|(?P<effect>所以(?<![之其有无無]..)(?!然)|因此(?!地)|因而|因之|是以|以致|以至[于於]|致使|遂致"
    "|故此|故(?<=[，；。：“「\\n\u3000]故)(?![意事人乡鄉旧舊去作居宅主里園园土友吏态態])|于是|於是)"
)
_DENIED: Final = re.compile("(?:不是|并非|並非|不[单單]?|非|未必|未必是|[岂豈]是?|[难難]道是?|莫非是?)$")
_NOT_ONLY: Final = re.compile("(?:不[单單但仅僅只止]是?|非[但独獨])$")
_CONNECTIVE: Final = re.compile("[，；、](?:所以|因此|因而|故此|故|遂|便|就|乃|方|才|以致|于是|於是)")
_SAID: Final = "“”「」『』：:"
_LEAST: Final = 2
_SHORT: Final = 6
"""Code points before a cue of an effect that are too few for a cause: it is told in the sentence before."""
_CLAUSES: Final = 2


def connectives(sentence: str) -> list[Connective]:
    """The causes that one sentence states, in order; those told twice, by 因 and by 故, once."""
    found: list[Connective] = []
    for match in _CUE.finditer(sentence):
        start = match.start()
        before = sentence[max(0, start - 4) : start]
        if _DENIED.search(before) and not _NOT_ONLY.search(before):
            continue
        if match.lastgroup == "effect" and found and start < found[-1].effect[0] + 1:
            continue
        one = _effect(sentence, match) if match.lastgroup == "effect" else _cause(sentence, match)
        if all(end - begin >= _LEAST for begin, end in (one.effect, one.cause or one.effect)):
            found.append(one)
    return found


def _effect(text: str, match: re.Match[str]) -> Connective:
    low, high = _bounds(text, match)
    before = trimmed(text, low, match.start())
    comma = text.rfind("，", *before)
    if comma >= 0 and before[1] - comma < _SHORT:  # who does it stands before the cue: X，他所以Y
        before = before[0], comma
    effect = trimmed(text, match.end(), high)
    if before[1] - before[0] < _SHORT and comma < 0 and low == 0:
        return Connective(*match.span(), None if before[1] - before[0] < _LEAST else before, effect)
    return Connective(*match.span(), _last_clauses(text, before), effect)


def _cause(text: str, match: re.Match[str]) -> Connective:
    low, high = _bounds(text, match)
    joined = _CONNECTIVE.search(text, match.end(), high)
    comma = text.find("，", match.end(), high)
    start = match.start() - (
        match[0][0] == "因" and text[match.start() - 1 : match.start()] in tuple("只皆都总總多缘緣")
    )
    if joined is not None or comma >= 0:
        end, behind = joined.span() if joined is not None else (comma, comma + 1)
        return Connective(start, match.end(), trimmed(text, match.end(), end), trimmed(text, behind, high))
    effect = _last_clauses(text, trimmed(text, low, start))
    return Connective(start, match.end(), trimmed(text, match.end(), high), effect)


def _bounds(text: str, match: re.Match[str]) -> Range:
    """What of the sentence may belong to a cue: nobody's speech begins or ends inside it."""
    low = max(text.rfind(mark, 0, match.start()) for mark in _SAID) + 1
    ends = [place for mark in (*_SAID, "；") if (place := text.find(mark, match.end())) >= 0]
    return low, min([*ends, len(text)])


def _last_clauses(text: str, bounds: Range) -> Range:
    """The last two clauses of a stretch."""
    at = bounds[1]
    for _ in range(_CLAUSES):
        at = text.rfind("，", bounds[0], at)
        if at < 0:
            return bounds
    return at + 1, bounds[1]
