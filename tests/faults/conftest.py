"""A made release, an endpoint, and what an undisturbed run makes of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.harness import Offline, Work, made_documents, made_rows, offline


@pytest.fixture(scope="session")
def shared_endpoint(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Offline]:
    """One quick offline endpoint for all tests that need no special one."""
    with offline(tmp_path_factory.mktemp("endpoint") / "log") as running:
        yield running


@pytest.fixture(scope="session")
def calm_run(tmp_path_factory: pytest.TempPathFactory, shared_endpoint: Offline) -> Work:
    """A run that nothing disturbed, answers and scores; what every disturbed one must come to."""
    documents = made_documents()
    work = Work(tmp_path_factory.mktemp("calm"), made_rows(documents), documents)
    work.write()
    work.configure(shared_endpoint.url)
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
def endpoint(shared_endpoint: Offline, work: Work) -> Offline:
    """The shared endpoint, with `work` configured for it; `news` begins here."""
    work.configure(shared_endpoint.url)
    fresh = Offline(shared_endpoint.url, shared_endpoint.log)
    fresh.news()
    return fresh


@pytest.fixture
def answered(work: Work, endpoint: Offline, calm_run: Work) -> Work:
    """The same release, answered and judged through the shared endpoint: results and ledgers."""
    assert endpoint.url in calm_run.config.read_text("utf-8")
    work.responses.parent.mkdir()
    for path in calm_run.responses.parent.iterdir():
        (work.responses.parent / path.name).write_bytes(path.read_bytes())
    return work
