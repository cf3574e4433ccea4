"""Which answers stand behind a cell: by table, row and column (the numbers themselves are checked in a browser)."""

from __future__ import annotations

import pytest

from wildtrace.diagnose.base import Cell, Column, Table
from wildtrace.report.html.drill import Known, column_filter, row_filter, table_filter
from wildtrace.scores.table import POWERED_TIERS

KNOWN = Known(
    models=frozenset({"alpha", "geometry: causal"}),
    tiers=frozenset({"L0", "L7"}),
    judges=frozenset({"quill", "a: b"}),
    items=frozenset({"q 1", "q2"}),
)
NOBODY = Known(frozenset(), frozenset(), frozenset(), frozenset())


def table(name: str, *columns: Column, title: str = "") -> Table:
    """A table without rows."""
    return Table(name, title or name, columns or (Column("model", role="key"),), ())


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (table("leaderboard"), {}),
        (table("tiers"), {"complete": True}),
        (table("geometries"), {"complete": True, "tier": list(POWERED_TIERS)}),
        (table("geometry_tiers", title="Mean of the top 6 systems"), {"tier": list(POWERED_TIERS), "top": 6}),
        (table("composition"), {"unit": "items"}),
        (table("judges"), {"every_judge": True}),
        (table("funnel"), None),
    ],
)
def test_a_table_rests_on_certain_answers(made: Table, expected: object) -> None:
    """Trends leave L7 out, judge tables want every judge, counts of items are of items, candidates are not here."""
    assert expected == table_filter(made, KNOWN)


def test_without_items_nothing_stands_behind_a_number() -> None:
    """A report of bare tables leads nowhere."""
    assert table_filter(table("leaderboard"), NOBODY) is None


@pytest.mark.parametrize(
    ("columns", "row", "expected"),
    [
        ((Column("model", role="key"),), ("alpha",), {"model": ["alpha"]}),
        ((Column("model", role="key"),), ("mean over systems",), {}),
        ((Column("geometry", role="key"),), ("causal",), {"geometry": ["causal"]}),
        ((Column("geometry", role="key"),), ("best - worst",), {}),
        ((Column("source_family", role="key"),), ("technical_report",), {"family": ["technical_report"]}),
        ((Column("criterion", role="key"),), ("q 1 P2",), {"item": ["q 1"], "criterion": "P2"}),
        ((Column("criterion", role="key"),), ("unknown P2",), {}),
        ((Column("view", role="key"),), ("judge: quill",), {"judge": "quill"}),
        ((Column("view", role="key"),), ("judge: a: b",), {"judge": "a: b"}),
        ((Column("view", role="key"),), ("geometry: causal",), {"geometry": ["causal"]}),
        ((Column("view", role="key"),), ("panel",), {}),
        (
            (Column("model", role="key"), Column("slice", role="key")),
            ("alpha", "tier: L0"),
            {"model": ["alpha"], "tier": ["L0"]},
        ),
        ((Column("model", role="key"), Column("slice", role="key")), ("alpha", "All"), {"model": ["alpha"]}),
        # A system may be called like a slice.
        ((Column("model", role="key"),), ("geometry: causal",), {"model": ["geometry: causal"]}),
    ],
)
def test_a_row_narrows_to_what_it_names(columns: tuple[Column, ...], row: tuple[Cell, ...], expected: object) -> None:
    """Systems, tiers, geometries, families, judges and items; rows that name none narrow nothing."""
    assert expected == row_filter(table("made", *columns), row, KNOWN)


def test_a_row_of_the_composition_names_facet_and_value() -> None:
    """Its facets are those of the items."""
    made = table("composition", Column("facet", role="key"), Column("value", role="key"))

    assert {"tier": ["L0"]} == row_filter(made, ("tier", "L0"), KNOWN)
    assert {"family": ["technical_report"]} == row_filter(made, ("source family", "technical_report"), KNOWN)
    assert {} == row_filter(made, ("all", "all"), KNOWN)


@pytest.mark.parametrize(
    ("name", "column", "expected"),
    [
        ("tiers", "L0", {"tier": ["L0"]}),
        ("geometry_tiers", "L0 n", {"tier": ["L0"]}),
        ("families", "alpha", {"model": ["alpha"]}),
        ("families", "mean", {}),
        ("leaderboard", "zero: pending:timeout", {"zero": ["pending:timeout"]}),
        ("leaderboard", "scored", {"scored": True}),
        ("leaderboard", "coverage", {"scored": True}),
        ("leaderboard", "score", {}),
        ("judge_means", "judge: quill", {"judge": "quill"}),
        ("flags", "planted (judging)", {"judge_flag": "planted"}),
        ("flags", "unverified", {"flag": "unverified"}),
        ("flags", "answers", {}),
        ("access", "full", {}),
        ("access", "contamination", None),
        ("access", "reasoning_gap", None),
    ],
)
def test_a_column_narrows_to_what_it_names(name: str, column: str, expected: object) -> None:
    """Tiers, systems, judges, flags and reasons; answers under other conditions are not in the report."""
    assert expected == column_filter(table(name, Column(column, "score")), 0, KNOWN)
