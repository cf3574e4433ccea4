"""A smaller run of a release: tasks drawn evenly over tier and geometry (`--limit`)."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Sequence

from wildtrace.types import Item


def stratified(items: Sequence[Item], limit: int | None) -> tuple[Item, ...]:
    """At most `limit` items, in the data's order.

    Deterministic, and nested: the items of a smaller limit are among those of a larger one, so that a rehearsal's
    answers count in the full run. Cells of tier and geometry are served in turn, the fullest tiers' geometries spread.
    An item without a tier counts to one of its document's own: whoever draws, with the corpus or without, draws alike.
    """
    if limit is None or limit >= len(items):
        return tuple(items)
    cells: dict[tuple[str, str], list[Item]] = defaultdict(list)
    for item in sorted(items, key=lambda item: _rank(item.question_id)):
        cells[item.tier or item.question.corpus_file, item.geometry].append(item)
    # Taking the k-th of every cell before any (k+1)-th, cells in a fixed shuffled order, serves all cells evenly.
    order = sorted(cells, key=lambda cell: _rank("/".join(cell)))
    turns = [(turn, place, item) for place, cell in enumerate(order) for turn, item in enumerate(cells[cell])]
    turns.sort(key=lambda entry: entry[:2])
    chosen = {item.question_id for _, _, item in turns[:limit]}
    return tuple(item for item in items if item.question_id in chosen)


def _rank(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()
