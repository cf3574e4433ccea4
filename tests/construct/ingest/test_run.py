"""Ingesting files into a workspace: each by itself, changes noticed, every offset leading somewhere."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.construct.ingest.files import book
from wildtrace.construct.ingest.draft import OffsetMap
from wildtrace.construct.ingest.run import IngestOptions, IngestOutcome, faulty_sources, ingest_files
from wildtrace.construct.workspace import open_workspace

TEXT = "".join(f"On day {n} the crew rowed {n * 3} miles and slept on the ice.\n\n" for n in range(1500))


def ingest(folder: Path, *names: str, options: IngestOptions | None = None) -> list[IngestOutcome]:
    """Ingest files of a folder into its workspace."""
    return list(ingest_files([folder / name for name in names], folder / "w", options or IngestOptions()))


def test_a_file_that_fails_stops_only_itself(tmp_path: Path) -> None:
    """Broken, missing and empty files, a folder and a pipe are reported by name; files before and after are in."""
    (tmp_path / "a.txt").write_text(TEXT, encoding="utf-8")
    (tmp_path / "b.epub").write_bytes(b"PK\x03\x04broken")
    (tmp_path / "c.txt").write_bytes(b"")
    (tmp_path / "e.epub").write_bytes(book({"x.xhtml": "<p>The story of a winter.</p>"}))
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    bad = ("b.epub", "c.txt", "gone.txt", "folder", "pipe")
    found = ingest(tmp_path, "a.txt", *bad, "e.epub")
    assert ["added", *["failed"] * 5, "added"] == [outcome.status for outcome in found]
    for outcome, name in zip(found[1:-1], bad, strict=True):
        assert name in (outcome.reason or "")
    with open_workspace(tmp_path / "w") as workspace:
        assert ["a.txt", "e.epub"] == [source.file for source in workspace.sources()]


def test_windows_and_text_are_stored_as_they_belong_together(tmp_path: Path) -> None:
    """The workspace's windows cover the workspace's text, and the map leads to the file."""
    raw = TEXT.replace("\n", "\r\n")
    (tmp_path / "a.txt").write_bytes(raw.encode())
    (outcome,) = ingest(tmp_path, "a.txt", options=IngestOptions(family="technical_report"))
    assert outcome.source is not None
    with open_workspace(tmp_path / "w") as workspace:
        text = workspace.text(outcome.source.id)
        windows = workspace.windows(outcome.source.id)
        origin = workspace.origin(outcome.source.id)
    assert TEXT == text
    assert (0, len(text), outcome.windows) == (windows[0].start, windows[-1].end, len(windows))
    assert "technical_report" == outcome.source.family
    places = OffsetMap(*(tuple(origin["map"][name]) for name in ("starts", "origins", "copied")))
    at = text.index("On day 700")
    assert raw[places.origin(at) :].startswith("On day 700")


def test_the_same_file_again_is_unchanged(tmp_path: Path) -> None:
    """Ingesting again does nothing; other settings or another content need --replace, and then take the place."""
    (tmp_path / "a.txt").write_text(TEXT, encoding="utf-8")
    (first,) = ingest(tmp_path, "a.txt")
    assert ["unchanged"] == [outcome.status for outcome in ingest(tmp_path, "a.txt")]
    (otherwise,) = ingest(tmp_path, "a.txt", options=IngestOptions(family="english_literature"))
    said = f"{tmp_path / 'a.txt'} was ingested with other options (family was not given and is english_literature); "
    assert f"{said}give those again, or run again with --replace, which drops what was built before" == otherwise.reason
    (tmp_path / "a.txt").write_text(f"{TEXT}One more line.\n", encoding="utf-8")
    (changed,) = ingest(tmp_path, "a.txt")
    assert "has changed since it was ingested; run again with --replace" in (changed.reason or "")
    (both,) = ingest(tmp_path, "a.txt", options=IngestOptions(language="en", unwrap=True))
    said = "(language was not given and is en, unwrap was off and is on); run again"
    assert f"has changed since it was ingested and was ingested with other options {said}" in (both.reason or "")
    (replaced,) = ingest(tmp_path, "a.txt", options=IngestOptions(replace=True))
    assert "replaced" == replaced.status
    assert first.source is not None
    assert replaced.source is not None
    with open_workspace(tmp_path / "w") as workspace:
        assert [replaced.source] == workspace.sources()
        assert () == workspace.windows(first.source.id)


def test_a_changed_file_is_noticed_without_ingesting(tmp_path: Path) -> None:
    """A file that changed under a workspace or is gone is named, with what to do; the others have no fault."""
    for name in ("a.txt", "b.txt", "c.txt", "d.txt"):
        (tmp_path / name).write_text(f"{name} {TEXT}", encoding="utf-8")
    names = {
        outcome.source.id: outcome.path.name
        for outcome in ingest(tmp_path, "a.txt", "b.txt", "c.txt", "d.txt")
        if outcome.source
    }
    (tmp_path / "d.txt").unlink()
    (tmp_path / "d.txt").mkdir()
    (tmp_path / "a.txt").write_text("another text", encoding="utf-8")
    (tmp_path / "b.txt").unlink()
    with open_workspace(tmp_path / "w") as workspace:
        found = {names[source]: fault for source, fault in faulty_sources(workspace).items()}
    at = tmp_path.resolve()
    assert {
        "a.txt": f"{at / 'a.txt'} has changed since it was ingested; ingest it again with --replace",
        "b.txt": f"{at / 'b.txt'} is gone since it was ingested; put it back and run again",
        "d.txt": f"{at / 'd.txt'} cannot be read any more; make it readable and run again",
    } == found


def test_one_text_under_two_names_is_refused_the_second_time(tmp_path: Path) -> None:
    """A copy, also in another charset, would count one work twice."""
    (tmp_path / "a.txt").write_text("话说那一日老爷吩咐众人都到后面去。" * 9, encoding="utf-8")
    (tmp_path / "b.txt").write_text("话说那一日老爷吩咐众人都到后面去。" * 9, encoding="gb18030")
    first, second = ingest(tmp_path, "a.txt", "b.txt")
    assert ("added", "failed") == (first.status, second.status)
    assert "has the same text as" in (second.reason or "")


@pytest.mark.parametrize("name", ["a b.txt", "文件.txt", "quote's.txt"])
def test_any_file_name_will_do(tmp_path: Path, name: str) -> None:
    """Names with spaces, ideographs and quotes are names."""
    (tmp_path / name).write_text(TEXT, encoding="utf-8")
    (outcome,) = ingest(tmp_path, name)
    assert outcome.source is not None
    assert name == outcome.source.file
