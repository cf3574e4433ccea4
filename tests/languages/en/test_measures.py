"""English measurements with their dimension."""

from __future__ import annotations

import pytest

from wildtrace.languages.en.measures import measures


@pytest.mark.parametrize(
    ("text", "value", "unit", "dimension"),
    [
        ("a speed of 17.5 knots was", "17.5", "knots", "speed"),
        ("it was 4.410 m high", "4.410", "m", "length"),
        ("paid £1,250 for it", "1,250", "£", "money"),
        ("about twenty-five miles off", "twenty-five", "miles", "length"),
        ("at 60 lbs per square inch", "60", "lbs per square inch", "pressure"),
        ("some 1,500 passengers were", "1,500", "passengers", "people"),
        ("rose by 12 per cent in", "12", "per cent", "share"),
    ],
)
def test_english_measurements(text: str, value: str, unit: str, dimension: str) -> None:
    """In figures and in words."""
    (found,) = measures(text)
    assert (value, unit, dimension) == (found.value, found.unit, found.dimension)


@pytest.mark.parametrize("text", ["No. 23, see page 73", "in 1912 they", "4.2.7.", "two of them"])
def test_plain_numbers_measure_nothing(text: str) -> None:
    """References, years and counts without a unit."""
    assert [] == list(measures(text))
