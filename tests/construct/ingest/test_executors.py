"""Where files are read makes no difference, and a lost worker or a hostile file takes no other file with it."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from wildtrace.construct.ingest import child
from wildtrace.construct.ingest.draft import Options
from wildtrace.construct.ingest.executors import Executor, ThisProcess, executor
from wildtrace.construct.ingest.run import IngestOptions, ingest_files
from wildtrace.construct.workspace import open_workspace
from wildtrace.errors import ConfigError

TEXT = "The crew rowed on through the night of day {n}, and nobody slept before the ice had gone.\n\n"


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """A folder of texts, one of which is broken."""
    folder = tmp_path / "files"
    folder.mkdir()
    for n in range(12):
        (folder / f"{n:02}.txt").write_text(TEXT.format(n=n) * (n + 1), encoding="utf-8")
    (folder / "05.epub").write_bytes(b"PK\x03\x04broken")
    return [folder]


def results(files: list[Path], workspace: Path, where: Executor) -> list[tuple[str, str, str]]:
    """What came of the files, and the texts in the workspace."""
    found = [
        (each.path.name, each.status, each.reason or "")
        for each in ingest_files(files, workspace, IngestOptions(), where)
    ]
    with open_workspace(workspace) as opened:
        return found + [(source.id, source.file, opened.text(source.id)) for source in opened.sources()]


def test_processes_give_what_this_process_gives(files: list[Path], tmp_path: Path) -> None:
    """In the same order."""
    with executor(count=2) as processes:
        assert results(files, tmp_path / "a", ThisProcess()) == results(files, tmp_path / "b", processes)


@pytest.fixture
def cluster() -> Iterator[object]:
    """A local dask cluster of two workers."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50) as made:
        yield made


@pytest.mark.timeout(120)
@pytest.mark.filterwarnings("ignore")  # dask and tornado warn of what they do themselves
def test_a_cluster_gives_the_same_although_a_worker_is_killed(
    files: list[Path], tmp_path: Path, cluster: object
) -> None:
    """What the killed worker was reading is read by the other one."""
    here = results(files, tmp_path / "a", ThisProcess())
    workers = cluster.workers  # type: ignore[attr-defined] # dask comes without types
    victim = workers[0].pid

    def kill() -> None:
        time.sleep(0.3)
        os.kill(victim, signal.SIGKILL)

    killer = threading.Thread(target=kill)
    with executor(cluster.scheduler_address) as where:  # type: ignore[attr-defined] # dask comes without types
        killer.start()
        assert here == results(files, tmp_path / "b", where)
    killer.join()


def test_a_cluster_that_does_not_answer_is_a_setting_to_mend() -> None:
    """One sentence names the address."""
    pytest.importorskip("distributed")
    with pytest.raises(ConfigError, match=r"tcp://127\.0\.0\.1:9"), executor("tcp://127.0.0.1:9"):
        pass


def test_a_file_that_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """The process is ended, one sentence names the file, and the next file is read by a new process."""
    reader = child.Child()
    with monkeypatch.context() as short:
        short.setattr(child, "_WALL_FACTOR", 0)
        late = reader.read(child.Job(b"It was a dark night.", "a.txt", Options()))
    assert "a.txt takes more than 60 seconds to read; split or repair it and run again" == late.fault
    assert reader.read(child.Job(b"It was a dark night.", "a.txt", Options())).ingested is not None
    reader.close()
