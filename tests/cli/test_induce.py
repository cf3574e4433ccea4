"""`wildtrace induce`, `export` and `trail` as a user runs them, with a scripted reader over real HTTP."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tests.construct.perfect import ROLES, PerfectReader, workspace_of
from tests.construct.small import TEXT, small_trails
from tests.endpoint import Loopback, serving
from wildtrace.cli.main import main
from wildtrace.errors import ConfigError, DataError, UsageError


def run(*words: str) -> Result:
    """Run the command in this process."""
    return CliRunner().invoke(main, list(words), standalone_mode=False)


def write_config(folder: Path, url: str, **more: Any) -> str:
    """A config whose four roles are one endpoint."""
    endpoint = {"base_url": url, "model": "scripted", "stream": False, "backoff_s": 0.01, **more}
    table = {"base_url": url, "model": "x", "roles": {role: [endpoint] for role in ROLES}}
    (folder / "config.json").write_text(json.dumps(table), encoding="utf-8")
    return str(folder / "config.json")


@pytest.fixture
def endpoint() -> Iterator[Loopback]:
    """A perfect reader of the short document."""
    with serving(PerfectReader(TEXT, small_trails())) as running:
        yield running


@pytest.fixture
def workspace(tmp_path: Path) -> str:
    """A workspace that holds the short document."""
    workspace_of(tmp_path / "W", {"veldt": TEXT})
    return str(tmp_path / "W")


def test_induce_trail_and_export(tmp_path: Path, workspace: str, endpoint: Loopback) -> None:
    """From a source to cards and rows; a second run asks nothing."""
    config = write_config(tmp_path, endpoint.url)
    done = run("induce", "--workspace", workspace, "--config", config)
    assert not done.return_value, done.output
    assert "7 accepted" in done.output
    assert "tokens an accepted trail" in done.output
    assert "proposer and critic are the same model" in done.output
    asked = len(endpoint.asked)
    assert "(unchanged)" in run("induce", "--workspace", workspace, "--config", config).output
    assert asked == len(endpoint.asked)

    listed = run("trail", "--workspace", workspace, "--status", "accepted", "--json").output.splitlines()
    rows = [json.loads(line) for line in listed]
    assert 7 == len(rows)
    card = run("trail", rows[0]["id"], "--workspace", workspace).output
    for clue in rows[0]["clues"]:
        assert f"[{clue['start']}:{clue['end']}]" in card
        assert TEXT[clue["start"] : clue["end"]] == clue["quote"]
    assert "(stated)" in card
    only = run("trail", "--workspace", workspace, "--geometry", "causal", "--top", "1", "--json").output.splitlines()
    assert ["causal"] == [json.loads(line)["geometry"] for line in only]
    fallen = run("trail", "--workspace", workspace, "--status", "rejected", "--json").output.splitlines()
    explained = run("trail", "explain", json.loads(fallen[-1])["id"], "--workspace", workspace).output
    assert "is rejected: " in explained
    assert "propose by proposer:scripted" in explained

    for what, least in {"facts": 20, "map": 1, "trails": 7, "records": 20, "edges": 14}.items():
        out = tmp_path / f"{what}.jsonl"
        assert 0 == run("export", "--workspace", workspace, "--what", what, "--out", str(out)).exit_code
        assert least <= len(out.read_text(encoding="utf-8").splitlines())


def test_a_dry_run_asks_nothing_and_says_what_each_stage_costs(
    tmp_path: Path, workspace: str, endpoint: Loopback
) -> None:
    """By stage, with the price where it is known."""
    config = write_config(tmp_path, endpoint.url, prices={"in": 3, "out": 15})
    done = run("induce", "--workspace", workspace, "--config", config, "--dry-run")
    assert not done.return_value, done.output
    for stage in ("read (reader", "propose (proposer", "verify (verifier", "critic (critic"):
        assert stage in done.output
    assert "cost about" in done.output
    assert [] == endpoint.asked


def test_a_budget_stops_in_order_and_the_next_run_goes_on(tmp_path: Path, workspace: str, endpoint: Loopback) -> None:
    """Status 2, nothing lost, nothing asked twice."""
    config = write_config(tmp_path, endpoint.url, prices={"in": 1000, "out": 1000}, concurrency=1)
    stopped = run("induce", "--workspace", workspace, "--config", config, "--budget", "2")
    assert 2 == stopped.return_value, stopped.output
    assert "the budget of 2.00 is spent" in stopped.output
    assert 0 < len(endpoint.asked) < 60
    assert 0 == run("induce", "--workspace", workspace, "--config", config).return_value
    prompts = [asked.prompt for asked in endpoint.asked]
    assert len(prompts) == len(set(prompts))


def test_what_the_command_line_or_the_config_does_not_say(tmp_path: Path, workspace: str) -> None:
    """Each is one sentence with its status."""
    assert isinstance(run("induce", "--workspace", workspace).exception, UsageError)
    config = tmp_path / "config.json"
    config.write_text(json.dumps({"base_url": "http://127.0.0.1:9/v1", "model": "x"}), encoding="utf-8")
    missing = run("induce", "--workspace", workspace, "--config", str(config)).exception
    assert isinstance(missing, ConfigError)
    assert "no reader" in str(missing)
    assert isinstance(run("trail", "--workspace", workspace).exception, DataError)


def test_a_rehearsal_by_rules_says_what_it_cannot_do(workspace: str) -> None:
    """It ends well, says that it is none of the real thing, and accepts nothing."""
    done = run("induce", "--workspace", workspace, "--offline")
    assert not done.return_value, done.output
    assert "a rehearsal by rules" in done.output
    assert "accepted" not in done.output
