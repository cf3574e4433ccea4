"""Figures made fit for a page: colours that follow the theme, the title as a caption, a legend that can be pressed.

The specifications are those of the statistics. A legend drawn by the chart library cannot be reached by keyboard, so
the page shows one of its own: `legend` lists its entries, and the specification gets the parameter `emphasised`, the
list of entries drawn in full; the others stay as faint context.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any

from wildtrace.diagnose.base import Figure
from wildtrace.diagnose.plots import PALETTE
from wildtrace.errors import ConfigError

PARAMETER = "emphasised"
# The page draws the same paths in its legend.
SHAPES = (
    "M0,-1A1,1,0,1,1,0,1A1,1,0,1,1,0,-1Z",
    "M-0.9,-0.9H0.9V0.9H-0.9Z",
    "M0,-1.1L1,0.8L-1,0.8Z",
    "M0,-1.25L1.25,0L0,1.25L-1.25,0Z",
    "M-1.1,-0.4H-0.4V-1.1H0.4V-0.4H1.1V0.4H0.4V1.1H-0.4V0.4H-1.1Z",
)
# Beyond so many, lines cannot be told apart at once; the first ones, which are the best, are drawn in full.
MOST_EMPHASISED = 8
_FAINT = 0.13
_CHANNELS = ("color", "strokeDash", "shape")
_COLOURS = ("blue", "vermilion", "green", "purple", "orange", "sky", "ink", "brown")
_THEME = {paint: f"var(--{name})" for paint, name in zip(PALETTE, _COLOURS, strict=True)} | {"#222222": "var(--ink)"}
# Text is measured before it is drawn, so the chart library must be told the font and not inherit it.
FONT = "system-ui, 'Segoe UI', Roboto, 'Noto Sans', 'Noto Sans CJK SC', 'PingFang SC', 'Microsoft YaHei', sans-serif"
# Where names from data stand; a system may be called like a colour.
_DATA = ("values", "domain", "sort", "drill")
_CONFIG: Mapping[str, Any] = {
    "background": "transparent",
    "font": FONT,
    "axis": {
        "labelColor": "var(--ink)",
        "titleColor": "var(--ink)",
        "domainColor": "var(--line)",
        "tickColor": "var(--line)",
        "gridColor": "var(--grid)",
        "labelLimit": 260,
        "labelFontSize": 12,
        "titleFontSize": 12,
        "titleFontWeight": "normal",
    },
    "title": {"color": "var(--ink)", "fontSize": 12, "anchor": "start"},
    "header": {"labelColor": "var(--ink)", "titleColor": "var(--ink)"},
    "legend": {"labelColor": "var(--ink)", "titleColor": "var(--ink)"},
    "text": {"color": "var(--ink)"},
    "bar": {"fillOpacity": 0.6},
}


def figure_payload(figure: Figure) -> dict[str, Any]:
    """The figure in JSON's types: name, caption, specification, and its legend or None."""
    spec = themed(copy.deepcopy(dict(figure.spec)))
    title = spec.pop("title", None)
    spec.pop("background", None)
    legend = _press(spec)
    spec["config"] = _merged(spec.get("config", {}), _CONFIG)
    return {
        "name": figure.name,
        "caption": title if isinstance(title, str) else figure.title,
        "spec": spec,
        "legend": legend,
    }


def themed(value: Any) -> Any:
    """The value with every palette colour replaced by the theme's; data is left as it is."""
    if isinstance(value, str):
        return _THEME.get(value, value)
    if isinstance(value, Mapping):
        return {key: entry if key in _DATA else themed(entry) for key, entry in value.items()}
    return [themed(entry) for entry in value] if isinstance(value, list) else value


def chart_library() -> str:
    """The chart library as one script that sets `vegaEmbed`. ConfigError without the `report` extra."""
    try:
        import vl_convert  # noqa: PLC0415 - heavy, and only a report needs it
    except ImportError:
        raise ConfigError("report.html needs the extra: pip install -e '.[report]' in the checkout") from None
    script: str = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")
    # Inside a script element these two would end it or change how it is read; in JavaScript both only stand in strings.
    return script.replace("</script", "<\\/script").replace("<!--", "<\\!--")


def _press(spec: dict[str, Any]) -> dict[str, Any] | None:
    """Give `spec` the parameter and take its own legend away; the page's legend, or None where there is nothing to."""
    encoding = spec.get("encoding", {})
    colour = encoding.get("color", {})
    names, colours = _scale(colour)
    if not names or len(names) != len(colours):
        return None
    for channel in _CHANNELS:
        if channel in encoding:
            encoding[channel]["legend"] = None
    shapes = [SHAPES[at % len(SHAPES)] for at in range(len(names))] if "shape" in encoding else None
    if shapes:
        encoding["shape"]["scale"] = {"domain": list(names), "range": shapes}
    field = colour["field"]
    emphasised = names if len(names) <= MOST_EMPHASISED else names[:MOST_EMPHASISED]
    test = f"indexof({PARAMETER}, datum[{field!r}]) >= 0"
    encoding["opacity"] = {"condition": {"test": test, "value": 1}, "value": _FAINT}
    kept = [entry for entry in spec.get("params", []) if entry.get("bind") != "legend"]
    spec["params"] = [*kept, {"name": PARAMETER, "value": list(emphasised)}]
    dashes = _scale(encoding.get("strokeDash", {}))[1]
    return {
        "title": colour.get("title") or field,
        "field": field,
        "emphasised": list(emphasised),
        "entries": [
            {
                "name": name,
                "color": paint,
                "dash": dashes[at] if at < len(dashes) else None,
                "shape": shapes[at] if shapes else None,
            }
            for at, (name, paint) in enumerate(zip(names, colours, strict=True))
        ],
    }


def _scale(channel: Mapping[str, Any]) -> tuple[list[str], list[Any]]:
    scale = channel.get("scale") or {}
    return _strings(scale.get("domain")), list(scale.get("range") or ())


def _strings(value: Any) -> list[str]:
    return [str(entry) for entry in value] if isinstance(value, Sequence) and not isinstance(value, str) else []


def _merged(under: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    both = {key: _merged(under[key], over[key]) for key in under.keys() & over.keys() if isinstance(over[key], Mapping)}
    return {**under, **over, **both}
