"""Release composition: items by tier, geometry and source family, and documents (paper, Tables 3 and 4, Figure 6)."""

from __future__ import annotations

import numpy as np

from wildtrace.diagnose import plots
from wildtrace.diagnose.base import Cell, Column, Drill, Figure, Inputs, Statistic, Table
from wildtrace.diagnose.slices import FACETS, slices
from wildtrace.scores.table import BoolArray, Tasks
from wildtrace.text.counting import counted

_COLOURS = {"tier": plots.PALETTE[0], "geometry": plots.PALETTE[2], "source family": plots.PALETTE[1]}


def compute(inputs: Inputs) -> Table:
    """One row for each value of each facet: items, their share, and the documents they ask about."""
    tasks = inputs.scores.tasks
    rows: list[tuple[Cell, ...]] = []
    drills: list[Drill] = []
    notes = []
    for facet, (attribute, _, _) in FACETS.items():
        for value, mask, drill in slices(tasks, facet):
            rows.append((facet, value, *_counts(tasks, mask)))
            drills.append(drill)
        unknown = sum(not entry for entry in getattr(tasks, attribute))
        if unknown:
            notes.append(counted(unknown, f"item has no {facet}.", f"items have no {facet}."))
    rows.append(("all", "all", *_counts(tasks, np.ones(len(tasks), dtype=np.bool_))))
    return Table(
        name="composition",
        title="Release composition",
        columns=(
            Column("facet", role="key"),
            Column("value", role="key"),
            Column("items", "integer", "items", "count"),
            Column("share", "share", "of items"),
            Column("documents", "integer", "documents", "count"),
        ),
        rows=tuple(rows),
        drill={"unit": "items"},
        row_drills=(*drills, {}),
        n=len(tasks),
        notes=tuple(notes),
    )


def _counts(tasks: Tasks, mask: BoolArray) -> tuple[Cell, ...]:
    count = int(mask.sum())
    return count, count / len(tasks) if len(tasks) else 0.0, len(np.unique(tasks.clusters()[mask]))


def figure(table: Table) -> Figure | None:
    """Items by tier, geometry and source family, with the documents they ask about."""
    charts = []
    for facet, colour in _COLOURS.items():
        rows = [
            {"value": str(row[1]), "items": row[2], "documents": row[4], "drill": table.behind(at, 2)}
            for at, row in enumerate(table.rows)
            if row[0] == facet
        ]
        if not rows:
            continue
        encoding = {
            "x": plots.amount("items", "Items", axis={"tickMinStep": 1}),
            "y": plots.nominal("value", sort=[str(row["value"]) for row in rows]),
            "tooltip": plots.tooltip("value", counts=("items", "documents")),
        }
        bars = {"mark": {"type": "bar", "color": colour}}
        text = {"mark": {"type": "text", "align": "left", "dx": 3}, "encoding": {"text": plots.amount("items")}}
        size = {"width": 200, "height": {"step": plots.STEP}}
        head = {"title": f"Items by {facet}", "data": plots.data(rows), **size}
        charts.append({**head, "encoding": encoding, "layer": [bars, text]})
    return plots.figure_of(table, "Release composition", {"hconcat": charts}) if charts else None


STATISTIC = Statistic("composition", "Release composition", "release", compute, figure)
