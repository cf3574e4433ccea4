"""The offline endpoint: OpenAI's chat completions, served by the offline models, with scripted faults.

Reading and grading run in threads, so that a long document does not hold up other requests. Every request that reached
the endpoint stands in the log, if one is kept, before its reply is sent.
"""

from __future__ import annotations

import asyncio
import errno
import hashlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import monotonic
from typing import BinaryIO

import orjson
from aiohttp import web

from wildtrace.endpoints.offline import FINGERPRINT
from wildtrace.endpoints.offline.faults import Fault, FaultRates, fault_of, malformed
from wildtrace.endpoints.offline.models import JUDGE, MODELS, ContextWindow, check_model, complete
from wildtrace.endpoints.offline.parsing import parse_grading
from wildtrace.endpoints.offline.passages import IndexCache
from wildtrace.endpoints.offline.wire import DONE, ApiError, ChatRequest, Completion, parse_chat
from wildtrace.errors import OutputError

HOST = "127.0.0.1"
STOP_WITHIN_S = 1.0
LARGEST_BODY = 64 << 20
JSON = "application/json"


@dataclass(frozen=True, slots=True)
class OfflineOptions:
    """How the endpoint behaves: `port` 0 takes a free one, `latency_s` is the least time from request to reply.

    `log` is a file that gets one JSON line a request. `retry_after_s` goes with every scripted 429.
    """

    port: int = 0
    latency_s: float = 0.0
    window: ContextWindow = field(default_factory=ContextWindow)
    faults: FaultRates = field(default_factory=FaultRates)
    seed: int = 0
    retry_after_s: int = 1
    log: Path | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one request gets: a completion or an error, unless a fault comes between."""

    number: int
    status: int
    model: str | None = None
    sha256: str | None = None
    fault: Fault | None = None
    completion: Completion | None = None
    error: ApiError | None = None
    stream: bool = False
    include_usage: bool = False


class _Server:
    """The state of one running endpoint: the count of requests, the indices of documents, the log."""

    def __init__(self, options: OfflineOptions) -> None:
        self._options = options
        self._cache = IndexCache()
        self._requests = 0
        self._log = _opened(options.log) if options.log else None

    def close(self) -> None:
        """Close the log."""
        if self._log is not None:
            self._log.close()

    async def chat(self, request: web.Request) -> web.StreamResponse:
        """POST /v1/chat/completions."""
        started = monotonic()
        body = await request.read()
        self._requests += 1
        outcome = await asyncio.to_thread(self._outcome, self._requests, body)
        self._record(outcome, len(body))
        await asyncio.sleep(max(0.0, self._options.latency_s - (monotonic() - started)))
        return await _deliver(request, outcome, self._options.retry_after_s)

    def _outcome(self, number: int, body: bytes) -> Outcome:
        """Decide what request `number` gets; runs in a thread."""
        try:
            chat = parse_chat(body)
        except ApiError as error:
            return Outcome(number, error.status, error=error)
        sha256 = hashlib.sha256(chat.prompt.encode("utf-8", "surrogatepass")).hexdigest()
        try:
            fault, completion = self._completion(chat, number)
        except ApiError as error:
            return Outcome(number, error.status, chat.model, sha256, error=error)
        usage = chat.stream_options is not None and chat.stream_options.include_usage
        status = fault.status if fault else 200
        return Outcome(number, status, chat.model, sha256, fault, completion, None, chat.stream, usage)

    def _completion(self, chat: ChatRequest, number: int) -> tuple[Fault | None, Completion | None]:
        check_model(chat.model)
        fault = fault_of(self._options.faults, self._options.seed, number, judge=chat.model == JUDGE)
        if fault and fault.name in {"429", "5xx", "drop"}:
            return fault, None
        completion = complete(chat, number, self._options.window, self._cache)
        if fault and fault.name == "malformed":
            grading = parse_grading(chat.prompt)
            points = sum(line.points for line in grading.lines) if grading else 0.0
            completion = replace(completion, content=malformed(completion.content, points, fault.draw))
        return fault, completion

    def _record(self, outcome: Outcome, size: int) -> None:
        if self._log is None:
            return
        line = {
            "request": outcome.number,
            "model": outcome.model,
            "status": outcome.status,
            "fault": outcome.fault.name if outcome.fault else None,
            "sha256": outcome.sha256,
            "bytes": size,
        }
        self._log.write(orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE))


def _opened(path: Path) -> BinaryIO:
    """The log, unbuffered: a line is with the operating system before its reply is sent."""
    try:
        return path.open("ab", buffering=0)
    except OSError as error:
        raise OutputError(
            f"{path}: the request log cannot be written ({error.strerror}); choose another --log"
        ) from error


async def _deliver(request: web.Request, outcome: Outcome, retry_after_s: int) -> web.StreamResponse:
    if outcome.error is not None:
        return web.Response(status=outcome.status, body=outcome.error.body, content_type=JSON)
    if outcome.completion is None:
        return _refused(request, outcome, retry_after_s)
    cut = outcome.fault is not None and outcome.fault.name == "cut"
    if outcome.stream:
        return await _stream(request, outcome.completion, include_usage=outcome.include_usage, cut=cut)
    if cut:
        return await _half(request, outcome.completion.whole())
    return web.Response(body=outcome.completion.whole(), content_type=JSON)


def _refused(request: web.Request, outcome: Outcome, retry_after_s: int) -> web.Response:
    """A scripted 429 or 5xx, or no reply at all."""
    if outcome.status == 0:
        _drop(request)
        return web.Response()
    if outcome.status == 429:
        error = ApiError(429, "rate_limit_exceeded", "Scripted fault: too many requests.", "rate_limit_error")
        headers = {"Retry-After": str(retry_after_s)}
        return web.Response(status=429, body=error.body, content_type=JSON, headers=headers)
    error = ApiError(outcome.status, "server_error", "Scripted fault: the server failed.", "server_error")
    return web.Response(status=outcome.status, body=error.body, content_type=JSON)


def _drop(request: web.Request) -> None:
    if request.transport is not None:
        request.transport.abort()


async def _stream(
    request: web.Request, completion: Completion, *, include_usage: bool, cut: bool
) -> web.StreamResponse:
    """Send the reply as server-sent events; a cut one ends half way, without finish reason and without [DONE]."""
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream", "Cache-Control": "no-cache"})
    events = [*completion.events(include_usage=include_usage), DONE]
    # The client may go away at any time; then there is nobody left to tell.
    with suppress(ConnectionResetError):
        await response.prepare(request)
        for event in events[: len(events) // 2] if cut else events:
            await response.write(event)
        await response.write_eof()
    return response


async def _half(request: web.Request, body: bytes) -> web.StreamResponse:
    """Promise the whole body, send half of it and hang up."""
    response = web.StreamResponse(headers={"Content-Type": JSON, "Content-Length": str(len(body))})
    with suppress(ConnectionResetError):
        await response.prepare(request)
        await response.write(body[: len(body) // 2])
    if request.transport is not None:
        request.transport.close()
    return response


async def _models(_: web.Request) -> web.Response:
    """GET /v1/models."""
    listed = [{"id": name, "object": "model", "created": 0, "owned_by": FINGERPRINT} for name in MODELS]
    return web.Response(body=orjson.dumps({"object": "list", "data": listed}), content_type=JSON)


async def _health(_: web.Request) -> web.Response:
    """GET /health."""
    return web.Response(body=b'{"status":"ok"}', content_type=JSON)


Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@web.middleware
async def _in_openai_shape(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Give the framework's own refusals (no such path, body too large) the error shape of all others."""
    try:
        return await handler(request)
    except web.HTTPException as refusal:
        error = ApiError(refusal.status, refusal.reason.lower().replace(" ", "_"), refusal.reason)
        return web.Response(status=refusal.status, body=error.body, content_type=JSON)


def application(options: OfflineOptions) -> web.Application:
    """The endpoint as an aiohttp application. Raises OutputError where its log cannot be opened."""
    server = _Server(options)
    app = web.Application(client_max_size=LARGEST_BODY, middlewares=[_in_openai_shape])
    app.router.add_post("/v1/chat/completions", server.chat)
    app.router.add_get("/v1/models", _models)
    app.router.add_get("/health", _health)

    async def close(_: web.Application) -> None:
        server.close()

    app.on_cleanup.append(close)
    return app


@asynccontextmanager
async def offline_endpoint(options: OfflineOptions | None = None) -> AsyncIterator[str]:
    """Serve the offline models while the block runs; gives the base URL (`http://127.0.0.1:PORT/v1`).

    Leaving the block waits up to a second for replies under way. Raises OutputError where the port is taken or the log
    cannot be written.
    """
    options = options or OfflineOptions()
    runner = web.AppRunner(application(options), access_log=None, shutdown_timeout=STOP_WITHIN_S)
    await runner.setup()
    try:
        site = web.TCPSite(runner, HOST, options.port)
        await _start(site, options.port)
        yield f"http://{HOST}:{runner.addresses[0][1]}/v1"
    finally:
        await runner.cleanup()


async def _start(site: web.TCPSite, port: int) -> None:
    try:
        await site.start()
    except OSError as error:
        why = "is in use" if error.errno == errno.EADDRINUSE else f"cannot be opened ({error.strerror})"
        raise OutputError(f"port {port} of {HOST} {why}; choose another with --port, or 0 for a free one") from error
