"""Answers as columns: statuses, reasons for zeros as the leaderboard counts them, scores by judge, flags."""

from __future__ import annotations

import base64
import gzip
import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from tests.report.html.made import ITEMS, JUDGES, leave_unjudged, load_made, load_rows, report_of, score_of
from wildtrace.report.html.cells import cell_blocks, collect, item_blocks, item_facts
from wildtrace.scores.build import from_matrix, matrix_rows
from wildtrace.scores.loading import Loaded
from wildtrace.scores.matrix import read_matrix, write_matrix


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Loaded:
    """Four systems on 83 items."""
    return load_made(tmp_path_factory.mktemp("made"))


def test_columns_agree_with_the_score_table(loaded: Loaded) -> None:
    """Zero-filled scores, judges' credits and systems are those that the statistics used, to the last digit."""
    cells = collect(report_of(loaded))
    scores = loaded.scores
    filled = scores.zero_filled()

    assert sorted(scores.models) == sorted(cells.models)
    for place, model in enumerate(cells.models):
        columns, row = cells.columns[place], scores.models.index(model)
        mine = [score if zero is None else 0.0 for zero, score in zip(columns["zero"], columns["score"], strict=True)]
        assert filled[row].tolist() == mine
        for at, judge in enumerate(cells.judges):
            credit = scores.credit[row, :, scores.judges.index(judge)]
            assert [None if np.isnan(value) else value for value in credit.tolist()] == columns["judges"][at]


def test_reasons_for_zeros_are_counted_as_the_leaderboard_counts_them(loaded: Loaded) -> None:
    """Every reason column of the leaderboard is found again."""
    report = report_of(loaded)
    cells = collect(report)
    board = report.table("leaderboard")
    for place, model in enumerate(cells.models):
        found = Counter(zero for zero in cells.columns[place]["zero"] if zero is not None)
        row = board.row(model)
        assert {name: count for name, count in row.items() if name.startswith("zero: ") and count} == {
            f"zero: {reason}": count for reason, count in found.items()
        }


def test_systems_stand_in_the_leaderboards_order(loaded: Loaded) -> None:
    """So that the best so many are the first so many."""
    report = report_of(loaded)

    assert report.table("leaderboard").column("model") == collect(report).models


def test_flags_of_answers_and_of_replies_are_apart(loaded: Loaded) -> None:
    """A flag of the answer and one of a reply are told apart."""
    cells = collect(report_of(loaded))
    columns = cells.columns[cells.models.index("cedar-2")]

    assert ["suspected_truncation"] == columns["flags"][5]
    assert ["planted"] == columns["judge_flags"][6]
    assert [] == columns["flags"][0] == columns["judge_flags"][0]


def test_what_awaits_a_judge_has_no_score_and_is_no_zero(tmp_path: Path) -> None:
    """The judges that did score it keep their credits."""
    rows = {"waiting": [score_of((0.5, 0.25, 0.75), item) for item in ITEMS[:3]]}
    rows["waiting"][1] = leave_unjudged(rows["waiting"][1])
    cells = collect(report_of(load_rows(tmp_path, ITEMS[:3], rows)))

    assert [0.5, None, 0.5] == cells.columns[0]["score"]
    assert [None, None, None] == cells.columns[0]["zero"]
    assert [0.75, None, 0.75] == cells.columns[0]["judges"][cells.judges.index("reed-judge")]


def test_a_task_that_a_file_lacks_is_missing(tmp_path: Path) -> None:
    """It counts zero under that name."""
    rows = {name: [score_of((0.5, 0.5, 0.5), item) for item in ITEMS[:3]] for name in ("whole", "short")}
    del rows["short"][1]
    cells = collect(report_of(load_rows(tmp_path, ITEMS[:3], rows)))

    short = cells.columns[cells.models.index("short")]
    assert [None, "missing", None] == short["zero"]


def test_a_matrix_without_texts_gives_the_same_columns(loaded: Loaded, tmp_path: Path) -> None:
    """Statuses and scores of a matrix are shown like those of files."""
    write_matrix(tmp_path / "m.csv", matrix_rows(loaded.scores))
    table = from_matrix(loaded.scores.tasks, read_matrix(tmp_path / "m.csv"), allow_mixed=False)
    cells = collect(report_of(Loaded(table, (), {}, ())))
    same = collect(report_of(loaded))

    assert same.models == cells.models
    assert [entry["score"] for entry in same.columns] == [entry["score"] for entry in cells.columns]
    assert tuple(sorted(JUDGES)) == cells.judges


def test_blocks_hold_the_columns_and_the_records(loaded: Loaded) -> None:
    """A block a system and a block an item, numbered in the page's order; records are whole."""
    report = report_of(loaded)
    cells = collect(report)

    def opened(block: bytes) -> object:
        return json.loads(gzip.decompress(base64.b64decode(block[block.index(b">") + 1 : block.rindex(b"<")])))

    assert [dict(entry) for entry in cells.columns] == [opened(block) for block in cell_blocks(cells)]
    blocks = list(item_blocks(report.items))
    assert json.loads(json.dumps(report.items[6])) == opened(blocks[6])
    assert blocks[6].startswith(b'<script type="text/plain" id="i6">')
    facts = item_facts(report.items)
    assert {"question_id", "source_id", "tier", "source_family", "geometry", "question"} == set(facts[0])
