"""Lone surrogates: text that no file and no hash can hold, met in model replies (docs/protocol.md, rule 17)."""

from __future__ import annotations

import re

_SURROGATE = re.compile("[\ud800-\udfff]")
_ESCAPE = re.compile(
    r"\\(?:(?P<pair>u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})|(?P<lone>u[dD][89a-fA-F][0-9a-fA-F]{2})|.)",
    re.DOTALL,
)


def replace_lone_surrogates(text: str) -> tuple[str, bool]:
    """Join surrogate pairs that arrived in two pieces and replace what is left by U+FFFD; whether any was replaced."""
    if _SURROGATE.search(text) is None:
        return text, False
    clean = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    # A pair joins into one code point, so the text shrinks by one for each; a lone one keeps its place.
    pairs = len(text) - len(clean)
    lone = len(_SURROGATE.findall(text)) - 2 * pairs
    return clean, lone > 0


def replace_lone_escapes(json_text: str) -> str:
    """JSON with escapes of U+FFFD for those of lone surrogates, so that what it says can be written."""
    if "\\u" not in json_text:
        return json_text
    return _ESCAPE.sub(lambda escape: "\\ufffd" if escape["lone"] else escape[0], json_text)
