"""Composition, floor, complexity and funnel of a release: the paper's counts, and what is missing is said."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from tests.diagnose.made import COUNTS, TIERS, made_items, made_scores
from wildtrace.diagnose import complexity, composition, floor, funnel
from wildtrace.diagnose.base import Funnel, FunnelStage, Gap, Inputs
from wildtrace.scores.table import ScoreTable, Tasks


def test_composition_has_the_papers_counts(inputs: Inputs) -> None:
    """Tiers and geometries are those of Tables 3 and 4; each facet adds up to 481; documents are 214."""
    rows = composition.compute(inputs).rows
    counts = {(row[0], row[1]): row[2] for row in rows}

    assert [90, 59, 61, 58, 59, 58, 93, 3] == [counts["tier", tier] for tier in TIERS]
    paper = {
        "forward": 73,
        "intersection": 71,
        "temporal": 71,
        "causal": 67,
        "comparative": 67,
        "counterfactual": 67,
        "abductive": 65,
    }
    assert paper == {name: counts["geometry", name] for name in COUNTS}
    for facet in ("tier", "geometry", "source family"):
        assert sum(int(str(count)) for (label, _), count in counts.items() if label == facet) == 481
    assert rows[-1][:2] == ("all", "all")
    assert rows[-1][4] == 214


def test_composition_counts_items_without_a_label() -> None:
    """Unlabelled items are in no row of their facet and are counted."""
    tasks = Tasks(("q0", "q1"), ("s", "s"), ("L0", ""), ("", ""), ("g", "g"))
    table = composition.compute(Inputs(scores=ScoreTable.of(tasks, ["a"], ["j"], np.zeros((1, 2, 1)))))

    assert table.notes == ("1 item has no tier.", "2 items have no source family.")


def test_the_made_release_meets_the_floor(inputs: Inputs) -> None:
    """The paper's release has at least 12 items a geometry in L0 and L6, and 8 in L1 to L5."""
    table = floor.compute(inputs)

    assert "The floor is fully met." in table.notes
    assert table.row("forward")["L6"] == 16
    assert {row[-1] for row in table.rows} == {""}


def test_cells_below_the_floor_are_named() -> None:
    """Taking one item away shows which cell is short."""
    items = made_items()
    gone = next(at for at, item in enumerate(items) if item.tier == "L3" and item.geometry == "causal")
    kept = items[:gone] + items[gone + 1 :]
    table = floor.compute(Inputs(scores=made_scores(kept, models=("amber-1",)), items=kept))

    assert "The floor is missed in 1 cells: causal L3." in table.notes
    assert table.row("causal")["misses"] == "L3"


def test_complexity_agrees_with_pandas(inputs: Inputs) -> None:
    """Mean, quartiles and extremes of each structural column."""
    table = complexity.compute(inputs)

    for name, column in inputs.scores.tasks.structure.items():
        expected = pd.Series(column).describe()
        row = table.row(name)
        for ours, theirs in (("n", "count"), ("mean", "mean"), ("minimum", "min"), ("quartile_1", "25%"),
                             ("median", "50%"), ("quartile_3", "75%"), ("maximum", "max")):  # fmt: skip
            assert expected[theirs] == pytest.approx(row[ours])


def test_structure_comes_from_the_clues(inputs: Inputs) -> None:
    """Spread is the distance of the outermost clues, the gap that of the nearest two, by their starts."""
    item = inputs.items[0]
    starts = [clue.start for clue in item.clues if clue.start is not None]
    structure = {name: column[0] for name, column in inputs.scores.tasks.structure.items()}

    assert len(item.clues) == structure["clues"]
    assert max(starts) - min(starts) == structure["spread"]
    assert min(b - a for a in starts for b in starts if b > a) == structure["minimum_gap"]
    assert len(item.edges) == structure["edges"]
    assert len(item.rubric.criteria) == structure["rubric_length"]


def test_clues_without_offsets_have_no_spread() -> None:
    """A release that gives only quotes has no distances: unknown, not zero."""
    item = made_items()[0]
    bare = replace(item, clues=tuple(replace(clue, start=None, end=None) for clue in item.clues))
    structure = Tasks.of([bare]).structure

    assert len(item.clues) == structure["clues"][0]
    assert np.isnan(structure["spread"][0])
    table = complexity.compute(Inputs(scores=made_scores([bare], models=("amber-1",))))
    assert Gap("no item has spread") == table.row("spread")["mean"]


def test_the_papers_funnel(inputs: Inputs) -> None:
    """3,506 candidates of which D4 rejects 38 % leave 481: 13.7 % survive."""
    stages = (FunnelStage("d4", 1332), FunnelStage("the other gates", 1693))
    table = funnel.compute(replace(inputs, funnel=Funnel(3506, 481, stages)))

    assert table.notes == ("481 of 3,506 survive: 13.7 %.",)
    assert table.row("d4")["of_all"] == pytest.approx(0.38, abs=0.001)
    assert table.row("the other gates")["entered"] == 3506 - 1332
    assert table.row("all stages")["left"] == 481


def test_without_a_funnel_the_table_says_so(inputs: Inputs) -> None:
    """Scores know nothing of what was rejected."""
    table = funnel.compute(inputs)

    assert table.rows == ()
    assert "No funnel was given" in table.notes[0]
