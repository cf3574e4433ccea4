"""The shape of names in Chinese: surnames, titles, places, and the words that only look like names (names.json)."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from wildtrace.languages.base import data

_LISTS: Final = data("wildtrace.languages.zh", "names.json")
SURNAMES: Final = frozenset(_LISTS["surnames"])
TITLES: Final = tuple(_LISTS["titles"].split())
GENERIC: Final = frozenset(_LISTS["no_names"].split())
FUNCTION_CHARACTERS: Final = frozenset(_LISTS["function_characters"])
"""Characters that are part of no thing's name worth following."""
KNOWN: Final = frozenset(_LISTS["places"].split())
"""Well-known places."""
_NOT_FIRST: Final = frozenset(_LISTS["never_first"])
_NOT_LAST: Final = frozenset(_LISTS["never_last"])
_FULL: Final = 3
_HAN: Final = "\u4e00-\u9fff"
_VERB: Final = (
    "说道|說道|问道|問道|答道|叫道|笑道|喝道|骂道|罵道|叹道|嘆道|回道|想道|劝道|勸道|怒道|哭道|喊道|道|曰"
    "|说|說|问|問|吩咐|答应|答應|禀|稟"
)
_ADVERBS: Final = "又便就也乃即忙急连連大微冷高低怒笑哭叹嘆喝接回答含着向上前且因遂才仍再亦都"
_SPEAKERS: Final = re.compile(
    rf"(?<![{_HAN}])([{_HAN}]{{2,4}}?)[{_ADVERBS}]{{0,3}}(?:{_VERB})(?=[：:，,「“『\"]|[{_HAN}]{{0,4}}[：:])"
)


def speakers(text: str) -> Counter[str]:
    """What stands before verbs of speech at the start of a clause, with counts; these tell whether it is a name."""
    counts = Counter(match[1] for match in _SPEAKERS.finditer(text))
    return Counter({name: count for name, count in counts.items() if _is_likely_speaker(name)})


def _is_likely_speaker(name: str) -> bool:
    if name in GENERIC or name[0] in _LISTS["never_before_speech"]:
        return False
    if name[-1] not in _NOT_LAST or is_plausible(name):
        return True
    # A function character may end a given name: 夏逢若, 吴益之, 天來.
    if len(name) == _FULL:
        return name[0] in SURNAMES and name[-1] not in _LISTS["deeds"]
    return name[-1] in _LISTS["given_name_ends"] and name[0] not in _NOT_FIRST


def is_plausible(name: str) -> bool:
    """Whether a candidate has the shape of a name, so that little need speak for it."""
    if len(name) == 2 and name[0] in SURNAMES and name[1] in "二三":
        return True  # 王二, 陶三: by place among brothers
    if name in GENERIC or name[-1] in _NOT_LAST:
        return False
    return name[0] not in _NOT_FIRST or (name[0] in SURNAMES and name[1] not in _NOT_LAST)
