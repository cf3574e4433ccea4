"""Text in columns of a terminal, where a Chinese character takes two: its width, padding, and wrapping."""

from __future__ import annotations

import re
import shutil
from typing import Final

from rich.cells import cell_len, chop_cells

NO_TERMINAL: Final = 100
"""Columns of what is read from a file or through a pipe."""
_MOST: Final = 120
"""Longer lines are hard to read."""
_LEAST: Final = 40
_WIDE: Final = (
    "\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6\U0001f300-\U0003fffd"
)
_OPENING: Final = "“‘（《〈「『【〔"
_CLOSING: Final = "，。、；：？！”’）》〉」』】〕…—"
# What stays on one line: a word, or one wide character with the punctuation that belongs to it.
_UNIT: Final = re.compile(rf"\s+|[{_OPENING}]*(?:[^\s{_WIDE}{_OPENING}{_CLOSING}]+|[{_WIDE}])?[{_CLOSING}]*")


def columns() -> int:
    """The columns of the terminal, within what can be read; `NO_TERMINAL` where there is none."""
    return max(_LEAST, min(_MOST, shutil.get_terminal_size((NO_TERMINAL, 24)).columns))


def padded(text: str, width: int, *, right: bool = False) -> str:
    """`text` filled up with spaces to `width` columns, on its left where it is to stand on the `right`."""
    filling = " " * max(0, width - cell_len(text))
    return filling + text if right else text + filling


def wrapped(text: str, width: int) -> list[str]:
    """The lines of `text`, at most `width` columns each; white space of any kind counts as one space.

    Lines end between words or wide characters, no line begins with closing punctuation, and a word that is longer than
    a line is cut.
    """
    lines, line, room = [], "", width
    for unit in _UNIT.findall(" ".join(text.split())):
        size = cell_len(unit)
        if size > room and line:
            lines.append(line.rstrip())
            line, room = "", width
        if size > room:
            *full, line = chop_cells(unit, width)
            lines += full
            room = width - cell_len(line)
        elif line or not unit.isspace():
            line, room = line + unit, room - size
    return [*lines, line.rstrip()] if line else lines


def first_columns(text: str, width: int) -> str:
    """The beginning of `text` that fits `width` columns."""
    return chop_cells(text, width)[0] if cell_len(text) > width else text


def last_columns(text: str, width: int) -> str:
    """The end of `text` that fits `width` columns."""
    return first_columns(text[::-1], width)[::-1]
