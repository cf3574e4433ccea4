"""The graph of one document: every rule's edges, each once, no more than the bound allows."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from operator import attrgetter
from typing import Final

from wildtrace.construct.link import continuity, cues, distant, order
from wildtrace.construct.link.board import Board, lay_out, one_way, surest
from wildtrace.construct.link.further import further
from wildtrace.types import Edge, EvidenceGraph, Record

MOST: Final = 59.8
"""Edges for 1,000 code points of text."""

Rule = Callable[[Board], Iterator[Edge]]

ALONE: tuple[Rule, ...] = (continuity.mentions, continuity.parts, continuity.attributes)
"""What these draw is drawn once by them, and by no other rule: no event is at both ends of it."""
MEETING: tuple[Rule, ...] = (
    cues.stated,
    order.succession,
    order.threads,
    order.dates,
    distant.far_apart,
)
"""These may draw the same edge between two events."""
RULES: tuple[Rule, ...] = (*ALONE, *MEETING)


def link(source: str, chars: int, records: Sequence[Record]) -> EvidenceGraph:
    """The evidence graph over the records of a source of `chars` code points."""
    ordered = sorted(records, key=attrgetter("span.start", "span.end", "id"))
    board = lay_out(source, ordered)
    edges = [edge for rule in ALONE for edge in rule(board)]
    edges += one_way(surest(chain.from_iterable(rule(board) for rule in MEETING))).values()
    most = max(1, int(MOST * chars / 1000))
    if len(edges) < most:
        edges += further(board, most - len(edges))
    if len(edges) > most:
        edges = _surest(edges, most)
    return EvidenceGraph(source, chars, tuple(ordered), tuple(edges))


def _surest(edges: Sequence[Edge], most: int) -> list[Edge]:
    """The surest edges, in their order; of those at the limit some by their ids, which are spread over the text."""
    counts = Counter(edge.confidence for edge in edges)
    room, least = most, 1.0
    for least in sorted(counts, reverse=True):
        if counts[least] > room:
            break
        room -= counts[least]
    doubtful = heapq.nsmallest(room, (edge.id for edge in edges if edge.confidence == least)) if room else []
    taken = set(doubtful)
    return [edge for edge in edges if edge.confidence > least or edge.id in taken]
