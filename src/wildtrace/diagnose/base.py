"""What a statistic gives back: a `Table` of typed columns and rows, in which a missing number says why it is missing.

A statistic is a pure function of `Inputs`. It prints nothing and renders nothing; `report` does that. Credits become
0 to 100 here, where tables are made, and stay 0 to 1 in `ScoreTable`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import pandas

    from wildtrace.scores.table import ScoreTable
    from wildtrace.types import Item

Format = Literal["text", "integer", "score", "signed", "share", "coefficient", "probability", "number"]
Role = Literal["key", "value", "low", "high", "count", "mark"]
Kind = Literal["scores", "release", "study", "pair"]

PERCENT = 100.0


@dataclass(frozen=True, slots=True)
class Gap:
    """A number that cannot be given, and why: it is printed as a dash, and its reason stands under the table."""

    reason: str


Cell = str | int | float | bool | Gap


@dataclass(frozen=True, slots=True)
class Column:
    """A column: `unit` is what one cell counts, `n` how many items stand behind every cell, `role` what it is for.

    Formats: `score` and `signed` are points of 100 with one decimal, `share` is a share of 1 shown in per cent,
    `coefficient` has three decimals, `probability` four, `number` as many as it needs.
    """

    name: str
    format: Format = "text"
    unit: str = ""
    role: Role = "value"
    n: int | None = None
    about: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """The result of one statistic. `n` is the number of items (or cells) it rests on; `notes` state every gap."""

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    n: int | None = None
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        width = len(self.columns)
        if any(len(row) != width for row in self.rows):
            raise ValueError(f"table {self.name}: a row does not have {width} cells")
        names = [column.name for column in self.columns]
        if len(set(names)) != width:
            raise ValueError(f"table {self.name}: two columns share a name")

    def column(self, name: str) -> tuple[Cell, ...]:
        """The cells of the column called `name`, top to bottom; KeyError when there is none."""
        for index, column in enumerate(self.columns):
            if column.name == name:
                return tuple(row[index] for row in self.rows)
        raise KeyError(name)

    def row(self, key: Cell) -> dict[str, Cell]:
        """The first row whose first cell is `key`, by column name; KeyError when there is none."""
        for row in self.rows:
            if row[0] == key:
                return {column.name: cell for column, cell in zip(self.columns, row, strict=True)}
        raise KeyError(key)

    def with_notes(self, notes: Iterable[str]) -> Table:
        """The same table with `notes` in front of its own, each once."""
        return replace(self, notes=tuple(dict.fromkeys((*notes, *self.notes))))

    def gaps(self) -> tuple[str, ...]:
        """The distinct reasons of the gaps in the rows, in order of appearance."""
        return tuple(dict.fromkeys(cell.reason for row in self.rows for cell in row if isinstance(cell, Gap)))

    def to_frame(self) -> pandas.DataFrame:
        """The rows as a pandas DataFrame with all digits; a gap is a missing value."""
        import pandas as pd  # noqa: PLC0415 - only frames need pandas, which is no dependency

        rows = [[None if isinstance(cell, Gap) else cell for cell in row] for row in self.rows]
        return pd.DataFrame(rows, columns=[column.name for column in self.columns])


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
    """An entry of `STATISTICS`. `compute` takes `Inputs` when `kind` is `scores` or `release`, else its own input."""

    name: str
    title: str
    kind: Kind
    compute: Callable[..., Table]


def points(credit: float) -> Cell:
    """A credit of 0 to 1 as points of 100; NaN becomes a gap."""
    return Gap("no items") if credit != credit else PERCENT * credit  # noqa: PLR0124 - NaN differs from itself
