"""A loopback endpoint of the OpenAI chat form with settable latency: every program is measured against this one.

It reads a request by its Content-Length and looks only at the first and last few hundred bytes of a large body, so
that its own cost stays small beside the clients'. Models named `judge-*` answer with a verdict that fits the rubric in
their prompt; all others answer with text. What it leaves out: errors, TLS, time between streamed events.

Prints `READY <port>` when it listens and, on SIGTERM, one JSON line of what it saw (`Tally`).

    python -m benchmarks.endpoint [--latency S] [--answer-chars N] [--events N --event-chars M] [--log FILE]
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import importlib
import json
import random
import re
import resource
import signal
import time
from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, TextIO, cast

from benchmarks.workload import english_sentences

EDGE = 400  # bytes kept at either end of a large body: the keys around "messages" stand there
WHOLE = 65_536  # bodies up to this many bytes (judge calls) are kept whole
READ_BUFFER = 262_144
BYTES_PER_TOKEN = 3.3
DISTINCT_ANSWERS = 64
JUDGE_TOTAL = 70  # of 100 points
CREATED = 1_760_000_000

LENGTH = re.compile(rb"\r\ncontent-length:\s*(\d+)", re.IGNORECASE)
MODEL = re.compile(rb'(?<!\\)"model":\s*"([^"]+)"')
STREAM = re.compile(rb'(?<!\\)"stream":\s*true')
USAGE = re.compile(rb'(?<!\\)"include_usage":\s*true')
POINTS = re.compile(rb"P\d+ \((\d+)pts\)")


@dataclass(slots=True)
class Settings:
    """How the endpoint answers: seconds, characters, and events with their characters each."""

    latency: float = 0.0
    answer_chars: int = 1_500
    events: int = 0
    event_chars: int = 4
    digests: bool = False


@dataclass(slots=True)
class Tally:
    """What the endpoint saw: requests by model, body bytes, the window in seconds, and calls in flight at most."""

    requests: Counter[str] = field(default_factory=Counter)
    in_flight: Counter[str] = field(default_factory=Counter)
    most_in_flight: Counter[str] = field(default_factory=Counter)
    body_bytes: int = 0
    answer_bytes: int = 0
    reply_bytes: int = 0
    first: float = 0.0
    last: float = 0.0
    connections: int = 0

    def arrived(self, model: str, size: int) -> None:
        """Count a complete request."""
        self.requests[model] += 1
        self.in_flight[model] += 1
        self.most_in_flight[model] = max(self.most_in_flight[model], self.in_flight[model])
        self.body_bytes += size

    def answered(self, model: str, text_bytes: int, reply_bytes: int) -> None:
        """Count a reply that was handed to the socket, with the bytes of its text and of the whole response."""
        self.in_flight[model] -= 1
        self.reply_bytes += reply_bytes
        self.answer_bytes += text_bytes
        self.last = time.monotonic()

    def summary(self) -> dict[str, Any]:
        """The JSON form, with the endpoint's own CPU seconds."""
        usage = resource.getrusage(resource.RUSAGE_SELF)
        return {
            "requests": dict(self.requests),
            "most_in_flight": dict(self.most_in_flight),
            "body_bytes": self.body_bytes,
            "answer_bytes": self.answer_bytes,
            "reply_bytes": self.reply_bytes,
            "window_s": self.last - self.first if self.last else 0.0,
            "connections": self.connections,
            "cpu_s": usage.ru_utime + usage.ru_stime,
        }


def make_answers(chars: int) -> list[str]:
    """Answers of exactly that many characters, so many different ones that a program cannot gain by their sameness."""
    sentences = english_sentences(random.Random(7), ("“", "”", "’"))
    per_answer = chars // 100 + 2
    texts = [" ".join(sentences[n * per_answer % 9_000 :][: per_answer * 2]) for n in range(DISTINCT_ANSWERS)]
    return [(text * (chars // len(text) + 1))[:chars] for text in texts]


@lru_cache(maxsize=256)
def verdict(points: tuple[int, ...]) -> str:
    """A judge's reply that awards JUDGE_TOTAL of the rubric's points, from the first criterion on."""
    left, awarded = JUDGE_TOTAL, []
    for worth in points:
        awarded.append(min(worth, left))
        left -= awarded[-1]
    return json.dumps({"points_awarded": awarded, "total": sum(awarded)}, separators=(",", ":"))


def user_message(body: bytes) -> str:
    """The text of a request's one message."""
    message: str = json.loads(body)["messages"][0]["content"]
    return message


def usage_of(size: int, text: str) -> dict[str, int]:
    """Token counts that fit the size of the request's body."""
    prompt, completion = int(size / BYTES_PER_TOKEN), int(len(text) / BYTES_PER_TOKEN)
    return {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}


def plain_reply(model: str, text: str, size: int) -> bytes:
    """A complete HTTP response with one chat completion."""
    body = json.dumps(
        {
            "id": "chatcmpl-bench",
            "object": "chat.completion",
            "created": CREATED,
            "model": model,
            "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}],
            "usage": usage_of(size, text),
        },
        ensure_ascii=False,
        separators=(",", ":"),
    ).encode()
    return b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body)


def event(payload: str) -> bytes:
    """One server-sent event in an HTTP chunk of its own, as inference servers flush it."""
    data = f"data: {payload}\n\n".encode()
    return b"%x\r\n%b\r\n" % (len(data), data)


def chunk_event(model: str, choices: list[dict[str, Any]], **more: object) -> bytes:
    """One `chat.completion.chunk`."""
    head = {"id": "chatcmpl-bench", "object": "chat.completion.chunk", "created": CREATED, "model": model}
    return event(json.dumps({**head, "choices": choices, **more}, ensure_ascii=False, separators=(",", ":")))


@lru_cache(maxsize=2 * DISTINCT_ANSWERS)
def content_events(model: str, text: str, event_chars: int) -> bytes:
    """The events that carry the text and the one with the finish reason."""
    pieces = [text[start : start + event_chars] for start in range(0, len(text), event_chars)]
    deltas = [{"index": 0, "delta": {"content": piece}, "finish_reason": None} for piece in pieces]
    deltas[0]["delta"] = {"role": "assistant", "content": pieces[0]}
    final: dict[str, Any] = {"index": 0, "delta": {}, "finish_reason": "stop"}
    return b"".join(chunk_event(model, [delta]) for delta in [*deltas, final])


def streamed_reply(model: str, text: str, size: int, event_chars: int, with_usage: bool) -> bytes:
    """A complete chunked HTTP response of server-sent events, sent back to back."""
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
    last = chunk_event(model, [], usage=usage_of(size, text)) if with_usage else b""
    return b"".join((head, content_events(model, text, event_chars), last, event("[DONE]"), b"0\r\n\r\n"))


class Endpoint:
    """The state that all connections share: settings, answers, the tally and the log."""

    def __init__(self, settings: Settings, log: TextIO | None) -> None:
        self.settings = settings
        self.tally = Tally()
        self.log = log
        self.loop = asyncio.get_running_loop()
        self.buffer = memoryview(bytearray(READ_BUFFER))
        self.answers = make_answers(settings.answer_chars)
        self.streams = make_answers(settings.events * settings.event_chars) if settings.events else self.answers

    def text_for(self, model: str, body: bytes, stream: bool) -> str:
        """What the model says to this body."""
        if model.startswith("judge"):
            return verdict(tuple(int(points) for points in POINTS.findall(body)))
        texts = self.streams if stream else self.answers
        # where prompts are compared, a question has one answer, whenever it is asked: judges' prompts rest on it
        number = len(user_message(body)) if self.settings.digests else self.tally.requests[model]
        return texts[number % DISTINCT_ANSWERS]

    def reply(self, model: str, body: bytes, size: int) -> tuple[bytes, int]:
        """The response to a request, and the bytes of its text."""
        stream = STREAM.search(body) is not None
        text = self.text_for(model, body, stream)
        if not stream:
            return plain_reply(model, text, size), len(text.encode())
        with_usage = USAGE.search(body) is not None
        response = streamed_reply(model, text, size, self.settings.event_chars, with_usage)
        return response, len(text.encode())

    def write_log(self, model: str, body: bytes, size: int) -> None:
        """One line a request: time, model, size and, when asked, the digest of the user's message."""
        if self.log is None:
            return
        line: dict[str, object] = {"t": round(time.monotonic(), 4), "model": model, "bytes": size}
        if self.settings.digests:
            line["sha256"] = hashlib.sha256(user_message(body).encode()).hexdigest()
            line["settings"] = {key: value for key, value in json.loads(body).items() if key != "messages"}
        self.log.write(json.dumps(line) + "\n")


class Connection(asyncio.BufferedProtocol):
    """One keep-alive connection; the read buffer is shared, since a read is consumed before the next one starts."""

    def __init__(self, endpoint: Endpoint) -> None:
        self.endpoint = endpoint
        self.transport: asyncio.Transport
        self.head = bytearray()
        self.size = self.left = -1  # bytes of the body and of its part still to come; -1 while reading headers
        self.body = bytearray()
        self.tail = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport."""
        self.transport = cast("asyncio.Transport", transport)
        self.endpoint.tally.connections += 1

    def get_buffer(self, sizehint: int) -> memoryview:  # noqa: ARG002  # the protocol's signature
        """Where the next read goes."""
        return self.endpoint.buffer

    def buffer_updated(self, nbytes: int) -> None:
        """Take in what was read."""
        self.endpoint.tally.first = self.endpoint.tally.first or time.monotonic()
        data = self.endpoint.buffer[:nbytes]
        while len(data):
            data = self.read_headers(data) if self.size < 0 else self.read_body(data)

    def read_headers(self, data: memoryview) -> memoryview:
        """Collect headers up to the empty line; what follows it is returned."""
        known = len(self.head)
        self.head += data
        end = self.head.find(b"\r\n\r\n", max(0, known - 3))
        if end < 0:
            return data[len(data) :]
        length = LENGTH.search(self.head, 0, end)
        if length is None:
            self.transport.write(b"HTTP/1.1 411 Length Required\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            self.transport.close()
            return data[len(data) :]
        self.size = self.left = int(length[1])
        return data[end + 4 - known :]

    def read_body(self, data: memoryview) -> memoryview:
        """Count the body down, keeping all of a small one and the edges of a large one."""
        part, rest = data[: self.left], data[self.left :]
        self.left -= len(part)
        if self.size <= WHOLE or self.endpoint.settings.digests:
            self.body += part
        else:
            self.body += part[: max(0, EDGE - len(self.body))]
            self.tail = (self.tail + bytes(part[-EDGE:]))[-EDGE:]
        if self.left == 0:
            self.complete()
        return rest

    def complete(self) -> None:
        """The request is whole: answer it after the latency."""
        endpoint, size = self.endpoint, self.size
        body = bytes(self.body) + self.tail
        self.head, self.body, self.tail, self.size, self.left = bytearray(), bytearray(), b"", -1, -1
        found = MODEL.search(body)
        model = found[1].decode() if found else "unnamed"
        endpoint.tally.arrived(model, size)
        endpoint.write_log(model, body, size)
        if endpoint.settings.latency:
            endpoint.loop.call_later(endpoint.settings.latency, self.respond, model, body, size)
        else:
            self.respond(model, body, size)

    def respond(self, model: str, body: bytes, size: int) -> None:
        """Send the reply, if the client still listens."""
        response, text_bytes = self.endpoint.reply(model, body, size)
        if not self.transport.is_closing():
            self.transport.write(response)
        self.endpoint.tally.answered(model, text_bytes, len(response))


async def serve(settings: Settings, log: TextIO | None, port: int) -> None:
    """Listen until SIGTERM or SIGINT, then print the tally."""
    loop = asyncio.get_running_loop()
    endpoint = Endpoint(settings, log)
    done = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, done.set)
    server = await loop.create_server(lambda: Connection(endpoint), "127.0.0.1", port)
    print("READY", server.sockets[0].getsockname()[1], flush=True)
    await done.wait()
    server.close()
    print(json.dumps(endpoint.tally.summary()), flush=True)


def run(settings: Settings, log_path: Path | None, port: int) -> None:
    """Serve on uvloop where it is installed, else on asyncio's own loop."""
    try:
        factory = importlib.import_module("uvloop").new_event_loop
    except ImportError:
        factory = asyncio.new_event_loop
    log = log_path.open("w", encoding="utf-8") if log_path else None
    try:
        with asyncio.Runner(loop_factory=factory) as runner:
            runner.run(serve(settings, log, port))
    finally:
        if log:
            log.close()


def main() -> None:
    """Parse the options and serve."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--latency", type=float, default=0.0, help="seconds from the whole request to its reply")
    parser.add_argument("--answer-chars", type=int, default=1_500)
    parser.add_argument("--events", type=int, default=0, help="events of a streamed answer; 0: as many as it takes")
    parser.add_argument("--event-chars", type=int, default=4)
    parser.add_argument("--digests", action="store_true", help="log each prompt's digest and settings (slow)")
    parser.add_argument("--log", type=Path, help="write one line a request to this file")
    options = parser.parse_args()
    settings = Settings(
        options.latency, options.answer_chars, options.events, options.event_chars, digests=options.digests
    )
    run(settings, options.log, options.port)


if __name__ == "__main__":
    main()
