"""`wildtrace compare` end to end: two scores files, two systems of a matrix, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from tests.diagnose.made import made_items, made_scores
from tests.scores.score_files import provenance, recounted, with_setting, write_data, write_run
from wildtrace.cli.compare import command
from wildtrace.errors import ConfigError, DataError, UsageError
from wildtrace.scores.build import matrix_rows
from wildtrace.scores.matrix import write_matrix

ITEMS = made_items()[:60]
SCORES = made_scores(ITEMS, models=("amber-1", "elm-3"))


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str, str]:
    """The data file and two scores files."""
    data = write_data(tmp_path / "data.json", ITEMS)
    a, b = (write_run(tmp_path, SCORES, ITEMS, model)[0] for model in SCORES.models)
    return str(data), str(a), str(b)


def run(*arguments: str) -> str:
    """What the command prints; its errors are raised."""
    result = CliRunner().invoke(command, arguments, catch_exceptions=False, standalone_mode=False)
    if result.exception is not None:
        raise result.exception
    return result.output


def table(*arguments: str) -> dict[str, dict[str, object]]:
    """The printed JSON table, rows by slice."""
    data = json.loads(run(*arguments, "--format", "json"))
    names = [column["name"] for column in data["columns"]]
    return {row[0]: dict(zip(names, row, strict=True)) for row in data["rows"]}


def test_two_files_are_compared_by_item(files: tuple[str, str, str]) -> None:
    """The difference is the paired mean of the zero-filled scores, and the other way round its negative."""
    data, a, b = files
    filled = 100 * SCORES.zero_filled()

    forth, back = table(a, b, "--data", data), table(b, a, "--data", data)

    assert (filled[0] - filled[1]).mean() == pytest.approx(forth["All"]["difference"])
    assert -(filled[0] - filled[1]).mean() == pytest.approx(back["All"]["difference"])
    assert forth["All"]["p"] == back["All"]["p"]
    assert "source family: technical_report" in forth


def test_the_text_names_both_and_their_difference(files: tuple[str, str, str]) -> None:
    """A reader sees which is which."""
    text = run(files[1], files[2], "--data", files[0])

    assert "amber-1 minus elm-3" in text
    assert "clustered by source document" in text


def test_without_data_there_are_no_slices(files: tuple[str, str, str]) -> None:
    """Two scores files alone can be compared; what is lost is said."""
    text = run(files[1], files[2])

    assert "Without --data every item counts as a document of its own" in text
    assert "geometry:" not in text


def test_two_systems_of_a_matrix_are_compared(tmp_path: Path, files: tuple[str, str, str]) -> None:
    """The same scores from a matrix give the same numbers."""
    write_matrix(tmp_path / "m.csv", matrix_rows(SCORES))

    from_matrix = table("amber-1", "elm-3", "--matrix", str(tmp_path / "m.csv"), "--data", files[0])
    from_files = table(files[1], files[2], "--data", files[0])

    for name in ("n", "documents", "difference", "p", "wins", "losses", "ties"):
        assert from_files["All"][name] == pytest.approx(from_matrix["All"][name])


def test_ids_missing_on_one_side_are_listed(tmp_path: Path, files: tuple[str, str, str]) -> None:
    """An item that only one file holds is named and not compared."""
    data, a, b = files
    file = json.loads(Path(b).read_text(encoding="utf-8"))
    gone = file["scores"].pop(4)["question_id"]
    Path(b).write_text(json.dumps(recounted(file)), encoding="utf-8")

    text = run(a, b, "--data", data, "--format", "md")

    assert f"Only in amber-1, not compared (1): {gone}." in text
    assert tmp_path.exists()


def test_a_missing_answer_counts_zero(files: tuple[str, str, str]) -> None:
    """A row that says missing stands in the run and counts zero; only an item without a row is left out."""
    data, a, b = files
    file = json.loads(Path(b).read_text(encoding="utf-8"))
    at = next(at for at, row in enumerate(file["scores"]) if row["status"] == "ok")
    file["scores"][at] |= {"status": "missing", "reason": None, "score": None, "judges": {}}
    Path(b).write_text(json.dumps(recounted(file)), encoding="utf-8")
    filled = 100 * SCORES.zero_filled()
    filled[1, at] = 0

    row = table(a, b, "--data", data)["All"]

    assert row["n"] == 60
    assert (filled[0] - filled[1]).mean() == pytest.approx(row["difference"])
    assert "Only in" not in run(a, b, "--data", data, "--format", "md")


def test_a_matrix_without_status_lists_what_one_side_never_had(tmp_path: Path) -> None:
    """No row is no zero, with or without a column that could say so."""
    rows = [("q0", "a", 0.5), ("q1", "a", 0.5), ("q1", "b", 0.25), ("q2", "b", 1)]
    text = "question_id,model,score\n" + "".join(",".join(map(str, row)) + "\n" for row in rows)
    (tmp_path / "m.csv").write_text(text, encoding="utf-8")

    assert 1 == table("a", "b", "--matrix", str(tmp_path / "m.csv"))["All"]["n"]
    said = run("a", "b", "--matrix", str(tmp_path / "m.csv"), "--format", "md")
    assert "Only in a, not compared (1): q0." in said
    assert "Only in b, not compared (1): q2." in said


def test_a_matrix_without_status_and_disjoint_items_has_no_pair(tmp_path: Path) -> None:
    """The same sentence as with a status column."""
    (tmp_path / "m.csv").write_text("question_id,model,score\nq0,a,0.5\nq1,b,0.5\n", encoding="utf-8")

    with pytest.raises(DataError, match="no judged item in common"):
        run("a", "b", "--matrix", str(tmp_path / "m.csv"))


def test_a_missing_row_of_a_matrix_counts_zero(tmp_path: Path) -> None:
    """As in a scores file."""
    write_matrix(
        tmp_path / "m.csv",
        [
            ("q0", "a", "x", 0.5, "ok", ""),
            ("q0", "b", "x", None, "missing", ""),
            ("q1", "a", "x", 0.5, "ok", ""),
            ("q1", "b", "x", 0.5, "ok", ""),
        ],
    )

    row = table("a", "b", "--matrix", str(tmp_path / "m.csv"))["All"]

    assert row["n"] == 2
    assert row["difference"] == pytest.approx(25.0)


def test_two_runs_of_one_model_go_by_their_files(tmp_path: Path, files: tuple[str, str, str]) -> None:
    """A repeat of a run is what compare is for."""
    again = tmp_path / "again.scores.json"
    again.write_bytes(Path(files[1]).read_bytes())

    row = table(files[1], str(again))["All"]

    assert row["difference"] == 0
    assert row["p"] == 1
    assert row["ties"] == 60


def test_other_settings_are_refused_and_can_be_marked(tmp_path: Path, files: tuple[str, str, str]) -> None:
    """Exit 78 by its error, or a marked table on request."""
    fields = with_setting(provenance("elm-3"), "judging", prompt="j2")
    (tmp_path / "other").mkdir()
    other = str(write_run(tmp_path / "other", SCORES, ITEMS, "elm-3", fields)[0])

    with pytest.raises(ConfigError, match=r"judging\.prompt: j1 -> j2"):
        run(files[1], other)
    assert "MIXED:" in run(files[1], other, "--allow-mixed")


def test_what_is_no_pair_is_refused(tmp_path: Path, files: tuple[str, str, str]) -> None:
    """The same file twice, an unknown system, a file that does not exist, data of another release."""
    write_matrix(tmp_path / "m.csv", matrix_rows(SCORES))
    with pytest.raises(UsageError, match="named twice"):
        run(files[1], files[1])
    with pytest.raises(UsageError, match="no system 'nobody'"):
        run("amber-1", "nobody", "--matrix", str(tmp_path / "m.csv"))
    with pytest.raises(DataError, match="cannot be read"):
        run(files[1], str(tmp_path / "none.json"))
    foreign = write_data(tmp_path / "foreign.json", made_items()[30:])
    with pytest.raises(DataError, match="which was scored"):
        run(files[1], files[2], "--data", str(foreign))


def test_other_systems_of_a_matrix_do_not_matter(tmp_path: Path) -> None:
    """A third system that one judge never saw is no reason to refuse the other two."""
    rows = [(f"q{at}", model, judge, 0.1 * at, "ok", "") for at in range(4) for model in "ab" for judge in "xy"]
    rows += [("q0", "c", "x", 0.5, "ok", "")]
    write_matrix(tmp_path / "m.csv", rows)

    assert table("a", "b", "--matrix", str(tmp_path / "m.csv"))["All"]["ties"] == 4


def test_answers_that_await_a_judge_are_listed(tmp_path: Path) -> None:
    """A half-judged answer is neither a zero nor a score: it is named and not compared."""
    rows = [(f"q{at}", model, judge, 0.5, "ok", "") for at in range(3) for model in "ab" for judge in "xy"]
    write_matrix(tmp_path / "m.csv", [("q0", "a", "x", None, "ok", ""), *rows[1:]])

    text = run("a", "b", "--matrix", str(tmp_path / "m.csv"), "--format", "md")

    assert "Await a judge, not compared (1): q0." in text


def test_nothing_in_common_cannot_be_compared(tmp_path: Path) -> None:
    """Two systems that never met an item have no difference."""
    write_matrix(tmp_path / "m.csv", [("q0", "a", "x", 0.5, "ok", ""), ("q1", "b", "x", 0.5, "ok", "")])

    with pytest.raises(DataError, match="no judged item in common"):
        run("a", "b", "--matrix", str(tmp_path / "m.csv"))
    with pytest.raises(UsageError, match="named twice"):
        run("a", "a", "--matrix", str(tmp_path / "m.csv"))


def test_conditions_are_not_compared_with_each_other(tmp_path: Path, files: tuple[str, str, str]) -> None:
    """With and without the document are two experiments: that is the access table's business."""
    fields = with_setting(provenance("elm-3", condition="none"), "protocol", condition="none")
    (tmp_path / "none").mkdir()
    other = str(write_run(tmp_path / "none", SCORES, ITEMS, "elm-3", fields)[0])

    with pytest.raises(ConfigError, match="under another condition"):
        run(files[1], other, "--allow-mixed")


@pytest.mark.parametrize(
    "wrong", [("--seed", "-1"), ("--resamples", "99"), ("--resamples", "100000000000"), ("--resamples", "10000001")]
)
def test_numbers_that_no_resampling_can_use_are_refused(files: tuple[str, str, str], wrong: tuple[str, str]) -> None:
    """A negative seed and resamples that no memory holds are usage errors that name the range."""
    with pytest.raises(click.BadParameter, match="is not in the range"):
        run(files[1], files[2], *wrong)
