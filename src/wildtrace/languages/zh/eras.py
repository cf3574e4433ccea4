"""Reign eras of China: the first civil year and the number of years of each, in simplified and traditional characters.

Ming, Qing and the Republic are complete; of the Tang, Song and Yuan, and of the dynasties around them, those that are
more than a common word. A year of an era is the lunar year that begins in the civil year given here. An era that two
sovereigns used has two bearers, and a year that both could mean is told by the dynasty named before it or not at all.
"""

from __future__ import annotations

from typing import Final

Bearer = tuple[str, int, int]
"""A dynasty's character, the era's first civil year, its number of years."""

_MING = """
    洪武 1368 35,建文 1399 4,永乐 1403 22,洪熙 1425 1,宣德 1426 10,正统 1436 14,景泰 1450 8,天顺 1457 8,成化 1465 23
    ,弘治 1488 18,正德 1506 16,嘉靖 1522 45,隆庆 1567 6,万历 1573 48,泰昌 1620 1,天启 1621 7,崇祯 1628 17
    ,弘光 1645 1,隆武 1645 2,永历 1647 37
"""
_QING = """
    天命 1616 11,天聪 1627 10,崇德 1636 8,顺治 1644 18,康熙 1662 61,雍正 1723 13,乾隆 1736 60,嘉庆 1796 25,道光 1821 30
    ,咸丰 1851 11,同治 1862 13,光绪 1875 34,宣统 1909 3
"""
_REPUBLIC = "民国 1912 189,洪宪 1916 1"
_TANG = """
    武德 618 9,贞观 627 23,永徽 650 6,显庆 656 6,龙朔 661 3,麟德 664 2,乾封 666 3,总章 668 3,咸亨 670 5,上元 674 3
    ,仪凤 676 4,调露 679 2,永隆 680 2,开耀 681 2,永淳 682 2,弘道 683 1,嗣圣 684 1,光宅 684 1,垂拱 685 4,永昌 689 1
    ,天授 690 3,长寿 692 3,延载 694 1,证圣 695 1,神功 697 1,圣历 698 3,久视 700 2,神龙 705 3,景龙 707 4,景云 710 3
    ,先天 712 2,开元 713 29,天宝 742 15,至德 756 3,乾元 758 3,上元 760 2,宝应 762 2,广德 763 2,永泰 765 2,大历 766 14
    ,建中 780 4,兴元 784 1,贞元 785 21,永贞 805 1,元和 806 15,长庆 821 4,宝历 825 3,大和 827 9,太和 827 9,开成 836 5
    ,会昌 841 6,大中 847 14,咸通 860 15,乾符 874 6,广明 880 2,中和 881 5,光启 885 4,文德 888 1,龙纪 889 1,大顺 890 2
    ,景福 892 2,乾宁 894 5,光化 898 4,天复 901 4,天祐 904 4
"""
_SONG = """
    建隆 960 4,乾德 963 6,开宝 968 9,太平兴国 976 9,雍熙 984 4,端拱 988 2,淳化 990 5,至道 995 3,咸平 998 6,景德 1004 4
    ,大中祥符 1008 9,天禧 1017 5,乾兴 1022 1,天圣 1023 10,明道 1032 2,景祐 1034 5,宝元 1038 3,康定 1040 2,庆历 1041 8
    ,皇祐 1049 6,至和 1054 3,嘉祐 1056 8,治平 1064 4,熙宁 1068 10,元丰 1078 8,元祐 1086 9,绍圣 1094 5,元符 1098 3
    ,建中靖国 1101 1,崇宁 1102 5,大观 1107 4,政和 1111 8,重和 1118 2,宣和 1119 7,靖康 1126 2,建炎 1127 4,绍兴 1131 32
    ,隆兴 1163 2,乾道 1165 9,淳熙 1174 16,绍熙 1190 5,庆元 1195 6,嘉泰 1201 4,开禧 1205 3,嘉定 1208 17,宝庆 1225 3
    ,绍定 1228 6,端平 1234 3,嘉熙 1237 4,淳祐 1241 12,宝祐 1253 6,开庆 1259 1,景定 1260 5,咸淳 1265 10,德祐 1275 2
    ,景炎 1276 3,祥兴 1278 2
"""
_YUAN = """
    中统 1260 5,至元 1264 31,元贞 1295 3,大德 1297 11,至大 1308 4,皇庆 1312 2,延祐 1314 7,至治 1321 3,泰定 1324 5
    ,致和 1328 1,天历 1328 3,至顺 1330 4,元统 1333 3,至元 1335 6,至正 1341 30
"""
_SUI = "开皇 581 20,仁寿 601 4,大业 605 14"
_HAN = "元和 84 4,光和 178 7,中平 184 6,初平 190 4,兴平 194 2,建安 196 25"
_WEI = "太和 227 7,黄初 220 7,太和 477 23"
_EASTERN_JIN = "太和 366 6"
_JIN = "贞元 1153 4,大定 1161 29,明昌 1190 7,承安 1196 5,泰和 1201 8,贞祐 1213 5,正大 1224 9"
_FIVE = "同光 923 4,显德 954 7,乾德 919 6,大和 929 7"
_DYNASTIES: Final = {
    "明": _MING, "清": _QING, "民": _REPUBLIC, "唐": _TANG, "宋": _SONG, "元": _YUAN, "隋": _SUI, "汉": _HAN,
    "魏": _WEI, "晋": _EASTERN_JIN, "金": _JIN, "周": _FIVE,
}  # fmt: skip
_WRITTEN: Final = {
    "乐": "樂", "统": "統", "顺": "順", "庆": "慶", "万": "萬", "历": "曆歷厯", "启": "啟啓", "祯": "禎", "聪": "聰",
    "丰": "豐", "绪": "緒", "国": "國", "宪": "憲", "贞": "貞", "观": "觀", "显": "顯", "龙": "龍", "总": "總",
    "仪": "儀", "凤": "鳳", "调": "調", "开": "開", "圣": "聖", "长": "長", "寿": "壽", "载": "載", "证": "證",
    "视": "視", "云": "雲", "宝": "寶", "应": "應", "广": "廣", "兴": "興", "会": "會", "纪": "紀", "宁": "寧甯",
    "复": "復", "祐": "佑", "绍": "紹", "业": "業", "黄": "黃",
}  # fmt: skip


def _table() -> dict[str, tuple[Bearer, ...]]:
    bearers: dict[str, list[Bearer]] = {}
    for dynasty, listed in _DYNASTIES.items():
        for line in listed.split(","):
            name, first, length = line.split()
            bearers.setdefault(name, []).append((dynasty, int(first), int(length)))
    return {spelling: tuple(found) for name, found in bearers.items() for spelling in _spellings(name)}


def _spellings(name: str) -> set[str]:
    """An era's name in simplified characters, in traditional ones, and in their other forms."""
    spellings = {name}
    for character in set(name) & _WRITTEN.keys():
        spellings |= {one.replace(character, form) for one in spellings for form in _WRITTEN[character]}
    return spellings


ERAS: Final = _table()
"""Who used an era, by each of its spellings."""
_DYNASTY_OF: Final = {"漢": "汉", "晉": "晋"}


def reign_year(era: str, number: int, dynasty: str = "") -> int | None:
    """The civil year in which the `number`th year of `era` began, or None where the era has no such year or two have.

    `dynasty` is the character before the era (`唐`), which tells bearers apart; any other character says nothing.
    """
    dynasty = _DYNASTY_OF.get(dynasty, dynasty)
    possible = [bearer for bearer in ERAS.get(era, ()) if 1 <= number <= bearer[2]]
    named = [bearer for bearer in possible if bearer[0] == dynasty]
    chosen = named if len(named) == 1 else possible
    return chosen[0][1] + number - 1 if len(chosen) == 1 else None


def reign(era: str) -> tuple[int, int] | None:
    """The first and the last civil year of an era; None where it has two bearers."""
    bearers = ERAS.get(era, ())
    return (bearers[0][1], sum(bearers[0][1:]) - 1) if len(bearers) == 1 else None


def cyclical_year(era: str, place: int) -> int | None:
    """The one year of an era with that place in the cycle of sixty (甲子 is 0); None where there is none or are two."""
    years = [
        year
        for _, first, length in ERAS.get(era, ())
        for year in range(first, first + length)
        if (year - 4) % 60 == place
    ]
    return years[0] if len(years) == 1 else None
