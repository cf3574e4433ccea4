"""Score tables from files: the same numbers as were written, and one sentence for each thing that does not fit."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.diagnose.made import made_items, made_scores
from tests.scores.score_files import provenance, recounted, with_setting, write_data, write_run
from wildtrace.errors import ConfigError, DataError, UsageError
from wildtrace.scores.build import PANEL_MEAN, matrix_rows, task_rows
from wildtrace.scores.comparable import OFFLINE_MARK
from wildtrace.scores.loading import Sources, load
from wildtrace.scores.matrix import write_matrix, write_tasks
from wildtrace.scores.table import FAILED, MISSING, PENDING, UNKNOWN, ScoreTable

ITEMS = made_items()[:30]
SCORES = made_scores(ITEMS, models=("amber-1", "elm-3"))


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """The first thirty made items."""
    return write_data(tmp_path / "data.json", ITEMS)


@pytest.fixture
def runs(tmp_path: Path) -> list[tuple[Path, Path]]:
    """Scores and responses files of two systems."""
    return [write_run(tmp_path, SCORES, ITEMS, model) for model in SCORES.models]


def mend(path: Path, change: Any) -> None:
    """Rewrite a scores file after `change` of its contents, its counts as its rows say."""
    tamper(path, lambda file: (change(file), file.update(recounted(file))))


def tamper(path: Path, change: Any) -> None:
    """Rewrite a scores file after `change` of its contents and of nothing else."""
    data = json.loads(path.read_text(encoding="utf-8"))
    change(data)
    data.pop("rows_digest", None)  # its rows are others now
    path.write_text(json.dumps(data), encoding="utf-8")


def same_cells(expected: ScoreTable, actual: ScoreTable) -> bool:
    """Equal credits and statuses after judges are put into one order."""
    order = [expected.judges.index(judge) for judge in actual.judges]
    close = np.allclose(expected.credit[:, :, order], actual.credit, equal_nan=True)
    return close and np.array_equal(expected.status, actual.status)


def test_scores_files_read_back_as_they_were_scored(data: Path, runs: list[tuple[Path, Path]]) -> None:
    """Credits, statuses, points by criterion, caps and lengths arrive where they belong."""
    loaded = load(Sources(data, tuple(run[0] for run in runs), tuple(run[1] for run in runs)))

    table = loaded.scores
    assert same_cells(SCORES, table)
    assert table.cap_source == ("table", "table")
    assert table.answer_chars[0, 1] == 60 + 13
    assert table.points is not None
    assert SCORES.points is not None
    order = [SCORES.judges.index(judge) for judge in table.judges]
    assert np.allclose(SCORES.points.awarded[:, :, order], table.points.awarded, equal_nan=True)
    assert loaded.items == ITEMS


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_a_matrix_and_a_task_table_give_the_same_table(tmp_path: Path, ending: str) -> None:
    """What report writes, others can read: the matrix holds the scores and the task table the structure."""
    write_matrix(tmp_path / f"m.{ending}", matrix_rows(SCORES))
    write_tasks(tmp_path / f"t.{ending}", list(SCORES.tasks.structure), task_rows(SCORES.tasks))

    loaded = load(Sources(tmp_path / f"t.{ending}", matrix=tmp_path / f"m.{ending}"))

    assert same_cells(SCORES, loaded.scores)
    assert SCORES.tasks.source_ids == loaded.scores.tasks.source_ids
    for name, column in SCORES.tasks.structure.items():
        assert np.allclose(column, loaded.scores.tasks.structure[name], equal_nan=True)


def test_a_task_that_a_file_lacks_is_missing(data: Path, runs: list[tuple[Path, Path]]) -> None:
    """A row that is gone is not a zero that someone scored: its status is missing."""
    mend(runs[0][0], lambda file: file["scores"].pop(3))

    table = load(Sources(data, (runs[0][0], runs[1][0]))).scores

    assert table.status[0, 3] == MISSING
    assert np.isnan(table.credit[0, 3]).all()


def test_items_that_no_file_holds_are_left_out_and_said(data: Path, runs: list[tuple[Path, Path]]) -> None:
    """A run over a part of the release is a part, not a release full of zeros."""
    mend(runs[0][0], lambda file: file.update(scores=file["scores"][:5]))

    table = load(Sources(data, (runs[0][0],))).scores

    assert len(table.tasks) == 5
    assert "A part of the release: 25 of 30 items are in no scores file and are left out." in table.marks


def test_reasons_flags_and_pending_answers_are_kept(data: Path, runs: list[tuple[Path, Path]]) -> None:
    """Failed and pending answers keep their reasons, doubtful ones their flags."""

    def change(file: dict[str, Any]) -> None:
        file["scores"][0] |= {"status": "failed", "reason": "refusal", "score": None, "judges": {}}
        file["scores"][1] |= {"status": "pending", "reason": "context_overflow", "score": None, "judges": {}}
        file["scores"][2] |= {"flags": ["suspected_truncation"]}
        file["scores"][2]["judges"]["reed-judge"]["flags"] = ["planted"]

    mend(runs[0][0], change)
    table = load(Sources(data, (runs[0][0],))).scores

    assert (FAILED, PENDING) == (table.status[0, 0], table.status[0, 1])
    assert table.reasons[table.reason[0, 0]] == "refusal"
    assert table.reasons[table.reason[0, 1]] == "pending:context_overflow"
    assert table.answer_flags["suspected_truncation"].sum() == 1
    assert table.judge_flags["planted"][0, 2, table.judges.index("reed-judge")]


def test_points_that_do_not_add_up_are_not_used(data: Path, runs: list[tuple[Path, Path]]) -> None:
    """A flagged mismatch, a wrong length and points beyond the criterion are counted, not guessed."""

    def change(file: dict[str, Any]) -> None:
        file["scores"][0]["judges"]["reed-judge"]["flags"] = ["mismatch"]
        file["scores"][1]["judges"]["reed-judge"]["points_awarded"].append(1)
        file["scores"][2]["judges"]["reed-judge"]["points_awarded"][0] = 1000
        file["scores"][3]["judges"]["reed-judge"]["points_awarded"] = None

    mend(runs[0][0], change)
    points = load(Sources(data, (runs[0][0],))).scores.points

    assert points is not None
    assert points.unusable == 3
    assert np.isnan(points.awarded[0, points.item <= 3, 2]).all()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda file: file["scores"][0].update(question_id="stranger"), "scores[0] (stranger) is not in the data"),
        (lambda file: file["scores"][1]["judges"]["reed-judge"].update(score=1.25), "has the score 1.25 by reed-judge"),
        (lambda file: file["scores"][1]["judges"]["reed-judge"].update(score=-0.1), "has the score -0.1 by reed-judge"),
        (lambda file: file["scores"][1].update(status="fine"), "unknown status 'fine'"),
        (lambda file: file["scores"].append(file["scores"][0]), "twice"),
        (lambda file: file["judges"].remove("reed-judge"), "a judge 'reed-judge' that the file's list of judges lacks"),
        (lambda file: file.update(format="wildtrace.scores/9"), "wildtrace.scores/9"),
    ],
)
def test_a_bad_scores_file_is_one_sentence(data: Path, runs: list[tuple[Path, Path]], change: Any, words: str) -> None:
    """Every fault names the file and the row."""
    mend(runs[0][0], change)

    with pytest.raises(DataError) as caught:
        load(Sources(data, (runs[0][0],)))

    assert words in str(caught.value)
    assert str(runs[0][0]) in str(caught.value)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda file: file["scores"].pop(3), "says n_tasks 30 and holds 29 rows"),
        (lambda file: file.update(n_tasks=3), "says n_tasks 3 and holds 30 rows"),
        (lambda file: file.update(scored_n=3), "says scored_n 3 where its rows say"),
        (lambda file: file.update(zeros={"refusal": 30}), "says zeros {'refusal': 30} where its rows say"),
        (lambda file: file["scores"][1].update(score=0.123), "has the score 0.123 where the mean of its judges is"),
        (lambda file: file["scores"][1].update(score=None), "has no score where the mean of its judges is"),
        (lambda file: file["scores"][1].update(score=7), "has the score 7; scores are from 0 to 1"),
        (lambda file: file["scores"][1]["judges"]["reed-judge"].update(total=3), "where its total is 3 of 100 points"),
    ],
)
def test_a_scores_file_that_contradicts_itself_is_refused(
    data: Path, runs: list[tuple[Path, Path]], change: Any, words: str
) -> None:
    """Counts are those of the rows, a row's score its judges' mean, a judge's score its total over the points."""
    tamper(runs[0][0], change)

    with pytest.raises(DataError) as caught:
        load(Sources(data, (runs[0][0],)))

    assert words in str(caught.value)
    assert str(runs[0][0]) in str(caught.value)


def test_two_files_of_one_model_are_refused(tmp_path: Path, data: Path, runs: list[tuple[Path, Path]]) -> None:
    """One model has one row; a repeat belongs into compare."""
    again = tmp_path / "again.scores.json"
    again.write_bytes(runs[0][0].read_bytes())

    with pytest.raises(DataError, match="are both of 'amber-1'"):
        load(Sources(data, (runs[0][0], again)))


def test_responses_of_another_model_are_refused(data: Path, runs: list[tuple[Path, Path]]) -> None:
    """A responses file that no scores file matches would silently do nothing."""
    with pytest.raises(DataError, match="belong to none"):
        load(Sources(data, (runs[0][0],), (runs[1][1],)))


def test_other_conditions_never_enter_the_leaderboard(
    tmp_path: Path, data: Path, runs: list[tuple[Path, Path]]
) -> None:
    """Runs with evidence shown or without the document stand apart, and cannot stand alone."""
    fields = with_setting(provenance("amber-1", condition="evidence"), "protocol", condition="evidence", prompt="p9")
    (tmp_path / "evidence").mkdir()
    shown, _ = write_run(tmp_path / "evidence", SCORES, ITEMS, "amber-1", fields)

    loaded = load(Sources(data, (runs[0][0], shown)))

    assert loaded.scores.models == ("amber-1",)
    assert loaded.other_conditions["evidence"].models == ("amber-1",)
    with pytest.raises(ConfigError, match="only full-document runs enter"):
        load(Sources(data, (shown,)))


def test_nothing_to_report_on_is_a_usage_error(data: Path) -> None:
    """Scores files or a matrix are needed."""
    with pytest.raises(UsageError, match="at least one --scores"):
        load(Sources(data))


def with_matrix(tmp_path: Path, data: Path, runs: list[tuple[Path, Path]]) -> Sources:
    """One system as a scores file, and two others by one known and one new judge in a matrix."""
    rows = [
        (item.question_id, model, judge, 0.25, "ok", "")
        for item in ITEMS[:20]
        for model in ("theirs-1", "theirs-2")
        for judge in ("reed-judge", "new-judge")
    ]
    rows[0] = (*rows[0][:3], None, "failed", "refusal")  # type: ignore[assignment]
    rows[1] = (*rows[1][:3], None, "failed", "refusal")  # type: ignore[assignment]
    write_matrix(tmp_path / "m.csv", rows)
    return Sources(data, (runs[0][0],), (runs[0][1],), tmp_path / "m.csv")


def test_a_matrix_beside_runs_needs_a_mark(tmp_path: Path, data: Path, runs: list[tuple[Path, Path]]) -> None:
    """A matrix has no signature: beside scores files it is refused, and never put beside offline scores."""
    sources = with_matrix(tmp_path, data, runs)
    with pytest.raises(ConfigError, match="carries no signature"):
        load(sources)
    mend(runs[0][0], lambda file: file["provenance"].update(offline=True))
    with pytest.raises(ConfigError, match="offline scores, which share no table"):
        load(replace(sources, allow_mixed=True))


def test_runs_and_matrix_are_joined_on_request(tmp_path: Path, data: Path, runs: list[tuple[Path, Path]]) -> None:
    """Each system keeps its own panel, scores, statuses and reasons; the table is marked."""
    table = load(replace(with_matrix(tmp_path, data, runs), allow_mixed=True)).scores
    alone = load(Sources(data, (runs[0][0],), (runs[0][1],))).scores

    assert table.models == ("amber-1", "theirs-1", "theirs-2")
    assert table.judges == ("cedar-judge", "new-judge", "quill-judge", "reed-judge")
    assert [[True, False, True, True], [False, True, False, True], [False, True, False, True]] == table.panel.tolist()
    assert np.allclose(alone.panel_mean()[0], table.panel_mean()[0], equal_nan=True)
    assert np.allclose(0.25, table.panel_mean()[1, 1:20])
    assert table.reasons[table.reason[1, 0]] == "refusal"
    assert (table.status[1, 20:] == MISSING).all()
    assert [0.25 * 19 / 30, 0.25 * 20 / 30] == pytest.approx(table.zero_filled()[1:].mean(axis=1).tolist())
    assert table.answer_chars[0, 1] == 60 + 13
    assert table.points is not None
    assert alone.points is not None
    assert np.allclose(alone.points.awarded[0], table.points.awarded[0][:, [0, 2, 3]], equal_nan=True)
    assert np.isnan(table.points.awarded[1:]).all()
    assert any(mark.startswith("MIXED: ") for mark in table.marks)


def test_a_system_in_both_is_refused(tmp_path: Path, data: Path, runs: list[tuple[Path, Path]]) -> None:
    """Two rows of one name would be two truths."""
    write_matrix(tmp_path / "m.csv", [("made-0000", "amber-1", "x", 0.5, "ok", "")])

    with pytest.raises(DataError, match="'amber-1' is in the matrix and in a scores file"):
        load(Sources(data, (runs[0][0],), matrix=tmp_path / "m.csv", allow_mixed=True))


def matrix_of(tmp_path: Path, data: Path, text: str, *, allow_mixed: bool = False) -> ScoreTable:
    """The table of a CSV matrix over the thirty items."""
    (tmp_path / "m.csv").write_text(text, encoding="utf-8")
    return load(Sources(data, matrix=tmp_path / "m.csv", allow_mixed=allow_mixed)).scores


def test_a_matrix_without_status_leaves_it_unknown(tmp_path: Path, data: Path) -> None:
    """Scores without judges are a panel's means; what no row mentions is unknown, not failed."""
    table = matrix_of(tmp_path, data, "question_id,model,score\nmade-0000,a,0.5\nmade-0001,b,0.25\n")

    assert table.judges == (PANEL_MEAN,)
    assert (table.status == UNKNOWN).all()
    assert [[0.5, 0.0], [0.0, 0.25]] == table.zero_filled().tolist()


def test_a_partial_panel_in_a_matrix_gives_no_mean(tmp_path: Path, data: Path) -> None:
    """A judge that is missing on an item leaves that answer without a score."""
    rows = "made-0000,a,x,0.5\nmade-0000,a,y,\nmade-0001,a,x,1\nmade-0001,a,y,0\n"
    table = matrix_of(tmp_path, data, f"question_id,model,judge,score\n{rows}")

    assert np.isnan(table.zero_filled()[0, 0])
    assert table.zero_filled()[0, 1] == 0.5
    assert len(table.complete()) == 0


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ("made-9999,a,x,0.5,ok\n", "row 1 (made-9999, a) is not in the data"),
        ("made-0000,a,x,0.5,fine\n", "unknown status 'fine'"),
        ("made-0000,a,x,0.5,failed\n", "has a score and the status 'failed'"),
        ("made-0000,a,x,0.5,ok\nmade-0000,a,y,,failed\n", "another status than an earlier row"),
        ("made-0000,a,x,0.5,ok\nmade-0000,b,,0.5,ok\n", "has a score but no judge"),
    ],
)
def test_a_bad_matrix_row_is_one_sentence(tmp_path: Path, data: Path, rows: str, words: str) -> None:
    """Ids, statuses and scores that contradict each other are named by their row."""
    with pytest.raises(DataError) as caught:
        matrix_of(tmp_path, data, f"question_id,model,judge,score,status\n{rows}")

    assert words in str(caught.value)


def test_systems_with_other_panels_need_a_mark(tmp_path: Path, data: Path) -> None:
    """A judge that never saw one of the systems makes another panel."""
    text = "question_id,model,judge,score\nmade-0000,a,x,0.5\nmade-0000,a,y,0.7\nmade-0000,b,x,0.1\n"

    with pytest.raises(ConfigError, match="b has no score by y"):
        matrix_of(tmp_path, data, text)
    table = matrix_of(tmp_path, data, text, allow_mixed=True)
    assert any(mark.startswith("MIXED: b has no score by y") for mark in table.marks)
    assert [[0.6], [0.1]] == np.round(table.zero_filled(), 9).tolist()


def test_a_judge_that_scored_nobody_is_said_so(tmp_path: Path, data: Path) -> None:
    """No system is to blame for a column that is empty for all of them."""
    text = "question_id,model,judge,score\nmade-0000,a,x,0.5\nmade-0000,a,y,\nmade-0000,b,x,0.1\nmade-0000,b,y,\n"

    with pytest.raises(ConfigError, match="y scored nobody; leave the judge out"):
        matrix_of(tmp_path, data, text)
    table = matrix_of(tmp_path, data, text, allow_mixed=True)
    assert [mark for mark in table.marks if mark.startswith("MIXED")] == ["MIXED: y scored nobody."]
    assert [[0.5], [0.1]] == table.zero_filled().tolist()


def test_reasons_that_contradict_each_other_are_refused(tmp_path: Path, data: Path) -> None:
    """An answer failed for one reason; a row that states none says nothing against it."""
    text = "question_id,model,judge,score,status,reason\nmade-0000,a,x,,failed,refusal\nmade-0000,a,y,,failed,{}\n"

    with pytest.raises(DataError, match=r"row 2 \(made-0000, a\) gives the answer another reason"):
        matrix_of(tmp_path, data, text.format("empty_stop"))
    for same in ("refusal", ""):
        table = matrix_of(tmp_path, data, text.format(same))
        assert table.reasons[table.reason[0, 0]] == "refusal"


def test_zero_scores_of_unsent_items_are_not_judgements(tmp_path: Path, data: Path) -> None:
    """A matrix may write 0 for an out-of-context item; no judge saw it."""
    text = "question_id,model,judge,score,status,reason\nmade-0000,a,x,0,out_of_context_scope,\nmade-0001,a,x,0.5,ok,\n"
    table = matrix_of(tmp_path, data, text)

    assert np.isnan(table.credit[0, 0, 0])
    assert [[0.0, 0.5]] == table.zero_filled().tolist()


def test_families_can_be_overruled(data: Path, runs: list[tuple[Path, Path]]) -> None:
    """A name without a known maker is its first word; the user knows better."""
    sources = Sources(data, (runs[0][0],))
    assert load(sources).scores.families["amber-1"] == "amber"
    assert load(replace(sources, families={"amber-1": "qwen"})).scores.families["amber-1"] == "qwen"


@pytest.mark.parametrize("by_matrix", [False, True])
def test_a_family_of_an_unknown_name_is_refused(
    tmp_path: Path, data: Path, runs: list[tuple[Path, Path]], by_matrix: bool
) -> None:
    """It would change nothing in silence; the known names are told, of models and of judges."""
    sources = Sources(data, (runs[0][0],))
    if by_matrix:
        write_matrix(tmp_path / "m.csv", matrix_rows(load(sources).scores))
        sources = Sources(data, matrix=tmp_path / "m.csv")
    with pytest.raises(
        UsageError, match=r"'ambr-1', which is no model and no judge here; did you mean 'amber-1'"
    ) as no:
        load(replace(sources, families={"ambr-1": "qwen"}))
    assert "known: amber-1, cedar-judge" in str(no.value)
    assert load(replace(sources, families={"cedar-judge": "qwen"})).scores.families["cedar-judge"] == "qwen"


def test_an_offline_matrix_keeps_its_mark(tmp_path: Path, data: Path) -> None:
    """Written from offline scores and read back, it still says what it is, and never stands beside other judges."""
    table = matrix_of(tmp_path, data, "question_id,model,judge,score\nmade-0000,a,j,0.5\n").with_marks([OFFLINE_MARK])
    write_matrix(tmp_path / "again.csv", matrix_rows(table))

    again = load(Sources(data, matrix=tmp_path / "again.csv")).scores

    assert again.judges == ("j (offline)",)
    assert OFFLINE_MARK in again.marks
    mixed = "question_id,model,judge,score\nmade-0000,a,j (offline),0.5\nmade-0000,a,k,0.5\n"
    with pytest.raises(ConfigError, match="offline scores never share a table"):
        matrix_of(tmp_path, data, mixed, allow_mixed=True)
