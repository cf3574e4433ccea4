"""Chinese numerals below 10,000 (五十三, 一九二六, 廿四, 26).

cn2an was compared: it refuses 卅, 元 and 正 and reads `六七` (six or seven) as 67, so a few lines of our own stay.
"""

from __future__ import annotations

from typing import Final

_DIGITS: Final = {character: value for value, character in enumerate("〇一二三四五六七八九")} | {
    "零": 0, "○": 0, "元": 1, "正": 1, "两": 2, "兩": 2, "廿": 20, "卅": 30, "冬": 11, "腊": 12, "臘": 12,
}  # fmt: skip


def chinese_number(text: str) -> int | None:
    """The value of a numeral, or None where it is none; two digits that follow each other are `six or seven`."""
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
