"""Figures: the data of their tables, compiled to pictures, with names from data that try to break out."""

from __future__ import annotations

import json
import math
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from typing import Any
from xml.sax.saxutils import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.diagnose.made import made_items, made_scores
from wildtrace.diagnose import STATISTICS
from wildtrace.diagnose.base import Figure, Funnel, FunnelStage, Inputs, Settings, Table
from wildtrace.diagnose.plots import PALETTE
from wildtrace.report.document import Report, payload
from wildtrace.report.images import to_png, to_svg, xml_text
from wildtrace.report.run import REPORTED, figures_of, tables_of

# Linear RGB as it is seen without one kind of cone, at full severity (Machado, Oliveira and Fernandes 2009).
BLINDNESS = {
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
HOSTILE = "</script><script>alert(1)</script> & \"datum.x\" ['y'] 模型"


@pytest.fixture(scope="module")
def tables() -> dict[str, Table]:
    """The tables of sixty made items, one system under a hostile name."""
    items = made_items()[::8]
    scores = made_scores(items)
    named = replace(scores, models=(HOSTILE, *scores.models[1:]))
    inputs = Inputs(scores=named, items=items, funnel=Funnel(100, 61, (FunnelStage("d4", 39),)))
    return {s.name: s.compute(inputs) for s in STATISTICS if s.kind in ("scores", "release")}


@pytest.fixture(scope="module")
def made(tables: dict[str, Table]) -> dict[str, Figure]:
    """The figures of those tables."""
    return {figure.name: figure for figure in figures_of(tuple(tables.values()))}


def values(node: Any) -> Iterator[dict[str, Any]]:
    """Every data row inside a specification."""
    if isinstance(node, dict):
        data = node.get("data")
        if isinstance(data, dict):
            yield from data.get("values", ())
        for child in node.values():
            yield from values(child)
    elif isinstance(node, list):
        for child in node:
            yield from values(child)


def test_every_table_with_a_figure_gets_it(made: dict[str, Figure]) -> None:
    """Leaderboard, tier curves, geometry profile, judges, composition, complexity and funnel."""
    expected = [
        "leaderboard",
        "tiers",
        "geometries",
        "judge_means",
        "composition",
        "complexity",
        "funnel",
    ]

    assert expected == list(made)
    assert set(expected) == {statistic.name for statistic in REPORTED if statistic.figure}


def test_tables_without_rows_have_no_figure(tables: dict[str, Table]) -> None:
    """An empty chart says nothing; the table says why it is empty."""
    empty = {"funnel": replace(tables["funnel"], rows=())}

    assert figures_of(tuple(empty.values())) == ()


def test_tier_curves_hold_the_tables_numbers(tables: dict[str, Table], made: dict[str, Figure]) -> None:
    """One point for each system and powered tier; L7 and the mean are not drawn as systems."""
    rows = list(values(made["tiers"].spec))

    assert len(rows) == 18 * 7
    row = tables["tiers"].row("birch-1")
    drawn = {entry["tier"][:2]: entry["score"] for entry in rows if entry["system"] == "birch-1"}
    assert {tier: row[tier] for tier in drawn} == drawn
    assert "L7" not in drawn


def test_one_tier_makes_no_curve(tables: dict[str, Table]) -> None:
    """A chart of single points repeats the leaderboard; it is left out, and the table stays."""
    tiers = tables["tiers"]
    one = replace(tiers, columns=tiers.columns[:2], rows=tuple(row[:2] for row in tiers.rows))
    two = replace(tiers, columns=tiers.columns[:3], rows=tuple(row[:3] for row in tiers.rows))

    assert () == figures_of([one])
    assert ["tiers"] == [figure.name for figure in figures_of([two])]


def test_tier_labels_carry_n(made: dict[str, Figure]) -> None:
    """A reader sees how many items are behind a tier."""
    labels = {row["tier"] for row in values(made["tiers"].spec)}

    assert all("(n = " in label for label in labels)


def test_the_profile_draws_means_and_systems(tables: dict[str, Table], made: dict[str, Figure]) -> None:
    """Bars are the means over systems; dots the systems; the spread row is no geometry."""
    rows = list(values(made["geometries"].spec))

    means = sorted(row["score"] for row in rows if "system" not in row)
    expected = sorted(cell for cell in tables["geometries"].column("mean")[:-1] if isinstance(cell, float))
    assert expected == means
    assert len([row for row in rows if "system" in row]) == 18 * 7


def test_the_funnel_ends_at_the_locked_items(made: dict[str, Figure]) -> None:
    """Candidates first, then what each stage leaves."""
    assert [100, 61] == [row["left"] for row in list(values(made["funnel"].spec))[:2]]


def test_figures_make_no_requests(made: dict[str, Figure]) -> None:
    """No address stands in a specification, not even the schema's name."""
    for figure in made.values():
        text = json.dumps(dict(figure.spec))
        assert "http" not in text
        assert '"url"' not in text


def test_names_from_data_are_values_only(made: dict[str, Figure]) -> None:
    """A hostile system name stands where data stands: never in a field name, an expression or a title."""

    def elsewhere(node: Any) -> Iterator[str]:
        if isinstance(node, dict):
            for key, child in node.items():
                yield key
                if key not in ("values", "domain", "sort"):
                    yield from elsewhere(child)
        elif isinstance(node, list):
            for child in node:
                yield from elsewhere(child)
        elif isinstance(node, str):
            yield node

    for figure in made.values():
        assert not [text for text in elsewhere(dict(figure.spec)) if "alert" in text]


@pytest.mark.parametrize(
    "name", ["leaderboard", "tiers", "geometries", "judge_means", "composition", "complexity", "funnel"]
)
def test_every_figure_compiles_to_svg_and_png(made: dict[str, Figure], name: str) -> None:
    """The SVG is well-formed and without scripts, the PNG a PNG of some size."""
    svg, png = to_svg(made[name]), to_png(made[name])

    root = ET.fromstring(svg)  # noqa: S314 - made here
    assert root.tag.endswith("svg")
    assert not [node for node in root.iter() if node.tag.endswith("script")]
    assert png.startswith(b"\x89PNG")
    assert int.from_bytes(png[16:20], "big") > 400


@pytest.mark.parametrize("char", ["\x00", "\x0b", "\x1b", "\ufffe", "\uffff", "\ud800"])
def test_names_that_xml_cannot_hold_are_drawn_as_escapes(tables: dict[str, Table], char: str) -> None:
    """A control character, a non-character or a lone surrogate in a name ends no process and stays to be seen."""
    shown = char.encode("unicode_escape").decode()
    table = tables["tiers"]
    named = replace(table, rows=(("bad" + char + "name", *table.rows[0][1:]), *table.rows[1:]))
    (figure,) = figures_of([named])

    svg = to_svg(figure)

    assert f"bad{shown}name" in "".join(ET.fromstring(svg).itertext())  # noqa: S314 - made here
    assert to_png(figure).startswith(b"\x89PNG")


@given(st.text(st.characters(exclude_categories=())))
def test_what_xml_can_hold_stays_as_it_is(text: str) -> None:
    """Cleaned text is read back from XML, twice cleaned is once cleaned, and only what XML refuses is changed."""
    cleaned = xml_text(text)
    kept = all(char in "\t\n\r" or (ord(char) > 31 and char not in "\ufffe\uffff") for char in text)
    kept = kept and not any(0xD800 <= ord(char) <= 0xDFFF for char in text)

    ET.fromstring(f"<t>{escape(cleaned)}</t>")  # noqa: S314 - made here
    assert cleaned == xml_text(cleaned)
    assert kept == (cleaned == text)


@pytest.mark.parametrize("kind", sorted(BLINDNESS))
def test_colours_differ_for_every_colour_vision(kind: str) -> None:
    """Any two colours of the palette stay apart under protanopia, deuteranopia and tritanopia."""
    linear = [[(int(colour[at : at + 2], 16) / 255) ** 2.2 for at in (1, 3, 5)] for colour in PALETTE]
    seen = [
        [max(0.0, sum(a * b for a, b in zip(row, rgb, strict=True))) ** (1 / 2.2) for row in BLINDNESS[kind]]
        for rgb in linear
    ]

    assert min(math.dist(a, b) for a, b in combinations(seen, 2)) > 0.1


def test_the_payload_is_json_with_everything(tables: dict[str, Table], made: dict[str, Figure]) -> None:
    """Tables, figures, runs, items and marks, in JSON's types alone."""
    report = Report(
        "t", tuple(tables.values()), tuple(made.values()), items=[{"question_id": "q"}], marks=("MIXED: x",)
    )

    data = json.loads(json.dumps(payload(report)))

    assert data["format"] == "wildtrace.report/1"
    assert [table.name for table in report.tables] == [table["name"] for table in data["tables"]]
    assert [figure.name for figure in report.figures] == [figure["name"] for figure in data["figures"]]
    assert data["items"] == [{"question_id": "q"}]
    assert data["marks"] == ["MIXED: x"]
    assert report.table("tiers").name == "tiers"
    with pytest.raises(KeyError):
        report.table("none")


@pytest.mark.parametrize("name", ["constructor", "toString", "hasOwnProperty", "__proto__", "a\u2028b", "</script>"])
def test_names_that_the_compiler_stumbles_over_are_drawn(name: str) -> None:
    """A system, a judge, a geometry, a family and a stage of that name: every figure has its pictures, and shows it."""
    items = made_items()[::16]
    scores = made_scores(items)
    other = {"causal": name, "chinese_literature": name}
    tasks = replace(
        scores.tasks,
        geometries=tuple(other.get(value, value) for value in scores.tasks.geometries),
        families=tuple(other.get(value, value) for value in scores.tasks.families),
    )
    named = replace(
        scores, tasks=tasks, models=(name, *scores.models[1:]), judges=(name, *scores.judges[1:]), families={}
    )
    inputs = Inputs(named, Settings(resamples=100), items, Funnel(100, 61, (FunnelStage(name, 39),)))
    drawn = {figure.name: to_svg(figure) for figure in figures_of(tables_of(inputs))}

    assert 7 == len(drawn)
    shown = name.encode("unicode_escape").decode()
    for part in ("leaderboard", "tiers", "geometries", "judge_means", "composition", "funnel"):
        assert shown in "".join(ET.fromstring(drawn[part]).itertext()), part  # noqa: S314 - made here


def test_systems_may_be_called_like_columns() -> None:
    """A system called `n`, `mean` or `L0 n` has its own column under its own name."""
    items = made_items()[::16]
    scores = made_scores(items)
    named = replace(scores, models=("n", "mean", "L0 n", "my_model_v1", *scores.models[4:]), families={})
    for table in tables_of(Inputs(named, Settings(resamples=100), items)):
        headers = [column.header for column in table.columns if column.drill and "model" in column.drill]
        assert not headers or {"n", "mean", "L0 n", "my_model_v1"} <= set(headers)
