"""The demonstration, as `make demo` runs it."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from wildtrace.cli.demo import command
from wildtrace.cli.demo_run import CONTESTANTS, demo_files, held
from wildtrace.errors import BusyError


def test_the_demonstration_scores_every_contestant_and_shows_both_tables(tmp_path: Path) -> None:
    """Three contestants, 21 tasks each, ranked by what they read; the page says that it is a rehearsal."""
    done = CliRunner().invoke(command, ["--out", str(tmp_path)])

    assert 0 == done.exit_code, done.output
    scores = {name: json.loads(demo_files(tmp_path, name).scores.read_bytes()) for name in CONTESTANTS}
    assert [21, 21, 21] == [file["n_tasks"] for file in scores.values()]
    overall = [file["overall"] for file in scores.values()]
    assert sorted(overall, reverse=True) == overall
    assert 0.0 == overall[-1]
    for words in ("OFFLINE", "Leaderboard", "Score by evidence geometry", *CONTESTANTS):
        assert words in done.output


def test_a_second_demonstration_replaces_the_first(tmp_path: Path) -> None:
    """Each has an endpoint of its own, and still the same command works twice into one folder."""
    first = CliRunner().invoke(command, ["--out", str(tmp_path)])
    second = CliRunner().invoke(command, ["--out", str(tmp_path)])

    assert (0, 0) == (first.exit_code, second.exit_code), second.output
    assert [line for line in first.stdout.splitlines() if "│" in line] == [
        line for line in second.stdout.splitlines() if "│" in line
    ]


def test_two_demonstrations_at_once_do_not_share_a_folder(tmp_path: Path) -> None:
    """The second is told that the folder is in use (75), and leaves it as it is; afterwards it is free."""
    (tmp_path / "lexical-reader.scores.json").write_text("kept")
    with held(tmp_path):
        refused = CliRunner().invoke(command, ["--out", str(tmp_path)])
        assert isinstance(refused.exception, BusyError)
        assert 75 == refused.exception.exit_status
        assert "demo.lock is in use by another process" in str(refused.exception)
    assert ["lexical-reader.scores.json"] == [path.name for path in tmp_path.iterdir()]
    with held(tmp_path):
        pass


def test_demo_scores_never_share_a_table_with_language_models(tmp_path: Path) -> None:
    """Every scores file of the demonstration is marked offline, the contestant and the judge."""
    CliRunner().invoke(command, ["--out", str(tmp_path)])

    for name in CONTESTANTS:
        offline = json.loads(demo_files(tmp_path, name).scores.read_bytes())["provenance"]["offline"]
        assert {"contestant": True, "judges": ["lexical-judge"]} == offline
