"""What a Chinese text states to be a cause, and of what.

因为, 只因 and a single 因 tell the cause, and the effect stands behind it (`因X，Y`), unless the clause ends the
sentence (`Y，因X。`); 所以, 因此 and 故 tell the effect, and the cause stands before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from wildtrace.languages.causes import Cause, Range, trimmed
from wildtrace.languages.denials import is_denied_in_chinese

# Every branch begins with a character of its own, so that most places are passed over by one look at it.
_CUE: Final = re.compile(
    "因(?<![原何起病内內外前近成相无無]因)(?:[为為是](?!此)|(?![此而之果缘緣由循]))|由[于於]|为的是|為的是"
    "|只[为為](?=[他我你这這那有没沒])|缘是|緣是|所以(?<![之其有无無]..)(?!然)|因此|因而|因之|是以|以致|以至[于於]|致使|遂致"
    "|故此|故(?<=[，；。：“「\\n\u3000]故)(?![意事人乡鄉旧舊去作居宅主里園园土友吏态態])|于是|於是"
    f"|{'|'.join(f'{verb}得(?=[他她我你众眾那])' for verb in '使弄害惹激逼吓嚇气氣急')}"
)
_REASONS: Final = frozenset("因 因为 因為 因是 由于 由於 为的是 為的是 只为 只為 缘是 緣是".split())  # noqa: SIM905
_LEADING: Final = frozenset("只皆都总總多缘緣")
_STOPS: Final = "。！？；“”「」『』\n"
_CONNECTIVE: Final = re.compile("[，；、](?:所以|因此|因而|故此|故|遂|便|就|乃|方|才|以致|于是|於是)")
_COMMA: Final = "，"
_REACH: Final = 90
_SHORT: Final = 4
_LEAST: Final = 2
_CLAUSES: Final = 2
_SUBJECT: Final = 5
_FULL_STOPS: Final = "。！？\n"


def chinese_causes(text: str) -> Iterator[Cause]:
    """The causes that a Chinese text states, in order; those told twice, by 因 and by 故, once."""
    told = 0
    for match in _CUE.finditer(text):
        result = match[0] not in _REASONS
        if (result and match.start() < told) or is_denied_in_chinese(text, match.start()):
            continue
        found = _result(text, match) if result else _reason(text, match)
        if found is not None and min(found.cause[1] - found.cause[0], found.effect[1] - found.effect[0]) >= _LEAST:
            told = max(told, found.effect[0] + 1)
            yield found


def _result(text: str, match: re.Match[str]) -> Cause | None:
    """The effect behind the cue, the cause before it: the clauses of its sentence, else the sentence before."""
    start = match.start()
    effect = trimmed(text, match.end(), _stop(text, match.end()))
    low = _opening(text, start)
    before = trimmed(text, low, start)
    if before[1] - before[0] < _SHORT + 2 and _COMMA not in text[low:start]:
        before = _sentence_before(text, low)
    return Cause((start, match.end()), _last_clauses(text, _without_subject(text, before)), effect)


def _reason(text: str, match: re.Match[str]) -> Cause | None:
    stop = _stop(text, match.end())
    joined = _CONNECTIVE.search(text, match.end(), stop)
    comma = text.find(_COMMA, match.end(), stop)
    start = match.start() - (match[0][0] == "因" and text[match.start() - 1 : match.start()] in _LEADING)
    cue = start, match.end()
    if joined is not None or comma >= 0:
        end = joined.start() if joined is not None else comma
        behind = joined.end() if joined is not None else comma + 1
        return Cause(cue, trimmed(text, match.end(), end), trimmed(text, behind, stop))
    low = _opening(text, start)
    before = trimmed(text, low, start)
    if before[1] - before[0] < _SHORT:
        before = _sentence_before(text, low)
    return Cause(cue, trimmed(text, match.end(), stop), _last_clauses(text, before))


def _sentence_before(text: str, low: int) -> Range:
    """The sentence that ends at a place, what it quotes included."""
    end = max(0, low - 1)
    start = max(text.rfind(mark, max(0, end - _REACH), end) for mark in _FULL_STOPS)
    return trimmed(text, start + 1 if start >= 0 else max(0, end - _REACH), end)


def _without_subject(text: str, bounds: Range) -> Range:
    """A stretch without the few characters behind its last comma: who does what follows (`X，他所以Y`)."""
    comma = text.rfind(_COMMA, *bounds)
    return (bounds[0], comma) if comma >= 0 and bounds[1] - comma <= _SUBJECT else bounds


def _last_clauses(text: str, bounds: Range) -> Range:
    """The last two clauses of a stretch."""
    start, end = bounds
    at = end
    for _ in range(_CLAUSES):
        at = text.rfind(_COMMA, start, at)
        if at < 0:
            return bounds
    return at + 1, end


def _stop(text: str, at: int) -> int:
    """Where the sentence around a place ends, within reach."""
    for place in range(at, min(len(text), at + _REACH)):
        if text[place] in _STOPS:
            return place
    return min(len(text), at + _REACH)


def _opening(text: str, at: int) -> int:
    for place in range(at - 1, max(-1, at - _REACH), -1):
        if text[place] in _STOPS:
            return place + 1
    return max(0, at - _REACH)
