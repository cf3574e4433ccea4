"""Records and edges as bytes and back."""

from __future__ import annotations

import pytest

from tests.construct.induced import graph_of
from tests.construct.story import chinese_story, english_story
from wildtrace.construct.packing import pack_edges, pack_records, unpack_edges, unpack_records


@pytest.mark.parametrize("text", [english_story(4), chinese_story(4)], ids=["english", "chinese"])
def test_what_is_packed_comes_back(text: str) -> None:
    """Records with their quotes out of the text, edges with their ids and ends."""
    graph = graph_of(text)
    records = unpack_records(graph.source, text, pack_records(graph.records))
    assert [(one.id, one.span, one.kind, one.provenance) for one in graph.records] == [
        (one.id, one.span, one.kind, one.provenance) for one in records
    ]
    assert list(graph.edges) == unpack_edges(graph.source, records, pack_edges(graph.edges, graph.records))


def test_an_edge_to_nowhere_is_refused() -> None:
    """Both ends must be among the records."""
    graph = graph_of(english_story(2))
    with pytest.raises(KeyError):
        pack_edges(graph.edges, graph.records[:1])
