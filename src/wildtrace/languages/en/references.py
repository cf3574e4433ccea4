"""Pointers of English text to its own numbered parts: `see section 4.3`, `(paragraph 4.4.9)`, `finding 5`."""

from __future__ import annotations

import re
from functools import cache

from wildtrace.languages.base import Reference, any_of, data


@cache
def _pattern() -> re.Pattern[str]:
    kinds = any_of(data("wildtrace.languages.en", "words.json")["reference_kinds"])
    # A letter alone numbers an appendix; a number before a bracket or a stroke is that of a law or another document.
    return re.compile(
        rf"\b(?:(?P<kind>{kinds})\s+|[Ss]ee\s+(?=\d+\.\d))(?P<number>\d+(?:\.\d+)*|(?-i:[A-Z])\b)(?![\w%(/-])(?!\s+of\s)",
        re.IGNORECASE,
    )


def references(text: str) -> list[Reference]:
    """The pointers in a text, in order; `see 4.3` is one to a section."""
    return [
        Reference(*match.span(), (match["kind"] or "section").lower(), match["number"])
        for match in _pattern().finditer(text)
        if match["number"][0].isdigit() or (match["kind"] or "").lower() in ("appendix", "annex")
    ]
