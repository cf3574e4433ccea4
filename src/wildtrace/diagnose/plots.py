"""What the figures share: colours, axes, legends and the frame of a Vega-Lite specification.

Colours are those of Okabe and Ito, which people with any colour vision can tell apart; beyond eight systems the line
pattern changes too. Axes carry units and n. Names from data are values, never field names or expressions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from wildtrace.diagnose.base import Cell, Figure, Gap, Table

PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#5B2C06")
DASHES = ((1, 0), (6, 3), (2, 2), (8, 2, 2, 2))
SCORE = "Score (points of 100)"
STEP = 20
"""Pixels from one row of a chart to the next."""

Part = dict[str, Any]
Row = dict[str, Any]
_ONE_DECIMAL = ("score", "low", "high", "scored")


def figure_of(table: Table, title: str, spec: Mapping[str, Any], counted: str = "items") -> Figure:
    """The figure of `table`, with what its n counts in the title. Its specification holds no address."""
    full = title if table.n is None else f"{title} (n = {table.n:,} {counted})"
    frame = {"title": full, "background": "white", "config": {"view": {"stroke": None}}}
    return Figure(table.name, title, {**frame, **spec}, table.n)


def data(rows: Sequence[Row]) -> Part:
    """The rows as the data of a specification."""
    return {"values": list(rows)}


def nominal(field: str, title: str | None = None, sort: Sequence[str] | None = None, **more: Any) -> Part:
    """A channel of names, in the order of `sort`."""
    order = {} if sort is None else {"sort": list(sort)}
    return {"field": field, "type": "nominal", "title": title, **order, **more}


def amount(field: str, title: str | None = None, **more: Any) -> Part:
    """A channel of numbers."""
    return {"field": field, "type": "quantitative", "title": title, **more}


def score_axis(field: str) -> Part:
    """A channel of points, from 0 to 100 whatever the data."""
    return amount(field, SCORE, scale={"domain": [0, 100]})


def tooltip(*fields: str, counts: Sequence[str] = ()) -> list[Part]:
    """What is said of a mark under the pointer: names and points, and the numbers of `counts` as they are."""
    shown: list[Part] = [
        {"field": name, "type": "quantitative", "format": ".1f"}
        if name in _ONE_DECIMAL
        else {"field": name, "type": "nominal"}
        for name in fields
    ]
    return shown + [{"field": name, "type": "quantitative"} for name in counts]


def colours(names: Sequence[str]) -> Part:
    """A scale that gives each name a colour of the palette."""
    return {"domain": list(names), "range": [PALETTE[at % len(PALETTE)] for at in range(len(names))]}


def dashes(names: Sequence[str]) -> Part:
    """A scale that changes the line pattern where the palette begins anew."""
    patterns = [list(DASHES[(at // len(PALETTE)) % len(DASHES)]) for at in range(len(names))]
    return {"domain": list(names), "range": patterns}


def line_legend(count: int) -> Part:
    """A legend that shows line patterns and leaves no system out; equal legends of two channels are merged."""
    columns = 1 + count // 24
    return {"symbolType": "stroke", "symbolSize": 300, "symbolStrokeWidth": 2, "symbolLimit": 0, "columns": columns}


def number(cell: Cell) -> float | None:
    """A cell as a number, None where it is none."""
    return None if isinstance(cell, Gap | str) else float(cell)
