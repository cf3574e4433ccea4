"""Golden files: every table of the made 18 x 481 x 3 matrix, so that no number changes unseen.

After a wanted change, write them anew with `python -m tests.diagnose.test_golden` and read the difference.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.diagnose.made import made_items, made_scores
from wildtrace.diagnose import STATISTICS
from wildtrace.diagnose.base import Funnel, FunnelStage, Inputs, Statistic, Table
from wildtrace.diagnose.compare import Pair, compute
from wildtrace.scores.table import ScoreTable
from wildtrace.tables.formats import as_dict

FOLDER = Path(__file__).parent / "golden"
ROWS = 40
# Another version of numpy may draw other resamples from the same seed; limits then move by a little.
DRAWN = ("low", "high", "document_low", "document_high", "p", "p_holm")
REPORTED = [statistic for statistic in STATISTICS if statistic.kind in ("scores", "release")]


def made_inputs() -> Inputs:
    """The made matrix with the paper's funnel."""
    items = made_items()
    return Inputs(
        made_scores(items), items=items, funnel=Funnel(3506, 481, (FunnelStage("d4", 1332), FunnelStage("rest", 1693)))
    )


def made_pair(scores: ScoreTable) -> Pair:
    """The two best systems."""
    filled, answered = scores.zero_filled(), scores.answered()
    return Pair(scores.tasks, scores.models[0], scores.models[1], filled[0], filled[1], answered[0] & answered[1])


def shown(table: Table) -> dict[str, Any]:
    """The table as it is kept: numbers rounded, long tables cut, with their number of rows."""
    data = as_dict(table)
    rows = [[round(cell, 6) if isinstance(cell, float) else cell for cell in row] for row in data["rows"]]
    return {**data, "rows": rows[:ROWS], "row_count": len(rows)}


def assert_same(expected: dict[str, Any], actual: dict[str, Any]) -> None:
    """Equal up to rounding, and up to the draw where numbers are drawn."""
    names = [column["name"] for column in expected["columns"]]
    assert {key: value for key, value in expected.items() if key != "rows"} == {
        key: value for key, value in actual.items() if key != "rows"
    }
    for old, new in zip(expected["rows"], actual["rows"], strict=True):
        for name, left, right in zip(names, old, new, strict=True):
            if isinstance(left, float) and isinstance(right, int | float):
                assert left == pytest.approx(right, abs=0.3 if name in DRAWN else 2e-6), (old[0], name)
            else:
                assert left == right, (old[0], name)


@pytest.fixture(scope="module")
def made() -> Inputs:
    """The made matrix."""
    return made_inputs()


@pytest.mark.parametrize("statistic", REPORTED, ids=lambda statistic: statistic.name)
def test_tables_of_the_made_matrix_are_as_kept(made: Inputs, statistic: Statistic) -> None:
    """Every number, label, note and gap of every table."""
    expected = json.loads((FOLDER / f"{statistic.name}.json").read_text(encoding="utf-8"))

    assert_same(expected, shown(statistic.compute(made)))


def test_the_comparison_of_the_two_best_is_as_kept(made: Inputs) -> None:
    """The table of `wildtrace compare`."""
    expected = json.loads((FOLDER / "compare.json").read_text(encoding="utf-8"))

    assert_same(expected, shown(compute(made_pair(made.scores))))


def write() -> None:
    """Write every golden file anew."""
    made = made_inputs()
    tables = [statistic.compute(made) for statistic in REPORTED] + [compute(made_pair(made.scores))]
    for table in tables:
        text = json.dumps(shown(table), ensure_ascii=False, indent=None, separators=(",", ":"))
        (FOLDER / f"{table.name}.json").write_text(text.replace("],[", "],\n[") + "\n", encoding="utf-8")


if __name__ == "__main__":
    write()
