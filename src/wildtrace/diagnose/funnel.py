"""Promotion funnel: candidates entering each stage, rejected there, and left (paper, Figure 4)."""

from __future__ import annotations

from wildtrace.diagnose import plots
from wildtrace.diagnose.base import PERCENT, Cell, Column, Figure, Gap, Inputs, Statistic, Table


def compute(inputs: Inputs) -> Table:
    """One row for each stage in its order and one for the whole; a table without rows when no funnel was given."""
    funnel = inputs.funnel
    if funnel is None:
        return _table((), None, "No funnel was given: the scores do not say what was rejected before the release.")
    rows: list[tuple[Cell, ...]] = []
    left = funnel.candidates
    for stage in funnel.stages:
        share: Cell = stage.rejected / left if left else Gap("nothing entered this stage")
        rows.append(
            (stage.name, left, stage.rejected, share, stage.rejected / funnel.candidates, left - stage.rejected)
        )
        left -= stage.rejected
    whole = funnel.candidates - funnel.locked
    rejected = whole / funnel.candidates
    rows.append(("all stages", funnel.candidates, whole, rejected, rejected, funnel.locked))
    survival = PERCENT * funnel.locked / funnel.candidates
    return _table(
        tuple(rows), funnel.candidates, f"{funnel.locked:,} of {funnel.candidates:,} survive: {survival:.1f} %."
    )


def _table(rows: tuple[tuple[Cell, ...], ...], n: int | None, note: str) -> Table:
    return Table(
        name="funnel",
        title="Promotion funnel",
        columns=(
            Column("stage", role="key"),
            Column("entered", "integer", "candidates", "count"),
            Column("rejected", "integer", "candidates", "count"),
            Column("of_entered", "share", "rejected of entered"),
            Column("of_all", "share", "rejected of all candidates"),
            Column("left", "integer", "candidates", "count"),
        ),
        rows=rows,
        drill=None,
        n=n,
        notes=(note,),
    )


def figure(table: Table) -> Figure | None:
    """Candidates left after each stage of promotion."""
    if not table.rows:
        return None
    rows: list[plots.Row] = [{"stage": "candidates", "left": table.n, "rejected": 0}]
    rows += [{"stage": str(row[0]), "left": row[5], "rejected": row[2]} for row in table.rows[:-1]]
    spec = {
        "data": plots.data(rows),
        "width": 480,
        "height": {"step": plots.STEP},
        "encoding": {
            "x": plots.amount("left", "Candidates left", axis={"tickMinStep": 1}),
            "y": plots.nominal("stage", sort=[row["stage"] for row in rows]),
            "tooltip": plots.tooltip("stage", counts=("left", "rejected")),
        },
        "layer": [
            {"mark": {"type": "bar", "color": plots.PALETTE[0]}},
            {"mark": {"type": "text", "align": "left", "dx": 3}, "encoding": {"text": plots.amount("left")}},
        ],
    }
    return plots.figure_of(table, "Promotion funnel: candidates left after each stage", spec, "candidates")


STATISTIC = Statistic("funnel", "Promotion funnel", "release", compute, figure)
