"""Reign eras against what the cycle of sixty says of their first years, and against the eras before and after."""

from __future__ import annotations

from itertools import pairwise

import pytest

from wildtrace.languages.zh.eras import cyclical_year, eras, reign, reign_year

_STEMS, _BRANCHES = "甲乙丙丁戊己庚辛壬癸", "子丑寅卯辰巳午未申酉戌亥"
# The first year of each era in the cycle of sixty, as chronicles name it, and the century or two it stands in.
_FIRST_YEARS = """
    武德 戊寅 600,贞观 丁亥 600,永徽 庚戌 640,开元 癸丑 700,天宝 壬午 730,至德 丙申 740,大历 丙午 750,建中 庚申 770
    ,贞元 乙丑 780,元和 丙戌 800,长庆 辛丑 810,会昌 辛酉 830,大中 丁卯 840,咸通 庚辰 850,乾符 甲午 860,天祐 甲子 890
    ,建隆 庚申 950,开宝 戊辰 960,太平兴国 丙子 970,雍熙 甲申 970,淳化 庚寅 980,至道 乙未 990,咸平 戊戌 990
    ,景德 甲辰 1000,大中祥符 戊申 1000,天圣 癸亥 1010,庆历 辛巳 1030,皇祐 己丑 1040,嘉祐 丙申 1050,治平 甲辰 1060
    ,熙宁 戊申 1060,元丰 戊午 1070,元祐 丙寅 1080,绍圣 甲戌 1090,崇宁 壬午 1100,大观 丁亥 1100,政和 辛卯 1100
    ,宣和 己亥 1110,靖康 丙午 1120,建炎 丁未 1120,绍兴 辛亥 1120,乾道 乙酉 1160,淳熙 甲午 1170,绍熙 庚戌 1180
    ,庆元 乙卯 1190,嘉定 戊辰 1200,端平 甲午 1230,淳祐 辛丑 1240,景定 庚申 1250,咸淳 乙丑 1260,德祐 乙亥 1270
    ,中统 庚申 1250,元贞 乙未 1290,大德 丁酉 1290,至大 戊申 1300,皇庆 壬子 1310,延祐 甲寅 1310,至治 辛酉 1320
    ,泰定 甲子 1320,至正 辛巳 1340,洪武 戊申 1360,建文 己卯 1390,永乐 癸未 1400,洪熙 乙巳 1420,宣德 丙午 1420
    ,正统 丙辰 1430,景泰 庚午 1440,天顺 丁丑 1450,成化 乙酉 1460,弘治 戊申 1480,正德 丙寅 1500,嘉靖 壬午 1520
    ,隆庆 丁卯 1560,万历 癸酉 1570,泰昌 庚申 1610,天启 辛酉 1620,崇祯 戊辰 1620,天命 丙辰 1610,天聪 丁卯 1620
    ,崇德 丙子 1630,顺治 甲申 1640,康熙 壬寅 1660,雍正 癸卯 1720,乾隆 丙辰 1730,嘉庆 丙辰 1790,道光 辛巳 1820
    ,咸丰 辛亥 1850,同治 壬戌 1860,光绪 乙亥 1870,宣统 己酉 1900,民国 壬子 1910
"""
_REFERENCE = [line.split() for line in _FIRST_YEARS.split(",")]
_MING = "洪武 建文 永乐 洪熙 宣德 正统 景泰 天顺 成化 弘治 正德 嘉靖 隆庆 万历 泰昌 天启 崇祯".split()  # noqa: SIM905
_QING = "顺治 康熙 雍正 乾隆 嘉庆 道光 咸丰 同治 光绪 宣统 民国".split()  # noqa: SIM905


@pytest.mark.parametrize(("era", "cyclical", "after"), _REFERENCE)
def test_first_years_agree_with_the_cycle_of_sixty(era: str, cyclical: str, after: str) -> None:
    """The stated cyclical year is the one at or after a decade that the era is known to follow within sixty years."""
    place = next(n for n in range(60) if _STEMS[n % 10] + _BRANCHES[n % 12] == cyclical)
    expected = int(after) + (place - (int(after) - 4)) % 60
    # 贞元 and 元和 have two bearers: the dynasty tells.
    assert expected == reign_year(era, 1, "唐")


@pytest.mark.parametrize("names", [_MING, _QING])
def test_eras_of_a_dynasty_leave_no_year_out(names: list[str]) -> None:
    """Each follows on the one before, in the same year only where the sovereign changed within it."""
    reigns = [reign(era) for era in names]
    for (one, before), (other, after) in pairwise(zip(names, reigns, strict=True)):
        assert before is not None
        assert after is not None
        shared = {("洪武", "建文"): 4, ("景泰", "天顺"): 1, ("万历", "泰昌"): 1}.get((one, other), 0)
        assert after[0] == before[1] + 1 - shared


@pytest.mark.parametrize(
    ("spelling", "year"),
    [
        ("萬曆", 1573),
        ("萬歷", 1573),
        ("崇禎", 1628),
        ("天啓", 1621),
        ("天啟", 1621),
        ("貞觀", 627),
        ("慶曆", 1041),
        ("光緒", 1875),
        ("咸豐", 1851),
        ("順治", 1644),
        ("宣統", 1909),
        ("民國", 1912),
        ("大中祥符", 1008),
    ],
)
def test_eras_are_known_in_their_spellings(spelling: str, year: int) -> None:
    """Traditional and simplified characters, and forms that were in use beside them."""
    assert year == reign_year(spelling, 1)


def test_two_eras_share_a_year_and_an_emperor_comes_back() -> None:
    """1620 is the 48th of one and the first of another; 1457 the last of 景泰 and the first of 天顺."""
    assert 1620 == reign_year("万历", 48) == reign_year("泰昌", 1)
    assert 1457 == reign_year("景泰", 8) == reign_year("天顺", 1)
    assert 1402 == reign_year("洪武", 35) == reign_year("建文", 4)


def test_what_two_sovereigns_used_is_told_by_number_or_dynasty_only() -> None:
    """至元 came twice within one dynasty, 元和 in two."""
    assert 1283 == reign_year("至元", 20)
    assert reign_year("至元", 3, "元") is None
    assert 819 == reign_year("元和", 14)
    assert reign_year("元和", 2) is None
    assert (807, 85) == (reign_year("元和", 2, "唐"), reign_year("元和", 2, "汉"))
    assert reign("上元") is None


def test_cyclical_years() -> None:
    """Each comes once in most eras, and the first of 康熙 comes back in its last."""
    assert (1684, 1900) == (cyclical_year("康熙", 0), cyclical_year("光绪", 36))
    assert cyclical_year("康熙", 38) is None
    assert cyclical_year("泰昌", 0) is None


def test_no_era_is_longer_than_the_longest() -> None:
    """Only the Republic, which goes on, and the loyal counting of 永历 are past 62 years or 36."""
    assert {"民国", "民國"} == {
        name for name, bearers in eras().items() if any(length > 61 for _, _, length in bearers)
    }
