"""The small letters and the neighbouring characters of a text: what words to look up in tables are made of, quickly."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

_SMALL: Final = "".join(chr(code).lower() if chr(code).isalpha() else " " for code in range(128)).encode().ljust(256)


def small_letters(text: str) -> str:
    """A text in small letters, with a space for all that is no letter of ASCII: the same places, quick to split."""
    return text.encode("ascii", "replace").translate(_SMALL).decode("ascii")


def pairs(text: str) -> Iterator[str]:
    """Every two neighbouring characters of a text, in order."""
    return map(str.__add__, text, text[1:])
