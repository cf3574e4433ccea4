"""Room for as many connections as a run opens at once: each is an open file, of which a process may hold so many."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

# Documents, the ledger, the interpreter's own files and sockets.
BESIDE: Final = 128


class _Open:
    """The connections that the open endpoints of this process may use, all together."""

    connections = 0


@contextmanager
def room_for(connections: int) -> Iterator[None]:
    """Raise the process's limit of open files to what these connections need beside those of other endpoints.

    As far as the system lets it: what lies beyond is met when a file cannot be opened (`errors.too_many_files`).
    """
    _Open.connections += connections
    try:
        _raise_limit(_Open.connections + BESIDE)
        yield
    finally:
        _Open.connections -= connections


def _raise_limit(wanted: int) -> None:
    try:
        import resource  # noqa: PLC0415 - not on every platform
    except ImportError:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
