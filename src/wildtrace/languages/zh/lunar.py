"""Lunar dates of China from 1600 to 2100 as Gregorian ones, by a table of month lengths of our own.

The table is computed by `tools/lunar_table.py` and held against independent libraries in the tests.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from functools import cache
from itertools import accumulate
from typing import Final

FIRST_YEAR, LAST_YEAR = 1600, 2100
_FIRST_DAY: Final = date(1600, 2, 14).toordinal()
_CYCLE_AT_ORDINAL: Final = 14
_MOON_ENDS: Final = 10
"""Up to this month a lunar year lies within the civil year that it begins in."""
# Five hexadecimal digits a year: the leap month, then a bit for each long month, the first one lowest.
_YEARS: Final = (
    "00ba500b4905a9300a951352d0055600ab50d5aa005d200da507d4a00d4a16a9500a970055610ab500ad9006d208ea500f25"
    "0064a04c9700aab1555a0056a00b690d7520079200b250964b00a4b174ab002ad005ad10ba900da900d9209d2500d2500a55"
    "034ad002b6175b5006d400ec90de9200e9200d2608a5600a5b004d6046d5006d50d6c900749006930b52b0052b00a5b0755a"
    "0056a0eb6500ba500b490da9500a950052d08aad00ab5005aa04ba500da50fd4a00d4a00c960b52e0055600ab5075b2006d2"
    "10ea5007250064b0cc97004ab0055b08ad600b6a007520772500b250fa4b00a4d004ab0a56b005ad00baa07b5200d920fd25"
    "00d2500a550d4ad004b6005b508daa00ec900e9207d2600d260ea5600a5b0055a0a6d5007550074906e93006931152b0052b"
    "00aab0d55a0056a00b650974a00b4a00a950752b0052d0eaad00ab5005aa0aba500da500d4a09d1500c96139560055600ad5"
    "0d5b2006d200ea508e8a0068b00c97069560055b0eada00b6a007520b72500b4500a8b094ab004ad1296b005b500baa0db54"
    "00da200d450ba8d00a95004ad049ad006b50edaa00eca00ea20bd4600d4a00a96075360055a14ad500b65007520cea5006a5"
    "0054b0aa9700aab0055a06ad500b650f75200d5200b150b54b0054d00aad0956a005b200ba905d5200d920dd1500d2600956"
    "08aad00ad6005d404da900ec90ce8a0068b00d270a9560095b00ada076d400754007450568b00a930d52b004ad0096d08b6a"
    "00baa00ba407b4500d450fa9500a950052d0aaad00ab500daa09da400ea413d4a00d4a00a960d5360055a00ad5096ca00752"
    "00ea50754a0054b0ea9700aab0055a0ab5500ba90075209aa500b2511a4b0094d00aad0f56a005b400ba90bd5200d9200d25"
    "07a4d00956112b500ad6006d40ada900ec900e9208d260052714a570095b00b5a0d6d400754007490b69300a930052b06a5b"
    "0096d0eb6a00daa00ba40bb4900d4900a950952b0052d00aad0556a00daa0dda400ea400d4a0aa9500a970055606ab500ad5"
    "116d20075200ea50b64a0064b00a9b095560056a00b5905752007520db2500b2500a4b0b4ab002ad0056b04b6900da90fd92"
    "00e9200d250ba4d00a56002b6095b5006d400ea905e9200e920cd260052b00a570b2b600b5a006d406ec9007490f69300a93"
    "0052b0ca5b00aad0056a09b5500ba400b4905a9300a950f52d0053600aad0b5aa005b200da507d4a00d4a10a9500a9700556"
    "0cab500ad5006d208ea500ea50064a06c9700a9b0f55a0056a00b690b75200b5200b250964b00a4b114ab002ad0056d0cb69"
    "00da900d9209d2500d2515a4d00a56002b60c5b5006d500ea90be9200e9200d2606a5600a57114d60035a006d50b6c900749"
    "006930952b0052b00a5b0555a0056a0fb5500ba400b490ba9300a950052d08aad00ab5135aa005d200da50dd4a00d4a00c95"
    "0952e0055600ab5055b2006d20cea5007250064b0ac9700cab0055a06ad600b691775200b5200b250da4b00a4b004ab0a55b"
    "005ad00b6a05b5200d920fd2500d2500a550b4ad004b6005b506daa00ec911e9200e9200d260ca5600a57004d6086d500755"
    "0074906e93006930f52b0052b00a5b0b55a0056a00b650974a00b4a11a9500a950052d0caad00ab5005aa08ba500da500d4a"
    "07c9500c960f94e0055600ab50b5b2006d200ea508e4a0068b10c97004ab0055b0cad600b6a007520972500b4500a8b0549b"
    "004ab"
)


@dataclass(frozen=True, slots=True)
class LunarDate:
    """A lunar date as a text has it: the civil year that the lunar year begins in, its month and day where told.

    The day 0 is the last of its month.
    """

    year: int | None
    month: int | None = None
    leap: bool = False
    day: int | None = None

    def told(self) -> str | None:
        """Month and day as the text says them: `3-2`, `leap 3-2`, `3`, `3-last`; None without a month."""
        if self.month is None:
            return None
        day = "" if self.day is None else f"-{self.day or 'last'}"
        return f"{'leap ' if self.leap else ''}{self.month}{day}"


@cache
def _begins() -> tuple[int, ...]:
    """The ordinal of each year's first day."""
    rows = (int(_YEARS[place : place + 5], 16) for place in range(0, len(_YEARS), 5))
    lengths = (29 * (13 if row >> 13 else 12) + (row & 0x1FFF).bit_count() for row in rows)
    return tuple(accumulate(lengths, initial=_FIRST_DAY))


@cache
def _months(year: int) -> dict[tuple[int, bool], tuple[int, int]]:
    """The first day, as an ordinal, and the length of each month of a year of the table."""
    day = _begins()[year - FIRST_YEAR]
    row = int(_YEARS[5 * (year - FIRST_YEAR) :][:5], 16)
    leap = row >> 13
    names = [(month, again) for month in range(1, 13) for again in (False, True) if not again or month == leap]
    found = {}
    for place, name in enumerate(names):
        found[name] = (day, 29 + (row >> place & 1))
        day += found[name][1]
    return found


def month_days(year: int, month: int, *, leap: bool = False) -> tuple[int, int] | None:
    """The proleptic Gregorian ordinal of a lunar month's first day and its length; None beyond the table."""
    return _months(year).get((month, leap)) if FIRST_YEAR <= year <= LAST_YEAR else None


def edtf(lunar: LunarDate | None) -> str | None:
    """The EDTF value of a lunar date: a day, a month's range, or the civil year where the table does not reach.

    A date that the table does not hold (a leap month of another year, a 30th of a short month) is its year, uncertain.
    None without a year.
    """
    if lunar is None or lunar.year is None:
        return None
    if lunar.month is None:
        return f"{lunar.year:04}"
    if not FIRST_YEAR <= lunar.year <= LAST_YEAR:
        within = lunar.month <= _MOON_ENDS
        return f"{lunar.year:04}" if within else f"{lunar.year:04}/{lunar.year + 1:04}"
    found = month_days(lunar.year, lunar.month, leap=lunar.leap)
    if found is None or (lunar.day or 0) > found[1]:
        return f"{lunar.year:04}?"
    first, length = found
    if lunar.day is None:
        return f"{date.fromordinal(first)}/{date.fromordinal(first + length - 1)}"
    return date.fromordinal(first + (lunar.day or length) - 1).isoformat()


def cyclical_day(year: int, month: int, leap: bool, place: int) -> LunarDate:
    """The day of a lunar month with that place in the cycle of sixty days (甲子 is 0); the month alone without one."""
    found = month_days(year, month, leap=leap)
    if found is None:
        return LunarDate(year, month, leap)
    day = (place - found[0] - _CYCLE_AT_ORDINAL) % 60 + 1
    return LunarDate(year, month, leap, day if day <= found[1] else None)
