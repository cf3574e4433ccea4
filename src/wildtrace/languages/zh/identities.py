"""Statements of Chinese text that two names are one person's (绰号, 又名, 人称, 表字 behind a full name)."""

from __future__ import annotations

import re
from functools import cache

from wildtrace.languages.base import Identity, any_of, data
from wildtrace.languages.zh.names import GENERIC, SURNAMES, is_plausible

_HAN = "\u4e00-\u9fff"


@cache
def _pattern() -> re.Pattern[str]:
    cues = any_of(data("wildtrace.languages.zh", "words.json")["identity"])
    name = f"[{''.join(sorted(SURNAMES))}][{_HAN}]{{1,2}}"
    return re.compile(
        rf"(?:(?<=[{_HAN}])(?<=[叫名唤喚是系係])|(?<![{_HAN}]))(?P<name>{name})[，、]?(?P<cue>{cues})(?:叫[做作]?|唤[做作]?|喚[做作]?|[是曰为為作]|)"
        rf"[“「『]?(?P<alias>[{_HAN}]{{2,5}})(?=[，。；、！”」』])"
    )


def identities(text: str) -> list[Identity]:
    """The statements of a text, in order."""
    return [
        Identity(match.span("name"), match.span("alias"), *match.span("cue"))
        for match in _pattern().finditer(text)
        if is_plausible(match["name"])
        and match["name"][-1] != "人"
        and match["alias"] not in GENERIC
        and match["name"] not in match["alias"]
    ]
