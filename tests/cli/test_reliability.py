"""`wildtrace reliability` end to end: draw, fill in, import and compute each study; a real loopback judge is asked."""

from __future__ import annotations

import asyncio
import csv
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tests.diagnose.made import made_items, made_scores
from tests.endpoint import Answer, Asked, raw, serving, whole
from tests.scores.score_files import write_data, write_run
from wildtrace.cli.reliability import command
from wildtrace.endpoints.offline.faults import FaultRates
from wildtrace.endpoints.offline.server import OfflineOptions, offline_endpoint
from wildtrace.errors import ConfigError, DataError, OutputError, UsageError
from wildtrace.geometries import GEOMETRY_NAMES
from wildtrace.studies.study import STUDY_FILE, draw

ITEMS = made_items()
SCORES = made_scores(ITEMS, models=("amber-1", "cedar-2", "fjord-3"))
SECRETS = ("amber-1", "cedar-2", "fjord-3", "panel", "made-0")


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Data, scores and responses of three systems, as arguments."""
    folder = tmp_path_factory.mktemp("runs")
    arguments = ["--data", str(write_data(folder / "data.json", ITEMS))]
    for model in SCORES.models:
        scores, responses = write_run(folder, SCORES, ITEMS, model)
        arguments += ["--scores", str(scores), "--responses", str(responses)]
    return arguments


@contextmanager
def loopback(options: OfflineOptions | None = None) -> Iterator[str]:
    """The offline endpoint on loopback, in a thread of its own."""
    ready = threading.Event()
    found: list[tuple[str, asyncio.AbstractEventLoop, asyncio.Event]] = []

    async def serve() -> None:
        async with offline_endpoint(options) as url:
            found.append((url, asyncio.get_running_loop(), asyncio.Event()))
            ready.set()
            await found[0][2].wait()

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    assert ready.wait(20)
    url, loop, done = found[0]
    yield url
    loop.call_soon_threadsafe(done.set)
    thread.join()


def run(*arguments: object, status: int = 0) -> str:
    """What the command prints; its errors are raised, its exit status is checked."""
    result = CliRunner().invoke(command, [str(part) for part in arguments], standalone_mode=False)
    if result.exception is not None:
        raise result.exception
    assert status == result.return_value
    return result.output


def table(study: str, folder: Path) -> dict[str, dict[str, Any]]:
    """The computed table by its first column."""
    data = json.loads(run("compute", study, folder, "--format", "json"))
    names = [column["name"] for column in data["columns"]]
    return {row[0]: dict(zip(names, row, strict=True)) for row in data["rows"]}


def sheet(folder: Path) -> list[dict[str, str]]:
    """The sheet that annotators get."""
    return list(csv.DictReader((folder / "sheet.csv").read_text(encoding="utf-8-sig").splitlines(keepends=True)))


def key(folder: Path) -> dict[str, Any]:
    """The study's key."""
    data: dict[str, Any] = json.loads((folder / "study.json").read_text(encoding="utf-8"))
    return data


def fill(path: Path, rows: list[dict[str, str]], delimiter: str = ",") -> Path:
    """Save a filled-in sheet."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), delimiter=delimiter)
        writer.writeheader()
        writer.writerows(rows)
    return path


@pytest.fixture
def expert(tmp_path: Path, runs: list[str]) -> Path:
    """A drawn expert study."""
    run("sample", "expert", *runs, "--out", tmp_path / "expert")
    return tmp_path / "expert"


def scored(folder: Path, annotator: str, share: float) -> list[dict[str, str]]:
    """The sheet with this share of the points everywhere."""
    return [
        {**row, "annotator": annotator, "points": f"{share * float(row['points_possible']):g}"} for row in sheet(folder)
    ]


def test_the_expert_sheet_is_blind_and_complete(expert: Path) -> None:
    """60 answers with rubric, key facts and quotes; nothing of who answered or what the panel gave."""
    rows, cells = sheet(expert), key(expert)["cells"]

    assert {row["cell_id"] for row in rows} == {cell["cell_id"] for cell in cells}
    assert len(cells) == 60
    for cell in cells:
        mine = [row for row in rows if row["cell_id"] == cell["cell_id"]]
        assert {row["criterion_id"]: float(row["points_possible"]) for row in mine} == pytest.approx(cell["rubric"])
        assert all(row["key_facts"] and row["evidence"] and row["response"] for row in mine)
        assert all(row["points"] == row["annotator"] == "" for row in mine)
    text = (expert / "sheet.csv").read_text(encoding="utf-8") + (expert / "sheet.md").read_text(encoding="utf-8")
    assert not [secret for secret in SECRETS if secret in text]


def test_expert_points_are_imported_and_computed(expert: Path, tmp_path: Path) -> None:
    """Two annotators' points become a consensus against the panel; German decimals and semicolons are read."""
    run("import", "expert", expert, fill(tmp_path / "a.csv", scored(expert, "A", 0.5)))
    rows = [{**row, "points": row["points"].replace(".", ",")} for row in scored(expert, "李", 0.75)]
    run("import", "expert", expert, fill(tmp_path / "b.csv", rows, delimiter=";"))

    rows_by_name = table("expert", expert)
    panel = [cell["panel"] for cell in key(expert)["cells"]]
    assert 0.625 - sum(panel) / 60 == pytest.approx(
        rows_by_name["consensus vs. panel: mean signed difference"]["value"]
    )
    assert rows_by_name["A vs. 李: mean absolute difference"]["value"] == pytest.approx(0.25)
    assert rows_by_name["sample: score bin high"]["value"] == 20


def test_a_second_import_replaces_an_annotators_points(expert: Path, tmp_path: Path) -> None:
    """A corrected sheet takes the place of the earlier one, and of no one else's."""
    run("import", "expert", expert, fill(tmp_path / "a.csv", scored(expert, "A", 0.5)))
    run("import", "expert", expert, fill(tmp_path / "b.csv", scored(expert, "B", 0.5)))
    run("import", "expert", expert, fill(tmp_path / "a2.csv", scored(expert, "A", 1.0)))

    assert table("expert", expert)["A vs. B: mean absolute difference"]["value"] == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"cell_id": "c999"}, "has no such cell"),
        ({"criterion_id": "Z"}, "has no such criterion"),
        ({"annotator": ""}, "names no annotator"),
        ({"points": "many"}, "points 'many' is no number from 0 to"),
        ({"points": "-1"}, "points '-1' is no number from 0 to"),
        ({"points": "101"}, "points '101' is no number from 0 to"),
        ({"points": "nan"}, "points 'nan' is no number from 0 to"),
        ({"points": "inf"}, "points 'inf' is no number from 0 to"),
    ],
)
def test_a_bad_row_is_named(expert: Path, tmp_path: Path, change: dict[str, str], words: str) -> None:
    """File, row and cell stand in the sentence; nothing is imported."""
    rows = scored(expert, "A", 0.5)
    rows[4] |= change

    with pytest.raises(DataError, match=r"a\.csv: row 5") as caught:
        run("import", "expert", expert, fill(tmp_path / "a.csv", rows))

    assert words in str(caught.value)
    assert not (expert / "points.csv").exists()


def test_blank_lines_of_a_sheet_count(expert: Path, tmp_path: Path) -> None:
    """A row is named by its number in the file that its reader sees."""
    rows = scored(expert, "A", 0.5)
    columns = ("cell_id", "criterion_id", "annotator", "points")
    first, second = ([row[name] for name in columns] for row in rows[:2])
    lines = [columns, (), first, (), (), [*second[:3], "many"]]
    sheet = tmp_path / "a.csv"
    sheet.write_text("\n".join(",".join(line) for line in lines), encoding="utf-8")

    with pytest.raises(DataError, match=r"a\.csv: row 5"):
        run("import", "expert", expert, sheet)


def test_sheets_that_are_none_are_refused(expert: Path, tmp_path: Path) -> None:
    """An empty sheet, a repeated row, another file, another study, a missing folder."""
    rows = scored(expert, "A", 0.5)
    with pytest.raises(DataError, match="no row has points"):
        run("import", "expert", expert, expert / "sheet.csv")
    with pytest.raises(DataError, match="repeats an earlier row of 'A'"):
        run("import", "expert", expert, fill(tmp_path / "twice.csv", [*rows, rows[0]]))
    (tmp_path / "other.csv").write_text("x,y\n1,2\n", encoding="utf-8")
    with pytest.raises(DataError, match="has no column cell_id"):
        run("import", "expert", expert, tmp_path / "other.csv")
    with pytest.raises(DataError, match="is of the study expert, not relabel"):
        run("compute", "relabel", expert)
    with pytest.raises(DataError, match="name the folder that `wildtrace reliability sample expert` wrote"):
        run("compute", "expert", tmp_path / "none")
    with pytest.raises(UsageError, match="at least one"):
        run("import", "expert", expert)


def test_a_study_is_drawn_once(expert: Path, runs: list[str]) -> None:
    """Drawing into the same folder would orphan what people filled in."""
    with pytest.raises(UsageError, match="drawn once"):
        run("sample", "expert", *runs, "--out", expert)


@pytest.mark.parametrize(
    ("study", "lost"), [("expert", "sheet.md"), ("relabel", "sheet.csv"), ("evidence-visible", "prompts.jsonl")]
)
def test_a_study_whose_sheets_could_not_be_written_can_be_drawn_again(
    tmp_path: Path, runs: list[str], study: str, lost: str
) -> None:
    """Its key comes last: a full disk leaves a folder that is no study yet."""
    given = {"relabel": runs[:2], "evidence-visible": [*runs, "--judge", "reed-judge"]}.get(study, runs)
    (tmp_path / "s" / lost).mkdir(parents=True)
    with pytest.raises(OutputError, match=lost):
        run("sample", study, *given, "--size", 6, "--out", tmp_path / "s")
    assert not (tmp_path / "s" / STUDY_FILE).exists()

    (tmp_path / "s" / lost).rmdir()
    run("sample", study, *given, "--size", 6, "--out", tmp_path / "s")
    assert study == key(tmp_path / "s")["study"]


def test_answers_without_their_text_cannot_be_shown(tmp_path: Path, runs: list[str]) -> None:
    """A study shows answers; without the responses files the sentence names what is missing."""
    bare = [part for at, part in enumerate(runs) if "--responses" not in runs[max(0, at - 1) : at + 1]]

    with pytest.raises(DataError, match="add the run's --responses"):
        run("sample", "expert", *bare, "--out", tmp_path / "s")
    assert not (tmp_path / "s").exists()


def test_formulas_in_answers_do_not_run(tmp_path: Path) -> None:
    """An answer that begins like a formula is text in the sheet."""
    items = ITEMS[::4]
    scores = made_scores(items, models=("cedar-2",))
    data = write_data(tmp_path / "data.json", items)
    paths = write_run(tmp_path, scores, items, "cedar-2")
    file = json.loads(paths[1].read_text(encoding="utf-8"))
    file.pop("rows_digest", None)  # the rows change
    for response in file["responses"]:
        response["response"] = "=HYPERLINK(1)\n````\n# not a heading"
    paths[1].write_text(json.dumps(file), encoding="utf-8")

    run("sample", "evidence-visible", "--data", data, "--scores", paths[0], "--responses", paths[1], "--judge",
        "reed-judge", "--size", 3, "--out", tmp_path / "e")  # fmt: skip
    run("sample", "expert", "--data", data, "--scores", paths[0], "--responses", paths[1], "--size", 3, "--out",
        tmp_path / "x")  # fmt: skip

    assert {row["response"][:2] for row in sheet(tmp_path / "x")} == {"'="}
    assert "`````text\n=HYPERLINK" in (tmp_path / "x" / "sheet.md").read_text(encoding="utf-8")


@pytest.fixture
def relabel(tmp_path: Path, runs: list[str]) -> Path:
    """A drawn relabelling study."""
    run("sample", "relabel", *runs[:2], "--out", tmp_path / "relabel", "--seed", 5)
    return tmp_path / "relabel"


def test_the_relabelling_sheet_hides_label_and_id(relabel: Path) -> None:
    """98 items under made ids; neither the geometry nor the question id is on a sheet, only the list of labels."""
    rows = sheet(relabel)
    drawn = {entry["blind_id"]: entry for entry in key(relabel)["items"]}

    assert len(rows) == 98
    assert {row["question_id"] for row in rows} == set(drawn)
    by_id = {item.question_id: item for item in ITEMS}
    for row in rows:
        item = by_id[drawn[row["question_id"]]["question_id"]]
        assert row["question"] == item.question.text
        assert item.geometry not in "".join(row.values())
    assert "made-0" not in (relabel / "sheet.md").read_text(encoding="utf-8")


def test_labels_are_imported_and_computed(relabel: Path, tmp_path: Path) -> None:
    """Synonyms are read; agreement, kappa and the column with secondary labels follow."""
    truth = {entry["blind_id"]: entry["geometry"] for entry in key(relabel)["items"]}
    right = [
        {"question_id": name, "annotator": "A", "primary": label, "secondary": ""} for name, label in truth.items()
    ]
    other = [{**row, "annotator": "B"} for row in right]
    for row in other[:7]:
        row |= {"primary": "temporal" if row["primary"] != "temporal" else "causal", "secondary": row["primary"]}
    other[8]["primary"] = {"forward": "Forward Chain"}.get(other[8]["primary"], other[8]["primary"].upper())

    run("import", "relabel", relabel, fill(tmp_path / "a.csv", right), fill(tmp_path / "b.csv", other))
    rows = table("relabel", relabel)

    assert rows["A vs. original primary"]["kappa"] == pytest.approx(1.0)
    assert rows["A vs. B primary labels"]["disagreements"] == 7
    assert rows["B vs. original primary"]["agreement"] == pytest.approx(91 / 98)
    assert rows["B vs. original primary"]["agreement_with_secondary"] == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"question_id": "made-0001"}, "has no such item"),
        ({"annotator": ""}, "names no annotator"),
        ({"primary": "spiral"}, "'spiral' is no geometry"),
        ({"secondary": "spiral"}, "'spiral' is no geometry"),
    ],
)
def test_a_bad_label_is_named(relabel: Path, tmp_path: Path, change: dict[str, str], words: str) -> None:
    """The row and what would be right stand in the sentence."""
    rows = [{"question_id": "r001", "annotator": "A", "primary": "causal", "secondary": "", **change}]

    with pytest.raises(DataError) as caught:
        run("import", "relabel", relabel, fill(tmp_path / "a.csv", rows))

    assert words in str(caught.value)


@pytest.fixture
def evidence(tmp_path: Path, runs: list[str]) -> Path:
    """A drawn evidence-visible study of 21 answers."""
    run("sample", "evidence-visible", *runs, "--judge", "reed-judge", "--size", 21, "--out", tmp_path / "evidence")
    return tmp_path / "evidence"


def test_the_second_prompt_adds_facts_and_passages(evidence: Path) -> None:
    """The protocol's judge prompt, with key facts and clue passages before the answer."""
    cells = key(evidence)["cells"]
    prompts = [json.loads(line) for line in (evidence / "prompts.jsonl").read_text(encoding="utf-8").splitlines()]

    assert [cell["cell_id"] for cell in cells] == [prompt["cell_id"] for prompt in prompts]
    text = prompts[0]["prompt"]
    assert text.startswith("STRICT grader. Only award points for SPECIFIC details present.\nQUESTION: ")
    order = [
        text.index(part) for part in ("RUBRIC:\n", "KEY FACTS:\n- fact 0", "EVIDENCE PASSAGES:\n- qqq", "RESPONSE:\n")
    ]
    assert order == sorted(order)
    assert text.endswith('Reply JSON: {"points_awarded":[<pts>],"total":<sum>}')


def test_rubric_only_credits_are_the_judges_own(evidence: Path) -> None:
    """The first condition is what this judge gave in the scores files, not the panel's mean."""
    place = SCORES.judges.index("reed-judge")
    ids = [item.question_id for item in ITEMS]

    for cell in key(evidence)["cells"]:
        row, at = SCORES.models.index(cell["model"]), ids.index(cell["question_id"])
        assert SCORES.credit[row, at, place] == pytest.approx(cell["rubric_only"])


def test_replies_from_elsewhere_are_imported(evidence: Path, tmp_path: Path) -> None:
    """Replies go through the protocol's reply reader, totals are divided by the rubric's points."""
    cells = key(evidence)["cells"]
    (tmp_path / "r.jsonl").write_text(
        "\n".join(
            json.dumps({"cell_id": cell["cell_id"], "reply": 'Sure. {"points_awarded": [], "total": 50}'})
            for cell in cells[:11]
        )
    )
    fill(tmp_path / "t.csv", [{"cell_id": cell["cell_id"], "total": "25"} for cell in cells[11:]])
    run("import", "evidence-visible", evidence, tmp_path / "r.jsonl", tmp_path / "t.csv")

    row = table("evidence-visible", evidence)["all"]
    assert row["n"] == 21
    assert row["evidence_visible"] == pytest.approx(100 * (11 * 0.5 + 10 * 0.25) / 21)
    assert row["rubric_only"] == pytest.approx(100 * sum(cell["rubric_only"] for cell in cells) / 21)


def test_replies_that_are_no_verdicts_are_named(evidence: Path, tmp_path: Path) -> None:
    """A judge that says nothing usable is asked again; nothing is guessed."""
    (tmp_path / "r.jsonl").write_text('{"cell_id": "c001", "reply": "Excellent!"}\n', encoding="utf-8")
    with pytest.raises(DataError, match=r"r\.jsonl: line 1: the reply is no verdict"):
        run("import", "evidence-visible", evidence, tmp_path / "r.jsonl")
    with pytest.raises(DataError, match="total '300' is no number from 0 to 100; mend the row or remove it"):
        run("import", "evidence-visible", evidence, fill(tmp_path / "t.csv", [{"cell_id": "c001", "total": "300"}]))
    with pytest.raises(DataError, match="has no such cell"):
        run("import", "evidence-visible", evidence, fill(tmp_path / "u.csv", [{"cell_id": "c900", "total": "3"}]))


def config(path: Path, url: str, name: str = "reed-judge") -> Path:
    """A configuration whose one judge is the offline one."""
    judge = {"name": name, "base_url": url, "model": "lexical-judge", "concurrency": 2}
    path.write_text(json.dumps({"base_url": url, "model": "lexical-reader", "judges": [judge]}), encoding="utf-8")
    return path


def test_the_judge_is_asked_and_what_it_said_is_kept(evidence: Path, tmp_path: Path) -> None:
    """Every answer is graded with the evidence by a real endpoint; asking again asks nothing."""
    with loopback() as url:
        text = run("import", "evidence-visible", evidence, "--config", config(tmp_path / "config.json", url))
    row = table("evidence-visible", evidence)["all"]

    assert "21 of 21 answers are judged with the evidence." in text
    assert row["n"] == 21
    assert 0 <= row["evidence_visible"] <= 100
    nobody = config(tmp_path / "nobody.json", "http://127.0.0.1:9/v1")
    assert "21 of 21" in run("import", "evidence-visible", evidence, "--config", nobody)


def test_unusable_replies_are_asked_again_by_the_next_run(evidence: Path, tmp_path: Path) -> None:
    """A judge that talks nonsense leaves the study incomplete (exit 2), with the reason; the next run completes it."""
    with loopback(OfflineOptions(faults=FaultRates(malformed=1.0))) as url:
        text = run("import", "evidence-visible", evidence, "--config", config(tmp_path / "a.json", url), status=2)
    assert "0 of 21 answers are judged with the evidence." in text
    assert "  c001: " in text
    assert text.endswith("  and 16 more.\n")
    assert 5 == text.count("\n  c0")
    assert table("evidence-visible", evidence)["all"]["n"] == 0

    with loopback() as url:
        text = run("import", "evidence-visible", evidence, "--config", config(tmp_path / "b.json", url))
    assert "21 of 21" in text


def test_an_endpoint_that_accepts_no_request_is_no_reason_to_run_again(evidence: Path, tmp_path: Path) -> None:
    """Every request meets the same 400: 78 and what to change, also where some answers were judged before.

    Where one request is understood, or fails in passing, it is 2 as ever.
    """
    refused = raw({"error": {"message": "I grade the plain prompt and nothing else."}}, 400)
    with serving([refused]) as endpoint:
        text = run(
            "import", "evidence-visible", evidence, "--config", config(tmp_path / "a.json", endpoint.url), status=78
        )
    assert 21 == len(endpoint.asked)
    assert "  c001: HTTP 400: I grade the plain prompt and nothing else.\n" in text
    assert text.endswith("accepts none of these requests; name a language model in the config.\n")

    def grudging(asked: Asked) -> Answer:
        return whole('{"points_awarded": [], "total": 50}') if asked.place == 3 else refused

    with serving(grudging) as endpoint:
        settings = config(tmp_path / "b.json", endpoint.url)
        assert "1 of 21" in run("import", "evidence-visible", evidence, "--config", settings, status=2)
    with serving([refused]) as endpoint:
        settings = config(tmp_path / "c.json", endpoint.url)
        assert "1 of 21" in run("import", "evidence-visible", evidence, "--config", settings, status=78)


def test_what_the_ledger_holds_is_not_asked_again(evidence: Path, tmp_path: Path) -> None:
    """Judgements that were paid for survive the loss of the file that lists them: only the ledger is read."""
    log = tmp_path / "requests.jsonl"
    with loopback(OfflineOptions(log=log)) as url:
        settings = config(tmp_path / "config.json", url)
        run("import", "evidence-visible", evidence, "--config", settings)
        expected = table("evidence-visible", evidence)["all"]
        asked = len(log.read_text(encoding="utf-8").splitlines())
        (evidence / "judgements.csv").unlink()
        run("import", "evidence-visible", evidence, "--config", settings)

    assert expected == table("evidence-visible", evidence)["all"]
    assert asked == len(log.read_text(encoding="utf-8").splitlines()) == 21


def test_answers_of_one_prompt_are_judged_once(evidence: Path, tmp_path: Path) -> None:
    """They share the reply (rule 28)."""
    path, log = evidence / STUDY_FILE, tmp_path / "requests.jsonl"
    study = json.loads(path.read_bytes())
    alike = ("points", "prompt", "answer", "truncated")
    study["cells"][1] |= {name: study["cells"][0][name] for name in alike}
    path.write_text(json.dumps(study), encoding="utf-8")

    with loopback(OfflineOptions(log=log)) as url:
        text = run("import", "evidence-visible", evidence, "--config", config(tmp_path / "config.json", url))

    assert "21 of 21 answers are judged with the evidence." in text
    assert 20 == len(log.read_text(encoding="utf-8").splitlines())


def test_rows_that_are_no_judgements_are_named(evidence: Path, tmp_path: Path) -> None:
    """A line without a cell, a total that is no number, a cell that stands twice."""
    (tmp_path / "bad.jsonl").write_text('{"cell": 1}\n', encoding="utf-8")
    with pytest.raises(DataError, match=r"bad\.jsonl: line 1 is no object with cell_id and reply"):
        run("import", "evidence-visible", evidence, tmp_path / "bad.jsonl")
    with pytest.raises(DataError, match="total 'much' is no number"):
        run("import", "evidence-visible", evidence, fill(tmp_path / "t.csv", [{"cell_id": "c001", "total": "much"}]))
    twice = [{"cell_id": "c001", "total": "5"}] * 2
    with pytest.raises(DataError, match="repeats the cell c001"):
        run("import", "evidence-visible", evidence, fill(tmp_path / "u.csv", twice))


def test_another_judge_than_the_studys_is_refused(evidence: Path, tmp_path: Path) -> None:
    """The two conditions compare one judge with itself."""
    with pytest.raises(ConfigError, match="the study's judge is 'reed-judge', the configuration's judges are other"):
        run(
            "import",
            "evidence-visible",
            evidence,
            "--config",
            config(tmp_path / "c.json", "http://127.0.0.1:9/v1", "other"),
        )
    with pytest.raises(UsageError, match="--config asks the judge"):
        run("import", "expert", evidence, "--config", config(tmp_path / "d.json", "http://127.0.0.1:9/v1"))


def test_the_judge_of_a_study_must_be_named(tmp_path: Path, runs: list[str]) -> None:
    """With three judges in the panel the study needs to know which."""
    with pytest.raises(UsageError, match="name one of the judges"):
        run("sample", "evidence-visible", *runs, "--out", tmp_path / "s")


def test_studies_of_answers_need_a_release(tmp_path: Path) -> None:
    """A matrix shows neither answers nor rubrics."""
    (tmp_path / "t.csv").write_text("question_id\nq\n", encoding="utf-8")

    for study in ("expert", "evidence-visible", "relabel"):
        with pytest.raises(UsageError):
            run("sample", study, "--data", tmp_path / "t.csv", "--scores", "s.json", "--out", tmp_path / "s")


def spoil(path: Path, **change: str) -> None:
    """Change the second row of a stored file, as an editor could."""
    rows = list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))
    rows[1] |= change
    fill(path, rows)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"points": "abc"}, "points 'abc' is no number from 0 to"),
        ({"points": "1000"}, "points '1000' is no number from 0 to"),
        ({"cell_id": "c999"}, "has no such cell"),
        ({"criterion_id": "Z"}, "has no such criterion"),
        ({"annotator": ""}, "names no annotator"),
        ({"cell_id": "c001", "criterion_id": "P1"}, "repeats an earlier row of 'A'"),
    ],
)
def test_stored_points_are_checked_as_sheets_are(
    expert: Path, tmp_path: Path, change: dict[str, str], words: str
) -> None:
    """What import would refuse is not computed: file, row and remedy are named."""
    rows = [row for row in scored(expert, "A", 0.5) if row["cell_id"] == "c001"]
    run("import", "expert", expert, fill(tmp_path / "a.csv", rows))
    first = {name: rows[0][name] for name in ("cell_id", "criterion_id")}
    spoil(expert / "points.csv", **{**change, **(first if "repeats" in words else {})})

    with pytest.raises(DataError, match=r"points\.csv: row 2") as caught:
        run("compute", "expert", expert)

    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"score": "abc"}, "score 'abc' is no number from 0 to 1; mend the row or remove it"),
        ({"score": "55"}, "score '55' is no number from 0 to 1; mend the row or remove it"),
        ({"score": "nan"}, "score 'nan' is no number from 0 to 1"),
        ({"cell_id": "c999"}, "has no such cell"),
        ({"cell_id": "c001"}, "repeats the cell c001"),
    ],
)
def test_stored_judgements_are_checked_as_replies_are(
    evidence: Path, tmp_path: Path, change: dict[str, str], words: str
) -> None:
    """A credit of 55 is no credit: neither compute nor a further import takes it."""
    totals = fill(tmp_path / "t.csv", [{"cell_id": f"c00{at}", "total": "25"} for at in (1, 2, 3)])
    run("import", "evidence-visible", evidence, totals)
    spoil(evidence / "judgements.csv", **change)

    for arguments in (("compute", "evidence-visible", evidence), ("import", "evidence-visible", evidence, totals)):
        with pytest.raises(DataError, match=r"judgements\.csv: row 2") as caught:
            run(*arguments)
        assert words in str(caught.value)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"primary": "banana"}, "'banana' is no geometry; use one of forward"),
        ({"secondary": "banana"}, "'banana' is no geometry; use one of forward"),
        ({"question_id": "r999"}, "has no such item"),
        ({"question_id": "r001"}, "repeats an earlier row of 'A'"),
        ({"annotator": ""}, "names no annotator"),
    ],
)
def test_stored_labels_are_checked_as_sheets_are(
    relabel: Path, tmp_path: Path, change: dict[str, str], words: str
) -> None:
    """A label outside the seven is not counted."""
    names = [f"r00{at}" for at in (1, 2, 3)]
    rows = [{"question_id": name, "annotator": "A", "primary": "causal", "secondary": ""} for name in names]
    run("import", "relabel", relabel, fill(tmp_path / "a.csv", rows))
    spoil(relabel / "labels.csv", **change)

    with pytest.raises(DataError, match=r"labels\.csv: row 2") as caught:
        run("compute", "relabel", relabel)

    assert words in str(caught.value)


@pytest.mark.parametrize("label", ["spiral", "螺旋"])
def test_a_geometry_no_annotator_can_give_is_refused(tmp_path: Path, label: str) -> None:
    """Labels outside the seven could never agree: the draw names the label, the item and the seven."""
    items = (replace(ITEMS[0], geometry=label), *ITEMS[1:])

    with pytest.raises(DataError, match=r"data\.json: item made-0000: ") as caught:
        run("sample", "relabel", "--data", write_data(tmp_path / "data.json", items), "--out", tmp_path / "r")

    assert f"{label!r} is no geometry; use one of {', '.join(GEOMETRY_NAMES)}" in str(caught.value)
    assert not (tmp_path / "r").exists()


def test_items_without_any_geometry_cannot_be_relabelled(tmp_path: Path) -> None:
    """There is nothing to compare labels with; an item without one beside others is passed over."""
    bare = write_data(tmp_path / "bare.json", tuple(replace(item, geometry="") for item in ITEMS))
    with pytest.raises(DataError, match=r"bare\.json: no item has a geometry"):
        run("sample", "relabel", "--data", bare, "--out", tmp_path / "r")

    some = write_data(tmp_path / "some.json", (replace(ITEMS[0], geometry=""), *ITEMS[1:]))
    run("sample", "relabel", "--data", some, "--size", 2, "--out", tmp_path / "s")
    assert "made-0000" not in {entry["question_id"] for entry in key(tmp_path / "s")["items"]}


@pytest.mark.parametrize("study", ["expert", "evidence-visible", "relabel"])
def test_the_largest_size_that_works_is_named(tmp_path: Path, runs: list[str], study: str) -> None:
    """The size in the sentence can be drawn, and the next one cannot."""
    arguments = ["sample", study, *(runs[:2] if study == "relabel" else [*runs, "--judge", "reed-judge"])]
    with pytest.raises(DataError, match="choose --size") as caught:
        run(*arguments, "--size", 5000, "--out", tmp_path / "a")
    largest = int(str(caught.value).split("choose --size ")[1].split(",")[0])

    run(*arguments, "--size", largest, "--out", tmp_path / "b")
    with pytest.raises(DataError, match=f"choose --size {largest}, the largest that works, or add "):
        run(*arguments, "--size", largest + 1, "--out", tmp_path / "c")


def test_a_draw_of_any_size_may_be_impossible() -> None:
    """Where no smaller size works either, only the other advice is given."""

    def none(size: int) -> list[str]:
        raise DataError(f"{size} cannot be drawn; choose a smaller --size, or add scores files")

    with pytest.raises(DataError, match=r"^3 cannot be drawn; add scores files, as no smaller --size works$"):
        draw(3, 9, none, "add scores files")
