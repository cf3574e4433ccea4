"""The mean of each system by each judge, over the answers that every judge scored."""

from __future__ import annotations

from wildtrace.diagnose import plots
from wildtrace.diagnose.base import PERCENT, Cell, Column, Drill, Figure, Gap, Inputs, Statistic, Table
from wildtrace.scores.table import ranking


def compute(inputs: Inputs) -> Table:
    """One row for each system with a fully judged answer, best first: the panel's mean, each judge's, their range."""
    scores = inputs.scores
    cells = scores.fully_judged()
    judges = list(range(len(scores.judges)))
    systems, panel = scores.judged_means(judges)
    single = [scores.judged_means([judge])[1] for judge in judges]
    rows: list[tuple[Cell, ...]] = []
    drills: list[Drill] = []
    for place in ranking(panel, [scores.models[model] for model in systems]):
        model = scores.models[systems[place]]
        means = [PERCENT * float(values[place]) for values in single]
        span: Cell = max(means) - min(means) if len(means) > 1 else Gap("one judge, no range")
        count = int(cells[systems[place]].sum())
        rows.append((model, PERCENT * float(panel[place]), *means, span, count))
        drills.append({"model": [model]})
    return Table(
        name="judge_means",
        title="Score by judge",
        columns=(
            Column("model", role="key"),
            Column("panel", "score", "points", about="mean of all judges"),
            *(
                Column(f"judge: {judge}", "score", "points", label=f"judge: {judge}", drill={"judge": judge})
                for judge in scores.judges
            ),
            Column("range", "score", "points", about="highest judge - lowest judge"),
            Column("n", "integer", "answers", "count"),
        ),
        rows=tuple(rows),
        drill={"every_judge": True},
        row_drills=tuple(drills),
        n=int(cells.sum()),
        notes=("Only answers that every judge scored; zeros are not filled in.",),
    )


def figure(table: Table) -> Figure | None:
    """The mean of each system by each judge: level and order of the judges at a glance."""
    judges = {at: str(column.drill["judge"]) for at, column in enumerate(table.columns) if column.drill}
    rows = [
        {"system": str(row[0]), "judge": judge, "score": row[at], "drill": table.behind(place, at)}
        for place, row in enumerate(table.rows)
        for at, judge in judges.items()
        if isinstance(row[at], float)
    ]
    if not rows:
        return None
    names = list(judges.values())
    spec = {
        "data": plots.data(rows),
        "width": 520,
        "height": {"step": plots.STEP},
        "mark": {"type": "point", "filled": True, "size": 70, "opacity": 0.85},
        "encoding": {
            "x": plots.score_axis("score"),
            "y": plots.nominal("system", sort=[str(row[0]) for row in table.rows]),
            "color": plots.nominal("judge", "Judge", sort=names, scale=plots.colours(names)),
            "shape": plots.nominal("judge", "Judge", sort=names, scale={"domain": names}),
            "tooltip": plots.tooltip("system", "judge", "score"),
        },
    }
    return plots.figure_of(table, "Mean score of each system by each judge", spec, "answers")


STATISTIC = Statistic("judge_means", "Score by judge", "scores", compute, figure)
