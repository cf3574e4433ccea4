"""The report shows statistics without knowing any: a new one needs no line here."""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.report.html.made import load_made, report_of
from wildtrace.diagnose import STATISTICS
from wildtrace.report import run as report_run
from wildtrace.report.document import Report
from wildtrace.report.html.charts import figure_payload
from wildtrace.report.html.tables import table_payload

FOLDER = Path(report_run.__file__).parent
# Fields of an answer are called like two of the statistics.
FIELDS = {"flags", "judges"}
NAMES = {statistic.name for statistic in STATISTICS} - FIELDS
# The flow of one statistic's own command.
OWN_FLOW = FOLDER / "compare.py"


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """The made report."""
    return report_of(load_made(tmp_path_factory.mktemp("made")))


@pytest.mark.parametrize("path", sorted(FOLDER.rglob("*.py")), ids=lambda path: path.name)
def test_no_module_of_the_report_names_a_statistic(path: Path) -> None:
    """Neither in a text nor by an import."""
    if path == OWN_FLOW:
        return
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant):
            assert node.value not in NAMES
        if isinstance(node, ast.ImportFrom):
            assert (node.module or "").removeprefix("wildtrace.diagnose.") not in NAMES


@pytest.mark.parametrize("path", sorted(FOLDER.rglob("*.js")), ids=lambda path: path.name)
def test_no_script_of_the_page_names_a_statistic(path: Path) -> None:
    """No text of a script is a statistic's name."""
    texts = set(re.findall(r"""['"`#]([\w-]+)['"`]?""", path.read_text(encoding="utf-8")))

    assert set() == texts & NAMES


def test_tables_and_figures_under_other_names_are_shown_alike(report: Report) -> None:
    """What is shown and what stands behind it does not hang on a name; only `n` and a number's count keep theirs."""

    def shown(payload: dict[str, Any]) -> dict[str, Any]:
        return {key: value for key, value in payload.items() if key != "name"}

    for table in report.tables:
        columns = []
        for at, column in enumerate(table.columns):
            name = f"x{at} n" if column.name.endswith(" n") else f"x{at + 1}"
            columns.append(replace(column, name=column.name if column.name == "n" else name, label=column.header))
        other = replace(table, name="other", columns=tuple(columns))
        assert shown(table_payload(table)) == shown(table_payload(other))
    for figure in report.figures:
        assert shown(figure_payload(figure)) == shown(figure_payload(replace(figure, name="other")))
