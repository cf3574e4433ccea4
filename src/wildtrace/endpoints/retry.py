"""How long to wait between requests, and the pause that a whole endpoint takes.

Retried: transient failures only (docs/protocol.md, rule 11), five times after the first request. Waits double from
`backoff_s` with jitter; what the endpoint asks to wait is honoured. The policy's count and classes are part of a run's
signature, its waits are not (rule 27).
"""

from __future__ import annotations

import asyncio
import math
import random
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final

RETRIES = 5
POLICY = {
    "retries": RETRIES,
    "classes": ["connection", "timeout", "408", "409", "425", "429", "5xx", "broken_reply", "cut_stream"],
}
MAX_BACKOFF_S = 60.0
# How long the first request after a pause goes alone, seconds: a 429 comes within this time, an answer may take hours.
TRIAL_S = 5.0

# "Please try again in 20s", "in 6m0s", "in 1.5 seconds"; "retry after 2 minutes"; "Please retry in 4.2s"
_TRY_AGAIN: Final = re.compile(r"(?i)\b(?:re)?try(?:ing)?(?: (?:your|the) request)?(?: again| later)* (?:in|after) ")
_DURATION: Final = re.compile(r"(?i)(?:,? and |,? )?(?:about )?(\d{1,9}(?:\.\d{1,9})?) ?(ms|millis|[smhd])([a-z]*)")
_UNIT_SECONDS: Final = {"ms": 0.001, "millis": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}


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


def wait_in_headers(headers: Mapping[str, str]) -> float | None:
    """Seconds that the headers of a reply ask to wait: `retry-after-ms`, which is the finer one, or Retry-After."""
    milliseconds = retry_after(headers.get("retry-after-ms"))
    return milliseconds / 1000 if milliseconds else retry_after(headers.get("Retry-After"))


def seconds_in(words: str) -> float | None:
    """Seconds that a message asks to wait, such as "Please try again in 6m0s"; None where it asks for none."""
    asked = _TRY_AGAIN.search(words)
    if asked is None:
        return None
    seconds, place = 0.0, asked.end()
    while (part := _DURATION.match(words, place)) is not None:
        seconds += float(part[1]) * _UNIT_SECONDS[part[2].lower()]
        place = part.end()
    return seconds or None


@dataclass(slots=True)
class Pause:
    """A pause that all callers of one endpoint share; `stop` ends every wait at once.

    When a pause ends, one caller asks first. The others follow when its request is accepted, or when nothing has come
    of it within TRIAL_S, so that an endpoint that is still busy costs one request and not one a caller.
    """

    stop: asyncio.Event = field(default_factory=asyncio.Event)
    _until: float = 0.0
    _paused: bool = False
    _trial_until: float = 0.0
    _news: asyncio.Event = field(default_factory=asyncio.Event)

    def extend(self, seconds: float) -> None:
        """Let nobody ask before `seconds` from now."""
        self._until = max(self._until, asyncio.get_running_loop().time() + seconds)
        self._paused, self._trial_until = True, 0.0

    def accepted(self) -> None:
        """Let all callers ask: the endpoint took a request."""
        if self._paused and self._trial_until:
            self._paused, self._trial_until = False, 0.0
            self._news.set()

    async def over(self) -> bool:
        """Wait for the pause to end; False where the run was stopped instead."""
        loop = asyncio.get_running_loop()
        while not self.stop.is_set():
            now = loop.time()
            if now < self._until:
                await self.sleep(self._until - now)
            elif not self._paused:
                return True
            elif not self._trial_until:
                self._trial_until = now + TRIAL_S
                self._news.clear()
                return True
            elif now < self._trial_until:
                await self._news_or_stop(self._trial_until - now)
            else:
                self.accepted()
        return False

    async def sleep(self, seconds: float) -> bool:
        """Sleep; False where the run was stopped meanwhile."""
        try:
            async with asyncio.timeout(seconds):
                await self.stop.wait()
        except TimeoutError:
            return True
        return False

    async def _news_or_stop(self, seconds: float) -> None:
        """Wait until the trial's request is accepted, the run is stopped or the time is over."""
        waits = [asyncio.ensure_future(event.wait()) for event in (self._news, self.stop)]
        try:
            await asyncio.wait(waits, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()
