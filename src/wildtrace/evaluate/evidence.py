"""The clue passages of an item, for the access diagnostic: `--condition evidence` (paper, A.7).

Never part of a leaderboard run; the passages take the document's place in the prompt.
"""

from __future__ import annotations

from wildtrace.errors import DataError
from wildtrace.text.passages import clue_window, merged
from wildtrace.types import Clue, Item

SEPARATOR = "\n\n[…]\n\n"


def evidence_passages(item: Item, text: str) -> str:
    """The windows around an item's clues, in document order, those that touch joined. DataError without clues."""
    if not item.clues:
        raise DataError(f"task {item.question_id!r} has no evidence_spans; the evidence condition needs them")
    windows = [clue_window(text, *_place(clue, text, item.question_id)) for clue in item.clues]
    return SEPARATOR.join(text[start:end] for start, end in merged(windows))


def _place(clue: Clue, text: str, question_id: str) -> tuple[int, int]:
    if clue.start is not None and clue.end is not None and text[clue.start : clue.end] == clue.quote:
        return clue.start, clue.end
    start = text.find(clue.quote)
    if start < 0 or text.find(clue.quote, start + 1) >= 0:
        raise DataError(f"task {question_id!r}: the quote of {clue.span_id!r} does not stand once in its document")
    return start, start + len(clue.quote)
