"""Documents of a run: facts once, bytes when it is their turn."""

from __future__ import annotations

import json
from dataclasses import astuple
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from tests.fakes import CHINESE, DOCUMENTS, Made
from wildtrace.calls.ledger import open_ledger
from wildtrace.errors import DataError
from wildtrace.evaluate.documents import DocumentCache, stamp


def paths_of(made: Made) -> dict[str, Path]:
    """The release's documents by name."""
    return {name: made.corpus / name for name in DOCUMENTS}


def test_facts_are_read_once_and_kept_under_the_files_stamp(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second run opens no document; a touched one is read again, another not."""
    read: list[str] = []
    true = Path.open

    def noted(path: Path, *args: Any, **options: Any) -> Any:
        read.append(path.name)
        return true(path, *args, **options)

    monkeypatch.setattr(Path, "open", noted)
    paths = paths_of(made)
    with open_ledger(made.folder / "x.ledger") as ledger:
        facts = DocumentCache(paths, ledger).facts
        assert set(DOCUMENTS) == set(read)
        assert {n: sha256(text.encode()).hexdigest() for n, text in DOCUMENTS.items()} == {
            name: known.sha256 for name, known in facts.items()
        }
        assert {name: len(text) for name, text in DOCUMENTS.items()} == {n: known.chars for n, known in facts.items()}
        assert ["incident.txt"] == [name for name, known in facts.items() if known.changed]
        assert ["水闸.txt"] == [name for name, known in facts.items() if known.cjk]
        read.clear()
        assert facts == DocumentCache(paths, ledger).facts
        assert [] == read
        paths["水闸.txt"].write_text(CHINESE + "续", encoding="utf-8")
        read.clear()
        assert len(CHINESE) + 1 == DocumentCache(paths, ledger).facts["水闸.txt"].chars
        assert {"水闸.txt"} == set(read)


def test_a_document_that_changes_while_it_is_read_is_refused(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its length and its hash must be of one text."""
    paths = paths_of(made)
    true = Path.read_bytes

    def read(path: Path) -> bytes:
        raw = true(path)
        if path.name == "voyage.txt":
            path.write_text("another", encoding="utf-8")
        return raw

    monkeypatch.setattr(Path, "read_bytes", read)
    with pytest.raises(DataError, match=r"voyage\.txt changed during the run"):
        DocumentCache(paths)


def test_a_document_is_handed_out_as_it_was_read(made: Made) -> None:
    """Escaped, without mark and carriage returns, and read once for all its tasks in a row."""
    paths = paths_of(made)
    documents = DocumentCache(paths)
    for name, text in DOCUMENTS.items():
        assert text == json.loads(b'"' + documents.escaped(name) + b'"')
    assert documents.escaped("voyage.txt") is documents.escaped("voyage.txt")


def test_a_document_that_changes_during_the_run_is_refused(made: Made) -> None:
    """Also where its length stays the same; also where it goes away."""
    paths = paths_of(made)
    documents = DocumentCache(paths)
    text = paths["voyage.txt"].read_text(encoding="utf-8")
    paths["voyage.txt"].write_text(text.replace("oil", "tar"), encoding="utf-8")
    with pytest.raises(DataError, match=r"voyage\.txt changed during the run"):
        documents.escaped("voyage.txt")
    paths["水闸.txt"].unlink()
    with pytest.raises(DataError, match=r"水闸\.txt cannot be read"):
        documents.escaped("水闸.txt")


def test_one_bad_document_stops_the_reading_by_name(made: Made) -> None:
    """Before anything is spent."""
    paths = paths_of(made)
    paths["水闸.txt"].write_bytes(b"\xff")
    with pytest.raises(DataError, match=r"水闸\.txt is not UTF-8 \(byte 0\)"):
        DocumentCache(paths)


@pytest.mark.parametrize(
    "kept", [{"chars": 1}, {}, 5, None, ["a"], {"corpus_file": 1, "sha256": 2}, {"unknown": {"a": 1}}, "other"]
)
def test_facts_of_another_shape_are_read_again(made: Made, kept: Any) -> None:
    """Of another version, or of another document; the right ones stand in the ledger afterwards."""
    paths = paths_of(made)
    true = DocumentCache(paths).facts
    with open_ledger(made.folder / "x.ledger") as ledger:
        wrong = astuple(true["voyage.txt"]) if kept == "other" else kept
        ledger.set_meta({"documents": {stamp(name, path): wrong for name, path in paths.items()}})
        assert true == DocumentCache(paths, ledger).facts
        assert {stamp(name, path): list(astuple(true[name])) for name, path in paths.items()} == ledger.meta(
            "documents", dict[str, Any]
        )
