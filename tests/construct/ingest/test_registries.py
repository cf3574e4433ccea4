"""A format or a step is one file and one line; the docs name each."""

from __future__ import annotations

from pathlib import Path

from wildtrace.construct import ingest
from wildtrace.construct.ingest.formats import FORMATS
from wildtrace.construct.ingest.steps import STEPS

FOLDER = Path(ingest.__path__[0])
DOCS = (Path(__file__).parents[3] / "docs" / "ingest.md").read_text(encoding="utf-8")


def test_every_format_is_a_file_a_member_and_documented() -> None:
    """The folder, the tuple and the docs name the same formats."""
    files = {path.stem for path in (FOLDER / "formats").glob("*.py")} - {"__init__", "base"}
    assert files == {each.read.__module__.rpartition(".")[2] for each in FORMATS}
    assert all(f"| {each.name} |" in DOCS for each in FORMATS)


def test_every_step_is_a_file_a_member_and_documented() -> None:
    """The folder, the tuple and the docs name the same steps, in the order in which they are applied."""
    files = {path.stem for path in (FOLDER / "steps").glob("*.py")} - {"__init__"}
    names = [step.__module__.rpartition(".")[2] for step in STEPS]
    assert files == set(names)
    assert names == [line.split("**")[1] for line in DOCS.splitlines() if line[:1].isdigit() and "**" in line]
