"""`import wildtrace`: the documented names, what loading them costs, and docs/python.md run as it stands."""

from __future__ import annotations

import asyncio
import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

import wildtrace

PAGE = (Path(__file__).parent.parent / "docs" / "python.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```", PAGE, flags=re.DOTALL | re.MULTILINE)


def run_page() -> None:
    """Run the page's blocks in order, as cells of one notebook."""
    names: dict[str, object] = {}
    for block in BLOCKS:
        exec(compile(block, "docs/python.md", "exec"), names)  # noqa: S102 - our own page


def test_the_page_lists_the_exported_names() -> None:
    """No name is exported without being documented, and none is documented that is not there."""
    listed = re.findall(r"`(\w+)`", PAGE.split("## All names")[1])
    assert sorted(wildtrace.__all__) == sorted(listed)
    assert set(wildtrace.__all__) <= set(dir(wildtrace))


@pytest.mark.parametrize("name", [name for name in wildtrace.__all__ if name != "__version__"])
def test_every_name_has_a_docstring(name: str) -> None:
    """A notebook shows it for `wildtrace.evaluate?`."""
    assert inspect.getdoc(getattr(wildtrace, name))


def test_importing_the_package_loads_nothing() -> None:
    """The functions are loaded on first use; they stay functions when the folder of their name is imported."""
    code = (
        "import sys, wildtrace; assert 'wildtrace.api' not in sys.modules and 'asyncio' not in sys.modules\n"
        "import wildtrace.evaluate.run; assert callable(wildtrace.evaluate)\n"
        "import wildtrace.report.run; assert callable(wildtrace.report)\n"
        "assert 'pandas' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_another_name_is_no_attribute() -> None:
    """As of any module."""
    with pytest.raises(AttributeError, match="'wildtrace' has no attribute 'evalute'"):
        getattr(wildtrace, "evalute")  # noqa: B009 - a type checker knows that it is not there


def test_the_page_runs_without_an_event_loop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As a script."""
    monkeypatch.chdir(tmp_path)
    run_page()


def test_the_page_runs_within_an_event_loop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a notebook, whose cells run on a loop."""

    async def cell() -> None:
        run_page()

    monkeypatch.chdir(tmp_path)
    asyncio.run(cell())
