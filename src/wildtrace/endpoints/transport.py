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
from typing import Final
from urllib.parse import urlsplit, urlunsplit

import aiohttp
from aiohttp.abc import AbstractStreamWriter

from wildtrace import __version__
from wildtrace.endpoints.base import Reply, Request
from wildtrace.endpoints.config import Endpoint, is_http_address
from wildtrace.endpoints.descriptors import room_for
from wildtrace.endpoints.failures import CallError, OptionRejected, RejectedError, TransientError, WaitError
from wildtrace.endpoints.openai import Frame, StreamedReply, filtered_completion, read_json, read_reply
from wildtrace.endpoints.openai_errors import classify, one_line, read_error_body, read_error_text, rejects_schema
from wildtrace.endpoints.redact import Secrets, basic
from wildtrace.endpoints.retry import RETRIES, Pause, backoff, retry_after
from wildtrace.errors import ConfigError, too_many_files
from wildtrace.text.json_escape import escape

SLICE: Final = 1 << 18
REPLY_LIMIT: Final = 64 << 20
ERROR_LIMIT: Final = 16 << 20  # some servers send the whole prompt back with their error
_STREAM_STARTS: Final = (b"data:", b":", b"event:", b"id:", b"retry:", b"\xef\xbb\xbfdata:")
CONNECT_TIMEOUT_S: Final = 60.0
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
    _ended_by: WaitError | None = None
    _jitter: random.Random = field(default_factory=random.Random)

    async def ask(self, request: Request) -> Reply:
        """Ask, repeating transient failures `retries` times after the first request (decisions.md, rule 11).

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
                raise _stopped(attempt)
            if (ended := self._ended_by) is not None:
                raise _ended(str(ended), attempt)
            attempt += 1
            frame = self._frame
            try:
                return await self._once(request, frame, attempt)
            except OptionRejected as failure:
                attempt -= 1
                self._drop_stream_options(frame, failure)
            except TransientError as failure:
                failure.attempts = attempt
                named = request.schema is not None and rejects_schema(failure)
                if named or attempt > self.retries or not await self._wait(failure, attempt):
                    raise
            except CallError as failure:
                failure.attempts = attempt
                raise

    async def _wait(self, failure: TransientError, attempt: int) -> bool:
        """Wait as the endpoint asks, all callers together, or back off alone; False where waiting is over.

        A wait beyond the time-out ends the asking of this endpoint: every later request would meet the same.
        """
        asked = failure.retry_after
        if not asked:
            return await self.pause.sleep(backoff(attempt, self.endpoint.backoff_s, self._jitter))
        if asked > (self.endpoint.timeout_s or math.inf):
            said = f"{failure}; the endpoint asks to wait {asked:.6g} s: run the same command again after that"
            self._ended_by = WaitError(said)
            raise _ended(said, attempt, unbilled=failure.unbilled) from None
        self.pause.extend(asked)
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

    async def _once(self, request: Request, frame: Frame, attempt: int) -> Reply:
        body = self._body(request, frame)
        sent_at = time.time()
        started = time.perf_counter()
        try:
            async with self._session.post(self._url, data=body, proxy=self._proxy, allow_redirects=False) as response:
                if not 200 <= response.status < 300:
                    raise await self._failure(response)
                reply = await (_read(response) if response.status == 200 else _read_other(response))
        except aiohttp.ConnectionTimeoutError:
            within = _connect_timeout(self.endpoint)
            failure = TransientError(f"no connection within {within:g} s", reason="connection")
            failure.unbilled = True
            raise failure from None
        except TimeoutError:
            raise TransientError(f"no complete reply within {self.endpoint.timeout_s:g} s", reason="timeout") from None
        except (aiohttp.ClientError, OSError) as error:
            if (crowded := too_many_files(error)) is not None:
                raise crowded from None
            failure = TransientError(self._secrets.redact(_name_of(error)), reason="connection")
            failure.unbilled = isinstance(error, _NEVER_CONNECTED)
            raise failure from None
        except CallError as failure:
            failure.args = (self._secrets.redact(str(failure)),)
            raise
        latency_s = time.perf_counter() - started
        return replace(self._secrets.redact_reply(reply), sent_at=sent_at, latency_s=latency_s, attempts=attempt)

    async def _failure(self, response: aiohttp.ClientResponse) -> CallError:
        raw = await _bounded(response, ERROR_LIMIT)
        payload = None
        try:
            payload = read_json(raw)
            body = read_error_body(payload)
        except ValueError:
            body = read_error_text(raw)
        failure: CallError = filtered_completion(response.status, payload) or classify(
            response.status, body, retry_after(response.headers.get("Retry-After"))
        )
        failure.unbilled = response.status not in GATEWAY_GAVE_UP
        return failure


def _ended(said: str, attempts: int, *, unbilled: bool = True) -> WaitError:
    failure = WaitError(said)
    failure.attempts, failure.unbilled = attempts, unbilled
    return failure


def _connect_timeout(endpoint: Endpoint) -> float:
    """How many seconds a connection may take to be made."""
    return min(CONNECT_TIMEOUT_S, endpoint.timeout_s or CONNECT_TIMEOUT_S)


def _stopped(attempts: int) -> TransientError:
    failure = TransientError("the run was stopped before this could be asked", reason="stopped")
    failure.attempts = attempts
    return failure


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


async def _parts(response: aiohttp.ClientResponse, limit: int, parts: list[bytes]) -> None:
    """Read a body, at most `limit` bytes of it, into `parts`, which keep what came where reading fails."""
    left = limit
    async for part in response.content.iter_any():
        parts.append(part[:left])
        left -= len(part)
        if left <= 0:
            break


async def _bounded(response: aiohttp.ClientResponse, limit: int) -> bytes:
    """At most `limit` bytes of a body."""
    parts: list[bytes] = []
    await _parts(response, limit, parts)
    return b"".join(parts)


async def _read(response: aiohttp.ClientResponse) -> Reply:
    """Read a 200, whole or streamed, whichever the server chose."""
    if response.content_type == "text/event-stream":
        return await _read_stream(response)
    parts: list[bytes] = []
    try:
        await _parts(response, REPLY_LIMIT, parts)
    except (aiohttp.ClientError, OSError):
        # Some servers never end the body; a reply that is whole all the same is paid for.
        with contextlib.suppress(TransientError):
            return _reply_in(b"".join(parts))
        raise
    return _reply_in(b"".join(parts))


def _reply_in(raw: bytes) -> Reply:
    if not raw.lstrip().startswith(_STREAM_STARTS):
        return read_reply(raw)
    streamed = StreamedReply()
    streamed.feed(raw)
    return streamed.reply()


async def _read_other(response: aiohttp.ClientResponse) -> Reply:
    """Read a reply under another status of success, which some gateways send; most hold none."""
    try:
        return await _read(response)
    except TransientError as failure:
        if failure.reason != "broken_reply":
            raise
        said = f"the endpoint answered {response.status} where 200 is needed ({failure})"
        raise RejectedError(said) from None


async def _read_stream(response: aiohttp.ClientResponse) -> Reply:
    """Read events to their end; a stream that said how it finished is whole, whatever becomes of the connection."""
    streamed = StreamedReply()
    size = told = 0
    try:
        async with asyncio.timeout(None) as limit:
            async for part in response.content.iter_any():
                size += len(part)
                if size > REPLY_LIMIT:
                    raise TransientError("the reply does not end", reason="broken_reply")
                streamed.feed(part)
                if streamed.done:
                    await _drain(response)
                    break
                # Some servers say with every piece how it finished.
                if streamed.finished and (limit.when() is None or streamed.told > told):
                    told = streamed.told
                    limit.reschedule(asyncio.get_running_loop().time() + FINISHED_S)
    except aiohttp.ClientPayloadError:
        return streamed.reply()
    except (aiohttp.ClientError, OSError):
        if not streamed.finished:
            raise
    return streamed.reply()


async def _drain(response: aiohttp.ClientResponse) -> None:
    """Read on to the end, which comes at once and keeps the connection; a server that holds it open is not awaited."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(DRAIN_S):
            await _bounded(response, ERROR_LIMIT)


def _address(base_url: str) -> tuple[str, str | None, str | None]:
    """The chat-completions address, and the user and password that `base_url` carries."""
    parts = urlsplit(base_url)
    host = parts.netloc.rpartition("@")[2]
    url = urlunsplit((parts.scheme, host, f"{parts.path.rstrip('/')}/chat/completions", parts.query, ""))
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
            )
