"""One trail with all a reader needs to judge it: each clue in its context, and the edges between them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from wildtrace.errors import DataError
from wildtrace.pipeline.induce import load_graph
from wildtrace.store import evidence
from wildtrace.store.workspace import open_workspace
from wildtrace.text.passages import clue_window
from wildtrace.types import Clue, Edge, Source, Trail


@dataclass(frozen=True, slots=True)
class ShownClue:
    """A clue, its relative position, its group, and its context as the text before and after it."""

    clue: Clue
    relative: float
    group: int
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class TrailCard:
    """A trail as the paper's Figure 1 shows it. `links` are its edges with the places of the clues they join.

    A place is the number of a clue, from 1, or the name of an entity that is none of the clues.
    """

    trail: Trail
    source: Source
    clues: tuple[ShownClue, ...]
    links: tuple[tuple[str, str, Edge], ...]


def trail_card(folder: Path, trail_id: str) -> TrailCard:
    """The card of a trail, by its id or by a beginning of it that no other has. DataError where there is none."""
    with open_workspace(folder) as workspace:
        trail = evidence.trail_by_id(workspace, trail_id)
        if trail is None:
            raise DataError(f"{folder} has no single trail {trail_id!r}; `wildtrace export --what trails` lists them")
        source = workspace.source(trail.source)
        text = workspace.text(source.id)
        graph = load_graph(workspace, source)
    names = {record.id: str(record.fields.get("name", record.id)) for record in graph.records}
    names |= {clue.span_id: str(number) for number, clue in enumerate(trail.clues, 1)}
    wanted = set(trail.edges)
    links = tuple((names[edge.head], names[edge.tail], edge) for edge in graph.edges if edge.id in wanted)
    return TrailCard(trail, source, tuple(_shown(clue, trail, text) for clue in trail.clues), links)


def _shown(clue: Clue, trail: Trail, text: str) -> ShownClue:
    start, end = clue.start or 0, clue.end or 0
    first, last = clue_window(text, start, end)
    group = int(trail.why.get("groups", {}).get(clue.span_id, 0))
    return ShownClue(clue, start / len(text), group, text[first:start], text[end:last])
