"""Promotion funnel: candidates entering each stage, rejected there, and left (paper, Figure 4)."""

from __future__ import annotations

from wildtrace.diagnose.base import PERCENT, Cell, Column, Gap, Inputs, Statistic, Table


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
        n=n,
        notes=(note,),
    )


STATISTIC = Statistic("funnel", "Promotion funnel", "release", compute)
