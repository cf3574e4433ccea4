"""Page numbers of a printed edition that its markup carries: which element holds one.

A class that says where pages break is often that of a chapter, so the words decide: only a short text that is a number
goes.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

_INLINE_LIST = "a abbr b big cite em font i ins small span strong sub sup tt u"
_INLINE = frozenset(_INLINE_LIST.split())
_CARRIERS = _INLINE | {"center", "div", "li", "p", "td", "th"}
_NUMBER_CLASS = re.compile(r"(?:^|\s)(?:pagenum|pageno|page-number|page_number)(?:$|\s)", re.IGNORECASE)
_BREAK = re.compile(r"(?:^|\s)(?:doc-)?pagebreak(?:$|\s)", re.IGNORECASE)
_ROMAN = r"(?=[ivxlcdm])m{0,3}(?:cm|cd|d?c{0,3})(?:xc|xl|l?x{0,4})(?:ix|iv|v?i{0,4})"
_NUMERAL = rf"(?:\d{{1,5}}[a-z]?|{_ROMAN})"
_NUMBERS = rf"{_NUMERAL}(?:\s*[-–—,]\s*{_NUMERAL})?"
_PAGE = r"(?:pages?|pgs?|pp?|s(?:eite)?|fol(?:io)?|f)"
_PLAIN = re.compile(rf"[\W_]*{_NUMBERS}[\W_]*", re.IGNORECASE)
_SET_OFF = re.compile(rf"(?:[\[({{<*–—-]\s*)+{_NUMBERS}(?:\s*[\])}}>*–—-])+", re.IGNORECASE)
_NAMED = re.compile(
    rf"[\W_]*{_PAGE}[\W_]*{_NUMBERS}[\W_]*|[\W_]*第?\s*[\d一二三四五六七八九十百千零〇○]{{1,6}}\s*[页頁葉叶][\W_]*",
    re.IGNORECASE,
)
_CALLED = re.compile(rf"[\W_]*[^\W\d_]{{1,12}}[\W_]+{_NUMBERS}[\W_]*|[\[({{<][^\[\]]{{1,30}}[\])}}>]", re.IGNORECASE)


def is_page_number(name: str, element: Any, text_of: Callable[[Any], str]) -> bool:
    """Whether an element, whose text `text_of` gives, holds the number of a page and nothing else."""
    classes = element.get("class", "")
    types = f"{element.get('epub:type', '')} {element.get('role', '')}"
    is_number = _NUMBER_CLASS.search(f"{classes} {types}") is not None
    is_declared = is_number or _BREAK.search(types) is not None
    if name not in _CARRIERS or not (is_declared or _BREAK.search(classes)):
        return False
    is_inline = name in _INLINE
    forms = [_NAMED, _SET_OFF]
    forms += [_PLAIN] if is_declared or is_inline else []
    forms += [_CALLED] if is_number and is_inline else []
    text = text_of(element)
    return any(form.fullmatch(text) for form in forms)
