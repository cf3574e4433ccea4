"""The loss view: credit by criterion, by the place of its clue, and dropped sides against collapsed relations."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.diagnose.made import MODELS, made_items, made_scores
from wildtrace.diagnose import loss, loss_patterns, loss_positions
from wildtrace.diagnose.base import Gap, Inputs
from wildtrace.diagnose.loss_positions import document_chars
from wildtrace.scores.table import Points, ScoreTable, Tasks
from wildtrace.types import Clue, Criterion, Item, Question, Rubric


def case(
    awarded: list[list[list[float]]], spans: list[tuple[str, ...]], starts: dict[str, int | None] | None = None
) -> Inputs:
    """One item of 100,000 code points; awarded is systems x criteria x judges, spans the clues of each criterion."""
    places = starts or {"s0": 10_000, "s1": 12_000, "s2": 95_000}
    item = Item(
        question=Question("q0", "?", "d.txt"),
        rubric=Rubric(tuple(Criterion(f"P{at}", 10, "text", names) for at, names in enumerate(spans))),
        clues=tuple(Clue(name, "", "quote", start, None) for name, start in places.items()),
    )
    array = np.array(awarded)
    table = ScoreTable.of(
        Tasks.of([item]), "abc"[: len(array)], "xy"[: array.shape[2]], array.mean(axis=1, keepdims=True)
    )
    count = len(spans)
    points = Points(array, np.zeros(count, dtype=np.intp), np.arange(count, dtype=np.intp))
    return Inputs(scores=replace(table, points=points), items=(item,), document_chars={"d.txt": 100_000})


def test_each_criterion_has_the_credit_of_each_system() -> None:
    """Credit is the mean of the panel, in per cent of the criterion's points; disagreement that between judges."""
    row = loss.compute(case([[[1.0, 0.5]], [[0.0, 0.0]]], [("s0",)])).row("q0 P0")

    assert (75.0, 0.0, 37.5) == (row["a"], row["b"], row["mean"])
    assert row["judges_apart"] == pytest.approx(25.0)
    assert (row["points"], row["clues"], row["n"]) == (10, 1, 2)


def test_made_release_has_a_row_for_each_criterion(inputs: Inputs) -> None:
    """All criteria of all items, with systems that did not answer left out of the mean."""
    table = loss.compute(inputs)
    points = inputs.scores.points
    assert points is not None

    assert len(points.item) == len(table.rows)
    at = int(np.flatnonzero(points.item == 480)[0])
    expected = 100 * np.nanmean(points.awarded[:, at].mean(axis=1))
    criterion = inputs.items[480].rubric.criteria[0].id
    assert expected == pytest.approx(table.row(f"{inputs.items[480].question_id} {criterion}")["mean"])
    assert set(MODELS) <= {column.name for column in table.columns}


def test_unusable_points_are_counted_not_guessed() -> None:
    """A criterion that one judge's reply leaves open has no credit for that system."""
    inputs = case([[[1.0, np.nan]], [[0.5, 0.5]]], [("s0",)])
    assert inputs.scores.points is not None
    unusable = replace(inputs.scores.points, unusable=1)
    table = loss.compute(replace(inputs, scores=replace(inputs.scores, points=unusable)))

    assert isinstance(table.row("q0 P0")["a"], Gap)
    assert table.row("q0 P0")["mean"] == pytest.approx(50.0)
    assert "1 reply gives points that do not fit" in table.notes[0]


def test_credit_belongs_to_the_place_of_its_clue() -> None:
    """A criterion on one clue counts where that clue stands and by the distance to the nearest other clue."""
    table = loss_positions.compute(case([[[1.0], [0.0]]], [("s0",), ("s2",)]))
    rows = {(row[0], row[1]): row for row in table.rows}

    assert rows["location", "0 to 20 %"][2:4] == (1, 100.0)
    assert rows["location", "80 to 100 %"][2:4] == (1, 0.0)
    assert rows["distance to the nearest other clue", "0 to 4,999"][2:4] == (1, 100.0)
    assert rows["distance to the nearest other clue", "25,000 to 99,999"][2:4] == (1, 0.0)
    assert isinstance(rows["location", "40 to 60 %"][3], Gap)


def test_criteria_on_several_clues_have_no_single_place() -> None:
    """A relation is everywhere; the view says when nothing is left."""
    table = loss_positions.compute(case([[[1.0]]], [("s0", "s2")]))

    assert table.rows == ()
    assert "No criterion names a single clue with offsets" in table.notes[0]


def test_criteria_without_spans_are_said_to_have_no_place() -> None:
    """A release whose criteria name no spans cannot be read by place."""
    table = loss_positions.compute(case([[[1.0]]], [()]))

    assert "No criterion names a single clue with offsets" in table.notes[0]


def test_document_length_is_known_or_estimated() -> None:
    """The corpus's length wins; else the token estimate at the protocol's rates; else unknown."""
    item = made_items()[0]
    english = replace(item, source_family="technical_report", doc_token_estimate=1000)
    chinese = replace(item, source_family="chinese_literature", doc_token_estimate=1000)

    assert document_chars(english, {item.question.corpus_file: 77}) == 77
    assert document_chars(english, {}) == pytest.approx(3300)
    assert document_chars(chinese, {}) == pytest.approx(1500)
    assert document_chars(replace(english, doc_token_estimate=None), {}) is None


@pytest.mark.parametrize(
    ("given", "pattern"),
    [
        ([1.0, 1.0, 1.0], "kept everything"),
        ([1.0, 0.0, 1.0], "dropped a side"),
        ([0.25, 1.0, 0.0], "dropped a side"),
        ([1.0, 0.5, 0.25], "collapsed the relation"),
    ],
)
def test_a_dropped_side_is_no_collapsed_relation(given: list[float], pattern: str) -> None:
    """Sides rest on one clue, relations on several; half of the points keep a criterion."""
    table = loss_patterns.compute(case([[[value] for value in given]], [("s0",), ("s2",), ("s0", "s2")]))

    assert {name: float(name == pattern) for name in loss_patterns.PATTERNS} == {row[0]: row[2] for row in table.rows}


def test_patterns_need_both_kinds_of_criteria() -> None:
    """Items whose criteria are all sides say nothing about relations."""
    table = loss_patterns.compute(case([[[1.0], [0.0]]], [("s0",), ("s2",)]))

    assert table.rows == ()
    assert "cannot be told apart" in table.notes[0]


def test_shares_of_patterns_add_up(inputs: Inputs) -> None:
    """Every judged answer to an item with both kinds has exactly one pattern."""
    table = loss_patterns.compute(inputs)

    assert sum(float(str(row[2])) for row in table.rows) == pytest.approx(1.0)
    assert sum(int(str(row[1])) for row in table.rows) == table.n


@pytest.mark.parametrize("statistic", [loss, loss_patterns, loss_positions], ids=lambda module: str(module.__name__))
def test_without_points_the_view_says_so(statistic: object) -> None:
    """A matrix holds no points by criterion."""
    items = made_items()[:3]
    table = statistic.compute(Inputs(scores=replace(made_scores(items), points=None), items=items))  # type: ignore[attr-defined]

    assert table.rows == ()
    assert table.notes[0].startswith("No judge's reply gives usable points")
