"""Numerals, denials and names in stretches of Chinese text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wildtrace.ground.critical import reason_against
from wildtrace.ground.critical_chinese import Stretch, are_named_alike, negations, numbers
from wildtrace.ground.critical_words import CHINESE_NUMERALS
from wildtrace.ground.difference import difference
from wildtrace.ground.lexemes import read
from wildtrace.ground.vocabulary import Vocabulary


def stretch(text: str, part: str) -> Stretch:
    """The stretch of a text that is this part of it."""
    reading = read(text)
    first = "".join(reading.forms).index(part)
    return Stretch.of(reading, first, first + len(part))


def test_a_stretch_keeps_marks_and_other_words_apart() -> None:
    """Marks and words of other scripts are spaces, so that nothing is read across them."""
    found = stretch("他去了，北京 ok 城", "北京")
    assert "北京" == found.text[found.low : found.high]
    assert " 他去了 北京 城" == found.text


@pytest.mark.parametrize(
    ("text", "part", "expected"),
    [
        ("过了三十分钟", "十", ["十"]),
        ("过了三十分钟", "分", ["分"]),
        ("他十分高兴", "高", []),
        ("那第三号门", "第", ["第"]),
        ("那天一时高兴", "时", []),
        ("十一时到", "时", ["时"]),
        ("于上午到", "上", ["上午"]),
        ("于上面到", "上", []),
        ("三十余人", "余", ["余"]),
        ("其余的人", "余", []),
        ("三十人以上", "以上", ["以上"]),
        ("将以上各情", "以上", []),
        ("去年三月", "去", ["去"]),
        ("收拾好了", "拾", []),
        ("贰拾元", "拾", ["拾"]),
    ],
)
def test_numbers_are_numerals_and_what_belongs_to_them(text: str, part: str, expected: list[str]) -> None:
    """Measures, ordinals, halves of the day and bounds count beside a numeral only."""
    assert expected == numbers(stretch(text, part))


@pytest.mark.parametrize(
    ("text", "part", "expected"),
    [
        ("他未来", "未", ["未"]),
        ("是非他所为", "非", ["非"]),
        ("难道是他", "道", ["难道"]),
        ("他说道", "道", []),
        ("他们休息", "休", []),
        ("你休走", "休", ["休"]),
        ("除了他", "除", ["除"]),
        ("扫除", "除", []),
        ("他岂敢来", "岂", ["岂"]),
    ],
)
def test_denials_count_whatever_word_they_are_in(text: str, part: str, expected: list[str]) -> None:
    """Only where what follows leaves no doubt is one of them passed over."""
    assert expected == negations(stretch(text, part))


@pytest.mark.parametrize(
    ("quote", "source", "expected"),
    [
        (("到了南京", "南"), ("到了北京", "北"), False),
        (("到了山西地界", "西"), ("到了山东地界", "东"), False),
        (("到了洛阳县里", "洛"), ("到了南阳县里", "南"), False),
        (("一径看县署", "看"), ("一径回县署", "回"), True),
        (("崑山西门外", "西"), ("崑山东门外", "东"), False),
        (("那操作员王建军没", "军"), ("那操作员王建国没", "国"), False),
        (("那操作员王大国没", "大"), ("那操作员王建国没", "建"), False),
        (("那韩豹走了", "走"), ("那韩豹回了，韩豹，韩豹", "回"), True),
        (("后来黄天英走", "英"), ("后来黄天霸走。黄天霸说", "霸"), False),
        (("后来杀死人", "人"), ("后来杀死马家驹，又见马家驹", "马家驹"), False),
        (("正在黄昏到", "到"), ("正在黄昏时，黄昏，黄昏", "时"), True),
        (("一张椅子", "椅"), ("一张桌子", "桌"), True),
        (("行李走得", "走"), ("行李都得", "都"), True),
        (("，翠花听了", "花"), ("，翠环听了", "环"), False),
        (("，妇人听了", "妇"), ("，众人听了", "众"), True),
        (("他看着陈家兴走", "陈家兴"), ("他看着那个人走", "那个人"), False),
    ],
)
def test_names_are_known_by_table_and_by_shape(quote: tuple[str, str], source: tuple[str, str], expected: bool) -> None:
    """Places, given names anywhere in a clause, who hears; not a surname that is an everyday word or has a verb."""
    found = are_named_alike(stretch(*quote), stretch(*source), Vocabulary(source[0]))
    assert expected == found


PLACES = st.sampled_from(
    ["北京", "南京", "山东", "山西", "河南", "河北", "苏州", "杭州", "广东", "湖南", "中国", "英国"]
)
BEFORE = st.sampled_from(["那天他们同到", "向来只知道", "我有个朋友住在", ""])
AFTER = st.sampled_from(["去了", "地方", "的城门外面", "，后来回来了"])
NUMERALS = st.text(st.sampled_from("一二三四五六七八九十百千"), min_size=1, max_size=4)
UNITS = st.sampled_from(["分钟", "处", "面", "时", "起", "人", "万分文", "同"])


def reason(quote: str, source: str) -> str | None:
    """Why a quote does not say what the source says."""
    return reason_against(difference(read(quote), read(source)), Vocabulary(source))


@given(PLACES, PLACES, BEFORE, AFTER)
def test_one_place_never_stands_for_another(mine: str, theirs: str, before: str, after: str) -> None:
    """Whatever surrounds them."""
    assert (mine == theirs) == (reason(f"{before}{mine}{after}", f"{before}{theirs}{after}") is None)


@given(NUMERALS, NUMERALS, BEFORE, UNITS, AFTER)
def test_one_numeral_never_stands_for_another(mine: str, theirs: str, before: str, unit: str, after: str) -> None:
    """Whatever they count, also where numeral and unit look like an everyday word."""
    found = reason(f"{before}{mine}{unit}{after}", f"{before}{theirs}{unit}{after}")
    assert (mine == theirs) == (found is None)


@given(st.text(st.sampled_from("未来非是别处没有不同休息一起水火山石"), min_size=2, max_size=12), st.data())
def test_leaving_out_a_numeral_or_a_denial_is_seen(text: str, data: st.DataObject) -> None:
    """Any of them, in any company."""
    at = data.draw(st.integers(0, len(text) - 1))
    if text[at] in CHINESE_NUMERALS or text[at] in "未非别没不":
        assert reason(f"他们{text[:at]}{text[at + 1 :]}了", f"他们{text}了") is not None
