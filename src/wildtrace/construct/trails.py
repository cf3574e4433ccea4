"""One trail with all a reader needs to judge it: each clue in its context, edges by label, what the document leaks."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from wildtrace.construct import evidence
from wildtrace.construct.workspace import Workspace, open_workspace
from wildtrace.errors import DataError
from wildtrace.text.passages import clue_window
from wildtrace.types import Clue, Leak, ProvedEdge, Source, Trail

FOUND_NONE: Final = "induce found none; its output says why"
"""What is said of an induction without trails."""
_NEAREST: Final = 3
_LEAST_LIKE: Final = 0.6


@dataclass(frozen=True, slots=True)
class ShownClue:
    """A clue with its label, its relative position, its side, and its context as the text before and after it."""

    label: str
    clue: Clue
    relative: float
    side: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class ShownEdge:
    """An edge of a trail between the labels of two clues."""

    head: str
    tail: str
    edge: ProvedEdge


@dataclass(frozen=True, slots=True)
class ShownLeak:
    """A passage that tells part or the whole of the answer, with its relative position and its words."""

    leak: Leak
    relative: float
    quote: str


@dataclass(frozen=True, slots=True)
class TrailCard:
    """A trail as the paper's Figure 1 shows it: its clues in the order of the text, C1 first, and its edges."""

    trail: Trail
    source: Source
    clues: tuple[ShownClue, ...]
    edges: tuple[ShownEdge, ...]
    leaks: tuple[ShownLeak, ...]


@dataclass(frozen=True, slots=True)
class TrailFilter:
    """Which trails to list: by geometry, source and status, and of each source at most so many; empty means all."""

    geometries: frozenset[str] = frozenset()
    sources: frozenset[str] = frozenset()
    statuses: frozenset[str] = frozenset()
    top: int | None = None

    def of(self, trails: Iterable[Trail]) -> list[Trail]:
        """The trails of one source that it lets through, in order."""
        chosen = [
            trail
            for trail in trails
            if (not self.geometries or trail.geometry in self.geometries)
            and (not self.statuses or trail.status in self.statuses)
        ]
        return chosen[: self.top]


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
    clues = sorted(trail.clues, key=lambda clue: (clue.start or 0, clue.end or 0))
    shown = tuple(_shown(f"C{number}", clue, text) for number, clue in enumerate(clues, 1))
    labels = {each.clue.span_id: each.label for each in shown}
    edges = tuple(
        ShownEdge(labels.get(edge.from_fact, edge.from_fact), labels.get(edge.to_fact, edge.to_fact), edge)
        for edge in trail.edges
    )
    leaks = tuple(ShownLeak(leak, leak.start / len(text), text[leak.start : leak.end]) for leak in trail.leaks)
    return TrailCard(trail, source, shown, edges, leaks)


def listed_trails(folder: Path, wanted: TrailFilter | None = None) -> list[tuple[Source, list[Trail] | None]]:
    """The trails of every source by rank, None where it is not induced. DataError where none is."""
    wanted = wanted or TrailFilter()
    with open_workspace(folder) as workspace:
        sources = [workspace.source(each) for each in sorted(wanted.sources)] if wanted.sources else workspace.sources()
        found = [(source, _trails(workspace, source)) for source in sources]
    if all(trails is None for _, trails in found):
        raise _none_yet(folder, sources=bool(found))
    return [(source, None if trails is None else wanted.of(trails)) for source, trails in found]


def _trails(workspace: Workspace, source: Source) -> list[Trail] | None:
    finished = evidence.finished_by(workspace, source.id) is not None
    return evidence.trails_of(workspace, source) if finished else None


def _shown(label: str, clue: Clue, text: str) -> ShownClue:
    start, end = clue.start or 0, clue.end or 0
    first, last = clue_window(text, start, end)
    side = str(clue.extra.get("side") or "")
    return ShownClue(label, clue, start / len(text), side, text[first:start], text[end:last])


def _unknown(folder: Path, wanted: str, workspace: Workspace) -> DataError:
    ids = evidence.trail_ids(workspace)
    if not ids:
        sources = workspace.sources()
        if any(evidence.finished_by(workspace, source.id) is not None for source in sources):
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
    return DataError(f"{folder} has no trails yet; run `wildtrace induce --workspace {folder} --config CONFIG` first")


def _few(ids: Sequence[str]) -> str:
    more = len(ids) - _NEAREST
    return ", ".join(ids[:_NEAREST]) + (f" and {more} more" if more > 0 else "")
