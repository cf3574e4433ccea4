"""What a dry run says would be asked, beside what is then really asked: within the bounds of docs/roles.md."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.construct.story import chinese_story, english_story
from tests.construct.test_role_replies import reply, role_of
from tests.endpoint import Answer, Asked, raw, serving, whole
from wildtrace.construct.asking import RolesJob
from wildtrace.construct.ingest.run import IngestOptions, ingest_files
from wildtrace.construct.plan import PlannedCalls, planned_calls
from wildtrace.construct.run import InduceOptions, induce_sources
from wildtrace.construct.workspace import open_workspace
from wildtrace.endpoints.config import parse_config

PRICES = {"in": 2.0, "out": 8.0}


def usage_of(asked: Asked) -> dict[str, int]:
    """Tokens as a rough tokeniser of its own counts them: words of up to six letters, digits, marks, ideographs."""
    pieces = re.findall(r"[A-Za-z]{1,6}|\d{1,3}|[^\sA-Za-z\d]", asked.prompt)
    return {"prompt_tokens": len(pieces), "completion_tokens": 100}


def workspace_of(folder: Path, text: str) -> Path:
    """A workspace with one source."""
    folder.mkdir(exist_ok=True)
    (folder / "story.txt").write_text(text, encoding="utf-8")
    list(ingest_files([folder / "story.txt"], folder / "workspace", IngestOptions("english_literature")))
    return folder / "workspace"


def job_of(workspace: Path, url: str, *roles: str, **settings: Any) -> RolesJob:
    """These roles at one endpoint."""
    endpoint = {"base_url": url, "model": "m", "backoff_s": 0.0, "stream": False, "prices": PRICES, **settings}
    table = {"base_url": url, "model": "x", "roles": {role: [endpoint] for role in roles}}
    return RolesJob.of(parse_config(table, "config.json"), workspace)


def answer(asked: Asked) -> Answer:
    """Good replies with usage."""
    return whole(reply(asked), usage=usage_of(asked))


def by_role(plan: list[PlannedCalls]) -> dict[str, PlannedCalls]:
    """The plan by role."""
    return {entry.role: entry for entry in plan}


@pytest.mark.parametrize("text", [english_story(24), chinese_story(40)], ids=["English", "Chinese"])
def test_a_plan_is_close_to_what_is_asked(tmp_path: Path, text: str) -> None:
    """The extractor's calls exactly, the linker's within two, the verifier's at most; tokens in within 40 percent."""
    workspace = workspace_of(tmp_path, text)
    with serving(answer) as server:
        job = job_of(workspace, server.url, "extractor", "linker", "verifier")
        plan = by_role(planned_calls(workspace, job, 1))
        assert [] == server.asked
        list(induce_sources(workspace, InduceOptions(1, job)))
        asked = Counter(role_of(one) for one in server.asked)
        spent = {role: lines[0].spent for role, lines in job.lines.items()}
    assert asked["extractor"] == plan["extractor"].calls > 0
    assert abs(asked["linker"] - plan["linker"].calls) <= 2
    assert 0 < asked["verifier"] <= plan["verifier"].calls
    for role in ("extractor", "linker"):
        each = plan[role].tokens_in / plan[role].calls
        assert each == pytest.approx(spent[role].tokens_in / spent[role].replies, rel=0.4)


def test_a_plan_without_an_extractor_is_exact_for_the_linker(tmp_path: Path) -> None:
    """Nothing changes the graph before it is asked; the verifier is asked at most what was said."""
    workspace = workspace_of(tmp_path, english_story(24))
    with serving(answer) as server:
        job = job_of(workspace, server.url, "linker", "verifier")
        plan = by_role(planned_calls(workspace, job, 1))
        list(induce_sources(workspace, InduceOptions(1, job)))
        asked = Counter(role_of(one) for one in server.asked)
        assert asked["linker"] == plan["linker"].calls > 0
        assert 0 < asked["verifier"] <= plan["verifier"].calls
        assert [] == [entry.role for entry in planned_calls(workspace, job, 1) if entry.calls]


def test_a_plan_after_a_kill_counts_the_rest(tmp_path: Path) -> None:
    """What the ledger holds is not planned again; proposed edges are then known and counted one by one."""
    workspace = workspace_of(tmp_path, english_story(24))
    with serving(
        lambda one: answer(one) if role_of(one) != "verifier" else raw({"error": {"message": "x"}}, 503)
    ) as server:
        job = job_of(workspace, server.url, "extractor", "linker", "verifier")
        before = by_role(planned_calls(workspace, job, 1))
        (outcome,) = induce_sources(workspace, InduceOptions(1, job))
        assert "incomplete" == outcome.status
        after = by_role(planned_calls(workspace, job, 1))
        proposed = sum(role_of(one) == "linker" for one in server.asked)
    assert (0, 0) == (after["extractor"].calls, after["linker"].calls)
    assert proposed <= after["verifier"].calls < before["verifier"].calls


def test_a_plan_stores_nothing_and_needs_no_endpoint(tmp_path: Path) -> None:
    """The workspace is as before: no windows, no graph, no ledger."""
    workspace = workspace_of(tmp_path, english_story(24))
    job = job_of(workspace, "http://127.0.0.1:9/v1", "extractor", "linker", "verifier")
    assert planned_calls(workspace, job, 1)
    assert not job.ledger.exists()
    with open_workspace(workspace) as opened:
        for table in ("window_records", "graphs", "trails"):
            assert [(0,)] == list(opened.connection.exec_driver_sql(f"SELECT count(*) FROM {table}"))  # noqa: S608


def test_the_dearest_endpoint_sets_the_price(tmp_path: Path) -> None:
    """Of several at most that; where one has no price, none is known."""
    workspace = workspace_of(tmp_path, english_story(2))
    shared = {"base_url": "http://127.0.0.1:9/v1"}
    cheap = {**shared, "model": "cheap", "prices": {"in": 1.0, "out": 1.0}}
    dear = {**shared, "model": "dear", "prices": {"in": 10.0, "out": 10.0}}
    cases: list[tuple[list[dict[str, Any]], float | None]] = [
        ([cheap, dear], 10.0),
        ([cheap], 1.0),
        ([cheap, {**shared, "model": "free"}], None),
    ]
    for endpoints, price in cases:
        table = {**shared, "model": "x", "roles": {"extractor": endpoints}}
        job = RolesJob.of(parse_config(table, "config.json"), workspace)
        (entry,) = planned_calls(workspace, job, 1)
        wanted = None if price is None else pytest.approx(price * (entry.tokens_in + entry.tokens_out) / 1e6)
        assert wanted == entry.cost
        assert tuple(each["model"] for each in endpoints) == entry.models
