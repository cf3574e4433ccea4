"""Servers that send what no server should: floods, nonsense, control characters. The run ends, its files are sound."""

from __future__ import annotations

import contextlib
import gzip
import json
import resource
import socketserver
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.endpoint import DONE, Answer, Asked, event, raw, serving, streamed, whole
from tests.faults.harness import Done, Work, ended

DEEP: Any = json.loads("[" * 800 + "]" * 800)
BOMB = gzip.compress(bytes(1 << 28), 1)
MARKED = "\x1b]0;owned\x07\x1b[2J\x1b[31m red \u202e\r\n\x00 \x9b5m"


def responses(work: Work) -> list[dict[str, Any]]:
    """The rows of the responses file, read by the standard library."""
    rows: list[dict[str, Any]] = json.loads(work.responses.read_bytes())["responses"]
    return rows


def no_terminal_is_driven(done: Done) -> bool:
    """Whether nothing but printable lines came out."""
    assert "Traceback" not in done.err, done.err
    return all(char.isprintable() or char == "\n" for char in done.out + done.err)


NONSENSE: dict[str, Answer] = {
    "nothing": raw(b""),
    "no JSON": raw(b"<html>busy</html>"),
    "cut JSON": raw(b'{"choices": [{"message": {"content": "abc'),
    "a list": raw([1, 2]),
    "a number": raw(7),
    "null": raw(b"null"),
    "not a number": raw(b"NaN"),
    "a long number": raw(b"1" * 20_000),
    "nested without end": raw(b"[" * 500_000),
    "garbage": raw(bytes(range(256)) * 50),
    "no choices": raw({"choices": []}),
    "choices of nothing": raw({"choices": [None]}),
    "a message of text": raw({"choices": [{"message": "hi"}]}),
    "content of numbers": whole(content=5),
    "content of objects": whole(content={"a": 1}),
    "an error": raw({"error": {"message": MARKED, "code": "x"}}),
    "a nested error": raw({"error": DEEP}),
    "an error of nested parts": raw({"error": {"message": DEEP, "code": DEEP, "type": [MARKED]}}, status=500),
    "a detail": raw({"detail": DEEP}, status=503),
    "an event of text": streamed(b"data: hello\n\n"),
    "an event of a number": streamed(b"data: 5\n\n", DONE),
    "an event of null": streamed(b"data: null\n\n", DONE),
    "an event of a list": streamed(b"data: [[]]\n\n", DONE),
    "a nested event": streamed(b"data: " + b"[" * 200_000 + b"\n\n"),
    "an error event": streamed(event({"content": "abc"}), b'data: {"error": "overloaded"}\n\n'),
    "no events": streamed(b": nothing\n\n"),
    "an event cut in a character": streamed('data: {"choices": [{"delta": {"content": "水"'.encode()[:-2]),
    "not what it says it is": Answer(200, (b"\x1f\x8b garbage",), headers={"Content-Encoding": "gzip"}),
}


def test_nonsense_is_asked_again_and_then_pending(work: Work) -> None:
    """Every kind of broken reply: six requests a task, no answer made up, one line a reason."""
    kinds = list(NONSENSE)
    places = {str(row["question_text"]): place for place, row in enumerate(work.rows)}

    def script(asked: Asked) -> Answer:
        question = asked.prompt.split("Question: ", 1)[1].split("\n\nDocument:", 1)[0]
        return NONSENSE[kinds[places[question]]]

    more = [{**row, "question_id": f"more-{n}", "question_text": f"More {n}?"} for n, row in enumerate(work.rows)]
    work.rows.extend(more[: len(kinds) - len(work.rows)])
    places.update({str(row["question_text"]): place for place, row in enumerate(work.rows)})
    assert len(kinds) == len(work.rows)
    work.write()
    with serving(script) as server:
        work.configure(server.url, concurrency=8, backoff_s=0)
        done = work.run("eval")
    assert 2 == done.status
    assert no_terminal_is_driven(done)
    rows = responses(work)
    assert [("pending", 6)] * len(kinds) == [(row["status"], row["attempts"]) for row in rows], rows
    assert {"broken_reply", "cut_stream", "server_error", "connection"} >= {row["reason"] for row in rows}
    assert all(str(row["error"]).isprintable() for row in rows)
    assert 6 * len(kinds) == len(server.asked)


ODD: dict[str, tuple[Answer, dict[str, Any]]] = {
    "control characters": (whole(MARKED), {"status": "ok", "response": MARKED}),
    "nulls": (whole("a\0b"), {"status": "ok", "response": "a\0b"}),
    "a lone surrogate": (raw(b'{"choices": [{"message": {"content": "a\\ud800b"}}]}'), {"response": "a\ufffdb"}),
    "a pair in two events": (
        streamed(
            b'data: {"choices": [{"delta": {"content": "\\ud83d"}}]}\n\n',
            b'data: {"choices": [{"delta": {"content": "\\ude00"}, "finish_reason": "stop"}]}\n\n',
        ),
        {"response": "\U0001f600", "status": "ok"},
    ),
    "surrogates everywhere": (
        raw(
            b'{"model": "\\udfff", "system_fingerprint": "\\ud800", "usage": {"\\ud800_tokens": 1, "prompt_tokens": 2},'
            b'"choices": [{"finish_reason": "\\ud800", "message": {"content": "x", "reasoning_content": "\\ud800"}}]}'
        ),
        {"response": "x", "reasoning": "\ufffd", "served_model": "\ufffd", "usage": {"prompt_tokens": 2}},
    ),
    "usage beyond all": (
        whole("x", usage={"prompt_tokens": 10**40, "completion_tokens": -1, "total_tokens": "7", "a_tokens": True}),
        {"response": "x", "usage": None},
    ),
    "usage of a list": (whole("x", usage=[1]), {"response": "x", "usage": None}),
    "parts": (whole([{"type": "text", "text": "a"}, 5, {"image": 1}, {"text": 7}]), {"response": "a"}),
    "fields of the wrong kind": (
        whole("x", finish=5, model=[1], system_fingerprint={"a": 1}, id=MARKED),  # type: ignore[arg-type]
        {"response": "x", "finish_reason": None, "served_model": None},
    ),
    "a cursed model name": (whole("x", model=MARKED), {"served_model": MARKED}),
    "events of every kind": (
        streamed(
            b": comment\n\n",
            b"event: x\nid: 5\nretry: 1\n\n",
            b"data:\n\n",
            b'data: {"choices": null}\n\n',
            b'data: {"choices": [{"delta": null}]}\n\n',
            event({"content": None, "reasoning_content": ["x"], "tool_calls": [{}]}),
            event({"content": "good"}),
            event({}, finish="stop"),
            DONE,
            b"data: after the end\n\n",
        ),
        {"response": "good", "status": "ok"},
    ),
    "lines that end as they like": (
        streamed(
            b'data: {"choices":[{"delta":{"content":"a"}}]}\r\n\r\ndata:{"choices":[{"delta":{},',
            b'"finish_reason":"stop"}]}',
        ),
        {"response": "a"},
    ),
}


def test_odd_replies_are_read_and_kept(work: Work) -> None:
    """What can be read is an answer: files are valid UTF-8 JSON, judges are asked about it, a rerun asks nothing."""
    kinds = list(ODD)
    work.rows[:] = work.rows[: len(kinds)]
    work.write()
    questions = [str(row["question_text"]) for row in work.rows]

    def script(asked: Asked) -> Answer:
        if "STRICT grader" in asked.prompt:
            return whole(f'{MARKED} {{"points_awarded": [60, 40], "total": 100}} {MARKED}')
        return ODD[kinds[next(place for place, text in enumerate(questions) if f"Question: {text}\n" in asked.prompt)]][
            0
        ]

    with serving(script) as server:
        work.configure(server.url, backoff_s=0)
        done, judged = work.run("eval"), work.run("judge")
        calls = len(server.asked)
        again = work.run("eval"), work.run("judge")
        assert calls == len(server.asked) == 4 * len(kinds)
    assert (0, 0) == (done.status, judged.status), (done, judged)
    assert all(no_terminal_is_driven(one) for one in (done, judged, *again))
    for kind, row in zip(kinds, responses(work), strict=True):
        for name, value in ODD[kind][1].items():
            assert value == row[name], (kind, name, row)
    assert {1.0} == {row["score"] for row in json.loads(work.scores.read_bytes())["scores"]}


def test_errors_with_escape_sequences_do_not_reach_the_terminal(work: Work) -> None:
    """Neither where an endpoint is not asked any more, nor in files."""
    with serving([raw({"error": {"message": MARKED * 3, "code": MARKED}}, status=401)]) as server:
        work.configure(server.url)
        done = work.run("eval")
    assert 78 == done.status
    assert no_terminal_is_driven(done)
    assert "HTTP 401" in done.err
    assert all(str(row["error"]).isprintable() for row in responses(work) if row["error"])


def small_memory() -> None:
    """At most 700 MB of address space beyond what Python maps: a flood that is kept would not fit."""
    resource.setrlimit(resource.RLIMIT_AS, (1_400_000_000, 1_400_000_000))


Talk = Callable[[threading.Event], Iterator[bytes]]


@contextmanager
def tcp(talk: Talk, *, early: bool = False) -> Iterator[str]:
    """A server on bare sockets that sends what `talk` yields: after a request, or `early`, after its head alone."""
    stopped = threading.Event()

    class Connection(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            with contextlib.suppress(ConnectionError):
                length = 0
                while (line := self.rfile.readline()).strip():
                    name, _, value = line.partition(b":")
                    length = int(value) if name.lower() == b"content-length" else length
                if not early:
                    self.rfile.read(length)
                for part in talk(stopped):
                    self.wfile.write(part)
                    if stopped.is_set():
                        return
                if early:
                    self.rfile.read(length)

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Connection) as server:
        server.daemon_threads = False
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/v1"
        finally:
            stopped.set()
            server.shutdown()
            thread.join()


OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"


def endless_events(_: threading.Event) -> Iterator[bytes]:
    """An answer that never ends."""
    yield OK
    part = event({"content": "flood " * 20_000})
    while True:
        yield part


def endless_line(_: threading.Event) -> Iterator[bytes]:
    """An event that never ends."""
    yield OK + b"data: "
    while True:
        yield b"x" * 262_144


def endless_reply(_: threading.Event) -> Iterator[bytes]:
    """A whole reply that never ends."""
    yield b'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{"choices": [{"message": {"content": "'
    while True:
        yield b"y" * 262_144


def endless_headers(_: threading.Event) -> Iterator[bytes]:
    """Headers that never end."""
    yield b"HTTP/1.1 200 OK\r\n"
    while True:
        yield b"X-More: " + b"z" * 5_000 + b"\r\n"


def endless_error(_: threading.Event) -> Iterator[bytes]:
    """An error that never ends."""
    yield b"HTTP/1.1 500 No\r\nContent-Type: application/json\r\n\r\n"
    while True:
        yield MARKED.encode() * 10_000


def bomb(_: threading.Event) -> Iterator[bytes]:
    """A quarter of a gigabyte of zeros in a quarter of a megabyte."""
    packed = BOMB
    yield b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\n"
    yield b"Content-Length: %d\r\n\r\n" % len(packed)
    yield packed


def no_http(_: threading.Event) -> Iterator[bytes]:
    """Something that is not HTTP."""
    yield b"\x1b[31mSSH-2.0-OpenSSH\x07\r\n\r\n"


def wrong_length(_: threading.Event) -> Iterator[bytes]:
    """A length that is none."""
    yield b"HTTP/1.1 200 OK\r\nContent-Length: -5\x1b[0m\r\n\r\n{}"


def drip(stopped: threading.Event) -> Iterator[bytes]:
    """A character now and then, never an end."""
    yield OK
    while not stopped.wait(0.05):
        yield b": still here\n\n"


FLOODS: dict[str, tuple[Talk, set[str]]] = {
    "events": (endless_events, {"rejected"}),
    "a line": (endless_line, {"rejected"}),
    "a reply": (endless_reply, {"rejected"}),
    "headers": (endless_headers, {"connection"}),
    "an error": (endless_error, {"server_error"}),
    "a bomb": (bomb, {"rejected", "connection"}),
    "no HTTP": (no_http, {"connection"}),
    "a wrong length": (wrong_length, {"connection"}),
    "a drip": (drip, {"timeout"}),
}


@pytest.mark.parametrize("flood", FLOODS)
def test_a_flood_ends(work: Work, flood: str) -> None:
    """Within bounded time and memory the task is pending, and what is said of it is one printable line."""
    talk, reasons = FLOODS[flood]
    with tcp(talk) as url:
        work.configure(url, backoff_s=0, timeout_s=0.4 if flood == "a drip" else 60, concurrency=2)
        done = ended(work.start("eval", limit=1, preexec=small_memory), timeout=60)
    assert 2 == done.status, done
    assert no_terminal_is_driven(done)
    (row,) = responses(work)
    assert row["reason"] in reasons, row
    assert ("pending", 1 if row["reason"] == "rejected" else 6) == (row["status"], row["attempts"])
    assert str(row["error"]).isprintable()


def test_a_stream_that_is_held_open_after_its_end(work: Work) -> None:
    """[DONE] is the end: nobody waits for a server that forgets to hang up, or goes on talking."""

    def held(stopped: threading.Event) -> Iterator[bytes]:
        yield OK + event({"content": "whole"}) + event({}, finish="stop") + DONE
        stopped.wait(30)

    with tcp(held) as url:
        work.configure(url, concurrency=8)
        done = ended(work.start("eval", limit=8), timeout=15)
    assert 0 == done.status, done
    assert [("ok", "whole", 1)] * 8 == [(row["status"], row["response"], row["attempts"]) for row in responses(work)]


@pytest.mark.parametrize(
    ("status", "reason", "exit_status"), [(413, "context_overflow", 2), (401, "endpoint", 78), (503, "server_error", 2)]
)
def test_an_error_before_the_body_was_read(work: Work, status: int, reason: str, exit_status: int) -> None:
    """A gateway that refuses a book by its length answers early; its word counts, not the broken connection."""
    work.rows[:] = work.rows[:2]
    for row in work.rows:
        work.documents[row["corpus_file"]] = "A long sentence of a long book. " * 60_000
    work.write()

    def refuse(_: threading.Event) -> Iterator[bytes]:
        body = b'{"error": {"message": "too much"}}'
        yield b"HTTP/1.1 %d No\r\nContent-Type: application/json\r\nContent-Length: %d\r\nConnection: close\r\n\r\n" % (
            status,
            len(body),
        )
        yield body

    with tcp(refuse, early=True) as url:
        work.configure(url, backoff_s=0, caps={}, cap_as="gpt-4.1")
        done = work.run("eval")
    assert exit_status == done.status, done
    assert {reason} == {row["reason"] for row in responses(work)}, responses(work)
