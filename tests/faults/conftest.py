"""A made release, and what an undisturbed run makes of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.harness import Offline, Work, made_documents, made_rows, offline


@pytest.fixture(scope="session")
def calm_run(tmp_path_factory: pytest.TempPathFactory) -> Work:
    """A run that nothing disturbed, answers and scores; what every disturbed one must come to."""
    documents = made_documents()
    work = Work(tmp_path_factory.mktemp("calm"), made_rows(documents), documents)
    work.write()
    with offline(work.folder / "log") as endpoint:
        work.configure(endpoint.url)
        assert (0, 0) == (work.run("eval").status, work.run("judge").status)
    return work


@pytest.fixture
def work(tmp_path: Path) -> Work:
    """The same release, not yet answered."""
    documents = made_documents()
    work = Work(tmp_path / "work", made_rows(documents), documents)
    work.write()
    return work


@pytest.fixture
def endpoint(tmp_path: Path, work: Work) -> Iterator[Offline]:
    """A quick offline endpoint that `work` is configured for."""
    with offline(tmp_path / "log") as running:
        work.configure(running.url)
        yield running
