"""What a text's own words tell: which fragments are words of it, which words and ideographs name someone."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from itertools import islice

from wildtrace.languages.zh import names as chinese_names
from wildtrace.text.normalise import CJK, simplified_forms

# Before a verb of saying, after a stop: in Chinese narrative nearly always who speaks.
SURNAMES = frozenset("李刘陈杨赵吴徐孙朱郭郑梁宋邓冯韩曹彭萧蔡潘董袁蒋杜魏薛阎沈姜汪贾龚邵崔谭廖姚邹王张甄")
"""Common Chinese surnames that are no everyday words, simplified."""

_CLAUSE = '(?:(?<=[，。！？：；、”」』“「『.,!?:;"\\s])|\\A)'
_SPEAKERS = (
    re.compile(
        f"{_CLAUSE}([{CJK}]{{2,4}}?)(?:[忙便又即乃遂因冷大微就也才陪含]{{0,2}})"
        '(?:笑|说|說|问|問|答|叫|喝|骂|罵|哭|叹|嘆|回|喊|应|應)?(?:道|曰)(?=[：，“「『:,"])'
    ),
    # The modern verbs stand after all kinds of words: a surname must tell.
    re.compile(
        f"{_CLAUSE}([老小阿]?[{''.join(sorted(SURNAMES))}劉陳楊趙吳孫鄭鄧馮韓蕭蔣薛閻賈龔譚鄒張][{CJK}]{{0,2}}?)"
        '(?:说|說|问|問|答|喊|回答)(?=[：:]|[，,][“「『"])'
    ),
)
# Adverbs and moods that stand where a speaker does ("忽然道", "冷笑道").
_NOT_NAMES = re.compile(
    "[不知难里得听见这那此其某何谁说答叫问喝骂回喊笑怒惊喜想叹急忽悄微低哈头即却只便连声言接写咐付当时然诗口心自暗坐站着齐面慌哀赶]"
    "|^[向对有上也因故勉带下中一又]|[又复带]$|[众二三两几各]人|大家|的$"
)
# What says how or by whose lights something is said stands there too (细声, 依我, 连连).
_IDLE = re.compile(r"[我你您他她]|声$|^(.)\1$")
_LEAST_MENTIONS = 3
_ENOUGH = 1000
_WITHIN = re.compile(r"[a-z,][ \n]$")


class Vocabulary:
    """Lazy counts over one text; each question about a word scans the text once and is remembered."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._counts: dict[tuple[str, bool], int] = {}

    def has_word(self, word: str) -> bool:
        """Whether the text has `word` as a whole word: as it is, small, capitalised or in capitals."""
        return any(self._count(form) for form in {word, word.lower(), word.capitalize(), word.upper()})

    def is_name(self, word: str) -> bool:
        """Whether a capitalised word that may only begin a sentence is a name, by how the text writes it elsewhere.

        A word that the text writes neither small nor capitalised within a sentence is taken for a name.
        """
        within = self._count(word, within=True)
        small = self._count(word.lower())
        return within * 4 >= small if within else small == 0

    def _count(self, word: str, *, within: bool = False) -> int:
        """How often the text has the whole word, or has it within a sentence; counting stops at a thousand."""
        key = word, within
        if key not in self._counts:
            places = (at for at in self._places(word) if not within or _WITHIN.search(self._text[max(0, at - 2) : at]))
            self._counts[key] = sum(1 for _ in islice(places, _ENOUGH))
        return self._counts[key]

    def _places(self, word: str) -> Iterator[int]:
        at = self._text.find(word) if word else -1
        while at >= 0:
            end = at + len(word)
            if not (_is_letter(self._text[at - 1 : at]) or _is_letter(self._text[end : end + 1])):
                yield at
            at = self._text.find(word, end)

    @cached_property
    def speakers(self) -> frozenset[str]:
        """The simplified names of those who speak at least three times in a Chinese text."""
        said = Counter(map(_simplified, self._said()))
        shaped = Counter(map(_simplified, chinese_names.speakers(self._text).elements()))
        likely = {name: n for name, n in shaped.items() if chinese_names.is_plausible(name) and not _IDLE.search(name)}
        return frozenset(
            name
            for counts in (said, likely)
            for name, count in counts.items()
            if count >= _LEAST_MENTIONS and not _NOT_NAMES.search(name)
        )

    @cached_property
    def _simplified(self) -> str:
        return self._text.translate({ord(form): simple for form, simple in simplified_forms().items()})

    def count_ideographs(self, run: str) -> int:
        """How often the text has a run of simplified ideographs, in either script."""
        return self._simplified.count(run)

    def _said(self) -> Iterator[str]:
        return (name for pattern in _SPEAKERS for name in pattern.findall(self._text) if len(name) > 1)


def _simplified(name: str) -> str:
    table = simplified_forms()
    return "".join(table.get(form, form) for form in name)


def _is_letter(character: str) -> bool:
    return character.isalnum() or character == "_"


def is_no_name(run: str) -> bool:
    """Whether ideographs that stand where a Chinese speaker does are an adverb, a mood or a pronoun (忽然, 冷笑)."""
    return _NOT_NAMES.search(run) is not None
