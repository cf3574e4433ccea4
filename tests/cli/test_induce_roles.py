"""`wildtrace induce --config` as a user meets it: what is printed, what is left, with which status."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tests.construct.story import chinese_story, english_story
from tests.endpoint import Answer, Asked, Loopback, raw, serving, whole
from wildtrace.cli.induce import _lines
from wildtrace.cli.main import main
from wildtrace.construct.run import InduceOutcome
from wildtrace.construct.workspace import open_workspace
from wildtrace.errors import ConfigError

QUOTE = "Mrs. Dean burnt the letter"
USAGE = {"prompt_tokens": 1000, "completion_tokens": 50}


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A workspace with an English and a Chinese source."""
    (tmp_path / "mill.txt").write_text(english_story(8), encoding="utf-8")
    (tmp_path / "书信.txt").write_text(chinese_story(12), encoding="utf-8")
    files = [str(tmp_path / name) for name in ("mill.txt", "书信.txt")]
    done = CliRunner().invoke(main, ["ingest", *files, "--workspace", str(tmp_path / "workspace")])
    assert 0 == done.exit_code
    return tmp_path / "workspace"


def answer(asked: Asked) -> Answer:
    """One record, no edges, no doubt; with usage."""
    role = asked.prompt.partition("\n")[0].removeprefix("ROLE: ")
    said: dict[str, Any] = {"supported": None, "quote": None}
    if role == "extractor":
        near = "Mrs. Dean burnt that letter because she wanted Jack Tanner to go to sea."
        said = {
            "records": [{"kind": "event", "quote": quote, "fields": {}} for quote in (QUOTE, "The moon fell.", near)]
        }
    elif role == "linker":
        said = {"edges": []}
    return whole(json.dumps(said), usage=USAGE)


def induce(workspace: Path, servers: list[Loopback], *words: str, **settings: Any) -> Result:
    """Induce with all three roles at these servers."""
    shared = {"backoff_s": 0.0, "stream": False, "prices": {"in": 10.0, "out": 20.0}, **settings}
    endpoints = [{"base_url": server.url, "model": f"m{place}", **shared} for place, server in enumerate(servers)]
    roles = dict.fromkeys(("extractor", "linker", "verifier"), endpoints)
    table = {"base_url": servers[0].url, "model": "x", "roles": roles}
    config = workspace.parent / "config.json"
    config.write_text(json.dumps(table), encoding="utf-8")
    arguments = ["induce", "--workspace", str(workspace), "--config", str(config), "--workers", "1", *words]
    return CliRunner().invoke(main, arguments, standalone_mode=False)


def test_a_run_says_what_it_took_what_it_refused_and_what_it_cost(workspace: Path) -> None:
    """By role and source, then each endpoint's replies, tokens and price."""
    with serving(answer) as server:
        done = induce(workspace, [server])
        asked = len(server.asked)
    assert not done.return_value
    assert "extractor on mill: 1\n" in done.stderr
    assert "extractor: records taken 1, refused 1 (more than a few words differ: 1), for review 1\n" in done.stderr
    assert "linker: edges proposed 0, refused 0\n" in done.stderr
    assert "could be used" not in done.stderr
    assert "extractor (m0): 2 replies, 2,000 tokens in, 100 out, cost 0.02\n" in done.stderr
    counts = [line.split() for line in done.stderr.splitlines() if " replies, " in line or " reply, " in line]
    assert asked == sum(int(words[2]) for words in counts)
    (review,) = (workspace / "induce.review").iterdir()
    assert str(review) in done.stderr
    (row,) = [json.loads(line) for line in review.read_text(encoding="utf-8").splitlines()]
    assert "Mrs. Dean burnt the letter because she wanted Jack Tanner to go to sea." == " ".join(row["text"].split())
    assert ["that"] == [change["quote"] for change in row["changes"]]
    again = induce(workspace, [server])
    assert again.stdout.count("unchanged") == 2
    assert [line for line in done.stdout.splitlines() if line.startswith("  ")] == [
        line for line in again.stdout.splitlines() if line.startswith("  ")
    ]
    assert "nothing for " in again.stdout
    assert "replies" not in again.stderr


def test_a_role_that_never_gives_a_whole_reply_is_told_of_with_one_of_them(workspace: Path) -> None:
    """Asked three times a call; the run ends, and what it cost for nothing is seen. No control sequence passes."""

    def script(asked: Asked) -> Answer:
        return whole("\x1b[31mI cannot do that.") if "ROLE: extractor" in asked.prompt else answer(asked)

    with serving(script) as server:
        done = induce(workspace, [server])
    assert not done.return_value
    lost = "; 1 of 1 call got no whole reply, for instance '\\x1b[31mI cannot do that.'"
    assert f"extractor: records taken 0, refused 0, for review 0{lost}\n" in done.stderr
    assert "linker: edges proposed 0, refused 0\n" in done.stderr
    end = "wildtrace: no reply of the extractor could be used (2 calls): all records are the rules'"
    assert end == done.stderr.splitlines()[-1]
    assert 1 == done.stderr.count("could be used")


@pytest.mark.parametrize("role", ["extractor", "linker", "verifier"])
def test_a_role_of_no_use_is_named_at_the_end(workspace: Path, role: str) -> None:
    """Where nothing that it said was taken, also in the asked form; with status 0, since the rules' graph stands."""
    quote = {"quote": "The moon fell into the mill and was gone."}
    said: dict[str, Any] = {
        "extractor": {"records": [{"kind": "event", **quote, "fields": {}}]},
        "linker": {"edges": [{"from": "r1", "to": "r2", "type": "causes", **quote}]},
        "verifier": {"verdict": "certainly"},
    }

    def script(asked: Asked) -> Answer:
        return whole(json.dumps(said[role])) if f"ROLE: {role}" in asked.prompt else answer(asked)

    with serving(script) as server:
        done = induce(workspace, [server])
    assert not done.return_value
    assert done.stderr.splitlines()[-1].startswith(f"wildtrace: no reply of the {role} could be used (")
    assert 1 == done.stderr.count("could be used")


def test_one_source_that_lacks_answers_does_not_hold_up_the_other(workspace: Path) -> None:
    """Status 2; it is named with the reason, and a second run finishes it."""
    down = True

    def script(asked: Asked) -> Answer:
        return (
            raw({"error": {"message": "overloaded"}}, 503) if down and "Harrow Mill" in asked.prompt else answer(asked)
        )

    with serving(script) as server:
        done = induce(workspace, [server])
        assert 2 == done.return_value
        assert (
            "mill: 1 of 1 calls of the extractor were not answered (HTTP 503: overloaded); run the same" in done.stderr
        )
        assert "书信: " in done.stdout
        down = False
        again = induce(workspace, [server])
    assert not again.return_value
    assert "mill: " in again.stdout
    assert "书信: unchanged" in again.stdout


def test_a_dry_run_says_calls_tokens_and_cost_of_every_role(workspace: Path) -> None:
    """And asks nothing; with several models the dearest one's price."""
    with serving(answer) as one, serving(answer) as other:
        done = induce(workspace, [one, other], "--dry-run")
        assert 0 == len(one.asked) + len(other.asked)
    extractor, linker, verifier = done.stdout.splitlines()
    assert extractor.startswith("extractor (m0, m1): 2 calls, about ")
    assert " tokens in and 8,000 out, cost at most about 0." in extractor
    assert linker.startswith("linker (m0, m1): ")
    assert "verifier (m0, m1): up to " in verifier
    assert verifier.endswith("; more where it rejects edges, for what trails then use instead")


def test_an_ended_endpoint_is_told_of_while_the_run_goes_on(workspace: Path) -> None:
    """Once, with what to change; where it was the only one the run stops with 78."""
    with serving([raw({"error": {"message": "no such key"}}, 401)]) as ended, serving(answer) as good:
        done = induce(workspace, [ended, good])
        assert not done.return_value
        assert 1 == done.stderr.count("extractor (m0) is asked no more: HTTP 401: no such key; check the key")
        (workspace / "induce.ledger").unlink()
        alone = induce(workspace, [ended], "--dry-run")
        assert not alone.return_value
        failed = induce(workspace, [ended])
    assert isinstance(failed.exception, ConfigError)
    assert "extractor (m0) cannot be asked: HTTP 401" in str(failed.exception)


def test_what_there_was_no_room_for_is_said(workspace: Path) -> None:
    """Under the counts of its source; nothing is said where nothing was left out."""
    with open_workspace(workspace) as opened:
        source = opened.sources()[0]
    said = list(_lines(InduceOutcome(source, "induced", 9, 8, 7, left_out=1200)))
    assert "  left out of what the extractor found, for lack of room: 1,200 records" == said[1]
    assert 1 == len(list(_lines(InduceOutcome(source, "induced", 9, 8, 7))))
