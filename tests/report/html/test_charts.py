"""Figures made fit for a page: the theme's colours, captions with n, a legend to press, data left alone."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from tests.report.html.made import load_made, report_of
from wildtrace.diagnose.base import Figure
from wildtrace.diagnose.plots import PALETTE
from wildtrace.report.document import Report
from wildtrace.report.html.charts import MOST_EMPHASISED, SHAPES, chart_library, figure_payload, themed
from wildtrace.report.html.page import asset


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """The made report."""
    return report_of(load_made(tmp_path_factory.mktemp("made")))


def curves(count: int) -> Figure:
    """A figure of so many lines."""
    names = [f"s{at}" for at in range(count)]
    scale = {"domain": names, "range": [PALETTE[at % len(PALETTE)] for at in range(count)]}
    spec: dict[str, Any] = {
        "data": {"values": [{"system": name, "score": 1.0} for name in names]},
        "mark": "line",
        "params": [{"name": "system", "select": {"type": "point", "fields": ["system"]}, "bind": "legend"}],
        "encoding": {"color": {"field": "system", "type": "nominal", "scale": scale}},
    }
    return Figure("curves", "Curves", spec)


def test_no_colour_is_fixed_outside_the_data(report: Report) -> None:
    """Every colour follows the theme, and the style sheet gives each one for light and for dark."""
    style = asset("report.css")
    for figure in report.figures:
        text = json.dumps(figure_payload(figure)["spec"])
        assert not re.findall(r'"#[0-9a-fA-F]{3,8}"', text), figure.name
        for variable in re.findall(r"var\((--[a-z]+)\)", text):
            assert f"{variable}: light-dark(" in style


def test_names_that_look_like_colours_stay_names() -> None:
    """A system may be called like a colour of the palette."""
    spec = {"data": {"values": [{"system": PALETTE[0]}]}, "scale": {"domain": [PALETTE[0]], "range": [PALETTE[0]]}}

    assert {
        "data": {"values": [{"system": PALETTE[0]}]},
        "scale": {"domain": [PALETTE[0]], "range": ["var(--blue)"]},
    } == themed(spec)


def test_captions_carry_the_title_and_n(report: Report) -> None:
    """What the picture's title says stands above it as text, once."""
    for figure in report.figures:
        made = figure_payload(figure)
        assert "n = " in made["caption"]
        assert "title" not in made["spec"]


def test_every_figure_stands_by_its_table(report: Report) -> None:
    """A figure has the name of the table that it is made from, and its marks lead to that table's answers."""
    for figure in report.figures:
        assert figure.name == figure_payload(figure)["name"] == report.table(figure.name).name


def test_a_pressed_legend_takes_the_place_of_the_drawn_one(report: Report) -> None:
    """The parameter lists what is drawn in full; the chart's own legend and its selection are gone."""
    made = figure_payload(next(figure for figure in report.figures if figure.name == "tiers"))
    systems = list(report.table("leaderboard").column("model"))

    assert systems == [entry["name"] for entry in made["legend"]["entries"]]
    assert systems == made["legend"]["emphasised"]
    assert [{"name": "emphasised", "value": systems}] == made["spec"]["params"]
    assert made["spec"]["encoding"]["color"]["legend"] is None
    assert made["spec"]["encoding"]["opacity"]["condition"]["test"] == "indexof(emphasised, datum['system']) >= 0"


@pytest.mark.parametrize("count", [1, MOST_EMPHASISED, MOST_EMPHASISED + 1, 200])
def test_many_lines_begin_with_the_best_drawn_in_full(count: int) -> None:
    """Up to eight all of them, beyond that the first eight; none is left out of the legend."""
    legend = figure_payload(curves(count))["legend"]

    assert min(count, MOST_EMPHASISED) == len(legend["emphasised"])
    assert count == len(legend["entries"])


def test_judges_differ_by_shape_and_not_by_colour_alone(report: Report) -> None:
    """The legend draws the shapes that the chart draws."""
    made = figure_payload(next(figure for figure in report.figures if figure.name == "judge_means"))

    assert list(SHAPES[:3]) == made["spec"]["encoding"]["shape"]["scale"]["range"]
    assert list(SHAPES[:3]) == [entry["shape"] for entry in made["legend"]["entries"]]


def test_the_specification_that_was_given_is_not_changed(report: Report) -> None:
    """The same figure is also written as SVG and PNG."""
    before = json.dumps(dict(report.figures[0].spec))
    figure_payload(report.figures[0])

    assert before == json.dumps(dict(report.figures[0].spec))


def test_the_library_is_one_script_that_can_stand_in_a_page() -> None:
    """About 0.9 MB, nothing in it that would end its element."""
    script = chart_library()

    assert 500_000 < len(script) < 1_200_000
    assert "</script" not in script
    assert "<!--" not in script
    assert script.rstrip().endswith("window.vegaEmbed=$t6;") or "window.vegaEmbed" in script
