"""A `Table` of typed columns and rows, in which a missing number says why it is missing and a number what it counts.

What stands behind a cell is data: a `Drill` of the table, of its row and of its column, put together by `behind`, a
later one replacing an earlier one in the same facet. A drill maps a facet to what it keeps of a report's answers:

    model, tier, geometry, family, item     lists of names
    zero                                    reasons of an answer that counts zero in All
    flag, judge_flag                        a flag of the answer, or of any judge's reply
    judge                                   a judge that gave a usable score
    scored                                  answers that the full panel scored
    every_judge                             answers that every judge of the report scored
    complete                                systems that have an All: none of their answers awaits a judge
    top                                     the best systems by All, as many as the number says
    criterion                               the criterion to point at
    unit                                    "items" where a cell counts items and not answers

None in the place of a drill says that nothing in a report stands behind the number: a rejected candidate, an answer
under another condition.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    import pandas

Format = Literal["text", "integer", "score", "signed", "share", "coefficient", "probability", "number"]
Role = Literal["key", "value", "low", "high", "count", "mark"]
Drill = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Gap:
    """A number that cannot be given, and why: it is printed as a dash, and its reason stands under the table."""

    reason: str


Cell = str | int | float | bool | Gap


@dataclass(frozen=True, slots=True)
class Column:
    """A column: `unit` is what one cell counts, `n` how many items stand behind every cell, `role` what it is for.

    Formats: `score` and `signed` are points of 100 with one decimal, `share` is a share of 1 shown in per cent,
    `coefficient` has three decimals, `probability` four, `number` as many as it needs. `label` is the header where it
    comes from data and is shown as it is; else the header is the name with spaces.
    """

    name: str
    format: Format = "text"
    unit: str = ""
    role: Role = "value"
    n: int | None = None
    about: str = ""
    label: str = ""
    drill: Drill | None = field(default_factory=dict)

    @property
    def header(self) -> str:
        """What stands above the column."""
        return self.label or self.name.replace("_", " ")


@dataclass(frozen=True, slots=True)
class Table:
    """The result of one statistic. `n` is the number of items (or cells) it rests on; `notes` state every gap.

    `row_drills` is empty where rows narrow nothing, else it has one entry a row. `flagged` holds the (row, column)
    positions of the numbers that rest on flagged answers.
    """

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    n: int | None = None
    notes: tuple[str, ...] = ()
    drill: Drill | None = field(default_factory=dict)
    row_drills: tuple[Drill, ...] = ()
    flagged: frozenset[tuple[int, int]] = frozenset()

    def __post_init__(self) -> None:
        width = len(self.columns)
        if any(len(row) != width for row in self.rows):
            raise ValueError(f"table {self.name}: a row does not have {width} cells")
        names = [column.name for column in self.columns]
        if len(set(names)) != width:
            raise ValueError(f"table {self.name}: two columns share a name")
        if self.row_drills and len(self.row_drills) != len(self.rows):
            raise ValueError(f"table {self.name}: not every row has a drill")

    @property
    def counted(self) -> str:
        """What `n` counts, where a column of that name says it; else nothing."""
        return next((column.unit for column in self.columns if column.name == "n" and column.role == "count"), "")

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

    def row_drill(self, row: int) -> Drill:
        """What row number `row` narrows."""
        return self.row_drills[row] if self.row_drills else {}

    def behind(self, row: int, column: int) -> Drill | None:
        """What stands behind a cell, by the positions of its row and its column; None for nothing."""
        of_column = self.columns[column].drill
        if self.drill is None or of_column is None:
            return None
        return {**self.drill, **self.row_drill(row), **of_column}

    def groups(self) -> Iterator[tuple[int, ...]]:
        """Which columns are printed as one: the limits of an interval, and a number with the count behind it.

        A `count` belongs to the column before it when it has that column's name followed by " n".
        """
        at = 0
        while at < len(self.columns):
            pair = self.columns[at : at + 2]
            together = len(pair) == 2 and (
                (pair[0].role == "low" and pair[1].role == "high")
                or (pair[1].role == "count" and pair[1].name == f"{pair[0].name} n")
            )
            yield (at, at + 1) if together else (at,)
            at += 2 if together else 1

    def with_notes(self, notes: Iterable[str]) -> Table:
        """The same table with `notes` in front of its own, each once."""
        return replace(self, notes=tuple(dict.fromkeys((*notes, *self.notes))))

    def to_frame(self) -> pandas.DataFrame:
        """The rows as a pandas DataFrame with all digits; a gap is a missing value."""
        import pandas as pd  # noqa: PLC0415 - only frames need pandas, which is no dependency

        rows = [[None if isinstance(cell, Gap) else cell for cell in row] for row in self.rows]
        return pd.DataFrame(rows, columns=[column.name for column in self.columns])

    def gaps(self) -> tuple[str, ...]:
        """The distinct reasons of the gaps in the rows, in order of appearance."""
        return tuple(dict.fromkeys(cell.reason for row in self.rows for cell in row if isinstance(cell, Gap)))


def with_systems(columns: Sequence[Column], systems: Iterable[str], form: Format, unit: str) -> tuple[Column, ...]:
    """These columns and one for each system, which leads to its answers."""
    of_systems = (Column(system, form, unit, label=system, drill={"model": [system]}) for system in systems)
    return distinct((*columns, *of_systems))


def distinct(columns: Iterable[Column]) -> tuple[Column, ...]:
    """These columns, each with a name of its own: a system or a flag may be called like a column before it."""
    made: dict[str, Column] = {}
    for column in columns:
        name, number = column.name, 2
        while name in made:
            name, number = f"{column.name} #{number}", number + 1
        made[name] = replace(column, name=name)
    return tuple(made.values())
