"""Order of rows, order of systems and judges, and relabelling of ids change no number of any statistic."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from wildtrace.diagnose import STATISTICS
from wildtrace.diagnose.base import Cell, Inputs, Settings, Statistic
from wildtrace.scores.table import ScoreTable, Tasks

REPORTED = [statistic for statistic in STATISTICS if statistic.kind == "scores"]
FEW = Settings(resamples=50)


def made(seed: int) -> ScoreTable:
    """A small table with ties, missing judges and unequal documents."""
    rng = random.Random(seed)
    count = rng.randint(6, 14)
    tasks = Tasks(
        tuple(f"q{at:02d}" for at in range(count)),
        tuple(f"s{rng.randint(0, 5)}" for _ in range(count)),
        tuple(rng.choice(["L0", "L1", "L7"]) for _ in range(count)),
        tuple(rng.choice(["technical_report", "english_literature"]) for _ in range(count)),
        tuple(rng.choice(["causal", "temporal"]) for _ in range(count)),
        {"clues": np.array([float(rng.randint(2, 5)) for _ in range(count)])},
    )
    credit = np.array([[[rng.choice([0, 0.25, 0.4, 1]) for _ in "xyz"] for _ in range(count)] for _ in "abcd"])
    table = ScoreTable.of(tasks, ["a1", "b1", "c1", "d1"], ["x", "y", "z"], credit)
    out = np.array([[rng.random() < 0.2 for _ in range(count)] for _ in "abcd"])
    table.credit[out] = np.nan
    table.status[out] = 1
    return table


def permuted(table: ScoreTable, seed: int) -> ScoreTable:
    """The same scores with items, systems and judges in another order, and ids and documents under other names."""
    rng = np.random.default_rng(seed)
    models, items, judges = (rng.permutation(size) for size in table.credit.shape)
    tasks = table.tasks.select(items)
    names = {source: f"doc-{rng.integers(1 << 40)}" for source in sorted(set(tasks.source_ids))}
    tasks = Tasks(
        tuple(f"id-{rng.integers(1 << 40)}" for _ in items), tuple(names[source] for source in tasks.source_ids),
        tasks.tiers, tasks.families, tasks.geometries, tasks.structure,
    )  # fmt: skip
    credit = table.credit[np.ix_(models, items, judges)]
    other = ScoreTable.of(tasks, [table.models[at] for at in models], [table.judges[at] for at in judges], credit)
    other.status[:] = table.status[np.ix_(models, items)]
    return other


def rounded(cell: Cell) -> Cell:
    """Floats up to the rounding of sums."""
    return round(cell, 9) + 0.0 if isinstance(cell, float) else cell


def by_name(inputs: Inputs, statistic: Statistic) -> dict[Cell, dict[str, Cell]]:
    """Rows by key and cells by column, so that nothing but the numbers is compared."""
    table = statistic.compute(inputs)
    return {
        row[0]: {column.name: rounded(cell) for column, cell in zip(table.columns, row, strict=True)}
        for row in table.rows
    }


def sides(rows: dict[Cell, dict[str, Cell]]) -> dict[Cell, dict[str, Cell]]:
    """Pairs of judges under one name, whichever stands first."""
    return {" ".join(sorted(str(key).split())): {**row, "diagnostic": ""} for key, row in rows.items()}


@pytest.mark.parametrize("statistic", REPORTED, ids=lambda statistic: statistic.name)
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 10_000), shuffle=st.integers(0, 10_000))
@example(seed=4372, shuffle=0)
def test_order_and_names_change_nothing(statistic: Statistic, seed: int, shuffle: int) -> None:
    """Every statistic of a report gives the same numbers for the same scores in any order and under any ids."""
    table = made(seed)
    expected = by_name(Inputs(scores=table, settings=FEW), statistic)
    actual = by_name(Inputs(scores=permuted(table, shuffle), settings=FEW), statistic)

    assert sides(expected) == sides(actual)
