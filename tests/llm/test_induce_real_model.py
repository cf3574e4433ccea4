"""The extractor role through a real language model: whatever it says, only what stands in the source enters."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.llm.test_real_model import REPORT, TALE, base_url  # noqa: F401 - the fixture is used by name
from wildtrace.models.config import parse_config
from wildtrace.pipeline.asking import LEDGER, RolesJob
from wildtrace.pipeline.induce import InduceOptions, induce_sources, load_graph
from wildtrace.pipeline.ingest import IngestOptions, ingest_files
from wildtrace.store.ledger import open_ledger
from wildtrace.store.workspace import open_workspace

pytestmark = pytest.mark.llm

TEXT = f"{REPORT}\n\n{TALE}\n\n{REPORT}\n"


def test_a_real_extractor_adds_only_what_stands_there(
    tmp_path: Path,
    base_url: str,  # noqa: F811 - the same fixture
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The run ends, every record quotes the source, and each call is in the ledger."""
    monkeypatch.setenv("API_KEY", "local")
    (tmp_path / "report.txt").write_text(TEXT, encoding="utf-8")
    folder = tmp_path / "workspace"
    list(ingest_files([tmp_path / "report.txt"], folder, IngestOptions("technical_report")))
    endpoint = {"base_url": base_url, "model": "smollm2", "max_tokens": 256, "concurrency": 1, "timeout_s": 300}
    config = parse_config({"base_url": base_url, "model": "x", "roles": {"extractor": [endpoint]}}, "config.json")
    (outcome,) = induce_sources(folder, InduceOptions(1, RolesJob.of(config, folder)))
    assert "induced" == outcome.status
    with open_workspace(folder) as opened:
        graph = load_graph(opened, opened.sources()[0])
        text = opened.text(graph.source)
    assert all(record.span.stands_in(text) for record in graph.records)
    with open_ledger(folder / LEDGER) as ledger:
        assert 1 <= len(ledger) <= 3
