"""Measurements: a number with its unit, in figures or in words, English and Chinese, and the dimension it measures."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from operator import itemgetter
from typing import Final, NamedTuple

from wildtrace.languages.tries import matches, phrase_pattern

_UNITS: Final = {
    "speed": "knots|knot|miles an hour|miles per hour|mph|km/h|kilometres per hour|kph|revolutions per minute|rpm",
    "length": "feet|foot|ft|inches|inch|miles|mile|yards|yard|fathoms|metres|metre|meters|meter|kilometres|kilometers"
    "|km|mm|cm|m|nautical miles|nm|furlongs|paces",
    "mass": "tons|tonnes|ton|tonne|pounds weight|lbs|lb|kilograms|kg|hundredweight|cwt|ounces|oz|stone",
    "money": "pounds|shillings|guineas|sovereigns|francs|dollars|pence|crowns|million dollars",
    "share": "per cent|percent|%",
    "temperature": "degrees|°C|°F|°",
    "pressure": "lbs per square inch|pounds per square inch|psi|bar|kPa|atmospheres",
    "power": "horse-power|horsepower|hp|kilowatts|kW|amperes|volts",
    "duration": "seconds|minutes|hours",
    "people": "persons|passengers|men|people|crew|lives|souls|soldiers|hands|patients|cases|deaths",
}
_CHINESE_UNITS: Final = {
    "money": "两|兩|文|吊|贯|貫|元|块|塊|百两|百兩|千两|千兩|万两|萬兩",
    "length": "里|丈|尺|寸|步",
    "mass": "斤|石|担|擔",
    "age": "岁|歲",
    "people": "名|口",
    "area": "亩|畝|顷|頃",
}
_DIMENSIONS: Final = {unit: name for name, units in _UNITS.items() for unit in units.split("|")}
_CHINESE_DIMENSIONS: Final = {unit: name for name, units in _CHINESE_UNITS.items() for unit in units.split("|")}
_UNIT: Final = phrase_pattern(_DIMENSIONS)
_NUMBER_WORDS_WORDS = """
    two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty sixty seventy eighty
    ninety hundred thousand
"""
NUMBER_WORDS: Final = frozenset(_NUMBER_WORDS_WORDS.split())
_WORD: Final = phrase_pattern(sorted(NUMBER_WORDS))
_NUMBER: Final = r"[\d,]{0,40}+(?:\.\d+)?+"
# The first digit alone is looked for, and what stands before a word, not its many first letters: many times quicker.
_FIGURES: Final = re.compile(
    rf"[0-9](?:(?<=[£$].){_NUMBER}(?:\s+(?:million|billion))?"
    rf"|(?<!\w.){_NUMBER}[ -]?(?:\s*(?:million|billion)\s+)?\s?(?P<unit>{_UNIT})(?!\w))"
)
_WORDED: Final = re.compile(rf"(?<!\w)(?P<value>(?:{_WORD})(?:[- ](?:{_WORD}))*)\s+(?P<unit>{_UNIT})(?!\w)")
_CHINESE_BY_LENGTH: Final = "|".join(sorted(_CHINESE_DIMENSIONS, key=len, reverse=True))
_CHINESE_AMOUNT: Final = re.compile(
    rf"(?P<value>[一二三四五六七八九十百千万萬两兩几幾数數]{{1,6}}|\d+)余?餘?(?P<unit>{_CHINESE_BY_LENGTH})"
)


class Measure(NamedTuple):
    """A measurement: its range, the amount as written, its unit and the dimension that the unit measures."""

    start: int
    end: int
    value: str
    unit: str
    dimension: str


def measures(text: str, places: Iterable[int] | None = None, *, chinese: bool) -> Iterator[Measure]:
    """The measurements of a text, in order; `places` are all at which one in words may begin, where these are known."""
    yield from _chinese(text) if chinese else _english(text, places)


def _english(text: str, places: Iterable[int] | None) -> Iterator[Measure]:
    found = [
        *(_in_figures(text, match) for match in _FIGURES.finditer(text)),
        *(_in_words(match) for match in matches(_WORDED, text, 0, len(text), places)),
    ]
    yield from sorted(found, key=itemgetter(0))


def _in_figures(text: str, match: re.Match[str]) -> Measure:
    written = match["unit"]
    unit = " ".join(written.split()) if written else text[match.start() - 1]
    value = match[0][: len(match[0]) - len(written)].strip(" -\n") if written else match[0]
    return Measure(match.start(), match.end(), " ".join(value.split()), unit, _DIMENSIONS.get(unit, "money"))


def _in_words(match: re.Match[str]) -> Measure:
    unit = " ".join(match["unit"].split())
    return Measure(match.start(), match.end(), " ".join(match["value"].split()), unit, _DIMENSIONS[unit])


def _chinese(text: str) -> Iterator[Measure]:
    for match in _CHINESE_AMOUNT.finditer(text):
        unit = match["unit"]
        if unit in ("两", "兩") and text[match.end() : match.end() + 1] in tuple("个個人三三位边邊旁"):
            continue
        yield Measure(match.start(), match.end(), match["value"], unit, _CHINESE_DIMENSIONS[unit])
