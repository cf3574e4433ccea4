"""Foreign words on a terminal: names from data files and servers' messages may carry control sequences."""

from __future__ import annotations

from unicodedata import category


def printable(text: str) -> str:
    """`text` with control and format characters, line ends and lone surrogates shown as escapes."""
    return text if text.isprintable() else "".join(map(_shown, text))


def _shown(char: str) -> str:
    hidden = category(char).startswith("C") or category(char) in {"Zl", "Zp"}
    return char.encode("unicode_escape").decode() if hidden else char
