"""Score matrices and task tables: both formats, and one clear sentence for each kind of bad row."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from wildtrace.errors import DataError
from wildtrace.scores.matrix import read_matrix, read_tasks, write_matrix, write_tasks

ROWS = [
    ("q1", "a", "j1", 0.25, "ok", ""),
    ("q1", "a", "j2", 1.0, "ok", ""),
    ("问题-2", 'b, "c"', "j1", None, "failed", "refusal"),
    ("q3\nline", "b", "", None, "missing", ""),
]


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_a_matrix_reads_back_as_it_was_written(tmp_path: Path, ending: str) -> None:
    """Text with commas, quotes, line breaks and Chinese, missing scores and reasons survive both formats."""
    path = tmp_path / f"it's [1] a*.{ending}"

    write_matrix(path, ROWS)
    matrix = read_matrix(path)

    assert matrix.status is not None
    columns = (matrix.question_id, matrix.model, matrix.judge, matrix.score, matrix.status, matrix.reason)
    assert ROWS == list(zip(*columns, strict=True))
    assert [path.name] == [entry.name for entry in tmp_path.iterdir()]


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_a_task_table_reads_back_as_it_was_written(tmp_path: Path, ending: str) -> None:
    """Labels are text and the other columns numbers, empty where unknown."""
    path = tmp_path / f"tasks.{ending}"

    write_tasks(
        path, ("clues", "spread"), [("q1", "s1", "L0", "f", "causal", 3.0, None), ("q2", "", "", "", "", 2.0, 9.5)]
    )
    table = read_tasks(path)

    assert {"question_id": ["q1", "q2"], "source_id": ["s1", ""], "tier": ["L0", ""], "source_family": ["f", ""],
            "geometry": ["causal", ""]} == table.text  # fmt: skip
    assert {"clues": [3.0, 2.0], "spread": [None, 9.5]} == table.structure


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.text(min_size=1), st.one_of(st.none(), st.floats(0, 1))), min_size=1, max_size=8,
                unique_by=lambda row: row[0]))  # fmt: skip
def test_any_id_and_any_score_survive_csv(tmp_path: Path, rows: list[tuple[str, float | None]]) -> None:
    """Ids are arbitrary text; scores keep all their digits."""
    rows = [(text.encode("utf-8", "ignore").decode() or "x" * (at + 1), score) for at, (text, score) in enumerate(rows)]
    path = tmp_path / "any.csv"
    write_matrix(path, [(text, f"m{at}", "j", score, "ok", "") for at, (text, score) in enumerate(rows)])

    matrix = read_matrix(path)

    assert rows == list(zip(matrix.question_id, matrix.score, strict=True))


def test_judge_status_and_reason_may_be_absent(tmp_path: Path) -> None:
    """A bare matrix of means loads; its status stays unknown."""
    path = tmp_path / "bare.csv"
    path.write_text("question_id,model,score\nq1,a,0.5\n", encoding="utf-8")

    matrix = read_matrix(path)

    assert matrix.status is None
    assert [""] == matrix.judge


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is empty"),
        ("question_id,model\nq,a\n", "has no column score"),
        ("question_id,model,score\n", "has no rows"),
        ("question_id,model,score\nq,a,1.5\n", "row 1 (q, a) has the score 1.5"),
        ("question_id,model,score\nq,a,-0.1\n", "row 1 (q, a) has the score -0.1"),
        ("question_id,model,score\nq,a,nan\n", "row 1: score is nan"),
        ("question_id,model,score\nq,a,inf\n", "row 1: score is inf"),
        ("question_id,model,score\nq,a,good\n", "row 1: score is 'good', which is no number"),
        ("question_id,model,score\n,a,0.5\n", "row 1 lacks a question_id or a model"),
        ("question_id,model,score\nq,a,0.5\nq,a,0.5\n", "row 2 (q, a) repeats row 1"),
        ("question_id,model,score\nq,a\n", "row 1 has 2 fields where the header has 3"),
        ("question_id,model,score\n\nq,a,0.5\n\n\nq,b\n", "row 5 has 2 fields where the header has 3"),
        ("question_id,model,score\n\nq,a,0.5\n\nq,a,0.5\n", "row 4 (q, a) repeats row 2"),
        ("question_id,model,score\nq,a,0.5\n\nq,b,good\n", "row 3: score is 'good', which is no number"),
        ("question_id,model,model,score\nq,a,b,1\n", "names a column twice"),
        ('question_id,model,score\n"q,a,1\n', "is no CSV"),
    ],
)
def test_a_bad_matrix_is_one_sentence(tmp_path: Path, text: str, words: str) -> None:
    """Every fault names the file, the row and what is wrong."""
    path = tmp_path / "m.csv"
    path.write_text(text, encoding="utf-8")

    with pytest.raises(DataError) as caught:
        read_matrix(path)

    assert words in str(caught.value)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("question_id,tier\nq,L0\nq,L1\n", "row 2 repeats question_id 'q'"),
        ("question_id,tier\n,L0\n", "row 1 has no question_id"),
        ("question_id,clues\n\nq,1\n\nr,many\n", "row 4: clues is 'many', which is no number"),
        ("question_id,clues\nq,many\n", "row 1: clues is 'many', which is no number"),
        ("tier\nL0\n", "has no column question_id"),
    ],
)
def test_a_bad_task_table_is_one_sentence(tmp_path: Path, text: str, words: str) -> None:
    """Duplicate ids and structural columns that are no numbers are named."""
    path = tmp_path / "t.csv"
    path.write_text(text, encoding="utf-8")

    with pytest.raises(DataError, match=r"t\.csv") as caught:
        read_tasks(path)

    assert words in str(caught.value)


def test_other_encodings_and_files_are_refused(tmp_path: Path) -> None:
    """Bytes that are not UTF-8, files that are no Parquet and files that do not exist."""
    path = tmp_path / "gbk.csv"
    path.write_bytes("question_id,model,score\n问,a,1\n".encode("gbk"))
    with pytest.raises(DataError, match="not UTF-8"):
        read_matrix(path)
    false = tmp_path / "false.parquet"
    false.write_text("question_id", encoding="utf-8")
    with pytest.raises(DataError, match="no Parquet file"):
        read_matrix(false)
    with pytest.raises(DataError, match="no such file"):
        read_matrix(tmp_path / "none.csv")


def test_names_that_look_like_formulas_read_back_equal(tmp_path: Path) -> None:
    """A matrix is for reading back, not for a spreadsheet: a name is stored as it is, whatever it begins with."""
    names = ["=HYPERLINK(1)", "+a", "-a", "@a", "'=a", "\ta", "a\x1b[31m"]
    write_matrix(tmp_path / "m.csv", [(f"q{at}", name, name, 0.5, "ok", "") for at, name in enumerate(names)])

    assert names == read_matrix(tmp_path / "m.csv").model == read_matrix(tmp_path / "m.csv").judge
