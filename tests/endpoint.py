"""A loopback endpoint that says what a test tells it to, request by request; real HTTP, in a thread of its own.

`serving(script)` runs it. A script is a list of answers, the last of which is repeated, or a function from what was
asked to an answer. Every request is kept in `asked`.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

JSON = "application/json"
EVENTS = "text/event-stream"


@dataclass(frozen=True, slots=True)
class Answer:
    """An HTTP answer, sent piece by piece; `cut` breaks the connection after the last piece, before the body ends.

    `delay_s` passes before the first byte, `pace_s` before every piece.
    """

    status: int = 200
    pieces: tuple[bytes, ...] = ()
    content_type: str = JSON
    headers: Mapping[str, str] = field(default_factory=dict)
    cut: bool = False
    delay_s: float = 0.0
    pace_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Asked:
    """A request as it arrived, and its place among all requests (from 0)."""

    place: int
    path: str
    raw: bytes
    headers: Mapping[str, str]

    @property
    def body(self) -> dict[str, Any]:
        """The decoded body."""
        body: dict[str, Any] = json.loads(self.raw)
        return body

    @property
    def prompt(self) -> str:
        """The one user turn."""
        (turn,) = self.body["messages"]
        assert turn["role"] == "user"
        return str(turn["content"])


Script = Sequence[Answer] | Callable[[Asked], Answer]


def whole(
    content: Any = "An answer.", *, finish: str | None = "stop", usage: Any = None, message: Any = None, **more: Any
) -> Answer:
    """A whole reply; `more` stands at its top."""
    turn = {"role": "assistant", "content": content} if message is None else message
    reply = {"model": "served", "choices": [{"index": 0, "message": turn, "finish_reason": finish}], **more}
    return raw(reply if usage is None else {**reply, "usage": usage})


def raw(value: Any, status: int = 200, **settings: Any) -> Answer:
    """A JSON body, or bytes as they are."""
    body = value if isinstance(value, bytes) else json.dumps(value).encode()
    return Answer(status, (body,), **settings)


def event(delta: Mapping[str, Any] | None = None, *, finish: str | None = None, **more: Any) -> bytes:
    """One server-sent event."""
    choices = [] if delta is None else [{"index": 0, "delta": delta, "finish_reason": finish}]
    return b"data: " + json.dumps({"model": "served", "choices": choices, **more}).encode() + b"\n\n"


DONE = b"data: [DONE]\n\n"


def streamed(*events: bytes, cut: bool = False) -> Answer:
    """A streamed reply of these events, each in a piece of its own."""
    return Answer(200, events, EVENTS, cut=cut)


@dataclass(slots=True)
class Loopback:
    """A running endpoint: its base URL, what it was asked, and how many of these it had at once, at most."""

    script: Script
    url: str = ""
    asked: list[Asked] = field(default_factory=list)
    at_once: int = 0
    most_at_once: int = 0
    _stop: asyncio.Event | None = None
    _loop: asyncio.AbstractEventLoop | None = None

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Answer one request by the script."""
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            return await self._answer(request)
        finally:
            self.at_once -= 1

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        asked = Asked(len(self.asked), request.path_qs, await request.read(), dict(request.headers))
        self.asked.append(asked)
        script = self.script
        answer = script(asked) if callable(script) else script[min(asked.place, len(script) - 1)]
        if answer.delay_s:
            await asyncio.sleep(answer.delay_s)
        response = web.StreamResponse(status=answer.status, headers=dict(answer.headers))
        response.content_type = answer.content_type
        if answer.cut:
            response.content_length = sum(map(len, answer.pieces)) + 1
        with contextlib.suppress(ConnectionError):
            await response.prepare(request)
            for piece in answer.pieces:
                await asyncio.sleep(answer.pace_s)
                await response.write(piece)
            if answer.cut and request.transport is not None:
                request.transport.close()
            await response.write_eof()
        return response

    async def run(self, ready: threading.Event) -> None:
        """Serve until told to stop."""
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        application = web.Application(client_max_size=1 << 30)
        application.router.add_post("/{path:.*}", self.handle)
        runner = web.AppRunner(application, access_log=None, shutdown_timeout=0.1)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        self.url = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
        ready.set()
        await self._stop.wait()
        await runner.cleanup()

    def stop(self) -> None:
        """End the thread's loop."""
        if self._loop is not None and self._stop is not None:
            self._loop.call_soon_threadsafe(self._stop.set)


@contextmanager
def serving(script: Script) -> Iterator[Loopback]:
    """Run an endpoint on a free port of the loopback address while the block runs."""
    endpoint, ready = Loopback(script), threading.Event()
    thread = threading.Thread(target=lambda: asyncio.run(endpoint.run(ready)), daemon=True)
    thread.start()
    assert ready.wait(10), "the loopback endpoint did not start"
    try:
        yield endpoint
    finally:
        endpoint.stop()
        thread.join(10)
