"""Figures as SVG and PNG, by vl-convert: no browser, no network."""

from __future__ import annotations

import json
from typing import Any

from wildtrace.errors import ConfigError
from wildtrace.report.document import Figure

PNG_SCALE = 2.0


def to_svg(figure: Figure) -> str:
    """The figure as an SVG document."""
    svg: str = _compiler().vegalite_to_svg(json.dumps(dict(figure.spec)))
    return svg


def to_png(figure: Figure) -> bytes:
    """The figure as a PNG at twice its size."""
    png: bytes = _compiler().vegalite_to_png(json.dumps(dict(figure.spec)), scale=PNG_SCALE)
    return png


def _compiler() -> Any:
    try:
        import vl_convert  # noqa: PLC0415 - heavy, and only pictures need it
    except ImportError:
        raise ConfigError("pictures need the extra: pip install -e '.[report]' in the checkout") from None
    return vl_convert
