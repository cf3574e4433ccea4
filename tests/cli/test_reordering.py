"""Another order of tasks, rows or files changes no bit of what report and compare write and print."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.diagnose.made import made_items, made_scores
from tests.scores.score_files import write_data, write_run
from wildtrace.cli.main import main
from wildtrace.scores.matrix import read_matrix, write_matrix

ITEMS = made_items()[::4]
SCORES = made_scores(ITEMS, models=("amber-1", "birch-1", "elm-3"))
FIXED = ("--resamples", "300", "--no-figures")


def shuffled(folder: Path, target: Path, seed: int) -> Path:
    """The files of `folder`, tasks and rows in another order."""
    rng = random.Random(seed)
    target.mkdir()
    for path in sorted(folder.glob("*.json")):
        file = json.loads(path.read_bytes())
        rows = file if isinstance(file, list) else file.get("scores") or file.get("responses")
        rng.shuffle(rows)
        if isinstance(file, dict):
            file.pop("rows_digest", None)  # its rows stand in another order
        (target / path.name).write_text(json.dumps(file), encoding="utf-8")
    return target


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Data, scores and responses of three systems."""
    folder = tmp_path_factory.mktemp("runs")
    write_data(folder / "data.json", ITEMS)
    for model in SCORES.models:
        write_run(folder, SCORES, ITEMS, model)
    return folder


def run(*words: str | Path) -> str:
    """What a command prints."""
    done = CliRunner().invoke(main, list(map(str, words)), catch_exceptions=False, standalone_mode=False)
    if done.exception is not None:
        raise done.exception
    return done.output


def reported(folder: Path, out: Path, names: Iterator[str]) -> dict[str, bytes]:
    """Every file of a report and what was printed, by name."""
    wanted = [(kind, folder / f"{name}.{kind}.json") for name in names for kind in ("scores", "responses")]
    files = [part for kind, path in wanted for part in (f"--{kind}", path)]
    printed = run("report", "--data", folder / "data.json", *files, "--out", out, *FIXED)
    written = {str(path.relative_to(out)): path.read_bytes() for path in sorted(out.rglob("*")) if path.is_file()}
    return {**written, "printed": printed.replace(str(out), "").encode()}


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_report_is_the_same_to_the_last_bit(folder: Path, tmp_path: Path, seed: int) -> None:
    """All tables in all forms, the matrix, the tasks, the report itself, and what is printed."""
    plain = reported(folder, tmp_path / "plain", iter(SCORES.models))
    other = reported(shuffled(folder, tmp_path / "runs", seed), tmp_path / "other", reversed(SCORES.models))
    assert sorted(plain) == sorted(other)
    runs = {"report.html", "report.json"}  # they list the runs' files in the order in which they were named
    assert [] == [name for name in plain if name not in runs and plain[name] != other[name]]
    tables = [json.loads(files["report.json"])["tables"] for files in (plain, other)]
    assert tables[0] == tables[1]


@pytest.mark.parametrize("form", ["text", "json", "csv"])
@pytest.mark.parametrize("seed", [1, 2])
def test_a_comparison_is_the_same_to_the_last_bit(folder: Path, tmp_path: Path, form: str, seed: int) -> None:
    """Of two scores files, with slices."""
    said = [
        run(
            "compare",
            at / "amber-1.scores.json",
            at / "elm-3.scores.json",
            "--data",
            at / "data.json",
            "--format",
            form,
        )
        for at in (folder, shuffled(folder, tmp_path / "runs", seed))
    ]
    assert said[0] == said[1]


def test_a_matrix_in_another_order_is_compared_to_the_same_bit(folder: Path, tmp_path: Path) -> None:
    """Its rows, and those of the task table."""
    reported(folder, tmp_path / "out", iter(SCORES.models))
    said = []
    for seed in (0, 1):
        matrix = read_matrix(tmp_path / "out" / "matrix.csv")
        columns = (matrix.question_id, matrix.model, matrix.judge, matrix.score, matrix.status or [], matrix.reason)
        rows = list(zip(*columns, strict=True))
        random.Random(seed).shuffle(rows)
        write_matrix(tmp_path / f"{seed}.csv", rows)
        lines = (tmp_path / "out" / "tasks.csv").read_text(encoding="utf-8").splitlines()
        tasks = tmp_path / f"tasks{seed}.csv"
        tasks.write_text(
            "\n".join([lines[0], *random.Random(seed).sample(lines[1:], len(lines) - 1)]), encoding="utf-8"
        )
        words = ("amber-1", "elm-3", "--matrix", tmp_path / f"{seed}.csv", "--data", tasks, "--format", "json")
        said.append(run("compare", *words))
    assert said[0] == said[1]
