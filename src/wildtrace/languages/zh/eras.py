"""Reign eras of China: which civil year an era's year is, in simplified and traditional characters.

A year of an era is the lunar year that begins in the civil year given. An era that two sovereigns used has two bearers,
and a year that both could mean is read by the dynasty named before it or not at all. The list is eras.json; the
libraries compared (borax, lunar_python, cn2an, jionlp) have none.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from wildtrace.languages.base import data

Bearer = tuple[str, int, int]
"""A dynasty's character, the era's first civil year, its number of years."""


def _data() -> Any:
    return data("wildtrace.languages.zh", "eras.json")


@cache
def eras() -> dict[str, tuple[Bearer, ...]]:
    """Who used an era, by each of its spellings."""
    found: dict[str, tuple[Bearer, ...]] = {}
    for dynasty, listed in _data()["dynasties"].items():
        for name, first, length in listed:
            for spelling in _spellings(name):
                found[spelling] = (*found.get(spelling, ()), (dynasty, first, length))
    return found


def _spellings(name: str) -> set[str]:
    """An era's name in simplified characters, in traditional ones, and in their other forms."""
    spellings = {name}
    for character, forms in _data()["spellings"].items():
        spellings |= {each.replace(character, form) for each in spellings if character in each for form in forms}
    return spellings


def reign_year(era: str, number: int, dynasty: str = "") -> int | None:
    """The civil year in which the `number`th year of `era` began, or None where the era has no such year or two have.

    `dynasty` is the character before the era (`唐`), which tells bearers apart; any other character says nothing.
    """
    dynasty = _data()["dynasty_spellings"].get(dynasty, dynasty)
    possible = [bearer for bearer in eras().get(era, ()) if 1 <= number <= bearer[2]]
    named = [bearer for bearer in possible if bearer[0] == dynasty]
    chosen = named if len(named) == 1 else possible
    return chosen[0][1] + number - 1 if len(chosen) == 1 else None


def reign(era: str) -> tuple[int, int] | None:
    """The first and the last civil year of an era; None where it has two bearers."""
    bearers = eras().get(era, ())
    return (bearers[0][1], sum(bearers[0][1:]) - 1) if len(bearers) == 1 else None


def cyclical_year(era: str, place: int) -> int | None:
    """The one year of an era with that place in the cycle of sixty (甲子 is 0); None where there is none or are two."""
    bearers = eras().get(era, ())
    years = [year for _, first, length in bearers for year in range(first, first + length) if (year - 4) % 60 == place]
    return years[0] if len(years) == 1 else None
