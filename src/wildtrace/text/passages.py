"""The window around a clue: the paragraph of its span with 500 code points on either side."""

from __future__ import annotations

from typing import Final

MARGIN: Final = 500


def clue_window(text: str, start: int, end: int, margin: int = MARGIN) -> tuple[int, int]:
    """Offsets of the paragraph that holds `text[start:end]`, widened by `margin` on either side.

    A paragraph ends at a blank line; in a text without any it ends at a line end.
    """
    separator = "\n\n" if "\n\n" in text else "\n"
    opening = text.rfind(separator, 0, start)
    closing = text.find(separator, end)
    first = 0 if opening < 0 else opening + len(separator)
    last = len(text) if closing < 0 else closing
    return max(0, first - margin), min(len(text), last + margin)


def merged(windows: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Windows in order, those that touch joined into one."""
    joined: list[tuple[int, int]] = []
    for start, end in sorted(windows):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(joined[-1][1], end))
        else:
            joined.append((start, end))
    return joined
