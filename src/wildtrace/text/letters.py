"""The small letters and the neighbouring characters of a text: what words to look up in tables are made of, quickly."""

from __future__ import annotations

from collections.abc import Iterator
from string import ascii_lowercase
from typing import Final

_SMALL: Final = "".join(chr(code).lower() if chr(code).isalpha() else " " for code in range(128)).encode().ljust(256)
_ONLY_SMALL: Final = bytes(code if chr(code) in ascii_lowercase else ord(" ") for code in range(256))


def small_letters(text: str) -> str:
    """A text in small letters, with a space for all that is no letter of ASCII: the same places, quick to split."""
    return text.encode("ascii", "replace").translate(_SMALL).decode("ascii")


def only_small(text: str) -> str:
    """The small letters of ASCII in a text as they stand, with a space for all else: the same places."""
    return text.encode("ascii", "replace").translate(_ONLY_SMALL).decode("ascii")


def pairs(text: str) -> Iterator[str]:
    """Every two neighbouring characters of a text, in order."""
    return map(str.__add__, text, text[1:])
