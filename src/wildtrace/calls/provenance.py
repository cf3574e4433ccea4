"""What results files of every flow say about how they came to be (docs/formats.md)."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, Final

from wildtrace.calls.identity import digest
from wildtrace.types import Response

_YEAR_9999: Final = 253_370_764_800
_CHANGES_EVERY_RUN: Final = ("version", "started", "ended")


def now() -> str:
    """This moment, in UTC, to the second."""
    return iso(time.time())


def iso(seconds: float) -> str:
    """A Unix time as ISO 8601 in UTC."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def dates(sent: Iterable[float]) -> dict[str, str] | None:
    """The first and the last request to an endpoint."""
    times = sorted(sent)
    return {"first": iso(times[0]), "last": iso(times[-1])} if times else None


def request_times(dates: Mapping[str, str] | None) -> tuple[float, ...]:
    """The first and the last request of `endpoint_dates`, in Unix time; only dates since 1970."""
    times = []
    for date in (dates or {}).values():
        with suppress(ValueError, OverflowError):
            times.append(datetime.fromisoformat(date).timestamp())
    return tuple(sorted(moment for moment in times if 0 <= moment < _YEAR_9999))


def data_hash(tasks: Mapping[str, str]) -> str:
    """One digest of all tasks' digests, whatever their order and the release form."""
    return digest(sorted(tasks.items()), 64)


def flag_counts(responses: Iterable[Response]) -> dict[str, int]:
    """How many responses carry each flag."""
    return dict(sorted(Counter(flag for response in responses for flag in response.flags).items()))


def is_same_provenance(old: Mapping[str, Any], new: Mapping[str, Any]) -> bool:
    """Whether a file's provenance says what `new`, made now, says; which version ran when aside."""
    read_back = json.loads(json.dumps(new))
    return all(old.get(key) == read_back[key] for key in new if key not in _CHANGES_EVERY_RUN)
