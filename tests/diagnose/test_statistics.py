"""The folder, the tuple and the documented names of the statistics are the same."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import wildtrace.diagnose
from wildtrace.diagnose import STATISTICS
from wildtrace.diagnose.base import Inputs

# What the statistics are made of.
FOUNDATIONS = {"__init__", "base", "criteria", "flagged", "plots", "slices", "strata"}
DOCS = Path(__file__).parents[2] / "docs" / "statistics.md"


def test_every_file_is_in_the_tuple() -> None:
    """One file, one statistic of its name."""
    folder = Path(str(wildtrace.diagnose.__file__)).parent
    files = {path.stem for path in folder.glob("*.py")} - FOUNDATIONS

    assert files == {statistic.name for statistic in STATISTICS}
    assert len(files) == len(STATISTICS)
    for statistic in STATISTICS:
        assert importlib.import_module(f"wildtrace.diagnose.{statistic.name}").compute is statistic.compute


def test_every_statistic_is_documented_in_its_order() -> None:
    """The page docs/statistics.md has one section for each, in the order of a report."""
    names = re.findall(r"^## (\w+)$", DOCS.read_text(encoding="utf-8"), flags=re.MULTILINE)

    assert names == [statistic.name for statistic in STATISTICS]


def test_tables_carry_their_statistics_names(inputs: Inputs) -> None:
    """A table is called as its statistic is."""
    for statistic in STATISTICS:
        if statistic.kind in ("scores", "release"):
            assert statistic.name == statistic.compute(inputs).name
