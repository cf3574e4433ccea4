"""Export writes beside the workspace and never over it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.build.story import english_story
from wildtrace.errors import DataError
from wildtrace.pipeline.export import export
from wildtrace.pipeline.ingest import IngestOptions, ingest_files


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A workspace with one source, and what an induction with models leaves beside it."""
    (tmp_path / "mill.txt").write_text(english_story(3), encoding="utf-8")
    assert ["added"] == [one.status for one in ingest_files([tmp_path / "mill.txt"], tmp_path / "w", IngestOptions())]
    (tmp_path / "w" / "induce.ledger").write_text("paid for", encoding="utf-8")
    (tmp_path / "w" / "induce.review").mkdir()
    (tmp_path / "w" / "induce.review" / "s.jsonl").write_text("for review", encoding="utf-8")
    return tmp_path / "w"


@pytest.mark.parametrize(
    ("out", "said"),
    [
        ("w/workspace.sqlite", "is the workspace itself; name another file"),
        ("w/../w/workspace.sqlite-wal", "is the workspace itself"),
        ("link.jsonl", "is the workspace itself"),
        ("w/induce.ledger", "is the ledger of the workspace's models"),
        ("w/induce.review/s.jsonl", "is in a folder that induce writes"),
        ("mill.txt", "is the file of the source "),
    ],
)
def test_what_the_workspace_holds_is_not_written_over(workspace: Path, out: str, said: str) -> None:
    """Its database, ledger and review, and the files of its sources stay byte for byte."""
    (workspace.parent / "link.jsonl").symlink_to(workspace / "workspace.sqlite")
    files = [path for path in sorted(workspace.parent.rglob("*")) if path.is_file()]
    before = [path.read_bytes() for path in files]
    with pytest.raises(DataError, match=said):
        export(workspace, "sources", workspace.parent / out)
    assert before == [path.read_bytes() for path in files]


def test_other_files_in_its_folder_are_written(workspace: Path) -> None:
    """A file of one's own may stand in the workspace's folder."""
    assert 1 == export(workspace, "sources", workspace / "sources.jsonl")
    assert "mill.txt" == json.loads((workspace / "sources.jsonl").read_text(encoding="utf-8"))["file"]
