"""Tier, geometry and family slices against pandas, and where L7 counts."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from tests.diagnose.made import COUNTS, MODELS, TIERS
from wildtrace.diagnose import families, geometries, geometry_tiers, tiers
from wildtrace.diagnose.base import Gap, Inputs
from wildtrace.scores.table import ScoreTable, Tasks


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

    assert "1 item has no tier and is in no column." in notes
    assert geometries.compute(Inputs(scores=scores)).rows == ()


def _tiered(*labels: str) -> Inputs:
    """One system on one item of each tier, worth 0.1, 0.2, 0.3 ... in their order."""
    ids = tuple(f"q{at}" for at in range(len(labels)))
    tasks = Tasks(ids, ids, labels, ("",) * len(ids), ("forward",) * len(ids))
    credit = np.linspace(0.1, 0.1 * len(ids), len(ids)).reshape(1, -1, 1)
    return Inputs(scores=ScoreTable.of(tasks, ("a",), ("x",), credit))


def test_tiers_in_small_letters_are_the_tiers() -> None:
    """A task table's l3 is L3 and its l7 the stress probe, beside those in capitals."""
    table, profile = (slice_.compute(_tiered("l3", "L3", "l7", "L0")) for slice_ in (tiers, geometries))

    assert ("model", "L0", "L3", "L7") == tuple(column.name for column in table.columns)
    assert pytest.approx(15.0) == table.row("a")["L3"]
    assert pytest.approx(30.0) == table.row("a")["L7"]
    assert table.n == profile.n == 3
    assert pytest.approx(30.0) == profile.row("forward")["L7"]
    assert pytest.approx((10 + 20 + 40) / 3) == profile.row("forward")["mean"]


def test_items_of_unknown_tiers_are_left_out_and_counted() -> None:
    """L9 and words are no tier: they enter neither table, and both say how many there are; no tier at all counts."""
    expected = "3 items have a tier that is none of L0 to L7 (L9, long) and are left out."

    table, profile = (slice_.compute(_tiered("L0", "L9", "long", "", "L9")) for slice_ in (tiers, geometries))

    assert expected in table.notes
    assert expected in profile.notes
    assert ("model", "L0") == tuple(column.name for column in table.columns)
    assert table.n == 1
    assert profile.n == profile.row("forward")["n"] == 2
    assert pytest.approx((10 + 40) / 2) == profile.row("forward")["mean"]


def test_known_tiers_need_no_note(inputs: Inputs) -> None:
    """Where every tier is one of L0 to L7 nothing is said of others."""
    for slice_ in (tiers, geometries):
        assert not [note for note in slice_.compute(inputs).notes if "none of L0 to L7" in note]
