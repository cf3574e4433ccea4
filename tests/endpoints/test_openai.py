"""The wire format: bodies out, replies in, whole or cut anywhere."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.endpoint import DONE, event
from wildtrace.endpoints.base import Reply
from wildtrace.endpoints.config import Endpoint
from wildtrace.endpoints.failures import CallError, QuotaError, RefusedError, TransientError
from wildtrace.endpoints.openai import (
    Frame,
    ReplyReader,
    filtered_completion,
    read_json,
    read_reply,
    text_of,
    usage_of,
)
from wildtrace.text.json_escape import escape

TEXT = st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from('"\\\n水😀{}'))
STREAM = (
    b": a comment\r\n\r\n"
    b"event: message\n" + event({"role": "assistant", "content": ""}) + event({"reasoning_content": "想"})
    + event({"content": "水 \"a\""}).replace(b"\n", b"\r\n") + b"data:" + event({"content": "😀\n"})[6:]
    + event({"content": "."}, finish="stop") + event(usage={"prompt_tokens": 3, "completion_tokens": 2, "x": 1})
    + DONE
)  # fmt: skip
WANTED = Reply(
    '水 "a"😀\n.',
    reasoning="想",
    finish_reason="stop",
    usage={"prompt_tokens": 3, "completion_tokens": 2},
    served_model="served",
)


@given(TEXT, TEXT, TEXT, st.booleans(), st.booleans())
def test_a_body_put_together_from_pieces_is_the_body(
    before: str, document: str, after: str, stream: bool, warm: bool
) -> None:
    """As another JSON writer would have written it, for any texts."""
    endpoint = Endpoint(name="c", base_url="http://h/v1", model='mo"del', stream=stream, send_temperature=warm)
    frame = Frame.of(endpoint, stream_options=True)
    body = json.loads(frame.head + escape(before) + escape(document) + escape(after) + frame.tail)
    assert 'mo"del' == body.pop("model")
    assert [{"role": "user", "content": before + document + after}] == body.pop("messages")
    wanted: dict[str, Any] = {"max_tokens": 8192} | ({"temperature": 0.1} if warm else {})
    assert wanted | ({"stream": True, "stream_options": {"include_usage": True}} if stream else {}) == body


def fed(*parts: bytes) -> Reply:
    """The reply of a stream that arrives in these parts."""
    streamed = ReplyReader()
    for part in parts:
        streamed.feed(part)
    return streamed.reply()


def test_a_stream_may_be_cut_at_every_byte() -> None:
    """In two at each place, and into single bytes."""
    assert WANTED == fed(STREAM)
    for place in range(len(STREAM)):
        assert WANTED == fed(STREAM[:place], STREAM[place:])
    assert WANTED == fed(*(STREAM[place : place + 1] for place in range(len(STREAM))))


@given(st.lists(st.integers(0, len(STREAM)), max_size=6))
def test_a_stream_may_be_cut_into_any_parts(places: list[int]) -> None:
    """Several cuts, empty parts too."""
    edges = [0, *sorted(places), len(STREAM)]
    assert WANTED == fed(*(STREAM[left:right] for left, right in pairwise(edges)))


def test_the_last_event_needs_no_line_end() -> None:
    """Neither [DONE] nor a finish reason."""
    assert "a" == fed(event({"content": "a"}), b"data: [DONE]").content
    assert "a" == fed(event({"content": "a"}, finish="stop").rstrip()).content


@pytest.mark.parametrize(
    "events",
    [
        (),
        (event({"content": "a"}),),
        (event({"content": "a"}), b"data: {"),
        (b"data: 5\n", DONE),
        (b"data: [1, 2]\n", DONE),
        (b"data: nothing\n", DONE),
        (event({"content": {"a": 1}}), DONE),
        (event({"content": "a"}), event(error={"message": "died"}), DONE),
        (event({"content": "a"}, error={"message": "died"}), DONE),
        (event({"content": "a"}), event({}, finish="error"), DONE),
        (event({"content": "a"}), event({}, finish="insufficient_system_resource"), DONE),
        (event({"content": "a"}), event({}, finish="network_error"), DONE),
    ],
)
def test_a_stream_that_is_no_reply_is_transient(events: tuple[bytes, ...]) -> None:
    """Cut, no JSON, no object, an error in it: never half an answer, never a crash."""
    with pytest.raises(TransientError):
        fed(*events)


def test_odd_events_are_passed_over() -> None:
    """No choices, choices null, an empty delta, another field; content in parts; the last finish reason counts."""
    parts = event({"content": [{"type": "text", "text": "水"}, {"type": "image"}]})
    odd = [b'data: {"choices": null}\n', b'data: {"choices": [null]}\n', b"data:\n", b"id: 7\n", event({})]
    assert "水" == fed(*odd, parts, event({}, finish="length"), DONE).content
    assert "length" == fed(event({}, finish="length"), DONE).finish_reason


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"{",
        b"null",
        b"[]",
        b"5",
        b"{}",
        b'{"choices": []}',
        b'{"choices": [{}]}',
        b'{"choices": [{"message": null}]}',
        b'{"choices": ["x"]}',
        b'{"choices": {"0": 1}}',
        b'{"choices": [{"message": {"content": 5}}]}',
        b'{"choices": [{"message": {"content": "a"}, "finish_reason": "error"}]}',
        b'{"error": "x", "choices": [{"message": {"content": "a"}}]}',
        b"[" * 100_000,
        b"\xff\xfe",
    ],
)
def test_a_body_that_is_no_reply_is_transient(raw: bytes) -> None:
    """Never a crash, never an empty answer."""
    with pytest.raises(TransientError):
        read_reply(raw)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(st.characters()),
        lambda inner: (
            st.lists(inner, max_size=2)
            | st.dictionaries(
                st.sampled_from(
                    [
                        "choices",
                        "message",
                        "content",
                        "finish_reason",
                        "usage",
                        "model",
                        "reasoning",
                        "refusal",
                        "error",
                        "prompt_tokens",
                        "system_fingerprint",
                        "delta",
                    ]
                ),
                inner,
                max_size=4,
            )
        ),
        max_leaves=12,
    )
)
def test_any_json_is_a_reply_or_a_failure(value: Any) -> None:
    """Whole and as an event; what comes back can be written to a file."""
    raw = json.dumps(value).encode()
    readers: list[Callable[[], Reply]] = [lambda: read_reply(raw), lambda: fed(b"data: " + raw + b"\n", DONE)]
    for read in readers:
        try:
            reply = read()
        except CallError:
            continue
        for text in (reply.finish_reason, reply.served_model, reply.fingerprint, *(reply.usage or {})):
            assert (text or "") == (text or "").encode().decode()


def test_what_is_stored_can_be_stored() -> None:
    """Lone surrogates in names and numbers beyond 64 bits do not reach a file."""
    said = {
        "choices": [{"message": {"content": "a"}, "finish_reason": "st\ud800op"}],
        "model": "\udfff",
        "usage": {
            "prompt_tokens": 10**30,
            "\ud800_tokens": 1,
            "completion_tokens": 4,
            "total_tokens": -1,
            "cached_tokens": True,
        },
    }
    reply = read_reply(json.dumps(said).encode())
    assert ("st\ufffdop", "\ufffd", {"completion_tokens": 4}) == (reply.finish_reason, reply.served_model, reply.usage)


@pytest.mark.parametrize(
    ("value", "counts"),
    [
        (None, None),
        ({}, None),
        ([], None),
        ({"prompt_tokens": "7"}, None),
        ({"prompt_tokens": 7, "details": {"a_tokens": 1}}, {"prompt_tokens": 7}),
        (
            {"completion_tokens": 9, "completion_tokens_details": {"reasoning_tokens": 5}},
            {"completion_tokens": 9, "reasoning_tokens": 5},
        ),
        ({"completion_tokens": 9, "completion_tokens_details": {"reasoning_tokens": True}}, {"completion_tokens": 9}),
    ],
)
def test_usage_is_counts_or_nothing(value: Any, counts: dict[str, int] | None) -> None:
    """Whole numbers of tokens, reasoning apart."""
    assert counts == usage_of(value)


def test_text_content_is_a_string_parts_or_nothing() -> None:
    """Other kinds are no text."""
    assert ["", "a", "ab", ""] == [
        text_of(value) for value in (None, "a", [{"text": "a"}, {"text": "b"}, {"x": 1}, "y"], [])
    ]
    with pytest.raises(TransientError):
        text_of({"text": "a"})


def test_json_with_lone_surrogates_and_bad_bytes_is_read() -> None:
    """By the second, slower reader."""
    assert {"a": "\ud800"} == read_json(b'{"a": "\\ud800"}')
    assert {"a": "\udcff"} == read_json(b'{"a": "\xff"}')


@pytest.mark.timeout(60)
def test_a_flood_without_line_ends_is_taken_in_linear_time() -> None:
    """Sixteen megabytes in small parts."""
    streamed = ReplyReader()
    streamed.feed(b"data: ")
    for _ in range(1024):
        streamed.feed(b"x" * 16_384)
    with pytest.raises(TransientError):
        streamed.reply()


def streamed(*lines: bytes) -> Reply:
    """The reply of a stream of these lines."""
    reply = ReplyReader()
    reply.feed(b"".join(lines))
    return reply.reply()


CHUNK = b'data: {"choices":[{"index":0,"delta":{"content":"A"}}]}\n\n'
END = b"data: [DONE]\n\n"


@pytest.mark.parametrize(
    ("last", "reason"),
    [
        (b'data: {"choices":[{"finish_reason":"content_filter"}]}\n\n', "content_filter"),
        (b'data: {"choices":[{"delta":null,"finish_reason":"length"}]}\n\n', "length"),
    ],
)
def test_a_finish_reason_counts_without_a_delta(last: bytes, reason: str) -> None:
    """Filters that work behind the model say so in a chunk that adds no text."""
    assert ("A", reason) == (streamed(CHUNK, last, END).content, streamed(CHUNK, last).finish_reason)


@pytest.mark.parametrize("reason", ["length", "LENGTH", "max_tokens"])
@pytest.mark.parametrize("delta", [b"", b'"delta":null,'])
def test_a_finish_reason_alone_is_an_answer_without_text(delta: bytes, reason: str) -> None:
    """Final, as the same reply unstreamed is; a choice in another form is none."""
    last = b'data: {"choices":[{%b"finish_reason":"%b"}]}\n\n' % (delta, reason.encode())
    assert ("", "length") == (streamed(last, END).content, streamed(last).finish_reason)
    text = b'data: {"choices":[{"text":"A"}]}\n\n'
    with pytest.raises(TransientError):
        streamed(text, last, END)


@pytest.mark.parametrize(
    "lines",
    [
        (END,),
        (b'data: {"object":"error","message":"worker died","code":50002}\n\n', END),
        (CHUNK, b'data: {"object":"error","message":"worker died"}\n\n', END),
        (CHUNK, b'data: {"text":"NETWORK ERROR","error_code":50001}\n\n', END),
    ],
)
def test_a_stream_without_choices_or_with_a_bare_error_is_no_answer(lines: tuple[bytes, ...]) -> None:
    """It is asked again, as a whole reply of that kind is (rule 11)."""
    with pytest.raises(TransientError):
        streamed(*lines)


def test_streams_are_read_however_their_lines_are_written() -> None:
    """A mark at the start, carriage returns alone, and one event over several lines."""
    spread = b'data: {"choices":\ndata: [{"index":0,"delta":{"content":"A"}}]}\n\n'
    for lines in (b"\xef\xbb\xbf" + CHUNK + END, (CHUNK + END).replace(b"\n", b"\r"), spread + END):
        assert "A" == streamed(lines).content


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_a_stream_may_be_cut_at_every_byte_whatever_ends_its_lines(end: bytes, indent: int | None, mark: bytes) -> None:
    """In two at each place, within a line end and a byte order mark too; an event in one line or in many."""
    texts = [("漢", None), ("b", "stop")]
    choices = [{"index": 0, "delta": {"content": text}, "finish_reason": finish} for text, finish in texts]
    events = [json.dumps({"choices": [choice]}, indent=indent, ensure_ascii=False).encode() for choice in choices]
    lines = [b"data: " + line for event in events for line in (*event.split(b"\n"), b"")]
    stream = mark + end.join(line.removesuffix(b"data: ") for line in [*lines, b"data: [DONE]", b"", b""])
    assert "漢b" == fed(stream).content
    for place in range(len(stream)):
        assert "漢b" == fed(stream[:place], b"", stream[place:]).content
    assert "漢b" == fed(*(stream[place : place + 1] for place in range(len(stream)))).content


def test_only_the_first_choice_is_the_answer() -> None:
    """Where a server sends several though one was asked for."""
    other = b'data: {"choices":[{"index":1,"delta":{"content":"B"}}]}\n\n'
    assert "A" == streamed(CHUNK, other, END).content


def test_thinking_parts_are_reasoning() -> None:
    """Content in parts: those of text are the answer, the others its reasoning (rule 15)."""
    parts = [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "A"}, {"type": "reasoning", "text": "so"}]
    reply = read_reply(json.dumps({"choices": [{"message": {"content": parts}, "finish_reason": "stop"}]}).encode())
    assert ("A", "hmso") == (reply.content, reply.reasoning)


def message(content: Any, finish: str | None = None, **more: Any) -> bytes:
    """An event whose choice holds a message and no delta."""
    choice = {"index": 0, "message": {"role": "assistant", "content": content, **more}, "finish_reason": finish}
    return b"data: " + json.dumps({"model": "served", "choices": [choice]}).encode() + b"\n\n"


@pytest.mark.parametrize(
    "events",
    [
        (message("水漢", "stop"),),
        (message("水"), message("漢"), message("", "stop")),
        (message("水"), message("水漢"), message("水漢", "stop")),
        (event({"content": "水"}), event({"content": "漢"}), message("水漢", "stop")),
        (message([{"type": "text", "text": "水漢"}], "stop"),),
    ],
)
def test_a_stream_of_messages_is_the_answer(events: tuple[bytes, ...]) -> None:
    """Whole in one event, in pieces, growing, or repeated whole after its deltas: never empty, never twice."""
    reply = fed(*events, DONE)
    assert ("水漢", "stop") == (reply.content, reply.finish_reason)


def test_pieces_in_messages_are_put_together() -> None:
    """Reasoning too; one piece that begins as the one before is still a piece."""
    pieces = [message("1", reasoning_content="a"), message("1"), message(" 日", reasoning_content="b")]
    reply = fed(*pieces, message("", "stop"), DONE)
    assert ("11 日", "ab") == (reply.content, reply.reasoning)
    assert fed(message("", refusal="no"), DONE).refused


@pytest.mark.parametrize(
    "choice", [{"text": "水", "finish_reason": "stop"}, {"finish_reason": "stop"}, {"delta": None, "message": "水"}]
)
def test_a_stream_without_delta_or_message_is_no_answer(choice: dict[str, Any]) -> None:
    """As unstreamed: it is broken and asked again, never an empty answer, which is final."""
    said = b"data: " + json.dumps({"choices": [{"index": 0, **choice}]}).encode() + b"\n"
    with pytest.raises(TransientError, match="no choices"):
        fed(said, DONE)


def test_a_filter_that_says_nothing_else_is_a_refusal_in_a_stream() -> None:
    """A finish reason alone, without delta or message."""
    said = b'data: {"choices":[{"index":0,"finish_reason":"%s"}]}\n'
    assert "content_filter" == fed(said % b"content_filter", DONE).finish_reason
    assert fed(said % b"SAFETY", DONE).refused


def finishing(content: Any, finish: str | None) -> list[Reply]:
    """The same reply, whole and streamed."""
    turn = {"choices": [{"message": {"content": content}, "finish_reason": finish}]}
    return [read_reply(json.dumps(turn).encode()), fed(event({"content": content}), event({}, finish=finish), DONE)]


@pytest.mark.parametrize("word", ["length", "max_tokens", "MAX_TOKENS", "model_length"])
def test_every_word_for_a_spent_budget_is_length(word: str) -> None:
    """So that an empty answer is `empty_truncated` and a judge's reply a cut one; other words stay as they are."""
    assert ["length"] * 2 == [reply.finish_reason for reply in finishing("水", word)]
    assert ["end_turn"] * 2 == [reply.finish_reason for reply in finishing("水", "end_turn")]


@pytest.mark.parametrize("word", ["sensitive", "SAFETY", "refusal", "PROHIBITED_CONTENT", "RECITATION"])
def test_a_filters_word_without_an_answer_is_a_refusal(word: str) -> None:
    """By the endpoint's own mark (rule 14); with an answer it is none, and no other word is one."""
    for content in ("", None, " \n"):
        assert [(True, word)] * 2 == [(reply.refused, reply.finish_reason) for reply in finishing(content, word)]
    assert [False] * 4 == [reply.refused for reply in [*finishing("水", word), *finishing("", "stop")]]


BROKEN_OFF = [
    *("abort", "aborted", "cancel", "canceled", "cancelled", "interrupted"),
    *("timeout", "timed_out", "time_out", "error", "failed", "server_error"),
]


@pytest.mark.parametrize("word", BROKEN_OFF)
@pytest.mark.parametrize("content", ["", None, "The val"])
def test_a_reply_that_the_engine_broke_off_is_no_answer(word: str, content: str | None) -> None:
    """Whole and streamed, in any case, with a part of an answer and without: it is asked again."""
    for reason in (word, word.upper(), word.title(), word.replace("_", "-")):
        turn = {"choices": [{"message": {"content": content}, "finish_reason": reason}]}
        with pytest.raises(TransientError, match="broke the reply off"):
            read_reply(json.dumps(turn).encode())
        for events in (
            (event({"content": content}), event({}, finish=reason)),
            (event({"content": content}, finish=reason),),
        ):
            with pytest.raises(TransientError, match="broke the reply off"):
                fed(*events, DONE)
    for choice in ({"message": None}, {}, {"delta": None}):
        said = json.dumps({"choices": [{**choice, "finish_reason": word}]}).encode()
        with pytest.raises(TransientError):
            read_reply(said)
        with pytest.raises(TransientError):
            fed(event({"content": content}), b"data: " + said + b"\n\n", DONE)


def test_a_finish_reason_may_be_an_object_with_a_type() -> None:
    """As SGLang writes it: one that was aborted is broken, another keeps its word."""
    turn: dict[str, Any] = {"message": {"content": "水"}, "finish_reason": {"type": "abort", "message": "no memory"}}
    with pytest.raises(TransientError, match="abort"):
        read_reply(json.dumps({"choices": [turn]}).encode())
    turn["finish_reason"] = {"type": "length", "length": 8}
    assert "length" == read_reply(json.dumps({"choices": [turn]}).encode()).finish_reason


LATE = {"message": "upstream timed out", "code": 504}


@pytest.mark.parametrize(
    "events",
    [
        (event({"content": "Partial "}), b'data: {"choices":[{"delta":{},"finish_reason":"stop","error":%s}]}\n\n'),
        (b'data: {"choices":[{"delta":{"content":"Partial "},"error":%s}]}\n\n', event({}, finish="stop")),
        (b'data: {"choices":[{"error":%s}]}\n\n', event({"content": "Partial "}, finish="stop")),
        (event({"content": "Partial "}), b'data: {"choices":[{"delta":{"error":%s},"finish_reason":"stop"}]}\n\n'),
        (event({"content": "Partial "}), event({}, finish="stop"), b'data: {"choices":[{"index":0,"error":%s}]}\n\n'),
        (event({"content": "Partial "}), event({}, finish="stop"), b'data: {"choices":[],"error":%s}\n\n'),
        (b'data: {"error":%s}\n\n', event({"content": "Partial "}, finish="stop")),
    ],
)
@pytest.mark.parametrize("told", [LATE, "upstream timed out", {"reason": "upstream timed out"}])
def test_an_error_beside_a_part_of_an_answer_is_no_answer(events: tuple[bytes, ...], told: Any) -> None:
    """At the top, in a choice, in its delta; before, with and after the text, and after the finish reason."""
    said = json.dumps(told).encode()
    with pytest.raises(TransientError, match=r"upstream timed out|holds an error"):
        fed(*(each % said if b"%s" in each else each for each in events), DONE)


@pytest.mark.parametrize(
    "reply",
    [
        {"choices": [{"message": {"content": "Partial"}, "finish_reason": "stop", "error": LATE}]},
        {"choices": [{"message": {"content": "Partial", "error": LATE}, "finish_reason": "stop"}]},
        {"choices": [{"message": {"content": "Partial"}, "finish_reason": "stop"}], "error": LATE},
        {
            "choices": [
                {"message": {"content": "Partial"}, "finish_reason": "stop", "error": {"message": "no", "code": 400}}
            ]
        },
    ],
)
def test_an_error_in_a_whole_reply_is_no_answer(reply: dict[str, Any]) -> None:
    """At the top, in the choice, in its message, whatever its code says of the request: it is asked again."""
    with pytest.raises(TransientError):
        read_reply(json.dumps(reply).encode())


@pytest.mark.parametrize("empty", [None, "", {}, {"message": None, "code": None}])
def test_an_empty_error_is_none(empty: Any) -> None:
    """Some servers send the form with every reply."""
    turn = {"choices": [{"message": {"content": "水"}, "finish_reason": "stop", "error": empty}], "error": empty}
    assert "水" == read_reply(json.dumps(turn).encode()).content


def test_an_error_in_a_choice_keeps_what_its_code_says() -> None:
    """A moderation code is a refusal, an account without quota ends the asking."""
    kinds = {"content_filter": RefusedError, "insufficient_quota": QuotaError}
    for code, kind in kinds.items():
        turn = {"choices": [{"message": {"content": "Partial"}, "error": {"code": code, "message": "no"}}]}
        with pytest.raises(kind):
            read_reply(json.dumps(turn).encode())


@pytest.mark.parametrize(
    "word", ["content_filter", "CONTENT_FILTER", "content-filter", "content_filter: SPII", "PROHIBITED_CONTENT"]
)
@pytest.mark.parametrize(
    "choice", [{"message": None}, {}, {"message": {"content": None}}, {"message": {"content": ""}}]
)
def test_a_whole_reply_that_was_filtered_is_a_refusal(word: str, choice: dict[str, Any]) -> None:
    """With a message that holds nothing, with none, or with null in its place; streamed alike."""
    said = json.dumps({"choices": [{"index": 0, **choice, "finish_reason": word}]}).encode()
    assert [(True, "")] * 2 == [
        (each.refused, each.content) for each in (read_reply(said), fed(b"data: " + said + b"\n", DONE))
    ]


def test_a_whole_reply_without_a_message_is_an_empty_answer_only_where_the_budget_was_spent() -> None:
    """As it is streamed; any other end of nothing is asked again."""
    said = b'{"choices": [{"message": null, "finish_reason": "%s"}]}'
    assert ("", "length", False) == ((got := read_reply(said % b"max_tokens")).content, got.finish_reason, got.refused)
    for reason in (b"stop", b"tool_calls", b""):
        with pytest.raises(TransientError, match="no choices"):
            read_reply(said % reason)


@pytest.mark.parametrize(
    ("status", "reason", "refused"),
    [
        (400, "content_filter", True),
        (403, "PROHIBITED_CONTENT", True),
        (422, "guardrail_intervened", True),
        (400, "stop", False),
        (400, None, False),
        (500, "content_filter", False),
    ],
)
def test_an_error_whose_body_is_a_filtered_completion_is_a_refusal(
    status: int, reason: str | None, refused: bool
) -> None:
    """Under the statuses of a refusal; another completion in an error's body is none."""
    body = {"object": "chat.completion", "choices": [{"index": 0, "message": None, "finish_reason": reason}]}
    assert refused == (filtered_completion(status, body) is not None)
    others: list[Any] = [None, [], "no", {}, {"choices": []}, {"error": {"code": "x"}}]
    for other in others:
        assert filtered_completion(status, other) is None


def test_a_part_of_content_that_refuses_is_a_refusal() -> None:
    """Where content comes in parts; the words of the refusal are no answer."""
    replies = finishing([{"type": "refusal", "refusal": "不行"}], "stop")
    assert [(True, "", None)] * 2 == [(reply.refused, reply.content, reply.reasoning) for reply in replies]


def test_a_byte_order_mark_is_no_part_of_a_reply() -> None:
    """Nor of an error's body."""
    body = b'\xef\xbb\xbf{"choices": [{"message": {"content": "\xe6\xb0\xb4"}}]}'
    assert "水" == read_reply(body).content
    assert {"a": "\ud800"} == read_json(b'\xef\xbb\xbf{"a": "\\ud800"}')


def test_a_spent_budget_stays_said() -> None:
    """An error, an abort or another end after `length` does not undo it (no text: empty_truncated)."""
    cut = event({}, finish="length")
    for after in (event(error={"code": 400, "message": "Token limit reached"}), event({}, finish="abort"), b""):
        assert ("", "length") == ((reply := fed(cut, after, DONE)).content, reply.finish_reason)
        assert ("half", "length") == (
            (reply := fed(event({"content": "half"}), cut, after)).content,
            reply.finish_reason,
        )
    with pytest.raises(RefusedError):
        fed(cut, event(error={"code": "content_filter", "message": "no"}))


@pytest.mark.parametrize("key", ["promptFeedback", "prompt_feedback"])
def test_a_blocked_prompt_without_choices_is_a_refusal(key: str) -> None:
    """Gemini's mark, whole and streamed; without a reason it is none."""
    body = json.dumps({"choices": [], key: {"blockReason": "PROHIBITED_CONTENT"}}).encode()
    assert [(True, "")] * 2 == [(r.refused, r.content) for r in (read_reply(body), fed(b"data: " + body + b"\n"))]
    with pytest.raises(TransientError):
        read_reply(json.dumps({"choices": [], key: {"blockReason": ""}}).encode())


def test_a_usage_of_thousands_of_digits_costs_no_answer() -> None:
    """The answer stands, its usage is unknown; bytes that are no UTF-8 are lone surrogates, which are flagged."""
    said = b'{"choices":[{"message":{"content":"a\xff"},"finish_reason":"stop"}],"usage":{"prompt_tokens":%s}}'
    reply = read_reply(said % (b"7" * 5000))
    assert ("a\udcff", None) == (reply.content, reply.usage)


def test_an_error_may_be_named_by_its_event() -> None:
    """Where its data holds nothing but code and message."""
    with pytest.raises(QuotaError):
        fed(event({"content": "a"}), b'event: error\ndata: {"code": "insufficient_quota", "message": "no"}\n\n')


def test_a_tool_call_is_told_by_the_finish_reason() -> None:
    """Though the endpoint says only that it stopped."""
    turn = {"content": None, "tool_calls": [{"type": "function", "function": {"name": "f", "arguments": "{}"}}]}
    body = json.dumps({"choices": [{"message": turn, "finish_reason": "stop"}]}).encode()
    assert ["tool_calls"] * 2 == [
        reply.finish_reason for reply in (read_reply(body), fed(event(turn), event({}, finish="stop"), DONE))
    ]


PARTS = [
    *(b"data:", b"data: ", b"event: error\n", b": c\n", b"\n", b"\r", b"\n\n", b"[DONE]", b"{", b"}", b"[", b"]", b'"'),
    *(b"\xff", "水".encode(), b"\xef\xbb\xbf", b"<html>", b"null", b"7" * 5000, b"\\ud800", event({"content": "a"})),
    *(event({}, finish="stop"), event({}, finish="length"), event({}, finish="abort"), event(error={"code": 503})),
    *(b'{"choices":[{"message":{"content":"a"}}]}', b'{"error":{"metadata":{"raw":"{\\"code\\":400}"}}}'),
    *(event(usage={"prompt_tokens": 1}), event({"refusal": "no"}), event(promptFeedback={"blockReason": "SAFETY"})),
]


def outcome(*parts: bytes) -> Reply | tuple[type[CallError], str]:
    """What these bytes give: a reply, or the failure by kind and words."""
    try:
        return fed(*parts)
    except CallError as failure:
        return type(failure), str(failure)


@given(st.lists(st.sampled_from(PARTS) | st.binary(max_size=3), max_size=9), st.lists(st.integers(0, 400), max_size=4))
def test_any_bytes_mean_the_same_however_they_are_cut(parts: list[bytes], cuts: list[int]) -> None:
    """A reply or a CallError, and nothing else, whole, in pieces and byte by byte."""
    wire = b"".join(parts)
    edges = [0, *sorted(min(cut, len(wire)) for cut in cuts), len(wire)]
    wanted = outcome(wire)
    assert wanted == outcome(*(wire[left:right] for left, right in pairwise(edges)))
    if len(wire) < 2000:
        assert wanted == outcome(*(wire[place : place + 1] for place in range(len(wire))))
