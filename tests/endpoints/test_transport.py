"""Sending to a real server on loopback: what goes out, what is kept secret, what is retried, what is given up."""

from __future__ import annotations

import asyncio
import base64
import json
import socket
import time
from contextlib import ExitStack
from dataclasses import replace
from typing import Any

import pytest

from tests.endpoint import DONE, EVENTS, Answer, Asked, event, raw, serving, streamed, whole
from wildtrace.endpoints.base import Reply, Request
from wildtrace.endpoints.config import Endpoint
from wildtrace.endpoints.failures import (
    CallError,
    ContextOverflow,
    EndpointError,
    QuotaError,
    RefusedError,
    RejectedError,
    TransientError,
    WaitError,
)
from wildtrace.endpoints.transport import ERROR_LIMIT, SLICE, open_endpoint
from wildtrace.errors import ConfigError
from wildtrace.text.json_escape import escape

ASKED = Request("Say 水: ")


def endpoint(url: str, **changes: Any) -> Endpoint:
    """An endpoint that is asked without waiting."""
    return Endpoint(**{"name": "c", "base_url": url, "model": "m", "backoff_s": 0.0, **changes})


async def ask(url: str, request: Request = ASKED, stop: asyncio.Event | None = None, **changes: Any) -> Reply:
    """One question through a session of its own."""
    async with open_endpoint(endpoint(url, **changes), stop) as model:
        return await model.ask(request)


async def test_a_reply_is_read_whole_or_streamed_whichever_the_server_chose() -> None:
    """Also a stream that calls itself JSON or text, and one that never ends its body properly."""
    events = (event({"content": "a"}), event({"content": "水"}, finish="stop"), DONE)
    answers = [
        whole("a水"),
        streamed(*events),
        Answer(200, events, "application/json"),
        Answer(200, events, "text/plain"),
    ]
    for stream in (True, False):
        for answer in (*answers, streamed(*events, cut=True)):
            with serving([answer]) as server:
                assert "a水" == (await ask(server.url, stream=stream)).content


async def test_a_reply_tells_when_it_was_asked_and_how_long_it_took() -> None:
    """Unix seconds, seconds, attempts, and what the server says of itself."""
    with serving([Answer(503), Answer(**_slow(whole("a", system_fingerprint="fp")))]) as server:
        began, started = time.time(), time.perf_counter()
        reply = await ask(server.url)
    assert (2, "served", "fp") == (reply.attempts, reply.served_model, reply.fingerprint)
    assert began <= reply.sent_at <= time.time()
    assert 0.05 <= reply.latency_s <= time.perf_counter() - started


def _slow(answer: Answer) -> dict[str, Any]:
    return {"status": answer.status, "pieces": answer.pieces, "delay_s": 0.05}


async def test_a_document_larger_than_a_slice_arrives_whole_and_is_fetched_again_for_a_retry() -> None:
    """Spliced between the parts of the prompt, with a length and not in transfer parts."""
    text = 'He said "水"\n' * (SLICE // 8)
    fetched: list[int] = []

    def document() -> bytes:
        fetched.append(1)
        return escape(text)

    with serving([Answer(500), whole("a")]) as server:
        await ask(server.url, Request("before\n", "\nafter", document))
    assert [f"before\n{text}\nafter"] * 2 == [asked.prompt for asked in server.asked]
    assert str(len(server.asked[0].raw)) == server.asked[0].headers["Content-Length"]
    assert 2 == len(fetched)


async def test_an_empty_document_and_an_empty_prompt_are_sent() -> None:
    """Nothing is left out of a body."""
    with serving([whole("a")]) as server:
        await ask(server.url, Request("b", "c", lambda: b""))
        await ask(server.url, Request(""))
    assert ["bc", ""] == [asked.prompt for asked in server.asked]


async def test_one_connection_is_kept_alive() -> None:
    """Eight questions one after the other through one socket."""
    ports: set[str] = set()

    with serving([whole("a")]) as server:
        async with open_endpoint(endpoint(server.url)) as model:
            for _ in range(8):
                await model.ask(ASKED)
                connector = model._session.connector
                assert connector is not None
                ports |= {str(conn[0]) for pool in connector._conns.values() for conn in pool}
    assert 1 == len(ports)


@pytest.mark.parametrize(
    ("key", "credentials", "header"),
    [
        (None, "", None),
        ("k1", "", "Bearer k1"),
        (None, "user:p%40ss@", "Basic " + base64.b64encode(b"user:p@ss").decode()),
        ("k1", "user:p%40ss@", "Bearer k1"),
    ],
)
async def test_the_key_or_the_addresss_credentials_are_sent(
    monkeypatch: pytest.MonkeyPatch, key: str | None, credentials: str, header: str | None
) -> None:
    """The key from the environment first; nothing where there is none."""
    if key:
        monkeypatch.setenv("API_KEY", key)
    with serving([whole("a")]) as server:
        await ask(server.url.replace("http://", f"http://{credentials}") + "?version=2")
    (asked,) = server.asked
    assert (header, "/v1/chat/completions?version=2") == (asked.headers.get("Authorization"), asked.path)


@pytest.mark.parametrize("key", [None, "sk-1234567890"])
@pytest.mark.parametrize(("status", "in_stream"), [(401, False), (400, False), (500, False), (200, False), (200, True)])
async def test_no_secret_reaches_a_message(
    monkeypatch: pytest.MonkeyPatch, key: str | None, status: int, in_stream: bool
) -> None:
    """A server that echoes key and password back, whole and cut off at the message's end."""
    if key:
        monkeypatch.setenv("API_KEY", key)
    basic = base64.b64encode(b"user:p@ss").decode()

    def echo(asked: Asked) -> Answer:
        sent = asked.headers["Authorization"]
        error = {"message": f"bad {sent} and p@ss and p%40ss {'x' * (210 - len(sent))} {sent * 20}"}
        return streamed(event(error=error)) if in_stream else raw({"error": error}, status)

    with serving(echo) as server, pytest.raises(CallError) as failed:
        await ask(server.url.replace("http://", "http://user:p%40ss@"))
    assert "[key]" in str(failed.value)
    assert not any(part in str(failed.value) for part in ("sk-12345", "p@ss", "p%40ss", basic[:8]))


async def test_a_named_key_that_is_not_set_is_a_config_error() -> None:
    """Before anything is sent."""
    with serving([whole("a")]) as server, pytest.raises(ConfigError, match="NOT_SET"):
        await ask(server.url, api_key_env="NOT_SET")
    assert [] == server.asked


async def test_a_redirect_is_not_followed() -> None:
    """A key must not travel to another host; the message says what to set."""
    moved = Answer(307, headers={"Location": "http://127.0.0.1:9/"})
    with serving([moved]) as server, pytest.raises(EndpointError, match="final address"):
        await ask(server.url)
    assert 1 == len(server.asked)


async def test_the_environments_proxy_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """And bypassed for what no_proxy names."""
    with serving([whole("through")]) as proxy, serving([whole("direct")]) as server:
        monkeypatch.setenv("http_proxy", proxy.url.removesuffix("/v1"))
        monkeypatch.setenv("no_proxy", "127.0.0.1")
        assert "through" == (await ask("http://model.invalid/v1")).content
        assert "direct" == (await ask(server.url)).content
    assert "model.invalid" == proxy.asked[0].headers["Host"]


async def test_a_flood_of_an_error_is_cut() -> None:
    """Megabytes of HTML: its first words in one line, quickly."""
    page = Answer(400, (b"<html>" + b"x" * (ERROR_LIMIT * 40),), "text/html")
    with serving([page]) as server, pytest.raises(RejectedError) as failed:
        await ask(server.url)
    assert f"HTTP 400: a web page ({'x' * 99}…); check base_url" == str(failed.value)


async def test_a_reply_that_does_not_end_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    """Above the limit it is no reply, streamed or whole; it is fetched once, and a sentence says so."""
    monkeypatch.setattr("wildtrace.endpoints.transport.REPLY_LIMIT", 1 << 20)
    long = "x" * (1 << 16)
    for answer in (streamed(*[event({"content": long})] * 40, DONE), whole(long * 40)):
        with serving([answer]) as server, pytest.raises(RejectedError) as failed:
            await ask(server.url)
        assert ("the reply is longer than 1 MiB, which no answer is", 1) == (str(failed.value), len(server.asked))


async def test_a_wish_to_wait_beyond_the_time_out_ends_the_asking() -> None:
    """Of the whole endpoint: nobody asks it again. With no time-out there is no such limit; 0 is no wish."""
    busy = raw({"error": {"message": "忙"}}, 429, headers={"Retry-After": "30"})
    with serving([busy]) as server:
        async with open_endpoint(endpoint(server.url, timeout_s=5)) as model:
            for attempts in (1, 0, 0):
                with pytest.raises(WaitError, match="HTTP 429: 忙; the endpoint asks to wait 30 s: run the") as failed:
                    await model.ask(ASKED)
                assert (attempts, "rate_limited") == (failed.value.attempts, failed.value.reason)
    assert 1 == len(server.asked)
    soon = raw({"error": {"message": "busy"}}, 429, headers={"Retry-After": "0.05"})
    with serving([soon, whole("a")]) as server:
        assert 2 == (await ask(server.url, timeout_s=0)).attempts
    zero = raw({"error": {"message": "busy"}}, 503, headers={"Retry-After": "0"})
    began = time.monotonic()
    with serving([zero, whole("a")]) as server:
        assert 2 == (await ask(server.url, backoff_s=0.1)).attempts
    assert time.monotonic() - began >= 0.05


async def test_what_is_in_flight_when_the_asking_ends_finishes() -> None:
    """And what waits for its next attempt is not sent."""

    def script(asked: Asked) -> Answer:
        if asked.prompt == "good":
            return Answer(**{**_slow(whole("a")), "delay_s": 0.5})
        if asked.prompt == "broken":
            return Answer(503)
        return raw({"error": {"message": "busy"}}, 429, headers={"Retry-After": "30"}, delay_s=0.2)

    with serving(script) as server:
        async with open_endpoint(endpoint(server.url, timeout_s=5, backoff_s=0.8)) as model:
            asks = (model.ask(Request(prompt)) for prompt in ("good", "broken", "limited"))
            good, *others = await asyncio.gather(*asks, return_exceptions=True)
    assert isinstance(good, Reply)
    assert ("a", [WaitError] * 2) == (good.content, [type(other) for other in others])
    assert 3 == len(server.asked)


async def test_a_stream_that_said_how_it_finished_is_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """Though the server holds it open, without [DONE], beyond the time-out or beyond what is awaited (rule 11)."""
    said = (event({"content": "水"}), event({}, finish="stop"), event(usage={"prompt_tokens": 3}))
    with serving([Answer(200, (b"".join(said), event(error="late")), EVENTS, pace_s=1.0)]) as server:
        reply = await ask(server.url, timeout_s=1.5)
        assert ("水", {"prompt_tokens": 3}, 1) == (reply.content, reply.usage, reply.attempts)
        monkeypatch.setattr("wildtrace.endpoints.transport.FINISHED_S", 0.05)
        assert "水" == (await ask(server.url)).content
    with serving([Answer(200, (said[0], b": ping\n\n"), EVENTS, pace_s=1.0)]) as server:
        async with open_endpoint(endpoint(server.url, timeout_s=1.5), retries=0) as model:
            with pytest.raises(TransientError) as failed:
                await model.ask(ASKED)
    assert "timeout" == failed.value.reason


async def test_a_stream_that_says_with_every_piece_how_it_finished_is_read_to_its_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What is awaited behind a finish reason is awaited anew behind every piece of the answer, and nothing else."""
    monkeypatch.setattr("wildtrace.endpoints.transport.FINISHED_S", 1.0)
    pieces = tuple(event({"content": f"{number} "}, finish="stop") for number in range(8))
    with serving([Answer(200, (*pieces, b"data: [DONE]\n\n"), EVENTS, pace_s=0.25)]) as server:
        assert "0 1 2 3 4 5 6 7 " == (await ask(server.url)).content
    with serving([Answer(200, (pieces[0], *[b": ping\n\n"] * 400), EVENTS, pace_s=0.25)]) as server:
        assert "0 " == (await ask(server.url)).content


async def test_a_whole_reply_whose_body_is_never_ended_counts() -> None:
    """At the time-out and where the connection breaks; half a reply never does."""
    (body,) = whole("水").pieces
    late = Answer(200, (body, b" "), pace_s=1.0)
    for answer in (late, Answer(200, (body,), cut=True)):
        with serving([answer]) as server:
            assert ("水", 1) == ((reply := await ask(server.url, timeout_s=1.5)).content, reply.attempts)
    for answer, reason in ((replace(late, pieces=(body[:-2], b"}]}")), "timeout"), (_cut(body[:-2]), "connection")):
        with serving([answer]) as server:
            async with open_endpoint(endpoint(server.url, timeout_s=1.5), retries=0) as model:
                with pytest.raises(TransientError) as failed:
                    await model.ask(ASKED)
        assert reason == failed.value.reason


def _cut(body: bytes) -> Answer:
    return Answer(200, (body,), cut=True)


@pytest.mark.parametrize("status", [201, 202, 206])
async def test_a_whole_reply_under_another_status_of_success_counts(status: int) -> None:
    """One that was paid for is not thrown away; what is none says which status was needed."""
    with serving([replace(whole("水"), status=status)]) as server:
        assert "水" == (await ask(server.url)).content
    with serving([raw({"status": "queued"}, status)]) as server, pytest.raises(RejectedError) as failed:
        await ask(server.url)
    assert f"the endpoint answered {status} where 200 is needed (the reply has no choices)" == str(failed.value)
    unpaid = raw({"error": {"message": "pay", "code": "insufficient_quota"}}, status)
    with serving([unpaid]) as server, pytest.raises(QuotaError):
        await ask(server.url)
    assert 1 == len(server.asked)


async def test_a_connection_that_takes_too_long_is_told_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """No request was sent, however long a reply may take."""
    monkeypatch.setattr("wildtrace.endpoints.transport.CONNECT_TIMEOUT_S", 0.1)
    with ExitStack() as sockets:
        listening = sockets.enter_context(socket.create_server(("127.0.0.1", 0), backlog=0))
        for _ in range(4):  # more than wait to be accepted: the next one gets no answer
            waiting = sockets.enter_context(socket.socket())
            waiting.setblocking(False)
            waiting.connect_ex(listening.getsockname())
        url = f"http://127.0.0.1:{listening.getsockname()[1]}/v1"
        with pytest.raises(EndpointError) as failed:
            await ask(url, backoff_s=0)
        assert ("endpoint", 3, True) == (failed.value.reason, failed.value.attempts, failed.value.unbilled)
        assert "no connection within 0.1 s" in str(failed.value)
        assert "no connection within 0.1 s" == await _connection_failure(url)


async def test_one_callers_retry_after_holds_all() -> None:
    """A second question waits out the pause that the first was given."""
    busy = raw({"error": {"message": "busy"}}, 429, headers={"Retry-After": "1"})
    with serving([busy, whole("a")]) as server:
        async with open_endpoint(endpoint(server.url)) as model:
            first = asyncio.create_task(model.ask(ASKED))
            while not server.asked:  # noqa: ASYNC110 - the server runs in another thread
                await asyncio.sleep(0.005)
            await asyncio.sleep(0.05)
            began = time.monotonic()
            await model.ask(Request("second"))
            assert time.monotonic() - began > 0.05
            assert "a" == (await first).content


async def test_a_stopped_run_waits_and_sends_no_more() -> None:
    """A stop ends the wait before a retry; what had not been sent is not sent."""
    stop = asyncio.Event()
    with serving([Answer(503)]) as server:
        async with open_endpoint(endpoint(server.url, backoff_s=60.0), stop) as model:
            waiting = asyncio.create_task(model.ask(ASKED))
            while not server.asked:  # noqa: ASYNC110 - the server runs in another thread
                await asyncio.sleep(0.005)
            stop.set()
            with pytest.raises(TransientError) as failed:
                await asyncio.wait_for(waiting, 5)
            assert ("server_error", 1) == (failed.value.reason, failed.value.attempts)
            with pytest.raises(TransientError) as unsent:
                await model.ask(ASKED)
            assert ("stopped", 0) == (unsent.value.reason, unsent.value.attempts)
    assert 1 == len(server.asked)


async def test_an_endpoint_that_rejects_the_option_that_was_not_sent_is_not_asked_for_ever() -> None:
    """One request is rejected; without streaming there is nothing to drop."""
    body = raw({"error": {"message": "unknown parameter stream_options"}}, 400)
    for stream, times in ((True, 2), (False, 1)):
        with serving([body]) as server, pytest.raises(RejectedError):
            await ask(server.url, stream=stream)
        assert times == len(server.asked)


async def test_many_callers_share_one_session() -> None:
    """Sixteen at once, each with its own answer; no more sockets than the concurrency."""

    def script(asked: Asked) -> Answer:
        return Answer(
            200, (json.dumps({"choices": [{"message": {"content": asked.prompt[::-1]}}]}).encode(),), delay_s=0.01
        )

    with serving(script) as server:
        async with open_endpoint(endpoint(server.url, concurrency=4)) as model:
            replies = await asyncio.gather(*(model.ask(Request(f"q{n}水")) for n in range(16)))
    assert [f"q{n}水"[::-1] for n in range(16)] == [reply.content for reply in replies]


async def test_a_cancelled_call_leaves_the_session_usable() -> None:
    """The second Ctrl-C of one run, the next call of a longer program."""
    with serving([Answer(delay_s=0.3), whole("a")]) as server:
        async with open_endpoint(endpoint(server.url)) as model:
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(model.ask(ASKED), 0.05)
            assert "a" == (await model.ask(ASKED)).content


async def _connection_failure(url: str) -> str:
    async with open_endpoint(endpoint(url), retries=0) as model:
        with pytest.raises(TransientError) as failed:
            await model.ask(ASKED)
    assert "connection" == failed.value.reason
    return str(failed.value)


async def test_a_proxys_credentials_reach_no_message(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither where it refuses them nor where it is not there; what happened is told."""
    refusing = await asyncio.start_server(_refuse_proxying, "127.0.0.1", 0)
    async with refusing:
        port = refusing.sockets[0].getsockname()[1]
        monkeypatch.setenv("https_proxy", f"http://puser:p4ssword@127.0.0.1:{port}")
        refused = await _connection_failure("https://model.invalid/v1")
    absent = await _connection_failure("https://model.invalid/v1")
    assert "puser" not in refused + absent
    assert "p4ssword" not in refused + absent
    assert "ClientHttpProxyError: HTTP 407" == refused
    assert "ClientProxyConnectionError: connection refused, nothing listens at that address" == absent


async def test_a_malformed_proxy_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    """That names the variable; one without a scheme is an HTTP proxy."""
    for proxy in ("http://puser:p4ssword@127.0.0.1:99999", "socks5://puser:p4ssword@127.0.0.1:1", "http://[::1", "a b"):
        monkeypatch.setenv("http_proxy", proxy)
        with pytest.raises(ConfigError, match="environment variable http_proxy") as refused:
            await ask("http://model.invalid/v1")
        assert "p4ssword" not in str(refused.value)
    with serving([whole("through")]) as server:
        monkeypatch.setenv("http_proxy", server.url.removesuffix("/v1").removeprefix("http://"))
        assert "through" == (await ask("http://model.invalid/v1")).content


async def test_an_address_that_holds_a_key_reaches_no_message() -> None:
    """A server that answers with no HTTP, for which the library shows the address that was asked."""
    bad = await asyncio.start_server(_no_http, "127.0.0.1", 0)
    async with bad:
        port = bad.sockets[0].getsockname()[1]
        said = await _connection_failure(f"http://127.0.0.1:{port}/v1?key=abc123&sig=x%2By1")
    assert "ClientResponseError: what came back is no valid HTTP" == said


async def _no_http(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    asked = await reader.readline()
    writer.write(b"garbage " + asked + b"\r\n\r\n")
    writer.close()
    await writer.wait_closed()


async def _refuse_proxying(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.readuntil(b"\r\n\r\n")
    writer.write(b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n")
    writer.close()
    await writer.wait_closed()


BUSY_UNTIL = {
    "RetryInfo": lambda left: raw(
        {"error": {"code": 429, "message": "quota", "status": "RESOURCE_EXHAUSTED", "details": [
            {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": f"{left:.3f}s"}]}}, 429),
    "retry-after-ms": lambda left: raw(b"", 429, headers={"retry-after-ms": f"{left * 1e3}"}),
    "words": lambda left: raw({"error": {"message": f"Rate limit reached. Try again in {left:.3f} seconds"}}, 429),
}  # fmt: skip


@pytest.mark.parametrize("wish", BUSY_UNTIL)
async def test_sixteen_callers_wait_together_as_told(wish: str) -> None:
    """Two requests each at most, however the endpoint says how long it is busy."""
    ready = time.monotonic() + 0.5

    def script(_: Asked) -> Answer:
        left = ready - time.monotonic()
        return BUSY_UNTIL[wish](left + 0.01) if left > 0 else whole("a")

    with serving(script) as server:
        async with open_endpoint(endpoint(server.url, concurrency=16)) as model:
            replies = await asyncio.gather(*(model.ask(Request(f"q{n}")) for n in range(16)))
    assert {"a"} == {reply.content for reply in replies}
    assert 2 >= max(reply.attempts for reply in replies)


async def test_an_endpoint_that_is_still_busy_after_the_pause_is_asked_by_one_caller_alone() -> None:
    """The wish was too short: one more request is refused, not one of every caller."""
    ready = time.monotonic() + 0.5
    short = raw({"error": {"message": "busy"}}, 429, headers={"Retry-After": "0.3"})
    with serving(lambda _: short if time.monotonic() < ready else whole("a")) as server:
        async with open_endpoint(endpoint(server.url, concurrency=16)) as model:
            replies = await asyncio.gather(*(model.ask(Request(f"q{n}")) for n in range(16)))
    assert {"a"} == {reply.content for reply in replies}
    assert 16 + 16 + 2 >= len(server.asked)


async def test_an_endpoint_that_nobody_ever_reached_ends_the_asking() -> None:
    """After three attempts of a call; a name that does not resolve too. One that was reached once is asked on."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    for url, host in ((f"http://127.0.0.1:{port}/v1", f"127.0.0.1:{port}"), ("http://no.invalid/v1", "no.invalid")):
        async with open_endpoint(endpoint(url, concurrency=8)) as model:
            failures = await asyncio.gather(*(model.ask(ASKED) for _ in range(40)), return_exceptions=True)
        assert {EndpointError} == {type(failure) for failure in failures}
        assert all(f"cannot reach {host} ({url}): " in str(failure) for failure in failures)
        assert all(failure.attempts <= 3 for failure in failures if isinstance(failure, CallError))
    with serving([whole("a")]) as server:
        async with open_endpoint(endpoint(server.url)) as model:
            await model.ask(ASKED)
            model._url = f"http://127.0.0.1:{port}/v1/chat/completions"
            with pytest.raises(TransientError) as failed:
                await model.ask(ASKED)
    assert ("connection", 6) == (failed.value.reason, failed.value.attempts)


async def test_a_base_url_that_is_the_whole_address_is_seen() -> None:
    """`/chat/completions` is not appended a second time."""
    with serving([whole("a")]) as server:
        assert "a" == (await ask(f"{server.url}/chat/completions/")).content
    assert "/v1/chat/completions" == server.asked[0].path


async def test_a_web_page_in_the_place_of_a_reply_is_named() -> None:
    """Its first words, and what to check; it is asked again, since gateways show such pages for a while."""
    page = Answer(200, (b"<!DOCTYPE html><head><style>p {}</style></head><p>Welcome to nginx!</p>",), "text/html")
    with serving([page]) as server, pytest.raises(TransientError) as failed:
        await ask(server.url)
    assert "the reply is a web page (Welcome to nginx!): check base_url" == str(failed.value)
    with serving([replace(page, status=404)]) as server, pytest.raises(EndpointError, match="Welcome to nginx"):
        await ask(server.url)


@pytest.mark.parametrize("content_type", [EVENTS, "application/json", "text/plain"])
async def test_a_whole_body_is_read_as_what_it_is_whatever_it_calls_itself(content_type: str) -> None:
    """An answer, an error and a refusal under the content type of a stream."""
    with serving([replace(whole("水"), content_type=content_type)]) as server:
        assert "水" == (await ask(server.url)).content
    overflow = raw({"error": {"code": "context_length_exceeded", "message": "no"}}, content_type=content_type)
    with serving([overflow]) as server, pytest.raises(ContextOverflow):
        await ask(server.url)
    assert 1 == len(server.asked)


@pytest.mark.parametrize("stream", [True, False])
async def test_what_the_config_lists_is_final(stream: bool) -> None:
    """By code or by exact message, under a status and within a reply; anything else is as it was."""
    error = {"message": "Content Exists Risk", "code": "invalid_request_error"}
    answers = [raw({"error": error}, 400), streamed(event(error=error)) if stream else raw({"error": error})]
    for listed in ("Content Exists Risk", "invalid_request_error"):
        for answer in answers:
            with serving([answer]) as server:
                async with open_endpoint(endpoint(server.url, stream=stream)) as model:
                    model._treat_as_refusal = (listed,)
                    with pytest.raises(RefusedError) as failed:
                        await model.ask(ASKED)
            assert ("refused_by_endpoint", 1) == (failed.value.reason, len(server.asked))
    with serving([raw({"error": error}, 400)]) as server:
        async with open_endpoint(endpoint(server.url)) as model:
            model._treat_as_refusal = ("Content Exists",)
            with pytest.raises(RejectedError):
                await model.ask(ASKED)
