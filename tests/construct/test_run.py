"""The inducing flow over a real workspace: results, resuming, faults, exports and cards."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.construct.story import chinese_story, english_story
from wildtrace.construct import evidence
from wildtrace.construct.export import WHAT, export
from wildtrace.construct.ingest.run import IngestOptions, ingest_files
from wildtrace.construct.run import InduceOptions, InduceOutcome, induce_sources, load_graph
from wildtrace.construct.trails import trail_card
from wildtrace.construct.workspace import open_workspace
from wildtrace.errors import BusyError, DataError

HERE = InduceOptions(workers=1)


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A workspace with an English and a Chinese source, not induced yet."""
    (tmp_path / "mill.txt").write_text(english_story(40), encoding="utf-8")
    (tmp_path / "账本.txt").write_text(chinese_story(), encoding="utf-8")
    folder = tmp_path / "workspace"
    options = IngestOptions(family="english_literature")
    statuses = [one.status for one in ingest_files([tmp_path / "mill.txt", tmp_path / "账本.txt"], folder, options)]
    assert ["added", "added"] == statuses
    return folder


def induce(folder: Path, options: InduceOptions = HERE) -> list[InduceOutcome]:
    """Run the flow to its end."""
    return list(induce_sources(folder, options))


def rows(folder: Path, what: str) -> list[dict[str, Any]]:
    """What `export` writes."""
    out = folder.parent / f"{what}.jsonl"
    count = export(folder, what, out).rows
    found = [json.loads(line) for line in out.read_text(encoding="utf-8").split("\n") if line]
    assert count == len(found)
    return found


def test_every_source_is_induced(workspace: Path) -> None:
    """Records, edges and trails come of each, and a report for every geometry."""
    outcomes = induce(workspace)
    assert ["induced", "induced"] == [outcome.status for outcome in outcomes]
    assert all(outcome.records and outcome.edges and len(outcome.reports) == 7 for outcome in outcomes)
    assert outcomes[0].trails


def test_a_second_run_does_nothing(workspace: Path) -> None:
    """What is made by the same rules from the same text stays, and what was said of its geometries is said again."""
    first, again = induce(workspace), induce(workspace)
    assert ["unchanged", "unchanged"] == [outcome.status for outcome in again]
    assert [outcome.reports for outcome in first] == [outcome.reports for outcome in again]
    assert all(len(outcome.reports) == 7 for outcome in again)


def test_what_mining_said_is_no_reason_to_stop(workspace: Path) -> None:
    """Where it cannot be read any more, the evidence is still what it was."""
    induce(workspace)
    with closing(sqlite3.connect(workspace / "workspace.sqlite")) as database, database:
        database.execute("UPDATE graphs SET reports = '[1]'")
    assert [("unchanged", ()), ("unchanged", ())] == [(told.status, told.reports) for told in induce(workspace)]


def test_exports_point_into_the_canonical_text(workspace: Path) -> None:
    """Every offset of windows, records and clues stands in the text that `sources` writes; edges join records."""
    induce(workspace)
    texts = {row["id"]: row["text"] for row in rows(workspace, "sources")}
    for what in ("windows", "records"):
        for row in rows(workspace, what):
            assert row["quote"] == texts[row["source"]][row["start"] : row["end"]]
            assert {"source", "id", "kind", "start", "end", "quote", "provenance"} <= row.keys()
    records = {row["id"] for row in rows(workspace, "records")}
    edges = rows(workspace, "edges")
    assert all({row["from"], row["to"]} <= records for row in edges)
    known = {row["id"] for row in edges}
    for row in rows(workspace, "trails"):
        assert set(row["edges"]) <= known
        for clue in row["clues"]:
            assert clue["record"] in records
            assert clue["quote"] == texts[row["source"]][clue["start"] : clue["end"]]


@pytest.mark.parametrize("what", ["records", "edges", "trails"])
def test_exporting_before_inducing_says_what_to_do(workspace: Path, what: str) -> None:
    """One sentence that names the command."""
    with pytest.raises(DataError, match="wildtrace induce"):
        export(workspace, what, workspace.parent / "out.jsonl")
    assert not (workspace.parent / "out.jsonl").exists()


def test_finished_windows_are_not_read_again(workspace: Path) -> None:
    """A run that was cut off goes on: the windows it kept are taken as they are."""
    (reference, _) = induce(workspace)
    with open_workspace(workspace) as opened:
        source = opened.sources()[0]
        made_by = evidence.graph_made_by(opened, source.id) or ""
        kept = evidence.windows_done(opened, source.id, made_by)
        assert len(kept) == len(opened.windows(source.id))
        with opened.transaction() as connection:
            for table in ("graphs", "trails"):
                connection.exec_driver_sql(f"DELETE FROM {table}")  # noqa: S608 - two names written here
        # An empty record list in the first window's place shows whether it is read again.
        evidence.put_windows(opened, source.id, made_by, [(0, b"\x90")])
    (outcome, _) = induce(workspace)
    assert "induced" == outcome.status
    assert outcome.records < reference.records


def test_processes_find_what_one_process_finds(workspace: Path) -> None:
    """Spreading the work over processes changes nothing."""
    induce(workspace)
    with open_workspace(workspace) as opened:
        alone = [load_graph(opened, source) for source in opened.sources()]
        with opened.transaction() as connection:
            for table in ("graphs", "trails", "window_records"):
                connection.exec_driver_sql(f"DELETE FROM {table}")  # noqa: S608 - three names written here
    induce(workspace, InduceOptions(workers=2))
    with open_workspace(workspace) as opened:
        assert alone == [load_graph(opened, source) for source in opened.sources()]


def test_a_changed_source_is_noticed_and_stops_only_itself(workspace: Path) -> None:
    """The other source is induced; the message names the file and what to do."""
    (workspace.parent / "mill.txt").write_text("Another text. " * 50, encoding="utf-8")
    failed, induced = induce(workspace)
    assert ("failed", "induced") == (failed.status, induced.status)
    assert "mill.txt" in str(failed.reason)
    assert "--replace" in str(failed.reason)


def test_replacing_a_source_drops_what_was_built_on_it(workspace: Path) -> None:
    """Records, edges and trails of the earlier text are gone."""
    induce(workspace)
    (workspace.parent / "mill.txt").write_text("Another text. " * 50, encoding="utf-8")
    list(ingest_files([workspace.parent / "mill.txt"], workspace, IngestOptions("english_literature", replace=True)))
    with open_workspace(workspace) as opened:
        replaced = next(source for source in opened.sources() if source.file.endswith("mill.txt"))
        assert evidence.graph_made_by(opened, replaced.id) is None
        assert [] == evidence.all_windows(opened, replaced.id)


def test_a_second_process_is_told_so(workspace: Path) -> None:
    """A workspace belongs to one process at a time."""
    with open_workspace(workspace), pytest.raises(BusyError, match="in use"):
        induce(workspace)


def test_no_workspace_no_sources(tmp_path: Path) -> None:
    """A folder that is none is named."""
    with pytest.raises(DataError, match="no workspace"):
        induce(tmp_path / "nothing")


def test_killing_it_anywhere_leaves_a_workspace_to_go_on_from(workspace: Path) -> None:
    """Kill -9 at several moments: the workspace opens, and a later run ends with what an unbroken one has."""
    command = [
        sys.executable,
        "-m",
        "wildtrace",
        "induce",
        "--workspace",
        str(workspace),
        "--offline",
        "--workers",
        "1",
    ]
    for delay in (0.3, 0.6, 0.9):
        started = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(delay)
        os.kill(started.pid, signal.SIGKILL)
        started.wait()
    done = {outcome.status for outcome in induce(workspace)}
    assert done <= {"induced", "unchanged"}
    assert rows(workspace, "trails")


def test_a_card_shows_each_clue_in_its_context(workspace: Path) -> None:
    """By the id, or a beginning of it: context, relative position, edges between numbered clues."""
    induce(workspace)
    row = rows(workspace, "trails")[0]
    card = trail_card(workspace, row["id"][:12])
    assert row["id"] == card.trail.id
    text = english_story(40)
    for shown, clue in zip(card.clues, sorted(row["clues"], key=lambda clue: clue["start"]), strict=True):
        assert shown.before + clue["quote"] + shown.after in text
        assert clue["start"] / card.source.chars == pytest.approx(shown.relative)
    assert [f"C{number}" for number in range(1, len(row["clues"]) + 1)] == [shown.label for shown in card.clues]
    assert row["edges"] == [link.edge.id for link in card.links]
    places = {shown.label: (shown.clue.start or 0, shown.clue.end or 0) for shown in card.clues}
    spans = {record["id"]: (record["start"], record["end"]) for record in rows(workspace, "records")}
    for link in card.links:
        for name, record in ((link.head, link.edge.head), (link.tail, link.edge.tail)):
            (start, end), (first, last) = places[name.split()[0]], spans[record]
            assert max(start, first) < min(end, last)


def test_an_unknown_trail_is_said_so_with_the_nearest_ids(workspace: Path) -> None:
    """A slip of the finger finds the id, a beginning that several share says so, what is like no id finds none."""
    with pytest.raises(DataError, match="no trails yet"):
        trail_card(workspace, "t1")
    induce(workspace)
    ids = [row["id"] for row in rows(workspace, "trails")]
    slipped = ids[0][:5] + ("0" if ids[0][5] != "0" else "1") + ids[0][6:]
    with pytest.raises(DataError, match=f"no trail '{slipped.upper()}'; nearest: {ids[0]}"):
        trail_card(workspace, slipped.upper())
    with pytest.raises(DataError, match=f"has {len(ids)} trails that begin with 't': t\\w+, "):
        trail_card(workspace, "t")
    for wrong in ("nothing", ""):
        with pytest.raises(DataError, match=f"no trail '{wrong}'; `wildtrace trail"):
            trail_card(workspace, wrong)


def test_all_kinds_can_be_exported() -> None:
    """The five of the documentation."""
    assert ["sources", "structure", "windows", "records", "edges", "trails"] == list(WHAT)
