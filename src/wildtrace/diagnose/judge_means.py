"""The mean of every system by each judge, over the answers that every judge scored."""

from __future__ import annotations

from wildtrace.diagnose.base import PERCENT, Cell, Column, Gap, Inputs, Statistic, Table
from wildtrace.diagnose.judges import model_means
from wildtrace.scores.table import ranking


def compute(inputs: Inputs) -> Table:
    """One row for each system with a fully judged answer, best first: the panel's mean, each judge's, their range."""
    scores = inputs.scores
    cells = scores.fully_judged()
    judges = list(range(len(scores.judges)))
    systems, panel = model_means(scores, cells, judges)
    single = [model_means(scores, cells, [judge])[1] for judge in judges]
    rows: list[tuple[Cell, ...]] = []
    for place in ranking(panel, [scores.models[model] for model in systems]):
        means = [PERCENT * float(values[place]) for values in single]
        span: Cell = max(means) - min(means) if len(means) > 1 else Gap("one judge, no range")
        count = int(cells[systems[place]].sum())
        rows.append((scores.models[systems[place]], PERCENT * float(panel[place]), *means, span, count))
    return Table(
        name="judge_means",
        title="Score by judge",
        columns=(
            Column("model", role="key"),
            Column("panel", "score", "points", about="mean of all judges"),
            *(Column(f"judge: {judge}", "score", "points") for judge in scores.judges),
            Column("range", "score", "points", about="highest judge - lowest judge"),
            Column("n", "integer", "answers", "count"),
        ),
        rows=tuple(rows),
        n=int(cells.sum()),
        notes=("Only answers that every judge scored; zeros are not filled in.",),
    )


STATISTIC = Statistic("judge_means", "Score by judge", "scores", compute)
