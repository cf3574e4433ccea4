"""Pointers of Chinese text to its own numbered parts: 见第三章, 参见表2."""

from __future__ import annotations

import re
from typing import Final

from wildtrace.languages.base import Reference

_POINTER: Final = re.compile(
    r"(?:见|見|参见|參見|详见|詳見|如)"
    r"(?:第(?P<number>[一二三四五六七八九十百零〇]+|\d+(?:\.\d+)*)(?P<kind>[章节節条條回部])"
    r"|(?P<other>附录|附錄|图|圖|表)\s?(?P<figure>\d+))"
)


def references(text: str) -> list[Reference]:
    """The pointers in a text, in order."""
    return [
        Reference(*match.span(), match["kind"] or match["other"], match["number"] or match["figure"])
        for match in _POINTER.finditer(text)
    ]
