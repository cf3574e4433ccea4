"""Complexity of the items: clues, spread, gaps and every other structural number (paper, Figure 6)."""

from __future__ import annotations

import numpy as np

from wildtrace.diagnose.base import Cell, Column, Gap, Inputs, Statistic, Table
from wildtrace.scores.table import FloatArray

UNITS = {
    "clues": "clues",
    "spread": "code points",
    "minimum_gap": "code points",
    "edges": "edges",
    "rubric_length": "criteria",
}


def compute(inputs: Inputs) -> Table:
    """One row for each structural column: items that have it, mean, quartiles and extremes."""
    tasks = inputs.scores.tasks
    return Table(
        name="complexity",
        title="Complexity of the items",
        columns=(
            Column("measure", role="key"),
            Column("unit"),
            Column("n", "integer", "items", "count"),
            Column("mean", "number"),
            Column("minimum", "number"),
            Column("quartile_1", "number"),
            Column("median", "number"),
            Column("quartile_3", "number"),
            Column("maximum", "number"),
        ),
        rows=tuple(_row(name, column) for name, column in tasks.structure.items()),
        n=len(tasks),
        notes=() if tasks.structure else ("The tasks carry no structural numbers.",),
    )


def _row(name: str, column: FloatArray) -> tuple[Cell, ...]:
    known = column[~np.isnan(column)]
    unit = UNITS.get(name, "")
    if not len(known):
        return (name, unit, 0, *(Gap(f"no item has {name}"),) * 6)
    quartiles = np.quantile(known, [0.0, 0.25, 0.5, 0.75, 1.0]).tolist()
    return (name, unit, len(known), float(np.sort(known).mean()), *quartiles)


STATISTIC = Statistic("complexity", "Complexity of the items", "release", compute)
