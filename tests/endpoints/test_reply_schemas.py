"""A wished-for reply schema: sent as servers want it, left out where a server takes none, at most one request lost."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from tests.endpoint import DONE, Answer, Asked, event, raw, serving, streamed, whole
from wildtrace.endpoints.base import ReplySchema, Request
from wildtrace.endpoints.config import Endpoint
from wildtrace.endpoints.failures import CallError, ContextOverflow, EndpointError, RejectedError, TransientError
from wildtrace.endpoints.transport import open_endpoint

SCHEMA = ReplySchema("verifier", {"type": "object", "properties": {"supported": {"type": ["boolean", "null"]}}})
WANTED = {
    "type": "json_schema",
    "json_schema": {"name": "verifier", "strict": True, "schema": SCHEMA.schema},
}
ASKED = Request('Is it "so"?', schema=SCHEMA)


def endpoint(url: str, **changes: Any) -> Endpoint:
    """An endpoint without waits."""
    return Endpoint(name="verifier", base_url=url, model="m", **{"backoff_s": 0.0, **changes})


def picky(refusal: Answer) -> Callable[[Asked], Answer]:
    """A server that gives this answer to every request with a schema."""
    return lambda asked: refusal if "response_format" in asked.body else whole("plain")


@pytest.mark.parametrize("stream", [True, False])
async def test_the_schema_stands_in_the_body(stream: bool) -> None:
    """Beside what every request holds; a request without a wish has no such key."""
    with serving([whole("a")]) as server:
        async with open_endpoint(endpoint(server.url, stream=stream)) as model:
            reply = await model.ask(ASKED)
            await model.ask(Request("x"))
    with_schema, without = (asked.body for asked in server.asked)
    assert WANTED == with_schema.pop("response_format")
    assert without.keys() == with_schema.keys()
    assert ('Is it "so"?', stream) == (server.asked[0].prompt, with_schema.get("stream", False))
    assert not reply.without_schema


NAMED = {
    "OpenAI": raw(
        {"error": {"message": "Invalid parameter: 'response_format' of type 'json_schema' is not supported"}}, 400
    ),
    "vLLM": raw({"object": "error", "message": "The provided JSON schema contains features not supported"}, 400),
    "FastAPI": raw({"detail": [{"loc": ["body", "response_format"], "msg": "Extra inputs are not permitted"}]}, 422),
    "an opaque gateway": raw({"error": {"message": "bad request"}}, 400),
    "no body": raw(b"", 422),
    "an engine that fails": raw({"error": {"message": "failed to parse grammar"}}, 500),
    "a router": raw({"error": {"message": "No endpoint supports response_format"}}, 404),
    "a stream": streamed(event(error={"code": 400, "message": "unknown field response_format"})),
}


@pytest.mark.parametrize("refusal", NAMED.values(), ids=NAMED.keys())
async def test_a_server_that_takes_no_schema_is_asked_without(refusal: Answer) -> None:
    """One request is lost; the reply says so, and later requests have none at once."""
    with serving(picky(refusal)) as server:
        async with open_endpoint(endpoint(server.url)) as model:
            replies = [await model.ask(ASKED) for _ in range(3)]
    assert [("plain", True)] * 3 == [(reply.content, reply.without_schema) for reply in replies]
    assert [True, False, False, False] == ["response_format" in asked.body for asked in server.asked]


async def test_many_callers_learn_it_together() -> None:
    """Those in flight each lose a request, nobody after them does."""
    with serving(picky(NAMED["OpenAI"])) as server:
        async with open_endpoint(endpoint(server.url, concurrency=4)) as model:
            replies = await asyncio.gather(*(model.ask(ASKED) for _ in range(4)))
            await asyncio.gather(*(model.ask(ASKED) for _ in range(4)))
    assert ["plain"] * 4 == [reply.content for reply in replies]
    assert 4 >= sum("response_format" in asked.body for asked in server.asked)
    assert 8 == sum("response_format" not in asked.body for asked in server.asked)


async def test_a_rejection_after_an_accepted_schema_has_another_reason() -> None:
    """It is raised as it is, and the schema goes on being sent."""
    with serving([whole("a"), raw({"error": {"message": "bad request"}}, 400), whole("b")]) as server:
        async with open_endpoint(endpoint(server.url)) as model:
            await model.ask(ASKED)
            with pytest.raises(RejectedError):
                await model.ask(ASKED)
            assert "b" == (await model.ask(ASKED)).content
    assert all("response_format" in asked.body for asked in server.asked)


async def test_a_request_that_is_rejected_both_ways_teaches_nothing() -> None:
    """The prompt was the reason; the next request has its schema again."""
    bad = raw({"error": {"message": "bad request"}}, 400)
    with serving([bad, bad, whole("a")]) as server:
        async with open_endpoint(endpoint(server.url)) as model:
            with pytest.raises(RejectedError):
                await model.ask(ASKED)
            assert not (await model.ask(ASKED)).without_schema
    assert [True, False, True] == ["response_format" in asked.body for asked in server.asked]


@pytest.mark.parametrize(
    ("answer", "failure", "requests"),
    [
        (raw({"error": {"message": "no such key"}}, 401), EndpointError, 1),
        (raw({"error": {"code": "insufficient_quota", "message": "response_format"}}, 429), EndpointError, 1),
        (raw({"error": {"code": "context_length_exceeded", "message": "too long"}}, 400), ContextOverflow, 1),
        (raw({"error": {"message": "busy"}}, 503), TransientError, 6),
    ],
)
async def test_other_failures_are_not_laid_to_the_schema(
    answer: Answer, failure: type[CallError], requests: int
) -> None:
    """They are what they are without it, and no request leaves the schema out."""
    with serving([answer]) as server:
        async with open_endpoint(endpoint(server.url)) as model:
            with pytest.raises(failure):
                await model.ask(ASKED)
    assert [True] * requests == ["response_format" in asked.body for asked in server.asked]


async def test_a_trickling_stream_is_read_to_its_end_within_the_time_out() -> None:
    """Pieces that come slowly are no failure; a reply that takes longer than `timeout_s` in all is asked again."""
    pieces = (*(event({"content": letter}) for letter in "abcdef"), event({}, finish="stop"), DONE)
    slowly = Answer(200, pieces, "text/event-stream", pace_s=0.04)
    with serving([slowly]) as server:
        async with open_endpoint(endpoint(server.url, timeout_s=5)) as model:
            reply = await model.ask(ASKED)
    assert ("abcdef", 1) == (reply.content, reply.attempts)
    assert reply.latency_s > 0.2
    with serving(lambda asked: slowly if asked.place == 0 else whole("at once")) as server:
        async with open_endpoint(endpoint(server.url, timeout_s=0.15)) as model:
            reply = await model.ask(ASKED)
    assert ("at once", 2) == (reply.content, reply.attempts)
