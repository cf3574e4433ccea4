"""Edges that a cue states between two neighbouring events."""

from __future__ import annotations

from collections.abc import Iterator

from wildtrace.construct.link.board import Board, edge
from wildtrace.types import Edge

CONFIDENCE = 0.9


def stated(board: Board) -> Iterator[Edge]:
    """From the first to the second event of every relation record that has two, and from both to the record."""
    for record in board.of_kind("relation"):
        first, second = record.fields.get("first"), record.fields.get("second")
        if isinstance(first, str) and isinstance(second, str) and {first, second} <= board.by_id.keys():
            basis = f"{record.fields['cue']}: {record.span.quote}"
            yield edge(board.source, first, second, record.fields["type"], basis, "rule:cues", CONFIDENCE)
            for end in (first, second):
                yield edge(board.source, end, record.id, "part_of", "it is an end of it", "rule:containment", 1.0)
