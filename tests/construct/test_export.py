"""Export writes beside the workspace and never over it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.construct.story import chinese_story, english_story
from wildtrace.construct.export import export, export_corpus
from wildtrace.construct.ingest.run import IngestOptions, ingest_files
from wildtrace.construct.run import InduceOptions, induce_sources
from wildtrace.construct.workspace import open_workspace
from wildtrace.errors import DataError


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A workspace with one source, and what an induction with models leaves beside it."""
    (tmp_path / "mill.txt").write_text(english_story(3), encoding="utf-8")
    assert ["added"] == [one.status for one in ingest_files([tmp_path / "mill.txt"], tmp_path / "w", IngestOptions())]
    (tmp_path / "w" / "induce.ledger").write_text("paid for", encoding="utf-8")
    return tmp_path / "w"


@pytest.mark.parametrize(
    ("out", "said"),
    [
        ("w/workspace.sqlite", "is the workspace itself; name another file"),
        ("w/../w/workspace.sqlite-wal", "is the workspace itself"),
        ("link.jsonl", "is the workspace itself"),
        ("w/induce.ledger", "is the ledger of the workspace's models"),
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
    assert 1 == export(workspace, "sources", workspace / "sources.jsonl").rows
    assert "mill.txt" == json.loads((workspace / "sources.jsonl").read_text(encoding="utf-8"))["file"]


def test_a_corpus_is_one_text_a_source_with_its_hash(workspace: Path) -> None:
    """The files are what `eval` reads; they are written again, and never over another file."""
    out = workspace.parent / "corpus"
    for _ in range(2):
        assert 1 == export_corpus(workspace, out).rows
    with open_workspace(workspace) as opened:
        (source,) = opened.sources()
        assert opened.text(source.id) == (out / "mill.txt").read_text(encoding="utf-8")
    assert f"{source.sha256}  mill.txt\n" == (out / "SHA256SUMS").read_text(encoding="utf-8")
    (out / "mill.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(DataError, match=r"mill\.txt is another file"):
        export_corpus(workspace, out)


def test_structure_is_rows_of_ranges(workspace: Path) -> None:
    """Every row lies in the text; sentences are what the workspace has."""
    out = workspace.parent / "structure.jsonl"
    export(workspace, "structure", out)
    rows = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    with open_workspace(workspace) as opened:
        (source,) = opened.sources()
        sentences = opened.structure(source.id).sentences
    assert [(each.start, each.end) for each in sentences] == [
        (row["start"], row["end"]) for row in rows if row["kind"] == "sentence"
    ]
    assert all(0 <= row["start"] <= row["end"] <= source.chars for row in rows)


@pytest.fixture
def half(tmp_path: Path) -> Path:
    """A workspace with two induced sources and one between them that cannot be induced, since its file is gone."""
    for name, text in (("a", english_story(12)), ("b", english_story(4)), ("水", chinese_story(12))):
        (tmp_path / f"{name}.txt").write_text(text, encoding="utf-8")
        assert ["added"] == [
            one.status for one in ingest_files([tmp_path / f"{name}.txt"], tmp_path / "w", IngestOptions())
        ]
    (tmp_path / "b.txt").unlink()
    statuses = [one.status for one in induce_sources(tmp_path / "w", InduceOptions())]
    assert ["induced", "failed", "induced"] == statuses
    return tmp_path / "w"


@pytest.mark.parametrize("what", ["facts", "records"])
def test_a_source_without_evidence_is_left_out_alone(half: Path, what: str) -> None:
    """What there is of the others is written; it is named with what to do."""
    exported = export(half, what, half.parent / "out.jsonl")
    rows = [json.loads(line) for line in (half.parent / "out.jsonl").read_text(encoding="utf-8").splitlines()]
    with open_workspace(half) as opened:
        first, gone, last = opened.sources()
    assert exported.rows == len(rows)
    assert {first.id, last.id} >= {row["source"] for row in rows} >= {first.id}
    ((source, reason),) = exported.left_out
    assert gone == source
    assert "has no evidence yet; run `wildtrace induce" in reason


def test_chosen_sources_are_exported_alone(half: Path) -> None:
    """By their ids, in the order given, each once; one without evidence has nothing, an unknown one is refused."""
    out = half.parent / "out.jsonl"
    with open_workspace(half) as opened:
        first, gone, last = (source.id for source in opened.sources())
    exported = export(half, "records", out, [last, first, last])
    found = [json.loads(line)["source"] for line in out.read_text(encoding="utf-8").splitlines()]
    assert [last, first] == list(dict.fromkeys(found))
    assert ([], len(found)) == (exported.left_out, exported.rows)
    before = out.read_bytes()
    with pytest.raises(DataError, match="has no evidence yet"):
        export(half, "records", out, [gone])
    with pytest.raises(DataError, match="no source 'x'"):
        export(half, "records", out, [first, "x"])
    assert before == out.read_bytes()
