"""Whether what stands between marks of speech is said at all: a term, a title or a noise is only called by its words.

Said is what a pause or a verb of saying leads up to, what begins a paragraph, and what ends as a sentence does.
"""

from __future__ import annotations

import re
from typing import Final

_PAUSES: Final = frozenset(",:;.!?…—–-”\"'’)([_*⸺，：；。！？、」』）》")
_CHINESE_SAYING: Final = frozenset("道说說曰问問叫喊答云想骂罵唱念喝嚷声聲呼称稱")
_ENDING: Final = frozenset(".,!?…—-。！？，；")
_TERM_FOLLOWS: Final = tuple("的地之字二两兩三四五六八十")
_CHINESE_ENDING: Final = frozenset("。！？…!?")
_SAYING: Final = re.compile(
    r"(?:said|says|say|saying|asked|cried|replied|answered|exclaimed|whispered|muttered|added|shouted|called out"
    r"|repeated|thought|wrote|and|but|with|then|that)$"
)
_TERM, _CHINESE_TERM = 60, 8
_LEAST: Final = 14


def is_said(text: str, start: int, end: int, paragraph: int) -> bool:
    """Whether `text[start:end]`, which stands between marks in a paragraph from `paragraph`, is direct speech."""
    before = text[max(paragraph, start - 16) : start - 1].rstrip()
    if text[end + 1 : end + 2] in _TERM_FOLLOWS and text[end - 1] not in _ENDING:
        return False
    if not before or before[-1] in _PAUSES:
        return True
    if before[-1] > "\u2fff":
        if before[-1] in _CHINESE_SAYING:
            return True
        return end - start >= _CHINESE_TERM and text[end - 1] in _CHINESE_ENDING
    if end - start > _TERM or _SAYING.search(before):
        return True
    return end - start >= _LEAST and text[end - 1] in _ENDING and text[start].isupper()
