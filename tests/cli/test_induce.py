"""`wildtrace induce`, `export` and `trail` as a user runs them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.construct.story import english_story
from wildtrace.cli.main import main
from wildtrace.errors import ConfigError, DataError, UsageError


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A workspace with one ingested source."""
    (tmp_path / "mill.txt").write_text(english_story(40), encoding="utf-8")
    done = run("ingest", str(tmp_path / "mill.txt"), "--workspace", str(tmp_path / "workspace"))
    assert 0 == done.exit_code
    return tmp_path / "workspace"


def run(*words: str) -> Result:
    """Run the command in this process."""
    return CliRunner().invoke(main, list(words))


def test_a_workspace_without_sources_is_told_to_ingest_first(tmp_path: Path) -> None:
    """Not to induce, which would say so in turn: list and card alike."""
    (tmp_path / "empty.txt").write_text("", encoding="utf-8")
    at = ("--workspace", str(tmp_path / "w"))
    run("ingest", str(tmp_path / "empty.txt"), *at)
    for words in (("trail", *at), ("trail", "t1", *at)):
        assert str(run(*words).exception).endswith("w has no sources; bring some in with `wildtrace ingest`")


def test_induce_export_and_trail(workspace: Path) -> None:
    """The three commands in a row, from a source to a card."""
    done = run("induce", "--workspace", str(workspace), "--offline", "--workers", "1")
    assert 0 == done.exit_code
    assert re.search(r"^  \w+: \d+ trails? kept of [\d,]+ found$", done.output, re.MULTILINE)
    assert "forward:" in done.output
    reasons = [line.partition(": ")[2] for line in done.output.splitlines() if line.startswith("  nothing for ")]
    assert len(set(reasons)) == len(reasons)
    assert "windows of" not in done.output.splitlines()[-1]
    out = workspace / "trails.jsonl"
    assert 0 == run("export", "--workspace", str(workspace), "--what", "trails", "--out", str(out)).exit_code
    trail = json.loads(out.read_text(encoding="utf-8").split("\n")[0])
    card = run("trail", trail["id"], "--workspace", str(workspace))
    assert 0 == card.exit_code
    assert card.output.startswith(f"{trail['geometry'].capitalize()} trail {trail['id']}, score ")
    for clue in trail["clues"]:
        assert f"[{clue['start']}:{clue['end']}]" in card.output
    assert "  dispersion  spread " in card.output
    edges = card.output.partition("\nEdges\n")[2].splitlines()
    assert len(trail["edges"]) == sum(line.startswith("  C") and " -> C" in line for line in edges)
    listed = run("trail", "--workspace", str(workspace))
    assert f"  {trail['id']}  {trail['geometry']}" in listed.output
    assert ["id", "geometry", "score", "at", "%", "of", "the", "text", "about"] == listed.output.splitlines()[0].split()


def test_an_induction_that_found_nothing_is_no_failure(tmp_path: Path) -> None:
    """Before induction the advice is a command that works; after it, no trails are a finding with status 0."""
    (tmp_path / "note.txt").write_text("Nothing happened here. It was quiet.\n", encoding="utf-8")
    at = ("--workspace", str(tmp_path / "w"))
    assert 0 == run("ingest", str(tmp_path / "note.txt"), *at).exit_code
    what = ("export", *at, "--what", "trails", "--out", str(tmp_path / "t.jsonl"))
    for words in (("trail", *at), what):
        said = str(run(*words).exception)
        assert f"; run `wildtrace induce --workspace {tmp_path / 'w'} --offline` (or --config)" in said
    assert 0 == run("induce", *at, "--offline").exit_code
    listed, exported = run("trail", *at), run(*what)
    assert (0, 0) == (listed.exit_code, exported.exit_code)
    assert listed.output.endswith("): 0 trails: induce found none; its output says why\n")
    assert f"0 trails in {tmp_path / 't.jsonl'}: induce found none; its output says why\n" == exported.output
    assert str(run("trail", "t1", *at).exception).endswith("has no trails: induce found none; its output says why")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "say --offline for rules alone, or name a --config with roles"),
        (("--offline", "--config", "config.json"), "give --offline or --config, not both"),
    ],
)
def test_rules_or_models_must_be_chosen(workspace: Path, words: tuple[str, ...], said: str) -> None:
    """Neither and both are usage errors."""
    failure = run("induce", "--workspace", str(workspace), *words).exception
    assert isinstance(failure, UsageError)
    assert said == str(failure)


def test_a_dry_run_offline_costs_nothing(workspace: Path) -> None:
    """Rules alone ask nobody, and nothing is induced."""
    done = run("induce", "--workspace", str(workspace), "--offline", "--dry-run")
    assert "0 calls, 0 tokens, no cost" in done.output
    failed = run("export", "--workspace", str(workspace), "--what", "trails", "--out", str(workspace / "t.jsonl"))
    assert isinstance(failed.exception, DataError)


def test_a_dry_run_with_roles_counts_calls(workspace: Path, tmp_path: Path) -> None:
    """A line a role, without any request."""
    endpoint = {"base_url": "http://127.0.0.1:9/v1", "model": "m", "prices": {"in": 1, "out": 1}}
    config = {"base_url": "http://127.0.0.1:9/v1", "model": "x", "roles": {"extractor": [endpoint]}}
    (tmp_path / "config.json").write_text(json.dumps(config), encoding="utf-8")
    words = ("--config", str(tmp_path / "config.json"), "--dry-run")
    done = run("induce", "--workspace", str(workspace), *words)
    assert 0 == done.exit_code
    assert "extractor (m):" in done.output
    assert "cost" in done.output


def test_a_config_without_roles_is_refused(workspace: Path, tmp_path: Path) -> None:
    """One sentence that names the file and the roles."""
    (tmp_path / "mine.json").write_text('{"base_url": "http://127.0.0.1:9/v1", "model": "x"}', encoding="utf-8")
    failed = run("induce", "--workspace", str(workspace), "--config", str(tmp_path / "mine.json"))
    assert isinstance(failed.exception, ConfigError)
    assert str(failed.exception).startswith(f"{tmp_path / 'mine.json'} names no roles for this; add ")


def test_a_changed_source_fails_with_its_reason(workspace: Path) -> None:
    """Status 65 and the file's name at the end."""
    (workspace.parent / "mill.txt").write_text("Another text.\n", encoding="utf-8")
    words = ["induce", "--workspace", str(workspace), "--offline", "--workers", "1"]
    done = CliRunner().invoke(main, words, standalone_mode=False)
    assert "--replace" in done.output
    assert DataError.exit_status == done.return_value


def test_a_source_whose_file_is_gone_stops_only_itself(workspace: Path, tmp_path: Path) -> None:
    """It is named at the end, with 65; the others are induced."""
    (tmp_path / "more.txt").write_text(english_story(30), encoding="utf-8")
    assert 0 == run("ingest", str(tmp_path / "more.txt"), "--workspace", str(workspace)).exit_code
    (tmp_path / "mill.txt").unlink()
    done = CliRunner().invoke(
        main, ["induce", "--workspace", str(workspace), "--offline", "--workers", "1"], standalone_mode=False
    )
    assert 65 == done.return_value
    assert "more: " in done.output
    assert f"{tmp_path.resolve() / 'mill.txt'} is gone since it was ingested; put it back and run again" in done.output


def test_what_an_export_leaves_out_is_said_with_65(
    workspace: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The rest is written; with --source for what is there the status is 0."""
    (tmp_path / "late.txt").write_text(english_story(4), encoding="utf-8")
    at = ["--workspace", str(workspace)]
    assert 0 == run("induce", *at, "--offline").exit_code
    assert 0 == run("ingest", str(tmp_path / "late.txt"), *at).exit_code
    what = ["export", *at, "--what", "trails", "--out", str(tmp_path / "t.jsonl")]
    assert 65 == main(what, standalone_mode=False)
    told = capsys.readouterr()
    rows = (tmp_path / "t.jsonl").read_text(encoding="utf-8").splitlines()
    assert f"{len(rows)} trails in " in told.out
    assert rows
    assert "wildtrace: left out " in told.err
    assert ": late has no evidence yet; run `wildtrace induce" in told.err
    assert 0 == main([*what, "--source", json.loads(rows[0])["source"]], standalone_mode=False)
