"""Differences in Chinese text that change what is said: numerals and their measures, denials, names and places.

Each question looks at a stretch of ideographs with a few on either side, since what a word is shows in those around it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from wildtrace.ground.critical_words import (
    CHINESE_NEGATIONS,
    CHINESE_NUMERALS,
    CHINESE_UNITS,
    CHINESE_UNITS_OF_MEASURE,
)
from wildtrace.ground.lexemes import Reading
from wildtrace.ground.vocabulary import SURNAMES, Vocabulary, is_no_name
from wildtrace.languages.zh.names import FUNCTION_CHARACTERS, GENERIC, KNOWN, is_plausible
from wildtrace.languages.zh.names import SURNAMES as ALL_SURNAMES
from wildtrace.languages.zh.names import TITLES as NAME_TITLES
from wildtrace.text.normalise import CJK

_AROUND: Final = 6
_LONGEST_NAME: Final = 4
_NUMERAL: Final = f"[{''.join(sorted(CHINESE_NUMERALS))}]"
# Written out in full, these count only beside another numeral: 队伍, 大陆, 收拾.
_WORDS_TOO: Final = "伍陆拾"
_SEVERAL: Final = f"[{''.join(sorted(CHINESE_NUMERALS - {'一'}))}]"
_UNIT: Final = f"[{''.join(sorted(CHINESE_UNITS))}]"
_MEASURE: Final = f"[{''.join(sorted(CHINESE_UNITS_OF_MEASURE))}]"
_FUNCTION: Final = "".join(sorted(FUNCTION_CHARACTERS))
_SURNAME: Final = f"[{''.join(sorted(SURNAMES))}]"
# How a number is meant: also across 有 or 共值, and behind its measure.
_ABOUT: Final = (
    f"(?:[近逾超]|将近)(?=[有共达需]{{0,2}}{_NUMERAL})|(?:大概|(?<=大)约)(?=[{CJK}]{{0,4}}{_NUMERAL})"
    f"|约(?=[莫略摸模数有共计值在须需费得长高重可是为合]{{0,2}}{_NUMERAL})"
    f"|(?<={_NUMERAL}[{CJK}])(?:上下|左右|光景|开外)|(?<={_NUMERAL}{_MEASURE})[多余许]"
)
# A measure behind 一 alone is mostly an everyday word (一时, 一日).
_NUMBERS: Final = re.compile(
    f"(?=((?![{_WORDS_TOO}]){_NUMERAL}|[{_WORDS_TOO}](?={_NUMERAL})|(?<={_NUMERAL})[{_WORDS_TOO}]|[上下中正]午|午[前后]|凌晨|[去今明昨前后](?=年)|(?<={_SEVERAL}){_MEASURE}|(?<={_NUMERAL}一){_MEASURE}|第(?={_NUMERAL})"
    f"|初(?={_NUMERAL})|(?<={_UNIT})[多余来]|数(?={_NUMERAL})|{_ABOUT}|数(?=[个位名起次年天日月])|(?<={_NUMERAL})以[上下内]|(?<={_NUMERAL}[{CJK}])以[上下内]|至[少多]|超过))"
)
_NEGATIONS: Final = re.compile(
    f"(?=([{''.join(sorted(CHINESE_NEGATIONS))}]|休(?![息养假止业战书])|难道|除(?=[了却此开])|[很甚极绝]少|难[以于]|[防阻停]止))"
)
_COMPASS: Final = "东西南北"
_NOT_OF_PLACES: Final = "本该此这那各全外中大小新旧我他敌知到在进出某何贵府州县省市都城回就往赴见合阖奔抵离投"
_PLACED: Final = f"(?![{_NOT_OF_PLACES}{_FUNCTION}])[{CJK}]"
_PLACES: Final = re.compile(
    f"(?=([{_COMPASS}][京省府州县道路门城河江海山湖洋边面岸街巷庄村关营房厢园院楼坡]"
    f"|[山河湖江广关海淮川陕安城门岸村庄街院][{_COMPASS}](?!西)"
    f"|{_PLACED}州|(?:{_PLACED}){{2}}[县省市](?![官令尉丞衙主])))"
)
_MODERN_WORDS: Final = """
    中国 东京 巴黎 伦敦 纽约 柏林 华盛顿 莫斯科 俄罗斯 意大利 西班牙 葡萄牙 印度 越南 泰国 缅甸 欧洲 亚洲 非洲 美洲
    澳洲 香港 澳门 武汉 深圳 青岛 大连 长春 哈尔滨 烟台 合肥 郑州 石家庄 银川 西宁 海口 拉萨
    吉林 黑龙江 海南 青海 宁夏 内蒙古 温州 台州 处州 夔州 泸州 柳州 潮州 惠州 雷州 琼州 江东 江北 淮南 淮北 关东
    关西 辽宁 热河 察哈尔 绥远 西康
"""
_KNOWN_PLACES: Final = KNOWN | frozenset(_MODERN_WORDS.split())
# After these, a surname is an everyday word: 大王, 一张, 慌张, 行李, 鼻梁.
_NAMED: Final = re.compile(
    f"(?=((?<![大国帝君霸阎亲女魔龙行桃鼻桥栋开慌紧主夸铺这那每{''.join(sorted(CHINESE_NUMERALS))}]){_SURNAME}"
    f"[{CJK}](?<![{_FUNCTION}])[{CJK}](?<![{_FUNCTION}])))"
)
_SUBJECT: Final = re.compile(
    f"(?<![{CJK}])([{CJK}]{{2,3}}?)(?=听[了见罢说得]|闻听|闻言|[说笑问答叫骂喝哭叹喊]道|道(?![{CJK}])|[见看]了|低头|点头)"
)
# Surnames that are everyday words too: told from them by another one in their place and what follows.
_LIKELY_SURNAMES: Final = SURNAMES | frozenset(
    "林高何石方金白黄马周程罗唐许谢田余于叶苏钟卢丁江顾毛万常武康贺严尹洪施陶温文柳秦史侯孟龙段雷邱汤殷邢尤柴庄"
)
_LIKELY: Final = re.compile(
    f"(?=([{''.join(sorted(_LIKELY_SURNAMES - SURNAMES))}][{CJK}](?<![{_FUNCTION}])[{CJK}](?<![{_FUNCTION}])))"
)
_LEAST_RECURRING: Final = 2
_TITLES: Final = re.compile(
    "夫人|老爷|太太|公子|小姐|姑娘|先生|大人|将军|县令|知县|掌柜|师傅|局长|经理|工程师|船长|医生|老师|主任|氏|公|爷|母|妈|嫂"
)
# Who acts at the beginning of a clause, or speaks before a mark; what else stands there has not the shape of a name.
_ACTING: Final = re.compile(
    f"(?<![{CJK}])([{CJK}]{{2,3}}?)(?=[便就又也乃忙因遂即才笑冷微只都]{{0,2}}(?:[将把被]|[说问答曰喊叫](?![{CJK}])))"
)
_SAYING: Final = re.compile(f"[便就又也乃忙因遂即才]{{0,2}}[笑问答叫喝骂]?[道说问答曰喊叫](?![{CJK}])")
_CALLED: Final = re.compile(
    f"(?:名[叫唤为曰号]|名字叫|[叫唤]做|[叫唤]作|号称|称为|[姓名号][是叫曰])((?:(?![{_FUNCTION}])[{CJK}]){{1,4}})"
)
_TITLED: Final = re.compile(
    f"(?=([{''.join(sorted(ALL_SURNAMES))}](?:{'|'.join(sorted(NAME_TITLES, key=len, reverse=True))})))"
)
_SITES: Final = frozenset("山岭峰峪谷洞阁楼台亭塔寺庙庵观宫祠桥渡河江湖海泉溪港湾岛洲镇村庄寨堡关城县州府省街巷坊门")
_ADVERBS: Final = [[adverb] for adverb in "就便即乃遂忙也都又"]
_ENDINGS: Final = ("省", "市", "县", "州", "府", "国")
_NOT_PLACES: Final = re.compile(f"[{_NOT_OF_PLACES}]")


@dataclass(frozen=True, slots=True)
class Stretch:
    """Ideographs `text[low:high]` of a reading and those around them; other words and marks are a space each."""

    text: str
    low: int
    high: int

    @classmethod
    def of(cls, reading: Reading, first: int, last: int) -> Stretch:
        """The stretch of lexemes `first` to `last` (exclusive)."""
        begin, end = max(0, first - _AROUND), min(last + _AROUND, len(reading.lexemes))
        pieces: list[str] = []
        places: list[int] = []
        for at in range(begin, end):
            if reading.mark(at) or (at == 0):
                pieces.append(" ")
            places.append(len(pieces))
            lexeme = reading.lexemes[at]
            pieces.append(lexeme.form if lexeme.kind == "ideograph" else " ")
        if reading.mark(end):
            pieces.append(" ")
        places.append(len(pieces))
        low = places[first - begin]
        return cls("".join(pieces), low, places[last - 1 - begin] + 1 if last > first else low)

    def touches(self, start: int, end: int) -> bool:
        """Whether `text[start:end]` has a part in the stretch, or would be broken by it where it is empty."""
        return (start < self.high and end > self.low) or start < self.low == self.high < end

    def holds(self, start: int, end: int) -> bool:
        """Whether all of `text[start:end]` lies in the stretch."""
        return self.low <= start and end <= self.high

    def matches(self, pattern: re.Pattern[str]) -> list[re.Match[str]]:
        """The matches of a pattern whose first group touches the stretch."""
        return [match for match in pattern.finditer(self.text) if self.touches(*match.span(1))]

    def found(self, pattern: re.Pattern[str]) -> list[str]:
        """What the first group of a pattern finds that touches the stretch."""
        return [match[1] for match in self.matches(pattern)]


def numbers(stretch: Stretch) -> list[str]:
    """Numerals, with what makes them another number: a measure, an ordinal, a half of the day, `more than`."""
    return stretch.found(_NUMBERS)


def negations(stretch: Stretch) -> list[str]:
    """Denials, also inside everyday words: whether 是非 denies is not for a rule to say."""
    return stretch.found(_NEGATIONS)


def are_named_alike(quote: Stretch, source: Stretch, vocabulary: Vocabulary) -> bool:
    """Whether the quote has the names that the source has there, and no others.

    Known names count on either side. What only has the shape of a name counts where the source has it, or where the
    quote has a whole one that the source has not: another ideograph beside a surname makes no name.
    """
    if _known(quote, vocabulary) != _known(source, vocabulary) or quote.found(_CALLED) != source.found(_CALLED):
        return False
    if _is_other_speaker(quote, source):
        return False
    mine, theirs = _shaped(quote), _shaped(source)
    kept, meant = {match[1] for match in mine}, {match[1] for match in theirs}
    lost = (match[1] not in kept and not _is_pair_and_verb(match, source, vocabulary) for match in theirs)
    added = (match[1] not in meant and quote.holds(*match.span(1)) for match in mine)
    recurring = (_is_recurring(match[1], vocabulary) for match in source.matches(_LIKELY) if match[1] not in quote.text)
    return not any(lost) and not any(added) and not any(recurring)


def _known(stretch: Stretch, vocabulary: Vocabulary) -> list[str]:
    if stretch.text.isspace():
        return []
    return [name for name in _windows(stretch) if name in _KNOWN_PLACES or name in vocabulary.speakers]


def _shaped(stretch: Stretch) -> list[re.Match[str]]:
    """What has the shape of a name: a place, a surname with two more, who hears or says something."""
    said = stretch.matches(_SUBJECT)
    subjects = [match for match in said if match[1] not in GENERIC and not is_no_name(match[1])]
    acting = [match for match in stretch.matches(_ACTING) if is_plausible(match[1]) and not is_no_name(match[1])]
    named = stretch.matches(_NAMED) + stretch.matches(_TITLED)
    return stretch.matches(_PLACES) + named + subjects + acting


def _is_other_speaker(quote: Stretch, source: Stretch) -> bool:
    """Whether two or more ideographs right before a verb of saying are replaced, other than by an adverb or a mood."""
    mine, theirs = (side.text[side.low : side.high] for side in (quote, source))
    if min(len(mine), len(theirs)) < 2 or not all(_SAYING.match(side.text, side.high) for side in (quote, source)):
        return False
    return not (is_no_name(mine) and is_no_name(theirs))


def _is_pair_and_verb(match: re.Match[str], source: Stretch, vocabulary: Vocabulary) -> bool:
    """Whether only what follows a name of two ideographs differs: the text mostly has that name without it."""
    name = match[1]
    if match.re is not _NAMED or source.low < match.start(1) + 2:
        return False
    return vocabulary.count_ideographs(name) * 2 < vocabulary.count_ideographs(name[:2])


def _is_recurring(name: str, vocabulary: Vocabulary) -> bool:
    """Whether what begins with an everyday word that may be a surname stands often enough, and whole, to be a name."""
    count = vocabulary.count_ideographs(name)
    return count >= _LEAST_RECURRING and count * 2 >= vocabulary.count_ideographs(name[:2])


def _windows(stretch: Stretch) -> Iterator[str]:
    """Runs of two to four characters that touch a stretch."""
    text = stretch.text
    for start in range(max(0, stretch.low - _LONGEST_NAME), min(stretch.high + 1, len(text))):
        for end in range(start + 2, min(start + _LONGEST_NAME, len(text)) + 1):
            if stretch.touches(start, end):
                yield text[start:end]


def is_renamed(quote: Reading, mine: tuple[int, int], source: Reading, theirs: tuple[int, int]) -> bool:
    """Whether ideographs of the shape of a Chinese name or place name come, go or replace others of that shape."""
    one, other = "".join(quote.forms[slice(*mine)]), "".join(source.forms[slice(*theirs)])
    if max(len(one), len(other)) >= _LONGEST_NAME:
        return False
    if not one or not other:
        return len(one + other) > 1 and (one + other)[0] in SURNAMES
    if {one, other} <= _SITES and _is_site(source, theirs[0]):
        return True
    if {one[0], other[0]} <= SURNAMES or (len(one) == len(other) and _follows_surname(source, theirs[0])):
        return True
    following = "".join(source.forms[theirs[1] : theirs[1] + _LONGEST_NAME])
    is_long = min(len(one), len(other)) > 1
    if {one[0], other[0]} <= _LIKELY_SURNAMES and (is_long or _TITLES.match(following)):
        return True
    return is_long and following[:1] in _ENDINGS and not _NOT_PLACES.search(one + other)


def _is_site(reading: Reading, at: int) -> bool:
    """Whether two ideographs that may be a name stand before the kind of place at `at` (蓬莱 before 山)."""
    before = "".join(reading.forms[max(0, at - 2) : at])
    return len(before) == 2 and not reading.mark(at) and not FUNCTION_CHARACTERS.intersection(before)


def _follows_surname(reading: Reading, at: int) -> bool:
    """Whether the ideograph before is a surname that begins a clause, so that a given name is what stands here."""
    if at == 0 or reading.forms[at - 1] not in SURNAMES or reading.forms[at : at + 1] in _ADVERBS:
        return False
    return at == 1 or bool(reading.mark(at - 1))
