"""Release composition: items by tier, geometry and source family, and documents (paper, Tables 3 and 4, Figure 6)."""

from __future__ import annotations

from wildtrace.diagnose.base import Cell, Column, Inputs, Statistic, Table
from wildtrace.scores.table import POWERED_TIERS, Tasks, present
from wildtrace.text.counting import counted
from wildtrace.vocabulary import FAMILIES

FACETS = (
    ("tier", "tiers", (*POWERED_TIERS, "L7")),
    ("geometry", "geometries", ()),
    ("source family", "families", FAMILIES.names),
)


def compute(inputs: Inputs) -> Table:
    """One row for each value of each facet: items, their share, and the documents they ask about."""
    tasks = inputs.scores.tasks
    rows: list[tuple[Cell, ...]] = []
    notes = []
    for label, facet, order in FACETS:
        values = getattr(tasks, facet)
        rows += [_row(tasks, label, value, [entry == value for entry in values]) for value in present(values, order)]
        unknown = sum(not entry for entry in values)
        if unknown:
            notes.append(counted(unknown, f"item has no {label}.", f"items have no {label}."))
    rows.append(_row(tasks, "all", "all", [True] * len(tasks)))
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
        n=len(tasks),
        notes=tuple(notes),
    )


def _row(tasks: Tasks, label: str, value: str, chosen: list[bool]) -> tuple[Cell, ...]:
    cluster = tasks.clusters()
    documents = {int(cluster[at]) for at, picked in enumerate(chosen) if picked}
    count = sum(chosen)
    return (label, value, count, count / len(tasks) if len(tasks) else 0.0, len(documents))


STATISTIC = Statistic("composition", "Release composition", "release", compute)
