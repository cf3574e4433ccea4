"""Times of Chinese text: reign years, lunar dates, double-hours and relative days, by a table of eras of our own.

A reign year gives its civil year only (a lunar year begins in January or February, so its last month may fall in the
next one): `乾隆五十年三月初二` is the year 1785 with its lunar month and day told apart as `1785?`. An era that two
dynasties used, or a number beyond an era's length, is left unresolved rather than guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from wildtrace.text.tries import phrase_pattern

# Era: first year and number of years. From the Tang to the Republic; eras with two bearers are left out.
_ERAS: Final = {
    "贞观": (627, 23), "开元": (713, 29), "天宝": (742, 15), "洪武": (1368, 31), "建文": (1399, 4),
    "永乐": (1403, 22), "洪熙": (1425, 1), "宣德": (1426, 10), "正统": (1436, 14), "景泰": (1450, 8),
    "天顺": (1457, 8), "成化": (1465, 23), "弘治": (1488, 18), "正德": (1506, 16), "嘉靖": (1522, 45),
    "隆庆": (1567, 6), "万历": (1573, 48), "泰昌": (1620, 1), "天启": (1621, 7), "崇祯": (1628, 17),
    "顺治": (1644, 18), "康熙": (1662, 61), "雍正": (1723, 13), "乾隆": (1736, 60), "嘉庆": (1796, 25),
    "道光": (1821, 30), "咸丰": (1851, 11), "同治": (1862, 13), "光绪": (1875, 34), "宣统": (1909, 3),
    "民国": (1912, 110), "熙宁": (1068, 10), "元丰": (1078, 8), "宣和": (1119, 7), "靖康": (1126, 2),
    "绍兴": (1131, 32), "淳熙": (1174, 16), "至正": (1341, 30),
}  # fmt: skip
_TRADITIONAL = str.maketrans("贞开宝乐统顺庆万历启祯绪国宁丰绍兴", "貞開寶樂統順慶萬曆啟禎緒國寧豐紹興")
_FIRST_YEARS: Final = {**_ERAS, **{name.translate(_TRADITIONAL): era for name, era in _ERAS.items()}}

_DIGITS: Final = {character: place for place, character in enumerate("〇一二三四五六七八九")} | {
    "零": 0, "元": 1, "正": 1, "两": 2, "兩": 2, "廿": 20, "卅": 30, "冬": 11, "腊": 12, "臘": 12,
}  # fmt: skip
_HOURS: Final = {branch: (23 + 2 * place) % 24 for place, branch in enumerate("子丑寅卯辰巳午未申酉戌亥")}
_SHIFTS: Final = {
    "次日": 1, "翌日": 1, "第二天": 1, "第二日": 1, "明日": 1, "明天": 1, "明早": 1, "次早": 1, "次晨": 1, "隔日": 1,
    "昨日": -1, "昨天": -1, "昨夜": -1, "昨晚": -1, "前日": -2, "前天": -2, "后日": 2, "後日": 2, "今日": 0, "今天": 0,
    "今夜": 0, "今晚": 0, "当日": 0, "當日": 0, "当夜": 0, "當夜": 0, "当晚": 0, "當晚": 0, "是日": 0, "是夜": 0,
    "去年": -365, "明年": 365, "次年": 365, "前年": -730,
}  # fmt: skip
_N = "[〇零元一二三四五六七八九十廿卅百两兩]"
_MONTH = "(?:正|冬|腊|臘|闰?[一二三四五六七八九十]{1,2}|閏[一二三四五六七八九十]{1,2})月"
_DAY = "(?:初[一二三四五六七八九十]|[一二三]?十[一二三四五六七八九]?|廿[一二三四五六七八九]?|[二三]十)[日号號]?"
# What a mention can begin with: most places are passed over by one look.
_FIRSTS: Final = {phrase[0] for phrase in (*_FIRST_YEARS, *_SHIFTS)} | set(
    "公12正冬腊臘闰閏子丑寅卯辰巳午未申酉戌亥过過又隔停数數几幾〇零元一二三四五六七八九十廿卅百两兩"
)
_PATTERN: Final = re.compile(
    rf"""
    (?=[{"".join(sorted(_FIRSTS))}])(?:
    (?P<reign>(?:{phrase_pattern(_FIRST_YEARS)}){_N}{{1,4}}年(?:{_MONTH}(?:{_DAY})?)?)
    |(?P<civil>(?:公元)?(?:1[0-9]|20)\d\d\s?年(?:\s?\d{{1,2}}\s?月(?:\s?\d{{1,2}}\s?[日号號])?)?)
    |(?P<lunar>{_MONTH}(?:{_DAY})|{_MONTH}(?=[间間里裡底初中]))
    |(?P<hour>[子丑寅卯辰巳午未申酉戌亥][时時](?:[初正末]|[一二三四]刻)?|[一二三四五]更(?:天|时|時)?)
    |(?P<after>(?:过了|過了|又过了|隔了|停了)?(?:{_N}{{1,3}}|数|數|几|幾)[日天年](?:之后|之後|以后|以後|后|後|之前|以前|前))
    |(?P<relative>{phrase_pattern(_SHIFTS)})
    )
    """,
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class ChineseTime:
    """A mention: its range, what it is, its EDTF value or None, its shift in days where it is relative."""

    start: int
    end: int
    kind: Literal["date", "clock", "relative"]
    edtf: str | None
    shift: int | None = None


def chinese_times(text: str, start: int, end: int) -> Iterator[ChineseTime]:
    """The mentions of times in `text[start:end]`, in order."""
    for match in _PATTERN.finditer(text, start, end):
        yield _MAKERS[match.lastgroup or ""](match)


def chinese_number(text: str) -> int | None:
    """The value of a Chinese numeral below 10,000 (`五十三`, `一九二六`, `廿四`), or None where it is none."""
    if len(text) > 1 and not set(text) & set("十百廿卅"):
        digits = [_DIGITS.get(character) for character in text]
        return None if None in digits else int("".join(map(str, digits)))
    total, current = 0, 0
    for character in text:
        if character in "十百":
            total += (current or 1) * (10 if character == "十" else 100)
            current = 0
        elif character in "廿卅":
            total += _DIGITS[character]
        elif character in _DIGITS:
            current = _DIGITS[character]
        else:
            return None
    return total + current


def reign_year(era: str, number: int) -> int | None:
    """The civil year in which the `number`th year of `era` began, or None where the era has no such year."""
    first, length = _FIRST_YEARS.get(era, (0, 0))
    return first + number - 1 if 1 <= number <= length else None


def _reign(match: re.Match[str]) -> ChineseTime:
    era, rest = match[0][:2], match[0][2:]
    number = chinese_number(rest[: rest.index("年")])
    year = reign_year(era, number) if number is not None else None
    has_month = not rest.endswith("年")
    value = None if year is None else f"{year}?" if has_month else str(year)
    return ChineseTime(match.start(), match.end(), "date", value)


def _civil(match: re.Match[str]) -> ChineseTime:
    numbers = re.findall(r"\d+", match[0])
    return ChineseTime(match.start(), match.end(), "date", "-".join(number.zfill(2) for number in numbers))


def _lunar(match: re.Match[str]) -> ChineseTime:
    return ChineseTime(match.start(), match.end(), "date", None)


def _hour(match: re.Match[str]) -> ChineseTime:
    first = match[0][0]
    hour = _HOURS[first] if first in _HOURS else (19 + 2 * (_DIGITS[first] - 1)) % 24
    return ChineseTime(match.start(), match.end(), "clock", f"T{hour:02}")


def _after(match: re.Match[str]) -> ChineseTime:
    found = re.search(f"({_N}{{1,3}})([日天年])", match[0])
    number = chinese_number(found[1]) if found else None
    days = None if number is None or found is None else number * (365 if found[2] == "年" else 1)
    back = match[0].endswith("前")
    return ChineseTime(match.start(), match.end(), "relative", None, -days if back and days is not None else days)


def _relative(match: re.Match[str]) -> ChineseTime:
    return ChineseTime(match.start(), match.end(), "relative", None, _SHIFTS[match[0]])


_MAKERS = {
    "reign": _reign, "civil": _civil, "lunar": _lunar, "hour": _hour, "after": _after, "relative": _relative,
}  # fmt: skip
