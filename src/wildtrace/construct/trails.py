"""One trail with all a reader needs to judge it: each clue in its context, and the edges between them."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from wildtrace.construct import evidence
from wildtrace.construct.run import load_graph
from wildtrace.construct.workspace import Workspace, open_workspace
from wildtrace.errors import DataError
from wildtrace.text.passages import clue_window
from wildtrace.types import Clue, Edge, Record, Source, Trail

FOUND_NONE: Final = "induce found none; its output says why"
"""What is said of an induction without trails."""
_NEAREST: Final = 3
_LEAST_LIKE: Final = 0.6
_NAME_CHARS: Final = 24


@dataclass(frozen=True, slots=True)
class ShownClue:
    """A clue with its label, its relative position, its group, and its context as the text before and after it."""

    label: str
    clue: Clue
    relative: float
    group: int
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Link:
    """An edge of a trail and what it joins: the label of a clue, the name of an entity, or the words of another record.

    Words of which a part stands in a clue have its label before them.
    """

    head: str
    tail: str
    edge: Edge


@dataclass(frozen=True, slots=True)
class TrailCard:
    """A trail as the paper's Figure 1 shows it: its clues in the order of the text, C1 first, and its edges."""

    trail: Trail
    source: Source
    clues: tuple[ShownClue, ...]
    links: tuple[Link, ...]


def trail_card(folder: Path, trail_id: str) -> TrailCard:
    """The card of a trail, by its id or by a beginning of it that no other has.

    DataError where there is none, naming the ids that are nearest.
    """
    with open_workspace(folder) as workspace:
        trail = evidence.trail_by_id(workspace, trail_id)
        if trail is None:
            raise _unknown(folder, trail_id, workspace)
        source = workspace.source(trail.source)
        text = workspace.text(source.id)
        graph = load_graph(workspace, source)
    clues = sorted(trail.clues, key=lambda clue: (clue.start or 0, clue.end or 0))
    shown = tuple(_shown(f"C{number}", clue, trail, text) for number, clue in enumerate(clues, 1))
    by_id = {record.id: record for record in graph.records}
    wanted = {edge_id: place for place, edge_id in enumerate(trail.edges)}
    edges = sorted((edge for edge in graph.edges if edge.id in wanted), key=lambda edge: wanted[edge.id])
    ends = {end: _name(by_id[end], shown) for edge in edges for end in (edge.head, edge.tail)}
    return TrailCard(trail, source, shown, tuple(Link(ends[edge.head], ends[edge.tail], edge) for edge in edges))


def listed_trails(folder: Path) -> list[tuple[Source, list[Trail] | None]]:
    """The trails of every source by geometry and rank, None where it is not induced. DataError where none is."""
    with open_workspace(folder) as workspace:
        found = [(source, _trails(workspace, source)) for source in workspace.sources()]
    if all(trails is None for _, trails in found):
        raise _none_yet(folder, sources=bool(found))
    return found


def _trails(workspace: Workspace, source: Source) -> list[Trail] | None:
    induced = evidence.graph_made_by(workspace, source.id) is not None
    return evidence.trails_of(workspace, source) if induced else None


def _shown(label: str, clue: Clue, trail: Trail, text: str) -> ShownClue:
    start, end = clue.start or 0, clue.end or 0
    first, last = clue_window(text, start, end)
    group = int(trail.why.get("groups", {}).get(clue.span_id, 0))
    return ShownClue(label, clue, start / len(text), group, text[first:start], text[end:last])


def _name(record: Record, clues: Sequence[ShownClue]) -> str:
    """What an edge's end is called: a clue's label, an entity's name, else its words, with the clue they touch."""
    label = next((one.label for one in clues if one.clue.span_id == record.id), None)
    if label is not None:
        return label
    name = record.fields.get("name")
    if name:
        return str(name)
    words = " ".join(record.span.quote.split())
    shown = f"“{words[:_NAME_CHARS]}…”" if len(words) > _NAME_CHARS else f"“{words}”"
    around = max(clues, key=lambda one: _overlap(one.clue, record))
    return f"{around.label} {shown}" if _overlap(around.clue, record) > 0 else shown


def _overlap(clue: Clue, record: Record) -> int:
    """Code points that a clue and a record share; negative where they stand apart."""
    return min(clue.end or 0, record.span.end) - max(clue.start or 0, record.span.start)


def _unknown(folder: Path, wanted: str, workspace: Workspace) -> DataError:
    ids = evidence.trail_ids(workspace)
    if not ids:
        sources = workspace.sources()
        induced = any(evidence.graph_made_by(workspace, source.id) is not None for source in sources)
        if induced:
            return DataError(f"{folder} has no trails: {FOUND_NONE}")
        return _none_yet(folder, sources=bool(sources))
    several = [one for one in ids if one.startswith(wanted)] if wanted else []
    if several:
        return DataError(
            f"{folder} has {len(several)} trails that begin with {wanted!r}: {_few(several)}; name more of it"
        )
    # A beginning is compared with beginnings: as a whole it is like no id.
    beginnings = {one[: max(2, len(wanted))]: one for one in reversed(ids)}
    close = difflib.get_close_matches(wanted.lower(), list(beginnings), n=_NEAREST, cutoff=_LEAST_LIKE)
    nearest = f"nearest: {', '.join(beginnings[one] for one in close)}; " if close else ""
    return DataError(f"{folder} has no trail {wanted!r}; {nearest}`wildtrace trail --workspace {folder}` lists them")


def _none_yet(folder: Path, *, sources: bool) -> DataError:
    if not sources:
        return DataError(f"{folder} has no sources; bring some in with `wildtrace ingest`")
    return DataError(f"{folder} has no trails yet; run `wildtrace induce --workspace {folder} --offline` (or --config)")


def _few(ids: Sequence[str]) -> str:
    more = len(ids) - _NEAREST
    return ", ".join(ids[:_NEAREST]) + (f" and {more} more" if more > 0 else "")
