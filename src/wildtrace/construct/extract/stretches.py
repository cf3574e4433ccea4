"""The part of each window that it alone answers for, so that what stands in two windows is extracted once.

The stretches partition the text: each begins at a paragraph's, else a sentence's start inside the overlap with the
window before, and lies whole in its window.
"""

from __future__ import annotations

from collections.abc import Sequence

from wildtrace.text.sentences import paragraphs, sentences

Range = tuple[int, int]


def stretches(text: str, windows: Sequence[Range], *, by_line: bool) -> list[Range]:
    """One stretch for each of the windows' ranges, in order; `by_line` as in `text.sentences.paragraphs`."""
    starts = [0]
    for (start, _), (_, before_end) in zip(windows[1:], windows, strict=False):
        starts.append(_boundary(text, max(start, starts[-1]), before_end, by_line=by_line))
    ends = [*starts[1:], len(text)]
    return list(zip(starts, ends, strict=True))


def _boundary(text: str, start: int, end: int, *, by_line: bool) -> int:
    """The first start of a paragraph in the overlap's second half, else of a sentence, else its middle."""
    middle = (start + end) // 2
    found = [begin for begin, _ in paragraphs(text, middle, end, by_line=by_line)][1:2]
    found = found or [begin for begin, _ in sentences(text, middle, end)][1:2]
    return found[0] if found else middle
