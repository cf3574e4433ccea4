"""Room for a run's connections among the files that a process may hold open."""

from __future__ import annotations

import errno
import resource
from collections.abc import Iterator
from pathlib import Path

import pytest

from wildtrace.endpoints.descriptors import BESIDE, room_for
from wildtrace.errors import ConfigError, DataError, too_many_files
from wildtrace.text.reading import read_bytes


@pytest.fixture(autouse=True)
def limit() -> Iterator[int]:
    """A soft limit of 64, put back afterwards; the hard one."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (64, before[1]))
    yield before[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, before)


def soft() -> int:
    """The soft limit."""
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]


def test_endpoints_that_are_open_together_need_room_together() -> None:
    """Raised for the sum; never lowered."""
    with room_for(100):
        assert 100 + BESIDE == soft()
        with room_for(200):
            assert 300 + BESIDE == soft()
        with room_for(50):
            assert 300 + BESIDE == soft()
    with room_for(1):
        assert 300 + BESIDE == soft()


def test_the_hard_limit_is_the_most(limit: int) -> None:
    """What lies beyond is met when it is needed."""
    if limit == resource.RLIM_INFINITY:
        pytest.skip("this system has no limit")
    with room_for(limit):
        assert limit == soft()


def test_a_document_that_cannot_be_opened_for_want_of_files_is_not_blamed(tmp_path: Path) -> None:
    """Another error is the document's."""
    path = tmp_path / "水闸.txt"
    path.write_bytes(b"a")
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, hard))
    with pytest.raises(ConfigError, match="lower concurrency, or raise the limit") as refused:
        read_bytes(path)
    assert 78 == refused.value.exit_status
    resource.setrlimit(resource.RLIMIT_NOFILE, (64, hard))
    with pytest.raises(DataError, match="restore it"):
        read_bytes(tmp_path / "gone")


@pytest.mark.parametrize(("number", "told"), [(errno.EMFILE, True), (errno.ENFILE, True), (errno.ENOENT, False)])
def test_only_a_lack_of_files_is_told_as_one(number: int, told: bool) -> None:
    """Of the process and of the system."""
    assert told == (too_many_files(OSError(number, "x")) is not None)
    assert too_many_files(ValueError("x")) is None
