"""Times of Chinese text: reign years, lunar dates, double-hours and relative days, by tables of our own.

A reign year is the civil year in which it begins; a lunar month of a known year is the range of its days, a lunar day
the Gregorian date (`乾隆五十年三月初二` is 1785-04-10). Where the tables end, or no year is known, month and day stay
as the text says them (`ChineseTime.lunar`) and nothing is guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from typing import Final, Literal

from wildtrace.languages.tries import phrase_pattern
from wildtrace.languages.zh.eras import ERAS, cyclical_year, reign, reign_year
from wildtrace.languages.zh.lunar import LunarDate, cyclical_day, edtf

Unit = Literal["hour", "day", "week", "month", "year"]

_DIGITS: Final = {character: place for place, character in enumerate("〇一二三四五六七八九")} | {
    "零": 0, "○": 0, "元": 1, "正": 1, "两": 2, "兩": 2, "廿": 20, "卅": 30, "冬": 11, "腊": 12, "臘": 12,
}  # fmt: skip
STEMS, BRANCHES = "甲乙丙丁戊己庚辛壬癸", "子丑寅卯辰巳午未申酉戌亥"
_CYCLE: Final = {STEMS[place % 10] + BRANCHES[place % 12]: place for place in range(60)}
_FIRST_HOUR: Final = {branch: (23 + 2 * place) % 24 for place, branch in enumerate(BRANCHES)}
_PHASES: Final = {"朔": 1, "望": 15, "既望": 16}
_QUARTER: Final = 15
# Said of the day the story has reached, and, behind the bar, of the day somebody speaks.
_TOLD: Final = {
    "次日": 1, "翌日": 1, "第二天": 1, "第二日": 1, "次早": 1, "次晨": 1, "隔日": 1, "当日": 0, "當日": 0, "当夜": 0,
    "當夜": 0, "当晚": 0, "當晚": 0, "是日": 0, "是夜": 0, "是晚": 0, "本日": 0, "此日": 0, "这日": 0, "這日": 0,
    "这天": 0, "這天": 0, "这夜": 0, "這夜": 0, "这晚": 0, "這晚": 0, "那日": 0, "那天": 0, "那夜": 0, "那晚": 0,
}  # fmt: skip
# They count from a day that the text leaves open.
_COUNTED: Final = {f"第{number}{day}": None for number in "三四五六七八九十" for day in "日天"}
_SPOKEN: Final = {
    "明日": 1, "明天": 1, "明早": 1, "昨日": -1, "昨天": -1, "昨夜": -1, "昨晚": -1, "前日": -2, "前天": -2,
    "后日": 2, "後日": 2, "后天": 2, "後天": 2, "今日": 0, "今天": 0, "今夜": 0, "今晚": 0, "今早": 0, "今晨": 0,
    "今儿": 0, "今兒": 0, "明儿": 1, "明兒": 1, "明晨": 1, "明晚": 1, "昨儿": -1, "昨兒": -1, "昨早": -1,
}  # fmt: skip
_TOLD_YEARS: Final = {"次年": 365, "翌年": 365, "第二年": 365, "同年": 0, "是年": 0}
_SPOKEN_YEARS: Final = {"去年": -365, "明年": 365, "前年": -730, "今年": 0}
_SHIFTS: Final[dict[str, int | None]] = {**_COUNTED, **_TOLD, **_SPOKEN, **_TOLD_YEARS, **_SPOKEN_YEARS}
_N = "[〇○零元一二三四五六七八九十廿卅百两兩]"
_D = "[〇○零一二三四五六七八九]"
_SMALL = "[一二三四五六七八九]"
_CYCLICAL = f"[{STEMS}][{BRANCHES}]"
_MONTH = f"(?:[正元冬腊臘]|[闰閏]?(?:{_SMALL}|十[一二]?|十有[一二]))月"
_DAY = f"(?:初(?:{_SMALL}|十)|二?十{_SMALL}?|廿{_SMALL}?|三十|卅|[既]?望|[朔晦])[日号號]?"
_SOLAR_DAY = f"(?:{_DAY}|{_SMALL}[日号號])"
_PART = "(?:上午|早上|早晨|清早|清晨|凌晨|中午|下午|午后|午後|傍晚|晚上|夜里|夜裡|夜间|夜間)"
_PART_BEFORE: Final = re.compile(
    r"(上午|下午|午[后後]|中午|傍晚|凌晨|清[晨早]|早[上晨]?|晚[上间間]?|夜[里裡间間晚]?)\s?[约約]?$"
)
_LONGEST_PART: Final = 4
# What a mention can begin with, its first and its second character: most places are passed over by one look.
_FIRSTS: Final = {phrase[0] for phrase in (*ERAS, *_SHIFTS)} | set(
    f"公西0123456789正冬腊臘闰閏{STEMS}{BRANCHES}过過又隔停数數几幾〇零元一二三四五六七八九十廿卅百两兩上下早清凌中午傍晚夜"
)
_NUMERALS = "0123456789〇○零元一二三四五六七八九十廿卅百两兩"
_SECONDS: Final = {phrase[1] for phrase in (*ERAS, *_SHIFTS)} | set(
    f"{_NUMERALS}{BRANCHES} \u3000元历曆年月日号號天夜个個时時初正更点點分了数數几幾有午上里裡间間晨早过過隔牌"
)
_PATTERN: Final = re.compile(
    rf"""
    (?=[{"".join(sorted(_FIRSTS))}][{"".join(sorted(_SECONDS))}])(?:
    (?P<reign>(?P<era>{phrase_pattern(ERAS)})(?:皇帝)?
        (?:(?:(?P<number>{_N}{{1,5}}|\d{{1,3}})年|[歲岁]?次?(?P<cyclical>{_CYCLICAL})[年歲岁]?)
            (?:[歲岁]?次?(?P<same>{_CYCLICAL})[年歲岁]?)?[春夏秋冬]?
            (?:(?P<month>{_MONTH})(?:(?P<day>{_SOLAR_DAY})|(?P<cyclicalday>{_CYCLICAL})[日朔望]?)?
                |(?P<figures>\d{{1,2}}月(?:\d{{1,2}}[日号號])?))?
        |(?P<span>年[间間]|朝|[初末]年)))
    |(?P<civil>(?:(?:公元|西[元历曆])前?\s?\d{{1,4}}|(?:1[0-9]|20)\d\d)\s?年(?:\s?\d{{1,2}}\s?月(?:\s?\d{{1,2}}\s?[日号號])?)?)
    |(?P<figured>\d{{1,2}}\s?月\s?\d{{1,2}}\s?[日号號])
    |(?P<worded>[一二]{_D}{{3}}年(?:(?P<solarmonth>{_MONTH})(?P<solarday>{_SOLAR_DAY})?)?)
    |(?P<lunar>(?P<lmonth>{_MONTH})(?:(?P<lday>{_SOLAR_DAY})|(?P<lcyclical>{_CYCLICAL})日|(?=[间間里裡底初中上下])))
    |(?P<hour>[{BRANCHES}](?:[时時](?:[初正末候分]|{_SMALL}刻)?|牌(?:[时時][候分]?)?|[初正](?:[时時]|[一二三四]刻)|[初正](?<!子正)(?=[，。、；]))
        |[一二三四五]更(?:天|时|時)?)
    |(?P<hours>(?<!\d)(?:[01]\d|2[0-3])[0-5]\d\s?[时時](?![期代间間候空光而常刻]))
    |(?P<oclock>(?P<part>{_PART})?(?P<at>{_N}{{1,3}}|(?<!\d)\d{{1,2}})
        (?:[点點](?:[钟鐘]|(?P<half>半)|(?P<minutes>{_N}{{1,3}}|\d{{1,2}})分)|[时時](?P<past>{_N}{{1,3}}|\d{{1,2}})分))
    |(?P<after>(?:过了|過了|又过了|隔了|停了)?(?:(?P<count>{_N}{{1,3}})|数|數|几|幾)(?P<unit>[日天年夜]|[个個]月)
        (?:之后|之後|以后|以後|后|後|之前|以前|前))
    |(?P<relative>{phrase_pattern(_SHIFTS)})
    |(?P<sixty>{_CYCLICAL}[年日])
    )
    """,
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class ChineseTime:
    """A mention: its range, what it is, its EDTF value or None, its shift in days where it is relative.

    `unit` is how precise the shift is; `spoken` says that the shift counts from the day of speaking (`明日`); `lunar`
    is the lunar date as the text has it.
    """

    start: int
    end: int
    kind: Literal["date", "clock", "relative"]
    edtf: str | None
    shift: int | None = None
    unit: Unit = "day"
    spoken: bool = False
    lunar: LunarDate | None = None


def chinese_times(text: str, start: int, end: int) -> Iterator[ChineseTime]:
    """The mentions of times in `text[start:end]`, in order."""
    for match in _PATTERN.finditer(text, start, end):
        yield _MAKERS[match.lastgroup or ""](match)


def chinese_number(text: str) -> int | None:
    """The value of a Chinese numeral below 10,000 (`五十三`, `一九二六`, `廿四`, `26`), or None where it is none.

    Two digits side by side that follow each other are `six or seven` and no number.
    """
    if text.isascii() and text.isdigit():
        return int(text)
    if len(text) > 1 and not set(text) & set("十百廿卅"):
        digits = [_DIGITS.get(character) for character in text]
        if None in digits or (len(digits) == 2 and (digits[1] or 0) - (digits[0] or 0) == 1):
            return None
        return int("".join(map(str, digits)))
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


def _month(text: str | None) -> tuple[int, bool] | None:
    """A month's number and whether it is a leap month."""
    if text is None:
        return None
    number = chinese_number(text.strip("月闰閏").replace("有", ""))
    return (number, text[0] in "闰閏") if number is not None and 1 <= number <= 12 else None


def _day(text: str | None) -> int | None:
    """A day's number; the last of the month (晦) is 0, which is no number of its own."""
    if text is None:
        return None
    plain = text.strip("日号號初") or text
    return 0 if plain == "晦" else _PHASES.get(plain, chinese_number(plain))


def _reign(match: re.Match[str]) -> ChineseTime:
    time = ChineseTime(match.start(), match.end(), "date", None)
    era, before = match["era"], match.string[max(0, match.start() - 1) : match.start()]
    if match["span"]:
        years = reign(era) if match["span"][-1] in "间間朝" else None
        return replace(time, edtf=years and f"{years[0]:04}/{years[1]:04}")
    if match["number"]:
        number = chinese_number(match["number"])
        year = None if number is None else reign_year(era, number, before)
    else:
        year = cyclical_year(era, _CYCLE.get(match["cyclical"], -1))
    if year is None or (match["same"] and _CYCLE.get(match["same"]) != (year - 4) % 60):
        return time
    return _dated(match, time, year)


def _dated(match: re.Match[str], time: ChineseTime, year: int) -> ChineseTime:
    """The time of a known year: by the sun's calendar in figures and under the Republic, else by the moon's."""
    month = _month(match["month"])
    if match["figures"]:
        return replace(time, edtf=_civil_date(str(year), *re.findall(r"\d+", match["figures"])))
    if month is None:
        return replace(time, edtf=f"{year:04}", lunar=LunarDate(year))
    day = _day(match["day"])
    if match["cyclicalday"]:
        lunar = cyclical_day(year, *month, _CYCLE.get(match["cyclicalday"], -1))
        return replace(time, edtf=edtf(lunar), lunar=lunar)
    if year >= FIRST_SOLAR and not _is_lunar(match):
        return replace(time, edtf=_civil_date(f"{year}", f"{month[0]}", *([f"{day}"] if day else [])))
    lunar = LunarDate(year, *month, day)
    return replace(time, edtf=edtf(lunar), lunar=lunar)


FIRST_SOLAR: Final = 1912
"""The year from which a date under the Republic is the sun's, unless it is written as only the moon's are."""


def _is_lunar(match: re.Match[str]) -> bool:
    return bool(set(f"{match['month']}{match['day'] or ''}") & set("正冬腊臘闰閏初廿朔望晦"))


def _civil_date(year: str, *rest: str) -> str | None:
    """The EDTF date of a year, a month and a day in figures; None where there is no such date."""
    numbers = [int(part) for part in rest]
    month, day = (*numbers, 1, 1)[:2]
    try:
        date(int(year), month, day)
    except ValueError:
        return None
    return "-".join([year.zfill(4), *(f"{number:02}" for number in numbers)])


def _civil(match: re.Match[str]) -> ChineseTime:
    year, *rest = re.findall(r"\d+", match[0])
    value = f"-{int(year) - 1:04}" if "前" in match[0] and not rest else _civil_date(year, *rest)
    return ChineseTime(match.start(), match.end(), "date", None if "前" in match[0] and rest else value)


def _figured(match: re.Match[str]) -> ChineseTime:
    month, day = map(int, re.findall(r"\d+", match[0]))
    value = f"XXXX-{month:02}-{day:02}" if _civil_date("2000", str(month), str(day)) else None
    return ChineseTime(match.start(), match.end(), "date", value)


def _worded(match: re.Match[str]) -> ChineseTime:
    year = chinese_number(match[0][:4])
    month, day = _month(match["solarmonth"]), _day(match["solarday"])
    rest = [str(part) for part in (month and month[0], day) if part]
    return ChineseTime(match.start(), match.end(), "date", _civil_date(str(year), *rest))


def _lunar(match: re.Match[str]) -> ChineseTime:
    month = _month(match["lmonth"])
    lunar = None if month is None or match["lcyclical"] else LunarDate(None, *month, _day(match["lday"]))
    return ChineseTime(match.start(), match.end(), "date", None, lunar=lunar)


def _hour(match: re.Match[str]) -> ChineseTime:
    """A double-hour as the range of its two hours; its half or a quarter of the half where the text says so."""
    told = match[0].replace("牌", "时").replace("时时", "时").replace("时時", "時").rstrip("候分")
    first = told[0]
    minutes, length = 60 * (_FIRST_HOUR[first] if first in _FIRST_HOUR else 17 + 2 * _DIGITS[first]), 120
    half = told.rstrip("时時")[-1:] if told[-1] in "初正时時" else told[1]
    if half in "初正":
        minutes, length = minutes + 60 * (half == "正"), 60
        if told[-1] == "刻":
            minutes += _QUARTER * _DIGITS[told[-2]]
            return ChineseTime(match.start(), match.end(), "clock", _clock(minutes))
    value = f"{_clock(minutes)}/{_clock(minutes + length)}"
    return ChineseTime(match.start(), match.end(), "clock", value)


def _four_figures(match: re.Match[str]) -> ChineseTime:
    """An hour written as four figures (`1740时`)."""
    return ChineseTime(match.start(), match.end(), "clock", f"T{match[0][:2]}:{match[0][2:4]}")


def _clock(minutes: int) -> str:
    return f"T{minutes // 60 % 24:02}:{minutes % 60:02}"


def _oclock(match: re.Match[str]) -> ChineseTime:
    """An hour of the clock; without the part of the day it may be either of two and has no value."""
    hour, part = chinese_number(match["at"]), match["part"] or _part_before(match)
    told = match["minutes"] or match["past"]
    minute = 30 if match["half"] else chinese_number(told) if told else 0
    time = ChineseTime(match.start(), match.end(), "clock", None)
    if (
        hour is None
        or minute is None
        or hour > 24
        or minute > 59
        or (part is None and hour <= 12 and not match["past"])
    ):
        return time
    if part is not None and hour <= 12:
        hour = hour % 12 + (12 if _is_later(part, hour) else 0)
    return replace(time, edtf=_clock(60 * hour + minute))


def _part_before(match: re.Match[str]) -> str | None:
    """The part of the day that stands right before an hour, be it the end of another word (今晚, 当晚, 半夜)."""
    found = _PART_BEFORE.search(match.string[max(0, match.start() - _LONGEST_PART) : match.start()])
    return None if found is None else found[1]


def _is_later(part: str, hour: int) -> bool:
    """Whether an hour up to twelve is of the second half of the day."""
    if part in ("中午", "午后", "午後", "下午", "傍晚"):
        return not (part == "中午" and hour == 11)
    return part[0] in "晚夜" and 5 <= hour < 12


def _after(match: re.Match[str]) -> ChineseTime:
    count = match["count"]
    number = chinese_number(count) if count else None
    unit: Unit = "year" if match["unit"] == "年" else "month" if match["unit"][-1] == "月" else "day"
    days = None if number is None else number * {"year": 365, "month": 30, "day": 1}[unit]
    back = match[0].endswith("前")
    shift = -days if back and days is not None else days
    return ChineseTime(match.start(), match.end(), "relative", None, shift, unit, spoken=back)


def _relative(match: re.Match[str]) -> ChineseTime:
    word = match[0]
    unit: Unit = "year" if word in _TOLD_YEARS or word in _SPOKEN_YEARS else "day"
    spoken = word in _SPOKEN or word in _SPOKEN_YEARS
    return ChineseTime(match.start(), match.end(), "relative", None, _SHIFTS[word], unit, spoken)


def _sixty(match: re.Match[str]) -> ChineseTime:
    """A year or a day of the cycle of sixty alone: it comes back, and says nothing without an era."""
    return ChineseTime(match.start(), match.end(), "date", None)


_MAKERS: Final = {
    "reign": _reign, "civil": _civil, "figured": _figured, "worded": _worded, "lunar": _lunar, "hour": _hour,
    "hours": _four_figures, "oclock": _oclock, "after": _after, "relative": _relative, "sixty": _sixty,
}  # fmt: skip
