import asyncio
import hashlib
import socket
import time
from collections.abc import AsyncIterator, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import aiohttp
import orjson
import pytest

from tests.endpoints.offline.test_parsing import asked, grading
from wildtrace.endpoints.offline.faults import FaultRates
from wildtrace.endpoints.offline.models import MODELS, ContextWindow
from wildtrace.endpoints.offline.server import LARGEST_BODY, OfflineOptions, offline_endpoint
from wildtrace.errors import OutputError

PROMPT = asked("Who opened the valve?", "Ann opened the valve. " * 20 + "水闸。AB1234CD")


def body(model: str = "lexical-reader", prompt: str = PROMPT, **settings: Any) -> dict[str, Any]:
    """A chat completion request of one user turn."""
    return {"model": model, "messages": [{"role": "user", "content": prompt}], **settings}


@pytest.fixture
async def session() -> AsyncIterator[aiohttp.ClientSession]:
    """One client for a test."""
    async with aiohttp.ClientSession() as client:
        yield client


async def post(session: aiohttp.ClientSession, url: str, request: object) -> tuple[int, Any]:
    """Status and decoded body of one completion request."""
    async with session.post(f"{url}/chat/completions", data=BytesIO(orjson.dumps(request))) as reply:
        return reply.status, orjson.loads(await reply.read())


async def events(session: aiohttp.ClientSession, url: str, **settings: Any) -> list[str]:
    """The data of each server-sent event of a streamed reply."""
    async with session.post(f"{url}/chat/completions", json=body(stream=True, **settings)) as reply:
        assert "text/event-stream" == reply.content_type
        return [event.removeprefix("data: ") for event in (await reply.text()).split("\n\n") if event]


def content(chunks: Sequence[str]) -> str:
    """The text of streamed events."""
    choices = [choice for chunk in chunks if chunk != "[DONE]" for choice in orjson.loads(chunk)["choices"]]
    return "".join(choice["delta"].get("content", "") for choice in choices)


async def test_a_reply_has_the_shape_of_a_chat_completion(session: aiohttp.ClientSession) -> None:
    """Content, finish reason, usage that adds up, and the mark that it came from an offline model."""
    async with offline_endpoint() as url:
        status, reply = await post(session, url, body())
    usage = reply["usage"]
    assert (200, "wildtrace-offline", "lexical-reader") == (status, reply["system_fingerprint"], reply["model"])
    assert "stop" == reply["choices"][0]["finish_reason"]
    assert "Ann opened the valve." in reply["choices"][0]["message"]["content"]
    assert usage["total_tokens"] == usage["prompt_tokens"] + usage["completion_tokens"]
    assert round(len(PROMPT) / 3.3) == usage["prompt_tokens"]


async def test_a_streamed_reply_says_the_same_in_pieces(session: aiohttp.ClientSession) -> None:
    """The pieces make the whole, the last one finishes, usage comes when asked for, then [DONE]."""
    async with offline_endpoint() as url:
        _, whole = await post(session, url, body())
        plain = await events(session, url)
        with_usage = await events(session, url, stream_options={"include_usage": True})
    assert whole["choices"][0]["message"]["content"] == content(plain) == content(with_usage)
    assert "[DONE]" == plain[-1] == with_usage[-1]
    assert "stop" == orjson.loads(plain[-2])["choices"][0]["finish_reason"]
    assert whole["usage"] == orjson.loads(with_usage[-2])["usage"]
    assert all("usage" not in orjson.loads(event) for event in plain[:-1])


async def test_content_may_come_in_parts(session: aiohttp.ClientSession) -> None:
    """A message whose content is a list of text parts is read as their text."""
    parts = [{"type": "text", "text": PROMPT[:40]}, {"type": "text", "text": PROMPT[40:]}]
    async with offline_endpoint() as url:
        whole = await post(session, url, body())
        parted = await post(session, url, {"model": "lexical-reader", "messages": [{"role": "user", "content": parts}]})
    assert whole[1]["choices"] == parted[1]["choices"]


async def test_the_judge_answers_with_the_protocols_json(session: aiohttp.ClientSession) -> None:
    """A verdict through the wire, in Chinese."""
    prompt = grading("谁？", [(100.0, "沈砚清关闭水闸")], "沈砚清关闭水闸")
    async with offline_endpoint() as url:
        _, reply = await post(session, url, body("lexical-judge", prompt))
    assert '{"points_awarded":[100.0],"total":100.0}' == reply["choices"][0]["message"]["content"]


async def test_models_and_health_are_listed(session: aiohttp.ClientSession) -> None:
    """What a client asks first."""
    async with offline_endpoint() as url:
        async with session.get(f"{url}/models") as reply:
            assert list(MODELS) == [model["id"] for model in orjson.loads(await reply.read())["data"]]
        async with session.get(f"{url.removesuffix('/v1')}/health") as reply:
            assert {"status": "ok"} == await reply.json()


@pytest.mark.parametrize(
    ("request_body", "status", "code"),
    [
        (body("gpt-5"), 404, "model_not_found"),
        ({"model": "lexical-reader", "messages": []}, 400, "invalid_body"),
        ({"model": "lexical-reader"}, 400, "invalid_body"),
        (body(max_tokens=0), 400, "invalid_body"),
        ([], 400, "invalid_body"),
        (body("lexical-judge"), 400, "unreadable_prompt"),
    ],
)
async def test_bad_requests_get_an_error_in_openais_shape(
    session: aiohttp.ClientSession, request_body: object, status: int, code: str
) -> None:
    """Status, code and a message that says what is wrong."""
    async with offline_endpoint() as url:
        got, reply = await post(session, url, request_body)
    assert (status, code) == (got, reply["error"]["code"])
    assert reply["error"]["message"]


@pytest.mark.parametrize("raw", [b"", b"{", b"\xff\xfe", b'{"model":"lexical-reader","messages":"\xd0"}'])
async def test_a_body_that_is_no_json_is_a_bad_request(session: aiohttp.ClientSession, raw: bytes) -> None:
    """Whatever comes in, the endpoint answers and goes on."""
    async with offline_endpoint() as url:
        async with session.post(f"{url}/chat/completions", data=raw) as reply:
            assert 400 == reply.status
        assert 200 == (await post(session, url, body()))[0]


async def test_a_lone_surrogate_never_stops_the_endpoint(session: aiohttp.ClientSession) -> None:
    """JSON can spell what is no text; it is refused as such, without breaking the connection."""
    raw = orjson.dumps(body()).replace(b"AB1234CD", b"\\ud800")
    async with offline_endpoint() as url, session.post(f"{url}/chat/completions", data=raw) as reply:
        assert 400 == reply.status


async def test_a_body_above_the_limit_is_refused(session: aiohttp.ClientSession) -> None:
    """More than 64 MB is a 413 in the same shape, and no crash."""
    async with (
        offline_endpoint() as url,
        session.post(f"{url}/chat/completions", data=BytesIO(b" " * (LARGEST_BODY + 1))) as reply,
    ):
        assert 413 == reply.status
        assert orjson.loads(await reply.read())["error"]["message"]


async def test_another_path_is_not_found_in_the_same_shape(session: aiohttp.ClientSession) -> None:
    """A wrong base URL shows itself as such."""
    async with offline_endpoint() as url, session.post(f"{url}/v1/chat/completions", json=body()) as reply:
        assert 404 == reply.status
        assert orjson.loads(await reply.read())["error"]["message"]


async def test_scripted_429_says_when_to_come_back(session: aiohttp.ClientSession) -> None:
    """Retry-After stands in the header."""
    options = OfflineOptions(faults=FaultRates(too_many=1), retry_after_s=7)
    async with offline_endpoint(options) as url, session.post(f"{url}/chat/completions", json=body()) as reply:
        assert (429, "7") == (reply.status, reply.headers["Retry-After"])


async def test_scripted_server_errors_are_5xx(session: aiohttp.ClientSession) -> None:
    """With an error body, as real ones have."""
    async with offline_endpoint(OfflineOptions(faults=FaultRates(server=1))) as url:
        assert (await post(session, url, body()))[0] in {500, 502, 503, 504}


@pytest.mark.parametrize("stream", [False, True])
async def test_a_dropped_connection_gives_no_status(session: aiohttp.ClientSession, stream: bool) -> None:
    """The client sees a disconnect before any reply."""
    async with offline_endpoint(OfflineOptions(faults=FaultRates(drop=1))) as url:
        with pytest.raises(aiohttp.ClientConnectionError):
            await post(session, url, body(stream=stream))


async def test_a_cut_stream_ends_with_neither_finish_reason_nor_done(session: aiohttp.ClientSession) -> None:
    """What came before the cut is part of the answer."""
    async with offline_endpoint(OfflineOptions(faults=FaultRates(cut=1))) as url:
        cut = await events(session, url)
    async with offline_endpoint() as url:
        whole = await events(session, url)
    assert 0 < len(cut) < len(whole)
    assert content(whole).startswith(content(cut))
    assert all(orjson.loads(event)["choices"][0]["finish_reason"] is None for event in cut)


async def test_a_cut_whole_reply_breaks_off_inside_its_body(session: aiohttp.ClientSession) -> None:
    """Less comes than Content-Length promised."""
    async with offline_endpoint(OfflineOptions(faults=FaultRates(cut=1))) as url:
        with pytest.raises(aiohttp.ClientPayloadError):
            await post(session, url, body())


async def test_malformed_verdicts_spoil_judges_only(session: aiohttp.ClientSession) -> None:
    """The contestant answers as ever; the judge's reply is not the verdict."""
    prompt = grading("Who?", [(100.0, "Ann")], "Ann")
    async with offline_endpoint(OfflineOptions(faults=FaultRates(malformed=1))) as url:
        assert "Ann opened" in (await post(session, url, body()))[1]["choices"][0]["message"]["content"]
        _, reply = await post(session, url, body("lexical-judge", prompt))
    assert '{"points_awarded":[100.0],"total":100.0}' != reply["choices"][0]["message"]["content"]


async def test_a_prompt_beyond_the_window_is_refused_or_cut(session: aiohttp.ClientSession) -> None:
    """400 by default; with a cut, an answer whose usage shows what was kept."""
    async with offline_endpoint(OfflineOptions(window=ContextWindow(50))) as url:
        status, reply = await post(session, url, body("echo-codes"))
    assert (400, "context_length_exceeded") == (status, reply["error"]["code"])
    async with offline_endpoint(OfflineOptions(window=ContextWindow(50, "front"))) as url:
        status, reply = await post(session, url, body("echo-codes"))
    assert (200, "AB1234CD", 50) == (status, reply["choices"][0]["message"]["content"], reply["usage"]["prompt_tokens"])


async def test_latency_is_the_least_time_to_a_reply_and_requests_wait_together(
    session: aiohttp.ClientSession, tmp_path: Path
) -> None:
    """All ten have arrived before the first is answered."""
    log = tmp_path / "requests.jsonl"
    async with offline_endpoint(OfflineOptions(latency_s=1, log=log)) as url:
        started = time.monotonic()
        posts = [asyncio.create_task(post(session, url, body())) for _ in range(10)]
        await asyncio.wait(posts, return_when=asyncio.FIRST_COMPLETED)
        assert 1 <= time.monotonic() - started
        assert 10 == len(log.read_bytes().splitlines())
        await asyncio.gather(*posts)


async def test_a_long_document_does_not_hold_up_other_requests(session: aiohttp.ClientSession) -> None:
    """While three million characters are read, health answers again and again."""
    prompt = asked(
        "Who wrote entry 4711?", "".join(f"Clerk {n} wrote entry {n} of the ledger. " for n in range(65_000))
    )
    answered = 0
    async with offline_endpoint() as url:
        slow = asyncio.create_task(post(session, url, body(prompt=prompt)))
        while not slow.done():
            async with session.get(f"{url.removesuffix('/v1')}/health") as reply:
                await reply.read()
            answered += 1
    assert 200 == slow.result()[0]
    assert 20 < answered


async def test_the_log_has_one_line_a_request_before_its_reply(session: aiohttp.ClientSession, tmp_path: Path) -> None:
    """Model, number, status, fault, hash of what was asked, size; readable as soon as the reply is there."""
    log = tmp_path / "requests.jsonl"
    options = OfflineOptions(log=log, faults=FaultRates(too_many=0.5), seed=3)
    async with offline_endpoint(options) as url:
        for number in range(1, 21):
            status, _ = await post(session, url, body(prompt=f"{PROMPT} {number}"))
            lines = [orjson.loads(line) for line in log.read_bytes().splitlines()]
            sha256 = hashlib.sha256(f"{PROMPT} {number}".encode()).hexdigest()
            assert number == len(lines)
            assert (number, status, sha256) == tuple(lines[-1][key] for key in ("request", "status", "sha256"))
        await post(session, url, [])
    lines = [orjson.loads(line) for line in log.read_bytes().splitlines()]
    assert {"request": 21, "model": None, "status": 400, "fault": None, "sha256": None, "bytes": 2} == lines[-1]
    assert {None, "429"} == {line["fault"] for line in lines}
    assert {"lexical-reader", None} == {line["model"] for line in lines}


async def test_a_log_that_cannot_be_written_is_said_at_once(tmp_path: Path) -> None:
    """One sentence names the file and what to do."""
    with pytest.raises(OutputError, match=r"missing/log: the request log cannot be written .*another --log"):
        async with offline_endpoint(OfflineOptions(log=tmp_path / "missing" / "log")):
            pass


async def test_a_port_in_use_is_said_with_what_to_do() -> None:
    """The port is named, and 0 offered."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(OutputError, match=f"port {port} of 127.0.0.1 is in use; choose another with --port"):
            async with offline_endpoint(OfflineOptions(port=port)):
                pass


async def test_it_listens_on_loopback_alone() -> None:
    """No other address of this machine reaches it."""
    async with offline_endpoint() as url:
        port = int(url.rsplit(":", 1)[1].removesuffix("/v1"))
        assert url.startswith("http://127.0.0.1:")
        with socket.socket() as other, pytest.raises(ConnectionRefusedError):
            other.connect(("127.0.0.2", port))


@pytest.mark.timeout(60)
async def test_it_stops_though_a_reply_is_under_way(session: aiohttp.ClientSession) -> None:
    """Leaving the block does not wait for a long latency, and the port is free again."""
    async with offline_endpoint(OfflineOptions(latency_s=600)) as url:
        slow = asyncio.create_task(post(session, url, body()))
        await asyncio.sleep(0.2)
    with pytest.raises(aiohttp.ClientError):
        await slow
    with pytest.raises(aiohttp.ClientConnectionError):
        await post(session, url, body())
