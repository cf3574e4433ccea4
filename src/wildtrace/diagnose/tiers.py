"""Tier curves: the mean of every system in L0 to L6, with L7 apart as a stress probe (paper, Figure 5A).

Cells are zero-filled, so a system whose window ends before a tier falls there, as in All. A task table's tiers may be
written in small letters.
"""

from __future__ import annotations

from wildtrace.diagnose import plots
from wildtrace.diagnose.base import Cell, Column, Figure, Inputs, Statistic, Table, points
from wildtrace.diagnose.slices import unknown_tier_notes
from wildtrace.scores.table import POWERED_TIERS, STRESS_TIER, exact_mean, ranked_complete
from wildtrace.text.counting import counted

_FEWEST_TIERS = 2


def compute(inputs: Inputs) -> Table:
    """One row for each system, best first, and one for the mean over systems; one column for each tier."""
    scores = inputs.scores
    order, filled = ranked_complete(scores)
    counts = {tier: int(scores.tasks.in_tiers(tier).sum()) for tier in (*POWERED_TIERS, STRESS_TIER)}
    shown = [tier for tier, count in counts.items() if count]
    masks = [scores.tasks.in_tiers(tier) for tier in shown]
    rows: list[tuple[Cell, ...]] = [
        (scores.models[model], *(points(exact_mean(row[mask])) for mask in masks))
        for model, row in zip(order, filled, strict=True)
    ]
    drills = [{"model": [scores.models[model]]} for model in order]
    if rows:
        rows.append(("mean over systems", *(points(exact_mean(filled[:, mask])) for mask in masks)))
        drills.append({})
    columns = [Column(tier, "score", "points", n=counts[tier], drill={"tier": [tier]}) for tier in shown]
    return Table(
        name="tiers",
        title="Score by context tier",
        columns=(Column("model", role="key"), *columns),
        rows=tuple(rows),
        drill={"complete": True},
        row_drills=tuple(drills),
        n=sum(counts[tier] for tier in POWERED_TIERS),
        notes=(
            *_notes(counts[STRESS_TIER], int(scores.tasks.in_tiers("").sum())),
            *unknown_tier_notes(scores.tasks),
            *scores.incomplete_notes(),
        ),
    )


def _notes(stress: int, untiered: int) -> tuple[str, ...]:
    notes = [f"L7 ({counted(stress, 'item')}) is a stress probe beside the trend, not a part of it."] if stress else []
    if untiered:
        notes.append(
            counted(untiered, "item has no tier and is in no column.", "items have no tier and are in no column.")
        )
    return tuple(notes)


def figure(table: Table) -> Figure | None:
    """A line for each system over L0 to L6; clicking a name in the legend shows it alone.

    None below two tiers: a single point is no curve.
    """
    tiers = {at: column for at, column in enumerate(table.columns[1:], 1) if column.name != STRESS_TIER}
    labels = {at: f"{column.name} (n = {column.n})" for at, column in tiers.items()}
    systems = [str(row[0]) for row in table.rows[:-1]]
    rows = [
        {"system": system, "tier": label, "score": table.rows[place][at], "drill": table.behind(place, at)}
        for place, system in enumerate(systems)
        for at, label in labels.items()
        if isinstance(table.rows[place][at], float)
    ]
    if len({row["tier"] for row in rows}) < _FEWEST_TIERS:
        return None
    legend = plots.line_legend(len(systems))
    spec = {
        "data": plots.data(rows),
        "width": 560,
        "height": 360,
        "mark": {"type": "line", "point": True},
        "params": [{"name": "system", "select": {"type": "point", "fields": ["system"]}, "bind": "legend"}],
        "encoding": {
            "x": plots.nominal("tier", "Context tier", sort=list(labels.values()), axis={"labelAngle": -30}),
            "y": plots.score_axis("score"),
            "color": plots.nominal("system", "System", sort=systems, scale=plots.colours(systems), legend=legend),
            "strokeDash": plots.nominal("system", "System", sort=systems, scale=plots.dashes(systems), legend=legend),
            "opacity": {"condition": {"param": "system", "value": 1.0}, "value": 0.12},
            "tooltip": plots.tooltip("system", "tier", "score"),
        },
    }
    return plots.figure_of(table, "Score by context tier", spec)


STATISTIC = Statistic("tiers", "Score by context tier", "scores", compute, figure)
