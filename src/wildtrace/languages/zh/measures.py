"""Measurements of Chinese text: a numeral before a unit (五百两, 四十五里, 26岁)."""

from __future__ import annotations

import re
from functools import cache

from wildtrace.languages.base import Measure, any_of, data


@cache
def _dimensions() -> dict[str, str]:
    units = data("wildtrace.languages.zh", "words.json")["units"]
    return {unit: name for name, listed in units.items() for unit in listed}


@cache
def _pattern() -> re.Pattern[str]:
    # 两 before a measure word counts (两个人), and 一 before 里, 口 or 人 is mostly a word of its own.
    return re.compile(
        rf"(?P<value>[二三四五六七八九十百千万萬两兩几幾数數][一二三四五六七八九十百千万萬两兩几幾数數]{{0,5}}"
        rf"|一[十百千万萬][一二三四五六七八九十百千万萬两兩]{{0,4}}|\d+(?:\.\d+)?)余?餘?"
        rf"(?P<unit>{any_of(_dimensions())})(?<![两兩](?=[个個人三位边邊旁]))"
    )


def measures(text: str) -> list[Measure]:
    """The measurements of a text, in order."""
    return [
        Measure(match.start(), match.end(), match["value"], match["unit"], _dimensions()[match["unit"]])
        for match in _pattern().finditer(text)
    ]
