"""`wildtrace report` end to end on scores files and on a matrix."""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from tests.diagnose.made import made_items, made_scores
from tests.scores.score_files import provenance, recounted, with_setting, write_data, write_run
from wildtrace.cli.report import command
from wildtrace.diagnose import STATISTICS
from wildtrace.errors import ConfigError, DataError, OutputError, UsageError
from wildtrace.scores.build import matrix_rows
from wildtrace.scores.matrix import write_matrix, write_tasks

ITEMS = made_items()[::6]
SCORES = made_scores(ITEMS, models=("amber-1", "birch-1", "elm-3"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Data, scores and responses of three systems."""
    folder = tmp_path_factory.mktemp("runs")
    write_data(folder / "data.json", ITEMS)
    for model in SCORES.models:
        write_run(folder, SCORES, ITEMS, model)
    return folder


def run(*arguments: object) -> str:
    """What the command prints; its errors are raised."""
    result = CliRunner().invoke(command, [str(part) for part in arguments], standalone_mode=False)
    if result.exception is not None:
        raise result.exception
    return result.output


def files(folder: Path, kind: str) -> list[object]:
    """--scores or --responses for every system."""
    return [part for path in sorted(folder.glob(f"*.{kind}.json")) for part in (f"--{kind}", path)]


@pytest.fixture(scope="module")
def made(folder: Path) -> Path:
    """A report over everything."""
    out = folder / "out"
    text = run("--data", folder / "data.json", *files(folder, "scores"), *files(folder, "responses"), "--out", out,
               "--resamples", 500, "--parquet")  # fmt: skip
    assert "amber-1" in text
    return out


def rows_of(path: Path) -> list[dict[str, str]]:
    """The rows of a written CSV table."""
    return list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))


def payload(out: Path) -> dict[str, Any]:
    """The written report.json."""
    data: dict[str, Any] = json.loads((out / "report.json").read_text(encoding="utf-8"))
    return data


def test_every_table_is_written_in_four_forms(made: Path) -> None:
    """Each statistic of a report as CSV, JSON, Markdown and LaTeX."""
    names = {s.name for s in STATISTICS if s.kind in ("scores", "release")}

    for ending in ("csv", "json", "md", "tex"):
        assert names == {path.stem for path in (made / "tables").glob(f"*.{ending}")}


def test_every_figure_is_written_in_three_forms(made: Path) -> None:
    """SVG, PNG and the specification."""
    for ending in ("svg", "png", "json"):
        names = {path.stem for path in (made / "figures").glob(f"*.{ending}")}
        assert {"leaderboard", "tiers", "geometries", "judge_means", "composition", "complexity"} == names


def test_the_leaderboard_is_that_of_the_scores(made: Path) -> None:
    """The written numbers are the plain means of what was scored."""
    rows = {row["model"]: row for row in rows_of(made / "tables" / "leaderboard.csv")}

    for at, model in enumerate(SCORES.models):
        assert 100 * SCORES.zero_filled()[at].mean() == pytest.approx(float(rows[model]["score"]))
    assert rows["elm-3"]["cap_source"] == "table"


def test_items_lead_from_numbers_to_answers(made: Path) -> None:
    """Each item holds its question, rubric, clues, and each system's answer with its judges' points and replies."""
    items = payload(made)["items"]

    assert len(ITEMS) == len(items)
    assert items[3]["question"] == ITEMS[3].question.text
    assert len(items[3]["rubric"]) == len(ITEMS[3].rubric.criteria)
    answer = next(entry for entry in items[3]["answers"] if entry["model"] == "amber-1")
    assert answer["response"].startswith("The pump failed")
    assert len(answer["response"]) == answer["chars"]
    assert set(answer["judges"]) == set(SCORES.judges)
    assert "total" in answer["judges"]["reed-judge"]["reply"]
    assert len(answer["judges"]["reed-judge"]["points_awarded"]) == len(ITEMS[3].rubric.criteria)


def test_lengths_come_from_the_responses(made: Path) -> None:
    """With responses given, score against length has numbers."""
    rows = rows_of(made / "tables" / "lengths.csv")

    assert float(rows[0]["mean_length"]) > 60


def test_answers_can_be_left_out(folder: Path, tmp_path: Path) -> None:
    """With `--answers none` no text of an answer or a reply is written, but all points are."""
    run("--data", folder / "data.json", *files(folder, "scores"), *files(folder, "responses"), "--out", tmp_path / "o",
        "--resamples", 100, "--answers", "none", "--no-figures")  # fmt: skip

    text = (tmp_path / "o" / "report.json").read_text(encoding="utf-8")
    assert "The pump failed" not in text
    assert '"reply"' not in text
    assert '"points_awarded"' in text


def test_its_own_matrix_gives_the_same_leaderboard(made: Path, tmp_path: Path) -> None:
    """The matrix and the task table that were written can be reported on in their turn, as CSV and as Parquet."""
    expected = rows_of(made / "tables" / "leaderboard.csv")
    for ending in ("csv", "parquet"):
        out = tmp_path / ending
        run(
            "--data",
            made / f"tasks.{ending}",
            "--matrix",
            made / f"matrix.{ending}",
            "--out",
            out,
            "--resamples",
            500,
            "--no-figures",
        )
        actual = rows_of(out / "tables" / "leaderboard.csv")
        for name in ("model", "rank", "score", "low", "high", "scored", "coverage"):
            assert [row[name] for row in expected] == [row[name] for row in actual]
    assert "A matrix carries no signature" in (tmp_path / "csv" / "tables" / "tiers.md").read_text(encoding="utf-8")


def test_a_bare_matrix_has_gaps_not_guesses(folder: Path, tmp_path: Path) -> None:
    """Another harness's means without judges and statuses: a leaderboard, and gaps where nothing is known."""
    rows = [(item.question_id, "theirs", "", 0.5, "", "") for item in ITEMS]
    write_matrix(tmp_path / "m.csv", rows)
    bare = "\n".join(
        ",".join(line.split(",")[:2] + line.split(",")[3:4]) for line in (tmp_path / "m.csv").read_text().splitlines()
    )
    (tmp_path / "m.csv").write_text(bare, encoding="utf-8")

    run(
        "--data",
        folder / "data.json",
        "--matrix",
        tmp_path / "m.csv",
        "--out",
        tmp_path / "o",
        "--resamples",
        100,
        "--no-figures",
    )

    row = rows_of(tmp_path / "o" / "tables" / "leaderboard.csv")[0]
    assert (row["score"], row["scored"], row["coverage"]) == ("50.0", "", "")
    judges = json.loads((tmp_path / "o" / "tables" / "judges.json").read_text(encoding="utf-8"))
    assert "One judge: agreement between judges is undefined." in judges["notes"]


def test_the_corpus_places_clues_exactly(folder: Path, tmp_path: Path) -> None:
    """With the corpus given, relative locations are of the real documents' lengths."""
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    for item in ITEMS:
        (corpus / item.question.corpus_file).write_text("a" * 5_000_000, encoding="utf-8")

    run("--data", folder / "data.json", *files(folder, "scores")[:2], "--corpus", corpus, "--out", tmp_path / "o",
        "--resamples", 100, "--no-figures")  # fmt: skip

    table = json.loads((tmp_path / "o" / "tables" / "loss_positions.json").read_text(encoding="utf-8"))
    counts = {row[1]: row[2] for row in table["rows"] if row[0] == "location"}
    assert counts["80 to 100 %"] == 0
    assert counts["0 to 20 %"] > 0


def test_the_corpus_gives_items_the_tier_that_the_data_do_not_tell(folder: Path, tmp_path: Path) -> None:
    """Rule 30: 3.3 characters a token, 1.5 in Chinese; the row's own tier wins, without a corpus none is made up."""
    tierless = {ITEMS[0].question_id: ("english", "a" * 422_402), ITEMS[1].question_id: ("chinese", "水" * 192_001)}
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    rows = json.loads((folder / "data.json").read_bytes())
    for row in rows:
        name, text = tierless.get(row["question_id"], ("other", "a"))
        (corpus / f"{name}.txt").write_text(text, encoding="utf-8")
        row["corpus_file"] = f"{name}.txt"
        if name != "other":
            del row["tier"], row["doc_token_estimate"]
    (tmp_path / "data.json").write_text(json.dumps(rows), encoding="utf-8")
    given = ["--data", tmp_path / "data.json", *files(folder, "scores")[:2], "--no-figures", "--resamples", 100]

    run(*given, "--out", tmp_path / "without")
    run(*given, "--corpus", corpus, "--out", tmp_path / "with")

    expected = {item.question_id: item.tier for item in ITEMS}
    for report, found in (("without", ""), ("with", "L1")):
        tasks = {row["question_id"]: row["tier"] for row in rows_of(tmp_path / report / "tasks.csv")}
        assert {**expected, **dict.fromkeys(tierless, found)} == tasks
    notes = json.loads((tmp_path / "without" / "tables" / "tiers.json").read_text(encoding="utf-8"))["notes"]
    assert "2 items have no tier and are in no column." in notes


def test_other_conditions_fill_the_access_table(folder: Path, tmp_path: Path) -> None:
    """Runs under evidence and none appear in access alone, never in the leaderboard."""
    parts: list[object] = []
    for condition in ("evidence", "none"):
        fields = with_setting(
            provenance("amber-1", condition=condition), "protocol", condition=condition, prompt=condition
        )
        (tmp_path / condition).mkdir()
        parts += ["--scores", write_run(tmp_path / condition, SCORES, ITEMS, "amber-1", fields)[0]]

    run(
        "--data",
        folder / "data.json",
        *files(folder, "scores"),
        *parts,
        "--out",
        tmp_path / "o",
        "--resamples",
        100,
        "--no-figures",
    )

    access = json.loads((tmp_path / "o" / "tables" / "access.json").read_text(encoding="utf-8"))
    leaders = rows_of(tmp_path / "o" / "tables" / "leaderboard.csv")
    assert {row[0] for row in access["rows"]} == {"amber-1"}
    assert access["rows"][0][6] == pytest.approx(0.0)
    assert len(leaders) == 3


def test_a_funnel_file_is_shown(folder: Path, tmp_path: Path) -> None:
    """Rejections by gate, as a table and a figure."""
    funnel = tmp_path / "funnel.json"
    stages = [{"name": "d4", "rejected": 38}, {"name": "manual review", "rejected": 48}]
    funnel.write_text(json.dumps({"format": "wildtrace.funnel/1", "candidates": 100, "locked": 14, "stages": stages}))

    run("--data", folder / "data.json", *files(folder, "scores"), "--funnel", funnel, "--out", tmp_path / "o",
        "--resamples", 100)  # fmt: skip

    assert (tmp_path / "o" / "figures" / "funnel.svg").exists()
    assert "14 of 100 survive: 14.0" in (tmp_path / "o" / "tables" / "funnel.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["report.json", "tables/leaderboard.json"])
def test_what_a_report_is_made_from_is_not_written_over(folder: Path, tmp_path: Path, name: str) -> None:
    """Tasks under the name of one of its files, in the folder to write, are refused and stay as they are."""
    data = tmp_path / name
    data.parent.mkdir(exist_ok=True)
    data.write_bytes((folder / "data.json").read_bytes())

    with pytest.raises(DataError, match="is read for this report, which would write over it; choose another --out"):
        run("--data", data, *files(folder, "scores"), "--out", tmp_path, "--resamples", 100, "--no-figures")

    assert data.read_bytes() == (folder / "data.json").read_bytes()
    assert [data] == [path for path in tmp_path.rglob("*") if path.is_file()]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is no funnel file"),
        ('{"format": "other/1"}', "is no funnel file"),
        ('{"format": "wildtrace.funnel/1", "candidates": -1, "locked": 0, "stages": []}', "is no funnel file"),
        ('{"format": "wildtrace.funnel/1", "candidates": 9, "locked": 3, "stages": [{"name": "d1", "rejected": 5}]}',
         "leave 4, not 3"),
    ],
)  # fmt: skip
def test_a_funnel_that_does_not_add_up_is_refused(folder: Path, tmp_path: Path, text: str, words: str) -> None:
    """A wrong funnel is one sentence, and nothing is written."""
    funnel = tmp_path / "funnel.json"
    funnel.write_text(text, encoding="utf-8")

    with pytest.raises(DataError, match=words):
        run("--data", folder / "data.json", *files(folder, "scores"), "--funnel", funnel, "--out", tmp_path / "o")
    assert not (tmp_path / "o").exists()


def test_runs_under_other_settings_need_a_mark(folder: Path, tmp_path: Path) -> None:
    """Refused by the differing key; on request marked in every table; offline never."""
    other, offline = (tmp_path / name for name in ("other", "offline"))
    other.mkdir()
    offline.mkdir()
    mixed = write_run(other, SCORES, ITEMS, "birch-1", with_setting(provenance("birch-1"), "judging", prompt="j2"))[0]
    lexical = write_run(offline, SCORES, ITEMS, "birch-1", provenance("birch-1", offline=True))[0]
    base = [
        "--data",
        folder / "data.json",
        "--scores",
        folder / "amber-1.scores.json",
        "--resamples",
        100,
        "--no-figures",
    ]

    with pytest.raises(ConfigError, match=r"judging\.prompt"):
        run(*base, "--scores", mixed, "--out", tmp_path / "o")
    run(*base, "--scores", mixed, "--out", tmp_path / "o", "--allow-mixed")
    for table in (tmp_path / "o" / "tables").glob("*.md"):
        assert "MIXED: " in table.read_text(encoding="utf-8")
    with pytest.raises(ConfigError, match="never share a table"):
        run(*base, "--scores", lexical, "--out", tmp_path / "o2", "--allow-mixed")
    assert not (tmp_path / "o2").exists()


def test_a_matrix_written_by_hand_needs_only_its_columns(folder: Path, tmp_path: Path) -> None:
    """The rows of a score table are the rows of a matrix file."""
    write_matrix(tmp_path / "m.csv", matrix_rows(SCORES))

    text = run("--data", folder / "data.json", "--matrix", tmp_path / "m.csv", "--out", tmp_path / "o", "--no-figures")

    assert "tables and 0 figures are in" in text


def test_a_family_option_needs_both_parts(folder: Path, tmp_path: Path) -> None:
    """NAME=FAMILY, or a usage error."""
    with pytest.raises(UsageError, match="NAME=FAMILY"):
        run("--data", folder / "data.json", *files(folder, "scores"), "--family", "qwen", "--out", tmp_path / "o")


def test_a_judge_missing_on_half_the_items_gives_no_score(folder: Path, tmp_path: Path) -> None:
    """A partial panel is no score: the system has no All, stands last, and every slice says it is left out."""
    file = json.loads((folder / "amber-1.scores.json").read_text(encoding="utf-8"))
    for row in file["scores"][::2]:
        row["judges"]["reed-judge"] = {"error": "unusable", "reply": "?"}
        row["score"] = None
    file["scored_n"] -= len(file["scores"][::2])
    half = tmp_path / "half.scores.json"
    file.pop("rows_digest")
    half.write_text(json.dumps(file), encoding="utf-8")

    text = run("--data", folder / "data.json", "--scores", half, "--scores", folder / "birch-1.scores.json", "--out",
               tmp_path / "o", "--resamples", 100, "--no-figures")  # fmt: skip

    rows = rows_of(tmp_path / "o" / "tables" / "leaderboard.csv")
    count = (len(ITEMS) + 1) // 2
    assert [row["model"] for row in rows] == ["birch-1", "amber-1"]
    assert (rows[1]["score"], rows[1]["scored_n"]) == ("", str(len(ITEMS) - count))
    assert f"amber-1: {count} answers await a judge" in text
    assert "amber-1" not in (tmp_path / "o" / "tables" / "tiers.csv").read_text(encoding="utf-8")


@pytest.mark.parametrize("waiting", [False, True])
def test_one_system_on_one_item_is_all_gaps(tmp_path: Path, waiting: bool) -> None:
    """The smallest input there is makes every table without a made-up number, and no empty figure."""
    judges = "q,only,x,0.5,ok\n" + ("q,only,y,,ok\n" if waiting else "q,only,y,0.7,ok\n")
    (tmp_path / "m.csv").write_text(f"question_id,model,judge,score,status\n{judges}", encoding="utf-8")
    (tmp_path / "t.csv").write_text("question_id\nq\n", encoding="utf-8")
    flags = ["--allow-mixed"] if waiting else []

    run("--data", tmp_path / "t.csv", "--matrix", tmp_path / "m.csv", "--out", tmp_path / "o", *flags)

    row = rows_of(tmp_path / "o" / "tables" / "leaderboard.csv")[0]
    assert (row["low"], row["document_low"]) == ("", "")
    judges_table = (tmp_path / "o" / "tables" / "judges.md").read_text(encoding="utf-8")
    assert "undefined here" in judges_table
    figures = {path.stem for path in (tmp_path / "o" / "figures").glob("*.svg")}
    assert figures == ({"leaderboard"} if waiting else {"leaderboard", "judge_means"})


def test_items_of_a_matrix_hold_scores_and_gaps(tmp_path: Path) -> None:
    """Without a release there is no question to show, but every judge's score and every missing one."""
    rows = ["q,a,x,0.5,ok,", "q,a,y,,ok,", "r,a,x,,failed,refusal", "r,b,x,1,ok,", "r,b,y,1,ok,"]
    text = "\n".join(["question_id,model,judge,score,status,reason", *rows])
    (tmp_path / "m.csv").write_text(text, encoding="utf-8")
    (tmp_path / "t.csv").write_text("question_id,tier\nq,L0\nr,L1\n", encoding="utf-8")

    with pytest.raises(ConfigError, match="a has no score by y"):
        run("--data", tmp_path / "t.csv", "--matrix", tmp_path / "m.csv", "--out", tmp_path / "o", "--no-figures")
    run(
        "--data",
        tmp_path / "t.csv",
        "--matrix",
        tmp_path / "m.csv",
        "--out",
        tmp_path / "o",
        "--no-figures",
        "--allow-mixed",
    )

    first, second = payload(tmp_path / "o")["items"]
    assert first["tier"] == "L0"
    assert first["answers"][0]["judges"] == {"x": {"score": 0.5}}
    assert [answer["status"] for answer in first["answers"]] == ["ok", "missing"]
    assert (second["answers"][0]["reason"], second["answers"][0]["score"]) == ("refusal", None)
    assert second["answers"][1]["score"] == 1.0


def test_failed_judges_are_shown_with_their_reasons(folder: Path, tmp_path: Path) -> None:
    """An item's record tells which judge gave no usable reply, and what it said."""
    file = json.loads((folder / "amber-1.scores.json").read_text(encoding="utf-8"))
    file["scores"][0]["judges"]["reed-judge"] = {"error": "no total", "reply": "Well done!"}
    file["scores"][0]["score"] = None
    (tmp_path / "s.json").write_text(json.dumps(recounted(file)), encoding="utf-8")

    run("--data", folder / "data.json", "--scores", tmp_path / "s.json", "--out", tmp_path / "o", "--no-figures")

    judge = payload(tmp_path / "o")["items"][0]["answers"][0]["judges"]["reed-judge"]
    assert judge == {"error": "no total", "reply": "Well done!"}


def test_runs_and_a_matrix_on_request(folder: Path, tmp_path: Path) -> None:
    """Another harness's systems beside the own ones: marked, in the leaderboard and behind the numbers."""
    rows = [(item.question_id, "theirs", "x", 0.99, "ok", "") for item in ITEMS]
    write_matrix(tmp_path / "m.csv", rows)
    both = ["--data", folder / "data.json", "--scores", folder / "amber-1.scores.json", "--matrix", tmp_path / "m.csv"]

    with pytest.raises(ConfigError, match="carries no signature"):
        run(*both, "--out", tmp_path / "o", "--no-figures")
    run(*both, "--out", tmp_path / "o", "--no-figures", "--allow-mixed", "--resamples", 100)

    assert [row["model"] for row in rows_of(tmp_path / "o" / "tables" / "leaderboard.csv")] == ["theirs", "amber-1"]
    assert "MIXED: " in (tmp_path / "o" / "tables" / "judges.md").read_text(encoding="utf-8")
    answers = payload(tmp_path / "o")["items"][0]["answers"]
    assert [(answer["model"], len(answer["judges"])) for answer in answers] == [("amber-1", 3), ("theirs", 1)]


@pytest.mark.parametrize("wrong", [("--seed", -1), ("--resamples", 99), ("--resamples", 100_000_000_000)])
def test_numbers_that_no_resampling_can_use_are_refused(folder: Path, tmp_path: Path, wrong: tuple[str, int]) -> None:
    """A negative seed and resamples that no memory holds are usage errors, and nothing is written."""
    with pytest.raises(click.BadParameter, match="is not in the range"):
        run("--data", folder / "data.json", *files(folder, "scores"), "--out", tmp_path / "o", *wrong)
    assert not (tmp_path / "o").exists()


def test_nothing_of_an_earlier_report_stays(folder: Path, tmp_path: Path) -> None:
    """Without figures and Parquet those of the report before go; what no report writes is left alone."""
    out = tmp_path / "o"
    base = ("--data", folder / "data.json", *files(folder, "scores"), "--out", out, "--resamples", 100)
    run(*base, "--parquet")
    own = [out / "figures" / "mine.svg", out / "tables" / "notes.csv", out / "notes.md"]
    for path in own:
        path.write_text("mine", encoding="utf-8")

    run(*base, "--no-figures")

    assert [out / "figures" / "mine.svg"] == list((out / "figures").iterdir())
    assert not list(out.glob("*.parquet"))
    assert not list(out.rglob("*.tmp"))
    assert ["mine"] * 3 == [path.read_text(encoding="utf-8") for path in own]
    assert payload(out)["figures"] == []


def test_a_report_made_from_its_own_folder_keeps_its_sources(folder: Path, tmp_path: Path) -> None:
    """What a report was read from is not cleared away, though this report would not write it."""
    out = tmp_path / "o"
    run("--data", folder / "data.json", *files(folder, "scores"), "--out", out, "--no-figures", "--parquet")

    run("--data", out / "tasks.parquet", "--matrix", out / "matrix.parquet", "--out", out, "--no-figures")

    assert {"matrix.parquet", "tasks.parquet"} == {path.name for path in out.glob("*.parquet")}


def test_a_figure_that_cannot_be_drawn_changes_nothing(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Everything is made before anything is written: the report before stays whole."""
    out = tmp_path / "o"
    base = ("--data", folder / "data.json", *files(folder, "scores"), "--out", out, "--resamples", 100)
    run(*base)
    before = {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}
    monkeypatch.setitem(sys.modules, "vl_convert", None)

    with pytest.raises(ConfigError, match="pictures need the extra"):
        run(*base, "--title", "Another")

    assert before == {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}


@pytest.mark.parametrize("char", ["\x00", "\x1b", "\x0b", "\ufffe"])
def test_names_with_control_characters_make_a_whole_report(tmp_path: Path, char: str) -> None:
    """A system, a judge and a geometry that XML cannot hold: every file is there, and the pictures show escapes."""
    rows = [(f"q{at}", f"m{char}{model}", f"j{char}", 0.1 * at, "ok", "") for at in range(4) for model in "ab"]
    write_matrix(tmp_path / "m.csv", rows)
    write_tasks(tmp_path / "t.csv", (), [(f"q{at}", f"s{at}", "L0", "f", f"g{char}{at % 2}") for at in range(4)])

    run("--data", tmp_path / "t.csv", "--matrix", tmp_path / "m.csv", "--out", tmp_path / "o", "--resamples", 100,
        "--title", f"T{char}")  # fmt: skip

    shown = char.encode("unicode_escape").decode()
    assert f"m{shown}a" in (tmp_path / "o" / "figures" / "leaderboard.svg").read_text(encoding="utf-8")
    assert f"g{shown}1" in (tmp_path / "o" / "figures" / "geometries.svg").read_text(encoding="utf-8")
    assert payload(tmp_path / "o")["title"] == f"T{shown}"
    for path in (tmp_path / "o" / "tables").glob("*.csv"):
        assert char == "\ufffe" or char not in path.read_text(encoding="utf-8")


def test_a_folder_that_cannot_be_written_is_one_sentence(folder: Path, tmp_path: Path) -> None:
    """A name too long for the file system, and an old figure's name taken by a folder."""
    base = ("--data", folder / "data.json", *files(folder, "scores"), "--resamples", 100, "--no-figures")
    (tmp_path / "o" / "figures" / "leaderboard.svg").mkdir(parents=True)

    with pytest.raises(OutputError, match="choose another"):
        run(*base, "--out", tmp_path / ("o" * 300))
    with pytest.raises(OutputError, match=r"leaderboard\.svg is of an earlier report and cannot be removed"):
        run(*base, "--out", tmp_path / "o")
