"""The roles through a real language model: whatever it says, only what stands in the source enters."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # it ships no types

from tests.construct.story import english_story
from tests.llm.test_real_model import base_url  # noqa: F401 - the fixture is used by name
from wildtrace.calls.ledger import open_ledger
from wildtrace.calls.progress import Silent
from wildtrace.construct.asking import LEDGER, ROLES, Call, RolesJob
from wildtrace.construct.ingest.run import IngestOptions, ingest_files
from wildtrace.construct.plan import planned_calls
from wildtrace.construct.reply_schemas import REPLY_SCHEMAS
from wildtrace.construct.run import InduceOptions, induce_sources, load_graph
from wildtrace.construct.workspace import open_workspace
from wildtrace.endpoints.config import parse_config
from wildtrace.types import EvidenceGraph

pytestmark = pytest.mark.llm


def job_of(folder: Path, url: str) -> RolesJob:
    """All three roles: the real model, beside an endpoint that nobody serves."""
    shared = {"backoff_s": 0.01, "concurrency": 1, "timeout_s": 300, "api_key_env": "API_KEY"}
    dead = {**shared, "base_url": "http://127.0.0.1:9/v1", "model": "nobody"}
    real = {**shared, "base_url": url, "model": "smollm2"}
    budgets = {"extractor": 256, "linker": 160, "verifier": 96}
    roles = {role: [dead, {**real, "max_tokens": budgets[role]}] for role in ROLES}
    return RolesJob.of(parse_config({"base_url": url, "model": "x", "roles": roles}, "config.json"), folder)


def graph_of(folder: Path) -> tuple[EvidenceGraph, str]:
    """The graph of the one source, and its text."""
    with open_workspace(folder) as opened:
        graph = load_graph(opened, opened.sources()[0])
        return graph, opened.text(graph.source)


def test_the_three_roles_of_a_real_model(
    tmp_path: Path,
    base_url: str,  # noqa: F811 - the same fixture
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The plan is near what is asked, what enters stands in the source, and a second run asks nothing."""
    monkeypatch.setenv("API_KEY", "local")
    (tmp_path / "mill.txt").write_text(english_story(2), encoding="utf-8")
    folder = tmp_path / "workspace"
    list(ingest_files([tmp_path / "mill.txt"], folder, IngestOptions("english_literature")))
    job = job_of(folder, base_url)
    plan = {entry.role: entry for entry in planned_calls(folder, job, 1)}

    (outcome,) = induce_sources(folder, InduceOptions(1, job))

    assert ("induced", None) == (outcome.status, outcome.reason)
    spent = {role: lines[1].spent for role, lines in job.lines.items()}
    for role in ROLES:
        assert 1 <= spent[role].replies <= 3 * plan[role].calls
        assert spent[role].replies == spent[role].reported
        each = plan[role].tokens_in / plan[role].calls
        assert each == pytest.approx(spent[role].tokens_in / spent[role].replies, rel=0.35)
    assert all(line.schema is not None for lines in job.lines.values() for line in lines)
    graph, text = graph_of(folder)
    assert all(record.span.stands_in(text) for record in graph.records)
    for edge in graph.edges:
        assert edge.status in ("kept", "review")
        assert edge.status == "review" or "linker" not in edge.provenance or "verifier:smollm2" in edge.provenance
    with open_ledger(folder / LEDGER) as ledger:
        assert sum(one.replies for one in spent.values()) == len(ledger)

    again = job_of(folder, base_url)
    assert ["unchanged"] == [one.status for one in induce_sources(folder, InduceOptions(1, again))]
    assert all(line.spent.replies == 0 for lines in again.lines.values() for line in lines)


def test_a_real_server_keeps_to_the_schema(
    tmp_path: Path,
    base_url: str,  # noqa: F811 - the same fixture
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A verifier's reply that was not cut is an object of its schema, from a model that could not do it alone."""
    monkeypatch.setenv("API_KEY", "local")
    job = job_of(tmp_path, base_url)
    prompts = [f"ROLE: verifier\nIs {word} a colour?" for word in ("red", "seven", "Monday")]
    calls = [Call(prompt, lambda *_: True) for prompt in prompts]
    for (said,) in job.ask("verifier", calls, Silent(), "a title"):
        assert said.cut or Draft202012Validator(REPLY_SCHEMAS["verifier"]).is_valid(json.loads(said.text))
        assert said.text.startswith("{")
