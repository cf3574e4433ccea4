"""Waiting for a page without evaluating text inside it, which its policy forbids."""

from __future__ import annotations

from time import monotonic
from typing import Any

from playwright.sync_api import Page

PATIENCE_S = 20.0


def wait_until(page: Page, expression: str, arg: Any = None) -> None:
    """Return once `expression` (of `arg`) holds; AssertionError after twenty seconds. The debugger asks it."""
    deadline = monotonic() + PATIENCE_S
    while not page.evaluate(expression, arg):
        assert monotonic() < deadline, f"never held: {expression}"
        page.wait_for_timeout(50)
