"""What a statistic is: a pure function of `Inputs` that gives a `Table`, and perhaps a figure of that table.

A statistic prints nothing and renders nothing; `report` does that. Credits become 0 to 100 here, where tables are made,
and stay 0 to 1 in `ScoreTable`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from wildtrace.tables.table import Cell, Column, Drill, Format, Gap, Role, Table, with_systems

if TYPE_CHECKING:
    from wildtrace.scores.table import ScoreTable
    from wildtrace.types import Item

__all__ = [
    "PERCENT", "Cell", "Column", "Drill", "Figure", "Format", "Funnel", "FunnelStage", "Gap", "Inputs", "Kind", "Role",
    "Settings", "Statistic", "Table", "points", "with_systems",
]  # fmt: skip

Kind = Literal["scores", "release", "study", "pair"]

PERCENT = 100.0


@dataclass(frozen=True, slots=True)
class Figure:
    """A chart of one table: a Vega-Lite specification with its data inside, under the table's name.

    `n` is the number of items (or answers) it rests on. A row of the data has `drill`, what stands behind its mark.
    """

    name: str
    title: str
    spec: Mapping[str, Any]
    n: int | None = None


@dataclass(frozen=True, slots=True)
class Settings:
    """What a statistic may be told: the seed and size of the resampling, the level, and how many systems are `top`."""

    seed: int = 0
    resamples: int = 10_000
    level: float = 0.95
    top: int = 6


@dataclass(frozen=True, slots=True)
class FunnelStage:
    """One stage of promotion: how many candidates it rejected."""

    name: str
    rejected: int


@dataclass(frozen=True, slots=True)
class Funnel:
    """The way from candidates to locked items. The stages' rejections and `locked` must add up to `candidates`."""

    candidates: int
    locked: int
    stages: tuple[FunnelStage, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Inputs:
    """All that a report's statistics may read.

    `scores` holds the runs under the protocol's condition; `other_conditions` maps `evidence` and `none` to the runs
    under those. `items` is empty when the tasks came from a task table. `document_chars` maps a corpus file to the
    length of its text in code points, where that is known.
    """

    scores: ScoreTable
    settings: Settings = field(default_factory=Settings)
    items: tuple[Item, ...] = ()
    funnel: Funnel | None = None
    other_conditions: Mapping[str, ScoreTable] = field(default_factory=dict)
    document_chars: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Statistic:
    """An entry of `STATISTICS`. `compute` takes `Inputs` when `kind` is `scores` or `release`, else its own input.

    `figure` draws the table: None where there is nothing to draw.
    """

    name: str
    title: str
    kind: Kind
    compute: Callable[..., Table]
    figure: Callable[[Table], Figure | None] | None = None


def points(credit: float) -> Cell:
    """A credit of 0 to 1 as points of 100; NaN becomes a gap."""
    return Gap("no items") if credit != credit else PERCENT * credit  # noqa: PLR0124 - NaN differs from itself
