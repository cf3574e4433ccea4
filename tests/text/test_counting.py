"""Numbers with their words."""

from __future__ import annotations

from wildtrace.text.counting import counted


def test_one_is_singular_and_all_else_plural() -> None:
    """Zero too; large numbers have commas; a word may have a plural of its own, a phrase its verb."""
    assert ["1 window", "0 windows", "1,200 windows"] == [counted(number, "window") for number in (1, 0, 1200)]
    assert "2 entries" == counted(2, "entry", "entries")
    assert "1 task is pending" == counted(1, "task is pending", "tasks are pending")
