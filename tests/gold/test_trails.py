"""Induction by rules on real documents: the trails that were read out of them by hand."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations, islice
from pathlib import Path
from typing import Any

import pytest

from tests.construct.induced import graph_of
from wildtrace.text.sentences import ends_at_lines, paragraphs, sentences
from wildtrace.text.words import content_words
from wildtrace.types import EvidenceGraph

Span = tuple[int, int, str]
Graph = tuple[list[Span], dict[str, set[str]]]
"""What lies where, by name, and what each is joined to."""

CORPUS = os.environ.get("WILDTRACE_CORPUS")
TRAILS: list[dict[str, Any]] = json.loads((Path(__file__).parent / "trails.json").read_text(encoding="utf-8"))["trails"]
GEOMETRIES = ("forward", "intersection", "comparative", "temporal", "causal", "abductive", "counterfactual")

pytestmark = [
    pytest.mark.corpus,
    pytest.mark.skipif(CORPUS is None, reason="WILDTRACE_CORPUS names no folder of real documents"),
]


CHARS = {trail["file"]: trail.get("chars") for trail in TRAILS}


def text_of(file: str) -> str:
    """A real document, or as much of it as its trails were read out of."""
    return (Path(CORPUS or "") / file).read_text(encoding="utf-8")[: CHARS[file]]


@cache
def induced(file: str) -> EvidenceGraph:
    """The graph of a real document."""
    return graph_of(text_of(file))


def neighbours(pairs: Iterable[tuple[str, str]]) -> dict[str, set[str]]:
    """Both directions of edges."""
    near: dict[str, set[str]] = {}
    for one, other in pairs:
        near.setdefault(one, set()).add(other)
        near.setdefault(other, set()).add(one)
    return near


@cache
def ours(file: str) -> Graph:
    """The facts that the rules draw out of a document, and what is joined to what."""
    graph = induced(file)
    spans = [(record.span.start, record.span.end, record.id) for record in graph.records if record.kind != "entity"]
    return spans, neighbours((edge.head, edge.tail) for edge in graph.edges)


@cache
def words_alone(file: str) -> Graph:
    """As many joins between sentences that share a content word, the rarest words first."""
    text = text_of(file)
    spans = [
        (first, last, str(first))
        for start, end in paragraphs(text, by_line=ends_at_lines(text))
        for first, last in sentences(text, start, end)
    ]
    holders: dict[str, list[str]] = {}
    for first, last, name in spans:
        for word in set(content_words(text[first:last])):
            holders.setdefault(word, []).append(name)
    rarest = sorted((names for names in holders.values() if len(names) > 1), key=len)
    pairs = (pair for names in rarest for pair in combinations(names, 2))
    return spans, neighbours(
        islice(dict.fromkeys(islice(pairs, 3 * len(induced(file).edges))), len(induced(file).edges))
    )


def over(spans: Sequence[Span], clue: dict[str, Any]) -> set[str]:
    """What lies over half of a clue."""
    start, end = clue["start"], clue["end"]
    return {name for first, last, name in spans if 2 * (min(last, end) - max(first, start)) >= end - start}


def found(trail: dict[str, Any], graph: Graph) -> list[bool]:
    """Whether each of a trail's edges is found within two edges."""
    spans, near = graph
    ends = {clue["id"]: over(spans, clue) for clue in trail["clues"]}

    def reached(one: str, other: str) -> bool:
        reach = ends[one].union(*(near.get(at, set()) for at in ends[one]))
        return any(at in ends[other] or not ends[other].isdisjoint(near.get(at, set())) for at in reach)

    return [reached(one, other) for one, other, _ in trail["edges"]]


def recalled(trail: dict[str, Any], graph: Graph) -> bool:
    """Whether all clues of a trail are covered and all its edges found."""
    return all(over(graph[0], clue) for clue in trail["clues"]) and all(found(trail, graph))


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


def test_the_held_out_trails_are_what_they_say() -> None:
    """Of other documents, quotes where their offsets say; only `benchmarks.induction` measures them."""
    trails = json.loads((Path(__file__).parent / "held_out_trails.json").read_text(encoding="utf-8"))["trails"]
    assert not {trail["file"] for trail in trails} & CHARS.keys()
    assert set(GEOMETRIES) == {trail["geometry"] for trail in trails}
    for trail in trails:
        text = (Path(CORPUS or "") / trail["file"]).read_text(encoding="utf-8")
        names = {clue["id"] for clue in trail["clues"]}
        assert all({one, other} <= names for one, other, _ in trail["edges"])
        for clue in trail["clues"]:
            assert text[clue["start"] : clue["end"]].startswith(clue.get("quote", ""))
            assert len(clue.get("quote", "")) <= 160


def test_nine_clues_of_ten_are_covered() -> None:
    """A record lies over half of each."""
    covered = [bool(over(ours(trail["file"])[0], clue)) for trail in TRAILS for clue in trail["clues"]]
    assert sum(covered) >= 0.9 * len(covered)


@pytest.mark.parametrize("family", ["tr_", "en_", "zh_"])
def test_most_gold_edges_are_found_within_two_edges(family: str) -> None:
    """At least six of ten, in each family."""
    edges = [one for trail in TRAILS if trail["file"].startswith(family) for one in found(trail, ours(trail["file"]))]
    assert sum(edges) >= 0.6 * len(edges)


def test_trails_are_recalled_three_times_as_often_as_by_shared_words() -> None:
    """Whole trails, beside a graph of sentences that share words with as many edges over the same text."""
    by_rules = sum(recalled(trail, ours(trail["file"])) for trail in TRAILS)
    by_words = sum(recalled(trail, words_alone(trail["file"])) for trail in TRAILS)
    assert by_words > 0
    assert by_rules >= 3 * by_words


@pytest.mark.parametrize("file", sorted({trail["file"] for trail in TRAILS}))
def test_volume_stays_within_its_bounds(file: str) -> None:
    """15 records and 60 edges for 1,000 code points."""
    graph = induced(file)
    assert len(graph.records) <= 15 * graph.chars / 1000
    assert len(graph.edges) <= 60 * graph.chars / 1000
