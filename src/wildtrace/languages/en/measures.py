"""Measurements of English text: a number with its unit, in figures or in words."""

from __future__ import annotations

import re
from functools import cache

from wildtrace.languages.base import Measure, any_of, data

_PACKAGE = "wildtrace.languages.en"
_NUMBER = r"\d[\d,]{0,40}(?:\.\d+)?"


@cache
def _dimensions() -> dict[str, str]:
    return {unit: name for name, units in data(_PACKAGE, "words.json")["units"].items() for unit in units}


@cache
def _pattern() -> re.Pattern[str]:
    # Beginning with what all alternatives begin with keeps the search quick: a digit, or the first letter of a number.
    words = any_of(data(_PACKAGE, "words.json")["number_words"])
    return re.compile(
        rf"(?<![\w.])(?=[\d£$tfsen h])(?:(?P<money>[£$]{_NUMBER}(?:\s+(?:million|billion))?)"
        rf"|(?P<value>{_NUMBER}(?:\s+(?:million|billion))?|(?:{words})(?:[- ](?:{words}))*)[ -]?\s?"
        rf"(?P<unit>{any_of(_dimensions())}))(?!\w)"
    )


def measures(text: str) -> list[Measure]:
    """The measurements of a text, in order."""
    return [_measure(match) for match in _pattern().finditer(text)]


def _measure(match: re.Match[str]) -> Measure:
    if match["money"]:
        return Measure(match.start(), match.end(), " ".join(match["money"][1:].split()), match["money"][0], "money")
    unit = " ".join(match["unit"].split())
    return Measure(match.start(), match.end(), " ".join(match["value"].split()), unit, _dimensions()[unit])
