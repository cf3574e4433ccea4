"""Page numbers of a printed edition that its markup carries: which element holds one, and where that ends.

A class that says where pages break is often that of a chapter, so the words decide: only a short text that is a number
goes.
"""

from __future__ import annotations

import html
import re

from wildtrace.construct.ingest.elements import BLOCKS
from wildtrace.construct.ingest.markup import Token, tokens

_FAR = 400
_INLINE_LIST = "a abbr b big cite em font i ins small span strong sub sup tt u"
_INLINE = frozenset(_INLINE_LIST.split())
_CARRIERS = _INLINE | {"center", "div", "li", "p", "td", "th"}
_BOUNDS = BLOCKS | {"body", "html", "li", "dd", "dt", "td", "th", "tr", "tbody", "thead", "tfoot", "caption"}
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


def end_of_page_number(markup: str, token: Token, attributes: dict[str, str]) -> int | None:
    """Where the page number ends that an element with this start tag holds; None where it holds none."""
    classes, types = attributes.get("class", ""), f"{attributes.get('epub:type', '')} {attributes.get('role', '')}"
    is_number = _NUMBER_CLASS.search(f"{classes} {types}") is not None
    is_declared = is_number or _BREAK.search(types) is not None
    if token.name not in _CARRIERS or not (is_declared or _BREAK.search(classes)):
        return None
    end, text = _content(markup, token)
    is_inline = token.name in _INLINE
    forms = [_NAMED, _SET_OFF]
    forms += [_PLAIN] if is_declared or is_inline else []
    forms += [_CALLED] if is_number and is_inline else []
    return end if any(form.fullmatch(text) for form in forms) else None


def _content(markup: str, token: Token) -> tuple[int, str]:
    """The text from a start tag to its end tag, or to where a block begins or ends; none where that is far."""
    text, depth = "", 1
    for each in tokens(markup[token.end : token.end + _FAR]):
        name = each.name.removeprefix("/")
        if not name:
            text += markup[token.end + each.start : token.end + each.end]
            continue
        depth += (name == token.name) * (-1 if each.name[0] == "/" else 1)
        if not depth or (text.strip() and name in _BOUNDS):
            return token.end + each.start, html.unescape(text).strip()
    return token.end, ""
