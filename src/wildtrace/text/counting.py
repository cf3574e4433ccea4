"""Numbers with their words."""

from __future__ import annotations


def counted(number: int, one: str, many: str | None = None) -> str:
    """A number with its word, in the singular for one: `1 window`, `2 windows`, `1,200 entries`."""
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"
