"""Candidate pairs for a linker: far events that share something rare and that no edge joins yet, in blocks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from wildtrace.construct.link.board import Among, Board, lay_out, nearest_in_meaning
from wildtrace.types import EvidenceGraph, Record

PAIRS: Final = 12
MOST_BLOCKS: Final = 60
_TELLING: Final = frozenset({"causes", "explains", "puzzles", "counterfactual", "contrasts", "enables"})
_GAP: Final = 12


def blocks(graph: EvidenceGraph, most: int = MOST_BLOCKS) -> Iterator[tuple[list[Record], list[tuple[str, str]]]]:
    """Blocks of at most `PAIRS` pairs with their records, those that share the rarest first; at most `most`."""
    board = lay_out(graph.source, graph.records)
    joined = {frozenset((edge.head, edge.tail)) for edge in graph.edges}
    ranked = sorted(_pairs(board), reverse=True)
    pairs = [(one, other) for _, one, other in ranked if frozenset((one, other)) not in joined][: PAIRS * most]
    for start in range(0, len(pairs), PAIRS):
        block = pairs[start : start + PAIRS]
        yield _records(board, block), block


def _pairs(board: Board) -> Iterator[tuple[float, str, str]]:
    """Every telling event with the two it shares most with."""
    everything = Among(board, range(len(board.events)))
    seen: set[frozenset[int]] = set()
    for place, event in enumerate(board.events):
        if _TELLING.isdisjoint(event.fields.get("marks", ())):
            continue
        for score, other in nearest_in_meaning(board, place, everything, _GAP)[:2]:
            pair = frozenset((place, other))
            if pair not in seen:
                seen.add(pair)
                first, second = sorted(pair)
                yield score, board.events[first].id, board.events[second].id


def _records(board: Board, pairs: Sequence[tuple[str, str]]) -> list[Record]:
    ids = dict.fromkeys(at for pair in pairs for at in pair)
    return sorted((board.by_id[at] for at in ids), key=lambda record: record.span.start)
