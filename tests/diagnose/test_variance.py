"""The additive variance diagnostic against statsmodels on all cells."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest
import statsmodels.formula.api as smf

from wildtrace.diagnose import variance
from wildtrace.diagnose.base import Gap, Inputs
from wildtrace.scores.table import STRUCTURE, ScoreTable, Tasks

TERMS = {
    "model identity": "C(model)",
    "context tier": "C(tier)",
    "evidence geometry": "C(geometry)",
    "structural metadata": " + ".join(STRUCTURE),
    "source family": "C(family)",
}


@pytest.fixture(scope="module")
def cells(inputs: Inputs) -> pd.DataFrame:
    """One row for each system and item."""
    scores, tasks = inputs.scores, inputs.scores.tasks
    parts = []
    for at, model in enumerate(scores.models[:6]):
        frame = pd.DataFrame({name: tasks.structure[name] / 1000 for name in STRUCTURE})
        frame["model"], frame["score"] = model, scores.zero_filled()[at]
        frame["tier"], frame["geometry"], frame["family"] = tasks.tiers, tasks.geometries, tasks.families
        parts.append(frame)
    return pd.concat(parts)


@pytest.fixture(scope="module")
def six(inputs: Inputs) -> Inputs:
    """The made scores of the first six systems."""
    scores = inputs.scores
    return Inputs(scores=ScoreTable.of(scores.tasks, scores.models[:6], scores.judges, scores.credit[:6]))


def r2(cells: pd.DataFrame, terms: list[str]) -> float:
    """R2 of statsmodels' ordinary least squares over all cells; made rubrics grow with the clues, so it warns."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return float(smf.ols("score ~ " + " + ".join(terms), data=cells).fit().rsquared)


def test_r2_agrees_with_statsmodels(cells: pd.DataFrame, six: Inputs) -> None:
    """Single, incremental and full R2 are those of a regression over every cell with dummies for all factors."""
    table = variance.compute(six)

    full = r2(cells, list(TERMS.values()))
    assert full == pytest.approx(table.row("full additive model")["single_r2"])
    for name, term in TERMS.items():
        rest = [other for key, other in TERMS.items() if key != name]
        assert r2(cells, [term]) == pytest.approx(table.row(name)["single_r2"])
        assert full - r2(cells, rest) == pytest.approx(table.row(name)["incremental_r2"], abs=1e-9)


def test_cells_without_variance_have_no_r2() -> None:
    """Constant scores leave nothing to explain: a gap, not 1.0 and not 0.0."""
    tasks = Tasks(("q0", "q1"), ("s", "t"), ("L0", "L1"), ("f", "f"), ("g", "g"))
    table = variance.compute(Inputs(scores=ScoreTable.of(tasks, ["a"], ["j"], np.full((1, 2, 1), 0.5))))

    assert all(isinstance(row[1], Gap) for row in table.rows)


def test_one_system_has_no_identity_to_explain(six: Inputs) -> None:
    """Its share is a stated gap, not zero; what describes the items still explains its scores."""
    one = ScoreTable.of(six.scores.tasks, six.scores.models[:1], six.scores.judges, six.scores.credit[:1])
    table = variance.compute(Inputs(scores=one))

    for name in ("single_r2", "incremental_r2"):
        assert isinstance(table.row("model identity")[name], Gap)
        assert isinstance(table.row("context tier")[name], float)
    assert isinstance(table.row("full additive model")["single_r2"], float)


def test_items_without_structure_are_left_out_and_counted(six: Inputs) -> None:
    """A missing structural number takes its item out of the diagnostic, and the note says so."""
    tasks = six.scores.tasks
    spread = tasks.structure["spread"].copy()
    spread[:10] = np.nan
    changed = Tasks(
        tasks.question_ids, tasks.source_ids, tasks.tiers, tasks.families, tasks.geometries,
        {**tasks.structure, "spread": spread},
    )  # fmt: skip
    table = variance.compute(Inputs(scores=ScoreTable.of(changed, six.scores.models, "xyz", six.scores.credit)))

    assert table.n == 6 * 471
    assert "10 of 481 items lack a structural column and are left out." in table.notes


def test_a_column_that_most_items_lack_is_left_out(six: Inputs) -> None:
    """Half of the items are not thrown away for one column: the column goes instead, and is named."""
    tasks = six.scores.tasks
    structure = {**tasks.structure, "edges": np.full(481, np.nan)}
    changed = Tasks(tasks.question_ids, tasks.source_ids, tasks.tiers, tasks.families, tasks.geometries, structure)
    table = variance.compute(Inputs(scores=ScoreTable.of(changed, six.scores.models, "xyz", six.scores.credit)))

    assert table.n == 6 * 481
    assert "Left out, because at least half of the items lack it: edges." in table.notes
