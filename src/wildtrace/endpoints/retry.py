"""How long to wait between requests, and the pause that a whole endpoint takes.

Retried: transient failures only (decisions.md, rule 11), five times after the first request. Waits double from
`backoff_s` with jitter; Retry-After is honoured. The policy's count and classes are part of a run's signature, its
waits are not (rule 27).
"""

from __future__ import annotations

import asyncio
import math
import random
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

RETRIES = 5
POLICY = {
    "retries": RETRIES,
    "classes": ["connection", "timeout", "408", "409", "425", "429", "5xx", "broken_reply", "cut_stream"],
}
MAX_BACKOFF_S = 60.0


def backoff(attempt: int, first_wait: float, jitter: random.Random) -> float:
    """Seconds to wait after the `attempt`-th request (from 1): doubling, between half and the whole of the step."""
    step: float = min(first_wait * 2 ** (attempt - 1), max(MAX_BACKOFF_S, first_wait))
    return step * jitter.uniform(0.5, 1.0)


def retry_after(value: str | None, now: datetime | None = None) -> float | None:
    """Seconds that a Retry-After header asks for: a number or an HTTP date; None where it is neither."""
    if value is None:
        return None
    try:
        seconds = float(value)
    except ValueError:
        try:
            seconds = (parsedate_to_datetime(value) - (now or datetime.now(UTC))).total_seconds()
        except (ValueError, TypeError, OverflowError):
            return None
    return max(0.0, seconds) if math.isfinite(seconds) else None


@dataclass(slots=True)
class Pause:
    """A pause that all callers of one endpoint share; `stop` ends every wait at once."""

    stop: asyncio.Event = field(default_factory=asyncio.Event)
    _until: float = 0.0

    def extend(self, seconds: float) -> None:
        """Let nobody ask before `seconds` from now."""
        self._until = max(self._until, asyncio.get_running_loop().time() + seconds)

    async def over(self) -> bool:
        """Wait for the pause to end; False where the run was stopped instead."""
        loop = asyncio.get_running_loop()
        while (left := self._until - loop.time()) > 0 and not self.stop.is_set():
            await self.sleep(left)
        return not self.stop.is_set()

    async def sleep(self, seconds: float) -> bool:
        """Sleep; False where the run was stopped meanwhile."""
        try:
            async with asyncio.timeout(seconds):
                await self.stop.wait()
        except TimeoutError:
            return True
        return False
