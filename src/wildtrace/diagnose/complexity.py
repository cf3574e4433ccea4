"""Complexity of the items: clues, spread, gaps and every other structural number (paper, Figure 6)."""

from __future__ import annotations

import numpy as np

from wildtrace.diagnose import plots
from wildtrace.diagnose.base import Cell, Column, Figure, Gap, Inputs, Statistic, Table
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
        drill={"unit": "items"},
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


def figure(table: Table) -> Figure | None:
    """Each structural number of the items: extremes (line), quartiles (bar) and median (tick)."""
    keys = ("minimum", "quartile_1", "median", "quartile_3", "maximum")
    charts = []
    for name, unit, n, _, *quartiles in table.rows:
        if any(isinstance(value, Gap) for value in quartiles):
            continue
        label = f"{name} (n = {n})"
        row = {"measure": label, **dict(zip(keys, map(plots.number, quartiles), strict=True))}
        x = plots.amount("minimum", str(unit) or None)
        layers = [
            {"mark": {"type": "rule", "color": plots.PALETTE[0]}, "encoding": {"x": x, "x2": {"field": "maximum"}}},
            {
                "mark": {"type": "bar", "color": plots.PALETTE[5], "height": 14},
                "encoding": {"x": plots.amount("quartile_1"), "x2": {"field": "quartile_3"}},
            },
            {
                "mark": {"type": "tick", "color": "#000000", "thickness": 2, "height": 18},
                "encoding": {"x": plots.amount("median")},
            },
        ]
        shared = {"y": plots.nominal("measure"), "tooltip": plots.tooltip(counts=keys)}
        charts.append({"data": plots.data([row]), "width": 480, "height": 30, "encoding": shared, "layer": layers})
    title = "Complexity of the items: range, quartiles and median"
    return plots.figure_of(table, title, {"vconcat": charts}) if charts else None


STATISTIC = Statistic("complexity", "Complexity of the items", "release", compute, figure)
