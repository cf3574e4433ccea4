"""The sample floor: items in every cell of geometry by tier, and the cells that miss it (paper, Table 3).

At least 12 items a geometry in L0 and L6, at least 8 in L1 to L5. L7 is a stress probe and has no floor.
"""

from __future__ import annotations

from wildtrace.diagnose.base import Cell, Column, Drill, Inputs, Statistic, Table
from wildtrace.diagnose.slices import slices
from wildtrace.scores.table import POWERED_TIERS

FLOOR = {"L0": 12, "L1": 8, "L2": 8, "L3": 8, "L4": 8, "L5": 8, "L6": 12}
_NAMED = 12


def compute(inputs: Inputs) -> Table:
    """One row for each geometry with its item counts by tier, and the tiers in which it misses the floor."""
    tasks = inputs.scores.tasks
    rows: list[tuple[Cell, ...]] = []
    drills: list[Drill] = []
    missed = []
    for geometry, in_geometry, drill in slices(tasks, "geometry"):
        drills.append(drill)
        counts = [int((in_geometry & tasks.mask("tiers", tier)).sum()) for tier in POWERED_TIERS]
        short = [tier for tier, count in zip(POWERED_TIERS, counts, strict=True) if count < FLOOR[tier]]
        missed += [f"{geometry} {tier}" for tier in short]
        rows.append((geometry, *counts, ", ".join(short)))
    verdict = "The floor is fully met."
    if missed:
        named = f": {', '.join(missed)}" if len(missed) <= _NAMED else ""
        verdict = f"The floor is missed in {len(missed)} cells{named}."
    return Table(
        name="floor",
        title="Sample floor by geometry and tier",
        columns=(
            Column("geometry", role="key"),
            *(
                Column(tier, "integer", "items", "count", about=f"at least {FLOOR[tier]}", drill={"tier": [tier]})
                for tier in POWERED_TIERS
            ),
            Column("misses", about="tiers below the floor"),
        ),
        rows=tuple(rows),
        drill={"unit": "items"},
        row_drills=tuple(drills),
        n=int(tasks.in_tiers(*POWERED_TIERS).sum()),
        notes=(
            "Floor: 12 items a geometry in L0 and L6, 8 in L1 to L5.",
            verdict if rows else "No item has a geometry.",
        ),
    )


STATISTIC = Statistic("floor", "Sample floor by geometry and tier", "release", compute)
