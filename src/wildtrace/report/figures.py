"""The figures, as Vega-Lite specifications made with Altair from tables alone (paper, Figures 4 to 6).

Colours are those of Okabe and Ito, which people with any colour vision can tell apart; beyond eight systems the line
pattern changes too. Axes carry units and n. Names from data are values, never field names or expressions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from wildtrace.diagnose.base import Cell, Gap, Table
from wildtrace.errors import ConfigError
from wildtrace.report.document import Figure

PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#5B2C06")
DASHES = ((1, 0), (6, 3), (2, 2), (8, 2, 2, 2))
MEAN = "mean over systems"
SCORE = "Score (points of 100)"
_STEP = 20
_FEWEST_TIERS = 2

Row = dict[str, Any]


def figures(tables: Mapping[str, Table]) -> tuple[Figure, ...]:
    """Every figure whose table is there and has something to draw, in the order of `FIGURES`."""
    made = (make(tables[name]) for name, make in FIGURES.items() if name in tables and tables[name].rows)
    return tuple(figure for figure in made if any(_has_data(part) for part in _parts(figure.spec)))


def _parts(spec: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    nested = [part for key in ("layer", "hconcat", "vconcat") for part in spec.get(key, ())]
    return [spec, *(inner for part in nested for inner in _parts(part))]


def _has_data(part: Mapping[str, Any]) -> bool:
    return bool(part.get("data", {}).get("values"))


def tier_curves(table: Table) -> Figure:
    """Mean score by context tier, L0 to L6, a line for each system; clicking a name in the legend shows it alone.

    Without data below two tiers: a single point is no curve.
    """
    alt = _altair()
    tiers = [column for column in table.columns[1:] if column.name != "L7"]
    labels = {column.name: f"{column.name} (n = {column.n})" for column in tiers}
    places = [(at, column.name) for at, column in enumerate(table.columns) if column in tiers]
    rows = [
        {"system": str(row[0]), "tier": labels[name], "score": row[at]}
        for row in table.rows
        if row[0] != MEAN
        for at, name in places
        if isinstance(row[at], float)
    ]
    if len({row["tier"] for row in rows}) < _FEWEST_TIERS:
        rows = []
    systems = [str(row[0]) for row in table.rows if row[0] != MEAN]
    picked = alt.selection_point(fields=["system"], bind="legend", name="system")
    chart = (
        alt.Chart(alt.Data(values=rows))
        .mark_line(point=True)
        .encode(
            x=alt.X("tier:N", sort=list(labels.values()), title="Context tier", axis=alt.Axis(labelAngle=-30)),
            y=alt.Y("score:Q", title=SCORE, scale=alt.Scale(domain=[0, 100])),
            color=_colour(alt, systems),
            strokeDash=_dash(alt, systems),
            opacity=alt.when(picked).then(alt.value(1.0)).otherwise(alt.value(0.12)),
            tooltip=_tooltip(alt, "system", "tier", "score"),
        )
        .add_params(picked)
        .properties(width=560, height=360)
    )
    return _figure("tier_curves", "Score by context tier", chart, table.n)


def geometry_profile(table: Table) -> Figure:
    """Mean over systems by evidence geometry, with every system as a dot."""
    alt = _altair()
    order = [str(row[0]) for row in table.rows[:-1]]
    counts = {row[0]: f"{row[0]} (n = {row[2]})" for row in table.rows[:-1]}
    means = [{"geometry": counts[row[0]], "score": row[1]} for row in table.rows[:-1] if isinstance(row[1], float)]
    dots = [
        {"geometry": counts[row[0]], "system": column.name, "score": cell}
        for row in table.rows[:-1]
        for column, cell in list(zip(table.columns, row, strict=True))[5:]
        if isinstance(cell, float)
    ]
    y = alt.Y("geometry:N", sort=[counts[name] for name in order], title=None)
    bars = alt.Chart(alt.Data(values=means)).mark_bar(color=PALETTE[5], height=18)
    bars = bars.encode(x=_score_axis(alt, "score"), y=y, tooltip=_tooltip(alt, "geometry", "score"))
    points = alt.Chart(alt.Data(values=dots)).mark_circle(color="#222222", opacity=0.65, size=28)
    points = points.encode(x=_score_axis(alt, "score"), y=y, tooltip=_tooltip(alt, "system", "geometry", "score"))
    chart = (bars + points).properties(width=520, height=alt.Step(30))
    return _figure("geometry_profile", "Score by evidence geometry: mean (bar) and systems (dots)", chart, table.n)


def leaderboard(table: Table) -> Figure:
    """All with the interval over items, best first."""
    alt = _altair()
    at = {column.name: place for place, column in enumerate(table.columns)}
    rows = [
        {"system": str(row[0]), **{name: _number(row[at[name]]) for name in ("score", "low", "high", "scored")}}
        for row in table.rows
        if isinstance(row[at["score"]], float)
    ]
    y = alt.Y("system:N", sort=[row["system"] for row in rows], title=None)
    base = alt.Chart(alt.Data(values=rows))
    fields = _tooltip(alt, "system", "score", "low", "high", "scored")
    rule = base.mark_rule(color=PALETTE[0]).encode(x=alt.X("low:Q"), x2="high:Q", y=y, tooltip=fields)
    dot = base.mark_circle(color=PALETTE[0], size=60, opacity=1).encode(
        x=_score_axis(alt, "score"), y=y, tooltip=fields
    )
    chart = (rule + dot).properties(width=520, height=alt.Step(_STEP))
    return _figure("leaderboard", "All, with its interval over items", chart, table.n)


def judge_agreement(table: Table) -> Figure:
    """The mean of each system by each judge: level and order of the judges at a glance."""
    alt = _altair()
    judges = [column.name.removeprefix("judge: ") for column in table.columns if column.name.startswith("judge: ")]
    rows = [
        {"system": str(row[0]), "judge": column.name.removeprefix("judge: "), "score": cell}
        for row in table.rows
        for column, cell in zip(table.columns, row, strict=True)
        if column.name.startswith("judge: ") and isinstance(cell, float)
    ]
    y = alt.Y("system:N", sort=[str(row[0]) for row in table.rows], title=None)
    shapes = alt.Shape("judge:N", title="Judge", sort=judges, scale=alt.Scale(domain=judges))
    chart = (
        alt.Chart(alt.Data(values=rows))
        .mark_point(filled=True, size=70, opacity=0.85)
        .encode(
            x=_score_axis(alt, "score"),
            y=y,
            color=alt.Color("judge:N", title="Judge", sort=judges, scale=_scale(alt, judges)),
            shape=shapes,
            tooltip=_tooltip(alt, "system", "judge", "score"),
        )
        .properties(width=520, height=alt.Step(_STEP))
    )
    return _figure("judge_agreement", "Mean score of each system by each judge", chart, table.n, "answers")


def dashboard(table: Table) -> Figure:
    """Items by tier, geometry and source family, with the documents they ask about."""
    alt = _altair()
    parts = []
    for facet, colour in (("tier", PALETTE[0]), ("geometry", PALETTE[2]), ("source family", PALETTE[1])):
        rows = [{"value": str(row[1]), "items": row[2], "documents": row[4]} for row in table.rows if row[0] == facet]
        if not rows:
            continue
        base = alt.Chart(alt.Data(values=rows), title=f"Items by {facet}").encode(
            x=alt.X("items:Q", title="Items"),
            y=alt.Y("value:N", sort=[row["value"] for row in rows], title=None),
            tooltip=[alt.Tooltip("value:N"), alt.Tooltip("items:Q"), alt.Tooltip("documents:Q")],
        )
        text = base.mark_text(align="left", dx=3).encode(text="items:Q")
        parts.append((base.mark_bar(color=colour) + text).properties(width=200, height=alt.Step(_STEP)))
    return _figure("dashboard", "Release composition", alt.hconcat(*parts), table.n)


def funnel(table: Table) -> Figure:
    """Candidates left after each stage of promotion."""
    alt = _altair()
    stages = table.rows[:-1]
    rows: list[Row] = [{"stage": "candidates", "left": table.n, "rejected": 0}]
    rows += [{"stage": str(row[0]), "left": row[5], "rejected": row[2]} for row in stages]
    base = alt.Chart(alt.Data(values=rows)).encode(
        x=alt.X("left:Q", title="Candidates left"),
        y=alt.Y("stage:N", sort=[str(row["stage"]) for row in rows], title=None),
        tooltip=[alt.Tooltip("stage:N"), alt.Tooltip("left:Q"), alt.Tooltip("rejected:Q")],
    )
    text = base.mark_text(align="left", dx=3).encode(text="left:Q")
    chart = (base.mark_bar(color=PALETTE[0]) + text).properties(width=480, height=alt.Step(_STEP))
    return _figure("funnel", "Promotion funnel: candidates left after each stage", chart, table.n, "candidates")


def complexity(table: Table) -> Figure:
    """Each structural number of the items: extremes (line), quartiles (bar) and median (tick)."""
    alt = _altair()
    parts = []
    for row in table.rows:
        name, unit, n, _, *quartiles = row
        if not all(isinstance(value, float) for value in quartiles):
            continue
        keys = ("minimum", "quartile_1", "median", "quartile_3", "maximum")
        values = dict(zip(keys, map(_number, quartiles), strict=True))
        label = f"{name} (n = {n})".replace("_", " ")
        base = alt.Chart(alt.Data(values=[{"measure": label, **values}])).encode(
            y=alt.Y("measure:N", title=None), tooltip=[alt.Tooltip(f"{key}:Q") for key in keys]
        )
        line = base.mark_rule(color=PALETTE[0]).encode(x=alt.X("minimum:Q", title=str(unit) or None), x2="maximum:Q")
        box = base.mark_bar(color=PALETTE[5], height=14).encode(x="quartile_1:Q", x2="quartile_3:Q")
        tick = base.mark_tick(color="#000000", thickness=2, height=18).encode(x="median:Q")
        parts.append((line + box + tick).properties(width=480, height=30))
    return _figure("complexity", "Complexity of the items: range, quartiles and median", alt.vconcat(*parts), table.n)


FIGURES: dict[str, Callable[[Table], Figure]] = {
    "leaderboard": leaderboard,
    "tiers": tier_curves,
    "geometries": geometry_profile,
    "judge_means": judge_agreement,
    "composition": dashboard,
    "complexity": complexity,
    "funnel": funnel,
}
FIGURE_NAMES = tuple(make.__name__ for make in FIGURES.values())


def _figure(name: str, title: str, chart: Any, n: int | None, counted: str = "items") -> Figure:
    full = title if n is None else f"{title} (n = {n:,} {counted})"
    spec = chart.properties(title=full, background="white").configure_view(stroke=None).to_dict(format="vega-lite")
    # The schema's address is a name, but a reader that must make no request is better off without it.
    spec.pop("$schema", None)
    return Figure(name, title, spec, n)


def _score_axis(alt: Any, field: str) -> Any:
    return alt.X(f"{field}:Q", title=SCORE, scale=alt.Scale(domain=[0, 100]))


def _tooltip(alt: Any, *fields: str) -> list[Any]:
    numbers = ("score", "low", "high", "scored")
    return [alt.Tooltip(f"{name}:Q", format=".1f") if name in numbers else alt.Tooltip(f"{name}:N") for name in fields]


def _scale(alt: Any, names: Sequence[str]) -> Any:
    return alt.Scale(domain=list(names), range=[PALETTE[at % len(PALETTE)] for at in range(len(names))])


def _colour(alt: Any, names: Sequence[str]) -> Any:
    return alt.Color(
        "system:N", title="System", sort=list(names), scale=_scale(alt, names), legend=_legend(alt, len(names))
    )


def _dash(alt: Any, names: Sequence[str]) -> Any:
    patterns = [list(DASHES[(at // len(PALETTE)) % len(DASHES)]) for at in range(len(names))]
    scale = alt.Scale(domain=list(names), range=patterns)
    return alt.StrokeDash("system:N", title="System", sort=list(names), scale=scale, legend=_legend(alt, len(names)))


def _legend(alt: Any, count: int) -> Any:
    """A legend that shows line patterns and leaves no system out; equal legends of two channels are merged."""
    return alt.Legend(symbolType="stroke", symbolSize=300, symbolStrokeWidth=2, symbolLimit=0, columns=1 + count // 24)


def _number(cell: Cell) -> float | None:
    return None if isinstance(cell, Gap | str) else float(cell)


def _altair() -> Any:
    try:
        import altair  # noqa: PLC0415 - heavy, and only figures need it
    except ImportError:
        raise ConfigError(
            "figures need the extra: pip install -e '.[report]' in the checkout, or use --no-figures"
        ) from None
    return altair
