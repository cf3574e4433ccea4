"""Cut a source into overlapping windows at paragraph ends (paper, section 2.4 and Table 7: nominal 25K characters).

Pure and deterministic. A window has 22,500 to 25,000 code points, the last one fewer; the next begins 2,500 before it
ends, so that any passage up to that length lies whole in one window and together they cover the text.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterator

from wildtrace.types import Window

LONGEST = 25_000
SHORTEST = 22_500
OVERLAP = 2_500

# Where a window may end, best first; each match ends where the window does.
_BLANK_LINE = re.compile(r"\n(?:[^\S\n]*\n)+")
_INDENTED_LINE = re.compile(r"\n(?=[ \t\u3000])")
_LINE_OF_SENTENCES = re.compile(r"(?:[.!?;:。！？；…”』」’\"'）)]|[-—])\n")
_SENTENCE = re.compile(r"[.!?][\"'”’)\]]*\s+|[。！？…]+[”’』」）]*|\n")
_JOINER = "\u200d"
_BREAKS = (_BLANK_LINE, _INDENTED_LINE, _LINE_OF_SENTENCES, _SENTENCE)


def segment(text: str, source: str, tier: str) -> Iterator[Window]:
    """The windows of a source's canonical text, in order; none for an empty text. Linear in the text's length."""
    start, end = 0, 0
    while end < len(text):
        end = _end(text, start)
        yield Window(_window_id(source, start, end), source, start, end, round(start / len(text), 6), tier)
        start = end - OVERLAP


def _end(text: str, start: int) -> int:
    """The end of the window that begins at `start`."""
    longest = start + LONGEST
    if longest >= len(text):
        return len(text)
    earliest = start + SHORTEST
    for pattern in _BREAKS:
        ends = [match.end() for match in pattern.finditer(text, earliest - 1, longest) if match.end() >= earliest]
        if ends:
            return ends[-1]
    return _before_marks(text, longest, earliest)


def _before_marks(text: str, end: int, earliest: int) -> int:
    """A cut that does not part a letter from its marks, nor an emoji or a flag, where there is one."""
    cut = end
    while cut > earliest and _parts(text, cut):
        cut -= 1
    return cut if not _parts(text, cut) else end


def _parts(text: str, cut: int) -> bool:
    """Whether a cut before the code point at `cut` parts what is read as one sign."""
    before, after = text[cut - 1], text[cut]
    # Also vowel signs that do not combine by number, joiners, variation selectors and shades of skin.
    if unicodedata.category(after) in ("Mn", "Mc", "Me") or after == _JOINER or "\U0001f3fb" <= after <= "\U0001f3ff":
        return True
    if before == _JOINER:
        return after > "\u2000"
    if not (_is_flag_half(before) and _is_flag_half(after)):
        return False
    first = cut - 1
    while first and _is_flag_half(text[first - 1]) and cut - first < LONGEST:
        first -= 1
    return (cut - first) % 2 == 1


def _is_flag_half(character: str) -> bool:
    return "\U0001f1e6" <= character <= "\U0001f1ff"


def _window_id(source: str, start: int, end: int) -> str:
    return hashlib.sha256(f"{source}:{start}:{end}".encode()).hexdigest()[:16]
