"""Tables as data for a page: the texts of every other form, numbers to sort by, and reasons for what is missing."""

from __future__ import annotations

import pytest

from wildtrace.diagnose.base import Cell, Column, Gap, Table
from wildtrace.report.html.tables import FEWEST_ROWS, MOST_CELLS, shown_rows, table_payload
from wildtrace.tables.layout import lay_out

TABLE = Table(
    name="made",
    title="Made",
    columns=(
        Column("model", role="key"),
        Column("score", "score", "points", n=481, about="All"),
        Column("low", "score", "points", "low", about="95 % interval over items"),
        Column("high", "score", "points", "high", about="95 % interval over items"),
        Column("L0", "score", "points", drill={"tier": ["L0"]}),
        Column("L0 n", "integer", "items", "count", drill={"tier": ["L0"]}),
        Column("ties", role="mark"),
    ),
    rows=(
        ("alpha", 75.31415926535, 72.7, 77.74, 82.66, 12, True),
        ("模型二", 5, Gap("n = 1, no interval"), Gap("n = 1, no interval"), Gap("no items"), 0, False),
    ),
    n=481,
    notes=("Seed 0.",),
    drill={"complete": True},
    row_drills=({"model": ["alpha"]}, {"model": ["模型二"]}),
    flagged=frozenset({(0, 4)}),
)


def test_columns_that_stand_together_are_one() -> None:
    """An interval, and a number with its count, are one column each, with the units of both."""
    columns = table_payload(TABLE)["columns"]

    assert ["model", "score (n = 481)", "95 % interval", "L0 (n)", "ties"] == [entry["header"] for entry in columns]
    assert ["", "points", "points", "points (items)", ""] == [entry["unit"] for entry in columns]
    assert [False, True, True, True, False] == [entry["numeric"] for entry in columns]


def test_cells_carry_text_number_and_reason() -> None:
    """Texts are those of the layout; numbers are for sorting; a gap has a reason and no number."""
    rows = table_payload(TABLE)["rows"]

    assert ["alpha", ["75.3", 75.3141593], ["[72.7, 77.7]", 72.7], ["82.7 (12) †", 82.66], "yes"] == rows[0]["cells"]
    assert ["–", None, "n = 1, no interval"] == rows[1]["cells"][2]
    assert ["– (0)", None, "no items"] == rows[1]["cells"][3]
    assert [True, False] == [row["strong"] for row in rows]


def test_rows_and_columns_say_what_they_narrow() -> None:
    """What a table, its rows and its columns carry is passed on as it is."""
    made = table_payload(TABLE)

    assert {"complete": True} == made["filter"]
    assert [{"model": ["alpha"]}, {"model": ["模型二"]}] == [row["filter"] for row in made["rows"]]
    assert [{}, {}, {}, {"tier": ["L0"]}, {}] == [entry["filter"] for entry in made["columns"]]


@pytest.mark.parametrize("columns", [1, 4, 200])
def test_long_tables_are_cut_and_say_so(columns: int) -> None:
    """A page holds so many cells of a table at most; the rest is named with the file that has it."""
    names = tuple(Column(f"c{at}", "score") for at in range(columns))
    rows: tuple[tuple[Cell, ...], ...] = ((1.0,) * columns,) * (MOST_CELLS // columns + 10)
    made = table_payload(Table("long", "Long", names, rows))

    assert shown_rows(Table("long", "Long", names, rows)) == len(made["rows"]) == MOST_CELLS // columns
    assert made["notes"][-1].endswith("all of them are in tables/long.csv.")
    short = Table("short", "Short", names, rows[:FEWEST_ROWS])
    assert () == short.notes
    assert [] == table_payload(short)["notes"]


def test_every_text_is_the_layouts() -> None:
    """Nothing is formatted a second time."""
    shown = [
        [cell if isinstance(cell, str) else cell[0] for cell in row["cells"]] for row in table_payload(TABLE)["rows"]
    ]

    assert [list(row) for row in lay_out(TABLE).rows] == shown
