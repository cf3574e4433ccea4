"""Tier, geometry and family slices against pandas, and where L7 counts."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from tests.diagnose.made import COUNTS, MODELS, TIERS
from wildtrace.diagnose import families, geometries, geometry_tiers, tiers
from wildtrace.diagnose.base import Gap, Inputs
from wildtrace.diagnose.scores import ScoreTable, Tasks


@pytest.fixture(scope="module")
def cells(inputs: Inputs) -> pd.DataFrame:
    """The zero-filled cells in long form, in points."""
    tasks = inputs.scores.tasks
    filled = np.nan_to_num(inputs.scores.credit.mean(axis=2)) * 100
    frame = pd.DataFrame(filled.T, columns=list(MODELS))
    frame["tier"], frame["geometry"], frame["family"] = tasks.tiers, tasks.geometries, tasks.families
    return frame.melt(id_vars=["tier", "geometry", "family"], var_name="model", value_name="score")


def test_tier_curves_are_the_means_by_system_and_tier(inputs: Inputs, cells: pd.DataFrame) -> None:
    """Every cell of the tier table is the group mean; L7 stands in its own last column."""
    table = tiers.compute(inputs)

    expected = cells.groupby(["model", "tier"]).score.mean()
    for model in MODELS:
        for tier in TIERS:
            assert expected[model, tier] == pytest.approx(table.row(model)[tier])
    assert ("model", *TIERS) == tuple(column.name for column in table.columns)


def test_tier_counts_are_the_papers(inputs: Inputs) -> None:
    """The columns carry the paper's counts, which add up to 481 with the three stress items."""
    counts = [column.n for column in tiers.compute(inputs).columns[1:]]

    assert [90, 59, 61, 58, 59, 58, 93, 3] == counts


def test_geometry_profile_leaves_out_the_stress_tier(inputs: Inputs, cells: pd.DataFrame) -> None:
    """Means over systems are over L0 to L6; L7 is given apart."""
    table = geometries.compute(inputs)

    expected = cells[cells.tier != "L7"].groupby("geometry").score.mean()
    for name in COUNTS:
        assert expected[name] == pytest.approx(table.row(name)["mean"])
    stress = cells[(cells.tier == "L7") & (cells.geometry == "forward")].score.mean()
    assert stress == pytest.approx(table.row("forward")["L7"])
    assert isinstance(table.row("causal")["L7"], Gap)


def test_geometry_spread_is_best_minus_worst(inputs: Inputs) -> None:
    """The last row is the distance between the best and the worst geometry."""
    table = geometries.compute(inputs)
    means = [row[1] for row in table.rows[:-1] if isinstance(row[1], float)]

    assert max(means) - min(means) == pytest.approx(table.row("best - worst")["mean"])
    assert table.row("best - worst")["n"] == 478


def test_geometry_by_tier_takes_the_top_six(inputs: Inputs, cells: pd.DataFrame) -> None:
    """Cells are means of the six best systems by All, with the paper's item counts (Table 13)."""
    table = geometry_tiers.compute(inputs)

    top = cells.groupby("model").score.mean().nlargest(6).index
    expected = cells[cells.model.isin(top)].groupby(["geometry", "tier"]).score.mean()
    for name, counts in COUNTS.items():
        for tier, count in zip(TIERS[:-1], counts, strict=False):
            assert expected[name, tier] == pytest.approx(table.row(name)[tier])
            assert count == table.row(name)[f"{tier} n"]


def test_family_slices_count_every_item(inputs: Inputs, cells: pd.DataFrame) -> None:
    """Family means are over all 481 items, L7 included."""
    table = families.compute(inputs)

    expected = cells.groupby(["family", "model"]).score.mean()
    for family in ("technical_report", "english_literature", "chinese_literature"):
        for model in MODELS:
            assert expected[family, model] == pytest.approx(table.row(family)[model])
    assert sum(cell for cell in table.column("n") if isinstance(cell, int)) == 481


def test_items_without_labels_are_counted_in_a_note() -> None:
    """Items without a tier are in no column, and the table says how many there are."""
    tasks = Tasks(("q0", "q1"), ("s", "s"), ("L0", ""), ("", ""), ("", ""))
    scores = ScoreTable.of(tasks, ["a"], ["j"], np.array([[[0.5], [0.5]]]))

    notes = tiers.compute(Inputs(scores=scores)).notes

    assert "1 items have no tier and are in no column." in notes
    assert geometries.compute(Inputs(scores=scores)).rows == ()
