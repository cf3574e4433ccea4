"""Induction by rules on real documents: the trails that were read out of them by hand."""

from __future__ import annotations

import json
import os
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.build.induced import graph_of
from wildtrace.types import EvidenceGraph

CORPUS = os.environ.get("WILDTRACE_CORPUS")
TRAILS: list[dict[str, Any]] = json.loads((Path(__file__).parent / "trails.json").read_text(encoding="utf-8"))["trails"]
GEOMETRIES = ("forward", "intersection", "comparative", "temporal", "causal", "abductive", "counterfactual")

pytestmark = [
    pytest.mark.corpus,
    pytest.mark.skipif(CORPUS is None, reason="WILDTRACE_CORPUS names no folder of real documents"),
]


def text_of(file: str) -> str:
    """A real document."""
    return (Path(CORPUS or "") / file).read_text(encoding="utf-8")


@cache
def induced(file: str) -> EvidenceGraph:
    """The graph of a real document."""
    return graph_of(text_of(file))


def over(graph: EvidenceGraph, clue: dict[str, Any]) -> set[str]:
    """The records over half of a clue."""
    return {
        record.id
        for record in graph.records
        if record.kind != "entity"
        and 2 * (min(record.span.end, clue["end"]) - max(record.span.start, clue["start"]))
        >= clue["end"] - clue["start"]
    }


def test_the_gold_trails_are_what_they_say() -> None:
    """At least two for each geometry, one document Chinese, quotes where their offsets say."""
    for geometry in GEOMETRIES:
        assert 2 <= sum(trail["geometry"] == geometry for trail in TRAILS)
    assert any(trail["file"].startswith("zh_") for trail in TRAILS)
    for trail in TRAILS:
        text = text_of(trail["file"])
        for clue in trail["clues"]:
            assert text[clue["start"] : clue["end"]].startswith(clue.get("quote", ""))
            assert len(clue.get("quote", "")) <= 160


def test_nine_clues_of_ten_are_covered() -> None:
    """A record lies over half of each."""
    clues = [(trail["file"], clue) for trail in TRAILS for clue in trail["clues"]]
    covered = sum(bool(over(induced(file), clue)) for file, clue in clues)
    assert covered >= 0.9 * len(clues)


def test_most_gold_edges_are_found_within_two_edges() -> None:
    """At least six of ten."""
    found = total = 0
    for trail in TRAILS:
        graph = induced(trail["file"])
        ends = {clue["id"]: over(graph, clue) for clue in trail["clues"]}
        near: dict[str, set[str]] = {}
        for edge in graph.edges:
            near.setdefault(edge.head, set()).add(edge.tail)
            near.setdefault(edge.tail, set()).add(edge.head)
        for one, other, _ in trail["edges"]:
            reach = ends[one].union(*(near.get(at, set()) for at in ends[one]))
            total += 1
            found += not ends[other].isdisjoint(reach.union(*(near.get(at, set()) for at in reach)))
    assert found >= 0.6 * total


@pytest.mark.parametrize("file", sorted({trail["file"] for trail in TRAILS}))
def test_volume_stays_within_its_bounds(file: str) -> None:
    """15 records and 60 edges for 1,000 code points."""
    graph = induced(file)
    assert len(graph.records) <= 15 * graph.chars / 1000
    assert len(graph.edges) <= 60 * graph.chars / 1000
