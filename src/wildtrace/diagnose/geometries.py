"""Geometry profile: the mean over systems of each evidence geometry in L0 to L6 (paper, Figure 5B).

L7 stands apart as a stress probe; items without a tier count, those of a tier that is none of L0 to L7 do not. Cells
are zero-filled.
"""

from __future__ import annotations

from wildtrace.diagnose import plots
from wildtrace.diagnose.base import Cell, Column, Drill, Figure, Gap, Inputs, Statistic, Table, points, with_systems
from wildtrace.diagnose.slices import slices, unknown_tier_notes
from wildtrace.scores.table import (
    POWERED_TIERS,
    STRESS_TIER,
    BoolArray,
    FloatArray,
    Tasks,
    exact_mean,
    present,
    ranked_complete,
)

SPREAD = "best - worst"


def compute(inputs: Inputs) -> Table:
    """One row for each geometry, the best first, and one for the spread between the best and the worst."""
    scores = inputs.scores
    order, filled = ranked_complete(scores)
    trend, stress = scores.tasks.in_tiers(*POWERED_TIERS, ""), scores.tasks.in_tiers(STRESS_TIER)
    found: list[tuple[tuple[Cell, ...], Drill]] = [
        (_row(name, filled, mask & trend, mask & stress), drill)
        for name, mask, drill in slices(scores.tasks, "geometry")
    ]
    found.sort(key=lambda entry: _best_first(entry[0]))
    rows = [row for row, _ in found]
    drills = [drill for _, drill in found]
    if rows:
        rows.append(_spread(rows))
        drills.append({})
    return Table(
        name="geometries",
        title="Score by evidence geometry",
        columns=_columns([scores.models[model] for model in order]),
        rows=tuple(rows),
        drill={"complete": True, "tier": _trend_tiers(scores.tasks)},
        row_drills=tuple(drills),
        n=int(trend.sum()),
        notes=(
            "Means over all items but those of L7, which is a stress probe and stands apart.",
            *unknown_tier_notes(scores.tasks),
            *scores.incomplete_notes(),
        ),
    )


def _trend_tiers(tasks: Tasks) -> list[str]:
    """The tiers of the trend, as the items write them; the empty one where some items have none."""
    trend = tasks.in_tiers(*POWERED_TIERS, "")
    written = {tier for tier, used in zip(tasks.tiers, trend, strict=True) if used}
    return [*present(written, POWERED_TIERS), *([""] if "" in written else [])]


def _columns(systems: list[str]) -> tuple[Column, ...]:
    stress: Drill = {"tier": [STRESS_TIER]}
    fixed = (
        Column("geometry", role="key"),
        Column("mean", "score", "points", about="mean over systems"),
        Column("n", "integer", "items", "count"),
        Column("L7", "score", "points", about="mean over systems, stress probe", drill=stress),
        Column("L7 n", "integer", "items", "count", drill=stress),
    )
    return with_systems(fixed, systems, "score", "points")


def _best_first(row: tuple[Cell, ...]) -> tuple[bool, float, Cell]:
    mean = row[1]
    return isinstance(mean, Gap), -round(mean, 10) if isinstance(mean, float) else 0.0, row[0]


def _row(name: str, filled: FloatArray, trend: BoolArray, probe: BoolArray) -> tuple[Cell, ...]:
    return (
        name,
        points(exact_mean(filled[:, trend])),
        int(trend.sum()),
        points(exact_mean(filled[:, probe])),
        int(probe.sum()),
        *(points(exact_mean(row[trend])) for row in filled),
    )


def _spread(rows: list[tuple[Cell, ...]]) -> tuple[Cell, ...]:
    counts = (2, 4)
    return (
        SPREAD,
        *(_total(rows, at) if at in counts else _range(rows, at) for at in range(1, len(rows[0]))),
    )


def _total(rows: list[tuple[Cell, ...]], at: int) -> int:
    return sum(cell for cell in (row[at] for row in rows) if isinstance(cell, int))


def _range(rows: list[tuple[Cell, ...]], at: int) -> Cell:
    numbers = [cell for cell in (row[at] for row in rows) if isinstance(cell, float)]
    return max(numbers) - min(numbers) if len(numbers) > 1 else Gap("fewer than two geometries, no spread")


def figure(table: Table) -> Figure | None:
    """Mean over systems by evidence geometry (bar), with every system as a dot."""
    systems = {at: column.label for at, column in enumerate(table.columns) if column.label}
    labels, means, dots = [], [], []
    for place, row in enumerate(table.rows[:-1]):
        label = f"{row[0]} (n = {row[2]})"
        labels.append(label)
        if isinstance(row[1], float):
            means.append({"geometry": label, "score": row[1], "drill": table.behind(place, 1)})
        dots += [
            {"geometry": label, "system": system, "score": row[at], "drill": table.behind(place, at)}
            for at, system in systems.items()
            if isinstance(row[at], float)
        ]
    if not means:
        return None
    axes = {"x": plots.score_axis("score"), "y": plots.nominal("geometry", sort=labels)}
    bar = {"type": "bar", "color": plots.PALETTE[5], "height": 18}
    dot = {"type": "circle", "color": "#222222", "opacity": 0.65, "size": 28}
    spec = {
        "width": 520,
        "height": {"step": 30},
        "layer": [
            {"data": plots.data(means), "mark": bar,
             "encoding": {**axes, "tooltip": plots.tooltip("geometry", "score")}},
            {"data": plots.data(dots), "mark": dot,
             "encoding": {**axes, "tooltip": plots.tooltip("system", "geometry", "score")}},
        ],
    }  # fmt: skip
    return plots.figure_of(table, "Score by evidence geometry: mean (bar) and systems (dots)", spec)


STATISTIC = Statistic("geometries", "Score by evidence geometry", "scores", compute, figure)
