"""The languages that a source can be read in without a model: a folder and a line here each."""

from __future__ import annotations

from typing import Final

from wildtrace.languages import en, none, zh
from wildtrace.languages.base import Language

LANGUAGES: Final[tuple[Language, ...]] = (en.LANGUAGE, zh.LANGUAGE, none.LANGUAGE)


def language_of(code: str) -> Language:
    """The language of an ISO 639 code (`zh`, `zh-Hant`); `none` for one that has no folder."""
    plain = code.lower().partition("-")[0]
    return next((each for each in LANGUAGES if each.code == plain), none.LANGUAGE)
