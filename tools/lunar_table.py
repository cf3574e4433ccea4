"""Compute the lunar months of 1600 to 2100: `python tools/lunar_table.py` prints the table of `languages.zh.lunar`.

A month begins on the day of the new moon, the winter solstice lies in the eleventh month, and where thirteen months lie
between two such, the first without one of the sun's twelve principal terms is the leap month. Until the reform of 1645
the terms were spaced evenly from the winter solstice, since then by the sun's true place. New moons and the sun's
longitude after J. Meeus, Astronomical Algorithms (2nd edition, chapters 25 and 49); the difference of dynamical time
after F. Espenak and J. Meeus. `PRINTED` lists the months that the calendars of the day began on another day.
"""

from __future__ import annotations

from datetime import date
from itertools import pairwise
from math import cos, floor, radians, sin
from typing import Final

FIRST_YEAR, LAST_YEAR = 1600, 2100
REFORM: Final = 1645
MONTH: Final = 29.530588861
_NEW_MOON_AT_ZERO: Final = 2451550.09766
_ORDINAL_OF_JULIAN_DAY: Final = 1721424.5
_TROPICAL_YEAR: Final = 365.2425
# Days from Greenwich: the meridian of Peking until 1928, of 120 degrees east since.
_PEKING, _EAST = (7 + 45 / 60 + 40 / 3600) / 24, 8 / 24
_EAST_SINCE: Final = date(1929, 1, 1).toordinal()

# Size, power of the eccentricity factor, multiples of the sun's and the moon's anomaly and of the latitude's argument.
_MOON: Final = (
    (-0.40720, 0, 0, 1, 0), (0.17241, 1, 1, 0, 0), (0.01608, 0, 0, 2, 0), (0.01039, 0, 0, 0, 2),
    (0.00739, 1, -1, 1, 0), (-0.00514, 1, 1, 1, 0), (0.00208, 2, 2, 0, 0), (-0.00111, 0, 0, 1, -2),
    (-0.00057, 0, 0, 1, 2), (0.00056, 1, 1, 2, 0), (-0.00042, 0, 0, 3, 0), (0.00042, 1, 1, 0, 2),
    (0.00038, 1, 1, 0, -2), (-0.00024, 1, -1, 2, 0), (-0.00007, 0, 2, 1, 0), (0.00004, 0, 0, 2, -2),
    (0.00004, 0, 3, 0, 0), (0.00003, 0, 1, 1, -2), (0.00003, 0, 0, 2, 2), (-0.00003, 0, 1, 1, 2),
    (0.00003, 0, -1, 1, 2), (-0.00002, 0, -1, 1, -2), (-0.00002, 0, 1, 3, 0), (0.00002, 0, 0, 4, 0),
)  # fmt: skip
_PLANETS: Final = (
    (0.000325, 299.77, 0.107408), (0.000165, 251.88, 0.016321), (0.000164, 251.83, 26.651886),
    (0.000126, 349.42, 36.412478), (0.000110, 84.66, 18.206239), (0.000062, 141.74, 53.303771),
    (0.000060, 207.14, 2.453732), (0.000056, 154.84, 7.306860), (0.000047, 34.52, 27.261239),
    (0.000042, 207.19, 0.121824), (0.000040, 291.34, 1.844379), (0.000037, 161.72, 24.198154),
    (0.000035, 239.56, 25.513099), (0.000023, 331.55, 3.592518),
)  # fmt: skip
# Until the year, counted from the epoch: seconds by which dynamical time is ahead, a polynomial in years.
_AHEAD: Final = (
    (1700, 1600, (120, -0.9808, -0.01532, 1 / 7129)),
    (1800, 1700, (8.83, 0.1603, -0.0059285, 0.00013336, -1 / 1174000)),
    (1860, 1800, (13.72, -0.332447, 0.0068612, 0.0041116, -0.00037436, 0.0000121272, -0.0000001699, 0.000000000875)),
    (1900, 1860, (7.62, 0.5737, -0.251754, 0.01680668, -0.0004473624, 1 / 233174)),
    (1920, 1900, (-2.79, 1.494119, -0.0598939, 0.0061966, -0.000197)),
    (1941, 1920, (21.20, 0.84493, -0.076100, 0.0020936)),
    (1961, 1950, (29.07, 0.407, -1 / 233, 1 / 2547)),
    (1986, 1975, (45.45, 1.067, -1 / 260, -1 / 718)),
    (2005, 2000, (63.86, 0.3345, -0.060374, 0.0017275, 0.000651814, 0.00002373599)),
    (2050, 2000, (62.92, 0.32217, 0.005589)),
    (9999, 1820, (-205.7, 0.5628, 0.0032)),
)
PRINTED: Final = {
    "1600-02-15": -1, "1612-03-02": 1, "1612-11-22": 1, "1622-12-02": 1, "1627-09-10": -1, "1628-01-06": 1,
    "1630-04-12": 1, "1643-02-18": 1, "1652-10-02": 1, "1653-09-21": 1, "1673-11-08": 1, "1686-04-22": 1,
    "1687-03-14": -1, "1692-06-14": 1, "1693-04-05": 1, "1704-10-28": 1, "1708-02-22": -1, "1713-12-17": 1,
    "1715-03-05": 1, "1728-08-05": 1, "1731-06-04": 1, "1754-09-16": 1, "1789-10-18": 1, "1794-11-22": 1,
    "1813-04-30": 1, "1817-10-10": 1, "1820-12-05": 1, "1823-05-10": 1, "1842-01-12": -1, "1842-11-02": 1,
    "1849-09-16": 1, "1856-11-27": 1, "1861-11-02": 1, "1869-05-11": 1, "1880-11-02": 1, "1887-03-24": 1,
    "1906-04-23": 1, "2057-09-28": 1,
}  # fmt: skip
"""By the day computed, how many days later the month began in the calendar of the day (before 1912) or of today."""
LEAP_MONTHS: Final = {1645: 6, 1651: 2, 1661: 7, 1727: 3, 1805: 6, 1917: 2, 1922: 5}
"""The leap months of years in which a term falls within a quarter of an hour of midnight or was reckoned otherwise."""


def new_moon(number: int) -> float:
    """The new moon of that number (0 in January 2000) as a Julian day of dynamical time."""
    t = number / 1236.85
    factor = 1 - 0.002516 * t - 0.0000074 * t * t
    sun = 2.5534 + 29.10535670 * number - 0.0000014 * t * t
    moon = 201.5643 + 385.81693528 * number + 0.0107582 * t * t + 0.00001238 * t**3
    latitude = 160.7108 + 390.67050284 * number - 0.0016118 * t * t - 0.00000227 * t**3
    node = 124.7746 - 1.56375588 * number + 0.0020672 * t * t
    day = _NEW_MOON_AT_ZERO + MONTH * number + 0.00015437 * t * t - 0.00000015 * t**3 - 0.00017 * sin(radians(node))
    for size, power, suns, moons, latitudes in _MOON:
        day += size * factor**power * sin(radians(suns * sun + moons * moon + latitudes * latitude))
    return day + sum(size * sin(radians(start + rate * number)) for size, start, rate in _PLANETS)


def sun_longitude(day: float) -> float:
    """The sun's apparent longitude, in degrees, at a Julian day of dynamical time."""
    t = (day - 2451545) / 36525
    mean = 280.46646 + 36000.76983 * t + 0.0003032 * t * t
    anomaly = radians(357.52911 + 35999.05029 * t - 0.0001537 * t * t)
    centre = (1.914602 - 0.004817 * t - 0.000014 * t * t) * sin(anomaly)
    centre += (0.019993 - 0.000101 * t) * sin(2 * anomaly) + 0.000289 * sin(3 * anomaly)
    venus, jupiter = radians(153.23 + 22518.7541 * t), radians(312.69 + 32964.3577 * t)
    disturbed = 0.00134 * cos(venus) + 0.00154 * cos(radians(216.57 + 45037.5082 * t)) + 0.00200 * cos(jupiter)
    disturbed += 0.00179 * sin(radians(350.74 + 445267.1142 * t - 0.00144 * t * t))
    disturbed += 0.00178 * sin(radians(231.19 + 20.20 * t))
    return (mean + centre + disturbed - 0.00569 - 0.00478 * sin(radians(125.04 - 1934.136 * t))) % 360


def local_day(day: float) -> int:
    """The proleptic Gregorian ordinal of the day in China at a Julian day of dynamical time."""
    year = 2000 + (day - 2451545) / _TROPICAL_YEAR
    epoch, terms = next((epoch, terms) for until, epoch, terms in _AHEAD if year < until)
    ahead = sum(term * (year - epoch) ** power for power, term in enumerate(terms))
    greenwich = day - ahead / 86400 - _ORDINAL_OF_JULIAN_DAY
    return floor(greenwich + (_EAST if greenwich >= _EAST_SINCE else _PEKING))


def longitude_day(degrees: float, near: float) -> float:
    """The Julian day near `near` at which the sun reaches a longitude."""
    for _ in range(6):
        near += ((degrees - sun_longitude(near) + 180) % 360 - 180) * 365.2422 / 360
    return near


def winter_solstice(year: int) -> float:
    """The winter solstice of a civil year as a Julian day of dynamical time."""
    return longitude_day(270, 2451900.0 + (year - 2000) * 365.2422)


def principal_terms(year: int) -> list[int]:
    """The days of the thirteen principal terms from the winter solstice of the year before to that of `year`."""
    first, last = winter_solstice(year - 1), winter_solstice(year)
    if year < REFORM:
        return [local_day(first + (last - first) / 12 * place) for place in range(13)]
    return [local_day(longitude_day((270 + 30 * place) % 360, first + 30.44 * place)) for place in range(13)]


def month_starts(first: int, last: int) -> list[int]:
    """The first days of the months from the one that the day `first` lies in to the one that `last` lies in."""
    number = round((first - 730125) / MONTH) - 2
    days: list[int] = []
    while not days or days[-1] <= last:
        computed = local_day(new_moon(number))
        days.append(computed + PRINTED.get(date.fromordinal(computed).isoformat(), 0))
        number += 1
    while days[1] <= first:
        days.pop(0)
    return days[:-1]


def months_to(year: int) -> list[tuple[int, int, bool, int]]:
    """The months from the eleventh of the year before to the tenth of `year`: year, month, whether leap, first day."""
    terms = principal_terms(year)
    starts = month_starts(terms[0], terms[-1])
    has_leap = len(starts) == 14
    found: list[tuple[int, int, bool, int]] = []
    month = 10
    for start, end in pairwise(starts):
        without_term = not any(start <= term < end for term in terms)
        leap = has_leap and (month == LEAP_MONTHS[year] if year in LEAP_MONTHS else without_term)
        if leap:
            has_leap = False
        else:
            month = month % 12 + 1
        found.append((year - 1 if month > 10 else year, month, leap, start))
    return found


def years() -> dict[int, list[tuple[int, bool, int]]]:
    """The months of each lunar year of the table: month, whether leap, first day; one month of the next year last."""
    found: dict[int, list[tuple[int, bool, int]]] = {}
    for civil in range(FIRST_YEAR, LAST_YEAR + 2):
        for year, month, leap, start in months_to(civil):
            found.setdefault(year, []).append((month, leap, start))
    return {year: [*found[year], *(found[year + 1][:1] or [])] for year in range(FIRST_YEAR, LAST_YEAR + 1)}


def table() -> str:
    """Five hexadecimal digits a year: the leap month, then a bit for each long month, the first one lowest."""
    parts: list[str] = []
    for months in years().values():
        lengths = [after[2] - month[2] for month, after in pairwise(months)]
        leap = next((month for month, is_leap, _ in months if is_leap), 0)
        bits = sum((length == 30) << place for place, length in enumerate(lengths))
        parts.append(f"{leap << 13 | bits:05x}")
    return "".join(parts)


if __name__ == "__main__":
    digits = table()
    print(date.fromordinal(years()[FIRST_YEAR][0][2]).isoformat())  # noqa: T201
    for place in range(0, len(digits), 100):
        print(f'    "{digits[place : place + 100]}"')  # noqa: T201
