"""Data inside a page: JSON that cannot leave its element, and packed JSON that the page opens on demand.

A data block is a `<script>` of a type that no browser runs. Its text ends at the first `</script`, and `<!--` changes
how it is read, so no "<" may stand in it; the rest is escaped because other readers of HTML are less strict.
"""

from __future__ import annotations

import base64
import gzip
import json
from typing import Any

import orjson

_ESCAPES = (
    (b"<", b"\\u003c"),
    (b">", b"\\u003e"),
    (b"&", b"\\u0026"),
    ("\u2028".encode(), b"\\u2028"),
    ("\u2029".encode(), b"\\u2029"),
)
_LEVEL = 6
"""gzip's own choice: the highest level takes three times as long for a hundredth of the size."""


def json_block(name: str, value: Any) -> bytes:
    """A data block of plain JSON with the id `name`; the page reads it with `JSON.parse`."""
    text = dumps(value)
    for raw, escaped in _ESCAPES:
        text = text.replace(raw, escaped)
    return b'<script type="application/json" id="%b">%b</script>\n' % (name.encode(), text)


def packed_block(name: str, value: Any) -> bytes:
    """A data block of packed JSON with the id `name`; the page opens it with the browser's `DecompressionStream`."""
    return b'<script type="text/plain" id="%b">%b</script>\n' % (name.encode(), packed(value))


def packed(value: Any) -> bytes:
    """JSON in gzip in base64."""
    return base64.b64encode(gzip.compress(dumps(value), _LEVEL, mtime=0))


def dumps(value: Any) -> bytes:
    """JSON in UTF-8. Unpaired surrogates, which UTF-8 cannot hold, are kept as escapes."""
    try:
        return orjson.dumps(value)
    except orjson.JSONEncodeError:
        return json.dumps(value, separators=(",", ":")).encode("ascii")
