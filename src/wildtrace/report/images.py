"""Figures as SVG and PNG, by vl-convert: no browser, no network."""

from __future__ import annotations

import json
import re
from typing import Any

from wildtrace.diagnose.base import Figure
from wildtrace.errors import ConfigError
from wildtrace.text.printable import printable

PNG_SCALE = 2.0
# The compiler looks names up in objects of JavaScript, which have these properties from the start; a space behind such
# a name makes it another. A line separator ends its expressions.
_OBJECT_NAMES = frozenset(
    ("constructor", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString", "toString", "valueOf")
)
_LINE_SEPARATORS = re.compile("[\u2028\u2029]")
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def xml_text(text: str) -> str:
    r"""`text` with every character that XML 1.0 cannot hold shown as an escape such as \x1b (section 2.2, Char)."""
    return _NOT_XML.sub(lambda found: printable(found[0]), text)


def to_svg(figure: Figure) -> str:
    """The figure as an SVG document. ValueError where the compiler cannot draw it."""
    svg: str = _compiler().vegalite_to_svg(_specification(figure))
    return svg


def to_png(figure: Figure) -> bytes:
    """The figure as a PNG at twice its size. ValueError where the compiler cannot draw it."""
    png: bytes = _compiler().vegalite_to_png(_specification(figure), scale=PNG_SCALE)
    return png


def _specification(figure: Figure) -> str:
    # The compiler aborts the whole process at a label that its SVG cannot hold.
    return json.dumps(_cleaned(dict(figure.spec)))


def _cleaned(part: Any) -> Any:
    if isinstance(part, str):
        text = _LINE_SEPARATORS.sub(lambda found: printable(found[0]), xml_text(part))
        return f"{text} " if text in _OBJECT_NAMES else text
    if isinstance(part, dict):
        return {key: _cleaned(value) for key, value in part.items()}
    if isinstance(part, list | tuple):
        return [_cleaned(value) for value in part]
    return part


def _compiler() -> Any:
    try:
        import vl_convert  # noqa: PLC0415 - heavy, and only pictures need it
    except ImportError:
        raise ConfigError("pictures need the extra: pip install -e '.[report]' in the checkout") from None
    return vl_convert
