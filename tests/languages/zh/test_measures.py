"""Chinese measurements with their dimension."""

from __future__ import annotations

import pytest

from wildtrace.languages.zh.measures import measures


@pytest.mark.parametrize(
    ("text", "value", "unit", "dimension"),
    [
        ("送了五百两银子", "五百", "两", "money"),
        ("離城四十五里", "四十五", "里", "length"),
        ("年方二十岁", "二十", "岁", "age"),
    ],
)
def test_chinese_measurements(text: str, value: str, unit: str, dimension: str) -> None:
    """Numerals before a unit."""
    (found,) = measures(text)
    assert (value, unit, dimension) == (found.value, found.unit, found.dimension)


@pytest.mark.parametrize("text", ["两个人来了", "一口气说完", "这里那里"])
def test_what_measures_nothing(text: str) -> None:
    """两 that counts heads, and idioms with 一."""
    assert [] == measures(text)
