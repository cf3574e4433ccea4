"""Sends requests to one endpoint over aiohttp: keep-alive, one session, retries, no copies of a document.

A body goes out in slices, so that a socket's buffer holds a quarter of a mebibyte and not a book; the document's bytes
are let go the moment they are sent and fetched again for a retry.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import random
import time
import urllib.request
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Final, TypeVar
from urllib.parse import urlsplit, urlunsplit

import aiohttp
from aiohttp.abc import AbstractStreamWriter

from wildtrace import __version__
from wildtrace.endpoints.base import Reply, Request
from wildtrace.endpoints.config import Endpoint, is_http_address
from wildtrace.endpoints.descriptors import room_for
from wildtrace.endpoints.failures import (
    CallError,
    EndpointError,
    OptionRejected,
    RejectedError,
    TransientError,
    WaitError,
)
from wildtrace.endpoints.meanings import classify, rejects_schema
from wildtrace.endpoints.openai import Frame, ReplyReader, filtered_completion, read_json
from wildtrace.endpoints.openai_errors import one_line, read_error_body, read_error_text
from wildtrace.endpoints.redact import Secrets, basic
from wildtrace.endpoints.retry import RETRIES, Pause, backoff, wait_in_headers
from wildtrace.errors import ConfigError, too_many_files
from wildtrace.text.json_escape import escape

SLICE: Final = 1 << 18
REPLY_LIMIT: Final = 64 << 20
ERROR_LIMIT: Final = 16 << 20  # some servers send the whole prompt back with their error
CONNECT_TIMEOUT_S: Final = 60.0
# After so many attempts of one call an endpoint that nobody has reached is given up: a server that starts has seconds.
UNREACHED_ATTEMPTS: Final = 3
_Failure = TypeVar("_Failure", bound=CallError)
_STOPPED: Final = "the run was stopped before this could be asked"
# A gateway that gave up waiting for the model: it may have worked, and be billed.
GATEWAY_GAVE_UP: Final = (408, 502, 504, 524)
DRAIN_S: Final = 0.5
FINISHED_S: Final = 5.0
"""How long what follows the finish reason is awaited, seconds: the counts of tokens come there."""


class _Body(aiohttp.Payload):
    """A request body in pieces, written once and then let go."""

    def __init__(self, pieces: list[bytes]) -> None:
        super().__init__(None, content_type="application/json")
        self._pieces = pieces
        self._size = sum(map(len, pieces))

    async def write(self, writer: AbstractStreamWriter) -> None:
        """Write all pieces, a slice at a time."""
        pieces, self._pieces = self._pieces, []
        for piece in pieces:
            if len(piece) <= SLICE:
                await writer.write(piece)
                continue
            view = memoryview(piece)
            for start in range(0, len(piece), SLICE):
                await writer.write(view[start : start + SLICE])

    def decode(self, encoding: str = "utf-8", errors: str = "strict") -> str:
        """The body as text (aiohttp asks for it only when it logs)."""
        return b"".join(self._pieces).decode(encoding, errors)


@dataclass(slots=True)
class Transport:
    """An open endpoint: the Model that contestants, judges and roles are asked through."""

    endpoint: Endpoint
    _session: aiohttp.ClientSession
    _url: str
    _secrets: Secrets
    _proxy: str | None
    pause: Pause
    _frame: Frame
    retries: int = RETRIES
    _takes_schemas: bool | None = None
    _treat_as_refusal: tuple[str, ...] = ()
    _ended_by: EndpointError | None = None
    _reached: bool = False
    _jitter: random.Random = field(default_factory=random.Random)

    async def ask(self, request: Request) -> Reply:
        """Ask, repeating transient failures `retries` times after the first request (docs/protocol.md, rule 11).

        A reply schema that the endpoint does not take is left out, then and from then on.
        """
        if request.schema is None:
            return await self._persist(request)
        if self._takes_schemas is not False:
            try:
                reply = await self._persist(request)
            except CallError as failure:
                if self._takes_schemas or not rejects_schema(failure):
                    raise
            else:
                self._takes_schemas = True
                return reply
        reply = await self._persist(replace(request, schema=None))
        self._takes_schemas = False
        return replace(reply, without_schema=True)

    async def _persist(self, request: Request) -> Reply:
        attempt = 0
        while True:
            if not await self.pause.over():
                raise _with_attempts(TransientError(_STOPPED, reason="stopped"), attempt)
            if self._ended_by is not None:
                raise _with_attempts(type(self._ended_by)(str(self._ended_by)), attempt, unbilled=True)
            attempt += 1
            frame = self._frame
            try:
                reply = await self._once(request, frame)
            except OptionRejected as failure:
                attempt -= 1
                self._drop_stream_options(frame, failure)
            except TransientError as failure:
                _with_attempts(failure, attempt)
                names_schema = request.schema is not None and rejects_schema(failure)
                if names_schema or attempt > self.retries or not await self._wait(failure, attempt):
                    raise
            except CallError as failure:
                raise _with_attempts(failure, attempt) from None
            else:
                return replace(reply, attempts=attempt)

    async def _wait(self, failure: TransientError, attempt: int) -> bool:
        """Wait as the endpoint asks, all callers together, or back off alone; False where the run was stopped.

        The asking of the endpoint ends where it asks to wait longer than the time-out, which every later request would
        meet too, and where this call has never found anybody at its address, nor any other call (rule 12).
        """
        wait_s = failure.retry_after
        ended: EndpointError | None = None
        if wait_s and wait_s > (self.endpoint.timeout_s or math.inf):
            again = f"the endpoint asks to wait {wait_s:.6g} s: run the same command again after that"
            ended = WaitError(f"{failure}; {again}")
        elif not self._reached and attempt >= UNREACHED_ATTEMPTS and failure.reason == "connection":
            host = urlsplit(self._url).netloc
            to_do = "check base_url, or start the server, then run the same command again"
            ended = EndpointError(f"cannot reach {host} ({self.endpoint.public_url}): {failure}; {to_do}")
        if ended is not None:
            self._ended_by = ended
            raise _with_attempts(ended, attempt, unbilled=failure.unbilled) from None
        if not wait_s:
            return await self.pause.sleep(backoff(attempt, self.endpoint.backoff_s, self._jitter))
        self.pause.extend(wait_s)
        return await self.pause.over()

    def _drop_stream_options(self, sent: Frame, failure: OptionRejected) -> None:
        """Ask without the option from now on; several callers may learn at once that they have to."""
        without = Frame.of(self.endpoint, stream_options=False)
        if sent == without:
            raise RejectedError(str(failure)) from None
        self._frame = without

    @staticmethod
    def _body(request: Request, frame: Frame) -> _Body:
        tail = frame.tail_for(request.schema)
        if request.document is None:
            return _Body([frame.head + escape(request.before + request.after) + tail])
        return _Body([frame.head + escape(request.before), request.document(), escape(request.after) + tail])

    async def _once(self, request: Request, frame: Frame) -> Reply:
        body = self._body(request, frame)
        sent_at = time.time()
        started = time.perf_counter()
        try:
            async with self._session.post(self._url, data=body, proxy=self._proxy, allow_redirects=False) as response:
                self._reached = True
                if not 200 <= response.status < 300:
                    raise await self._failure(response)
                self.pause.accepted()
                reply = await self._read(response)
        except aiohttp.ConnectionTimeoutError:
            within = _connect_timeout(self.endpoint)
            failure = TransientError(f"no connection within {within:g} s", reason="connection")
            raise _with_attempts(failure, 1, unbilled=True) from None
        except TimeoutError:
            raise TransientError(f"no complete reply within {self.endpoint.timeout_s:g} s", reason="timeout") from None
        except (aiohttp.ClientError, OSError) as error:
            if (crowded := too_many_files(error)) is not None:
                raise crowded from None
            unsent = isinstance(error, _NEVER_CONNECTED)
            self._reached = self._reached or not unsent
            failure = TransientError(self._secrets.redact(_name_of(error)), reason="connection")
            raise _with_attempts(failure, 1, unbilled=unsent) from None
        except CallError as failure:
            failure.args = (self._secrets.redact(str(failure)),)
            raise
        latency_s = time.perf_counter() - started
        return replace(self._secrets.redact_reply(reply), sent_at=sent_at, latency_s=latency_s)

    async def _failure(self, response: aiohttp.ClientResponse) -> CallError:
        """What a reply that is no success means."""
        raw = b"".join([part async for part in _parts(response, ERROR_LIMIT)])
        payload = None
        try:
            payload = read_json(raw)
            body = read_error_body(payload)
        except ValueError:
            body = read_error_text(raw)
        failure: CallError = filtered_completion(response.status, payload) or classify(
            response.status, body, wait_in_headers(response.headers), self._treat_as_refusal
        )
        if not failure.retry_after:
            self.pause.accepted()
        failure.unbilled = response.status not in GATEWAY_GAVE_UP
        return failure

    async def _read(self, response: aiohttp.ClientResponse) -> Reply:
        """Read a reply; under another status of success than 200, which some gateways send, most hold none."""
        try:
            return await _read_to_end(response, ReplyReader(self._treat_as_refusal))
        except TransientError as failure:
            if response.status == 200 or failure.reason != "broken_reply":
                raise
            raise RejectedError(f"the endpoint answered {response.status} where 200 is needed ({failure})") from None


def _with_attempts(failure: _Failure, attempts: int, *, unbilled: bool | None = None) -> _Failure:
    failure.attempts = attempts
    failure.unbilled = failure.unbilled if unbilled is None else unbilled
    return failure


def _connect_timeout(endpoint: Endpoint) -> float:
    """How many seconds a connection may take to be made."""
    return min(CONNECT_TIMEOUT_S, endpoint.timeout_s or CONNECT_TIMEOUT_S)


# No connection, no name, a certificate that does not fit, or a proxy that lets nobody through: nothing was sent.
_NEVER_CONNECTED: Final = (
    aiohttp.ClientConnectorError,
    aiohttp.ClientConnectorCertificateError,
    aiohttp.ClientHttpProxyError,
)


def _name_of(error: BaseException) -> str:
    """What went wrong with a connection; the library's own words are left out, since they hold URLs and what came."""
    said = getattr(error, "strerror", None) or ""
    if isinstance(error, aiohttp.ClientHttpProxyError):
        said = f"HTTP {error.status}"
    elif isinstance(getattr(error, "os_error", None), ConnectionRefusedError):
        said = "connection refused, nothing listens at that address"
    elif isinstance(error, aiohttp.ClientResponseError):
        said = "what came back is no valid HTTP"
    return one_line(f"{type(error).__name__}: {said}" if said else type(error).__name__)


async def _parts(response: aiohttp.ClientResponse, limit: int) -> AsyncIterator[bytes]:
    """The parts of a body as they come, at most `limit` bytes of it."""
    left = limit
    async for part in response.content.iter_any():
        yield part[:left]
        left -= len(part)
        if left <= 0:
            return


async def _read_to_end(response: aiohttp.ClientResponse, reader: ReplyReader) -> Reply:
    """Read a reply, whole or streamed, whichever the server chose.

    One that said how it finished is whole, whatever becomes of the connection, and so is a body of whole JSON: some
    servers never end it, and it is paid for.
    """
    size = pieces = 0
    try:
        async with asyncio.timeout(None) as limit:
            async for part in response.content.iter_any():
                size += len(part)
                if size > REPLY_LIMIT:
                    raise RejectedError(f"the reply is longer than {REPLY_LIMIT >> 20} MiB, which no answer is")
                reader.feed(part)
                if reader.done:
                    await _drain(response)
                    break
                # Some servers say with every piece how it finished.
                if reader.finished and (limit.when() is None or reader.pieces > pieces):
                    pieces = reader.pieces
                    limit.reschedule(asyncio.get_running_loop().time() + FINISHED_S)
    except (aiohttp.ClientError, OSError) as error:
        return _reply_before(reader, error)
    return reader.reply()


def _reply_before(reader: ReplyReader, error: Exception) -> Reply:
    """What had come before the connection broke, where that is a whole reply."""
    try:
        return reader.reply()
    except TransientError as failure:
        if failure.reason == "cut_stream" and isinstance(error, aiohttp.ClientPayloadError):
            raise
        raise error from None


async def _drain(response: aiohttp.ClientResponse) -> None:
    """Read on to the end, which comes at once and keeps the connection; a server that holds it open is not awaited."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(DRAIN_S):
            async for _ in _parts(response, ERROR_LIMIT):
                pass


def _address(base_url: str) -> tuple[str, str | None, str | None]:
    """The chat-completions address, whether or not `base_url` ends with it, and the user and password it carries."""
    parts = urlsplit(base_url)
    host = parts.netloc.rpartition("@")[2]
    path = parts.path.rstrip("/").removesuffix("/chat/completions")
    url = urlunsplit((parts.scheme, host, f"{path}/chat/completions", parts.query, ""))
    return url, parts.username, parts.password


def _headers(key: str | None, user: str | None, password: str | None) -> dict[str, str]:
    headers = {"Accept": "application/json, text/event-stream", "User-Agent": f"wildtrace/{__version__}"}
    if key is not None:
        headers["Authorization"] = f"Bearer {key}"
    elif user is not None:
        headers["Authorization"] = f"Basic {basic(user, password)}"
    return headers


def _proxy_for(url: str) -> str | None:
    """The proxy that the environment names for this address. ConfigError where it is no address of one."""
    parts = urlsplit(url)
    if urllib.request.proxy_bypass(parts.netloc):
        return None
    proxy = urllib.request.getproxies().get(parts.scheme)
    if not proxy:
        return None
    proxy = proxy if "://" in proxy else f"http://{proxy}"
    if not is_http_address(proxy):
        name = f"{parts.scheme}_proxy"
        raise ConfigError(
            f"the environment variable {name} (or {name.upper()}) must be an address such as http://host:80"
        )
    return proxy


@asynccontextmanager
async def open_endpoint(
    endpoint: Endpoint, stop: asyncio.Event | None = None, *, retries: int = RETRIES
) -> AsyncIterator[Transport]:
    """Open one session to an endpoint; `stop` ends waits and retries at once, `retries` bounds the latter.

    Raises ConfigError where the key that `api_key_env` names is not set, or the environment's proxy is no address.
    """
    url, user, password = _address(endpoint.base_url)
    key, proxy = endpoint.api_key(), _proxy_for(url)
    timeout = aiohttp.ClientTimeout(total=endpoint.timeout_s or None, sock_connect=_connect_timeout(endpoint))
    connector = aiohttp.TCPConnector(limit=endpoint.concurrency, keepalive_timeout=75)
    session = aiohttp.ClientSession(
        connector=connector,
        headers=_headers(key, user, password),
        timeout=timeout,
        cookie_jar=aiohttp.DummyCookieJar(),
        auto_decompress=True,
        max_line_size=1 << 16,
        max_field_size=1 << 16,
    )
    with room_for(endpoint.concurrency):
        async with session:
            yield Transport(
                endpoint=endpoint,
                _session=session,
                _url=url,
                _secrets=Secrets.of(key, endpoint.base_url, proxy),
                _proxy=proxy,
                pause=Pause(stop or asyncio.Event()),
                _frame=Frame.of(endpoint, stream_options=True),
                retries=retries,
                _treat_as_refusal=tuple(getattr(endpoint, "treat_as_refusal", ())),
            )
