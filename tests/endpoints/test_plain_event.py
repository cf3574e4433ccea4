"""Events of text alone: read as the whole reader reads them, or left to it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.endpoint import DONE, event
from wildtrace.endpoints.base import Reply
from wildtrace.endpoints.failures import CallError
from wildtrace.endpoints.openai import StreamedReply
from wildtrace.endpoints.plain_event import Delta, plain_delta

BEGIN = event({"role": "assistant", "content": ""})
END = event({}, finish="stop") + DONE


def plain(delta: dict[str, Any], **more: Any) -> bytes:
    """The JSON of an event with this delta."""
    return json.dumps({"choices": [{"index": 0, "delta": delta, "finish_reason": None}], **more}).encode()


@pytest.mark.parametrize(
    ("wanted", "data"),
    [
        (Delta(content="水"), plain({"content": "水"})),
        (Delta(content="水"), plain({"content": "水"}, id="1", object="chat.completion.chunk", created=1.5, model="m")),
        (Delta(content="", reasoning_content="想"), plain({"content": "", "reasoning_content": "想"}, usage=None)),
        (
            Delta(reasoning="想", role="assistant"),
            b" " + plain({"content": None, "reasoning": "想", "role": "assistant"}) + b"\r",
        ),
        (None, plain({"content": "a"}, usage={"prompt_tokens": 1})),
        (None, plain({"content": "a"}, error={"message": "overloaded"})),
        (None, plain({"content": "a"}, object="error")),
        (None, plain({"content": "a"}, base_resp={"status_code": 1})),
        (None, plain({"content": ["a"]})),
        (None, plain({"refusal": "no"})),
        (None, json.dumps({"choices": [{"delta": {"content": "a"}, "finish_reason": "stop"}]}).encode()),
        (None, json.dumps({"choices": [{"delta": {"content": "a"}, "index": 1}]}).encode()),
        (None, json.dumps({"choices": [{"delta": {"content": "a"}}] * 2}).encode()),
        (None, json.dumps({"choices": [{"delta": {"content": "a"}, "message": {"content": "ab"}}]}).encode()),
        (None, plain({"content": "a"})[:-1]),
        (None, b'{"choices":[{"delta":{"content":"\xff"}}]}'),
        (None, b"[DONE]"),
    ],
)
def test_an_event_is_plain_where_it_adds_text_and_does_nothing_else(wanted: Delta | None, data: bytes) -> None:
    """Whatever could mean more is left alone."""
    assert wanted == plain_delta(data)


def read(stream: bytes, *, odd: int = 0) -> Reply | str:
    """The reply of a stream, or its failure's words; after so many odd events no event is taken for a plain one."""
    streamed = StreamedReply(_odd=odd)
    try:
        streamed.feed(stream)
        return streamed.reply()
    except CallError as failure:
        return str(failure)


STRINGS = [
    b'"a"',
    b'""',
    '"水"'.encode(),
    b'"\xff"',
    b'"\xed\xa0\x80"',
    b'"a\tb"',
    b'"stop"',
    b'"length"',
    b'"error"',
    b'"',
]
ESCAPES = [b'"\\ud83d"', b'"\\ud83d\\ude00"', b'"\\u0000"', b'"\\x"']
OTHERS = [b"null", b"0", b"1", b"01", b"1e999", b"NaN", b"-0.5", b"true", b"18446744073709551616", b""]
NESTED = [b"[]", b"{}", b'["a"]', b'{"a":1}', b'[{"type":"text","text":"b"}]']
VALUE = st.sampled_from([*STRINGS, *ESCAPES, *OTHERS, *NESTED])
TOP = st.sampled_from(
    ["id", "object", "created", "model", "usage", "error", "x", "choices", "provider", "detail", "code"]
)
CHOICE = st.sampled_from(["index", "finish_reason", "logprobs", "text", "message", "x", "delta", "stop_reason"])
DELTA = st.sampled_from(["content", "reasoning_content", "reasoning", "role", "refusal", "tool_calls", "x"])


def members(keys: st.SearchStrategy[str]) -> st.SearchStrategy[bytes]:
    """Members of an object, some of them twice."""
    pairs = st.lists(st.tuples(keys, VALUE), max_size=3)
    return pairs.map(lambda found: b"".join(b',"%s":%s' % (key.encode(), value) for key, value in found))


EVENTS = st.lists(st.tuples(members(TOP), members(CHOICE), members(DELTA)), min_size=1, max_size=4)


@given(EVENTS)
@example([(b"", b"", b',"content":"b"'), (b',"error":{"message":"x"},"error":null', b"", b"")])
@example([(b"", b"", b',"content":"b","content":"c"')])
@example([(b"", b',"delta":{"content":"z"}', b"")])
def test_a_stream_means_the_same_whether_its_events_are_taken_for_plain_or_not(
    events: list[tuple[bytes, bytes, bytes]],
) -> None:
    """Whatever stands in them: unknown, doubled, of another kind, half characters, numbers that are none."""
    lines = [
        b'data: {"choices":[{"delta":{"content":"a"%s}%s}]%s}\n\n' % (delta, choice, top)
        for top, choice, delta in events
    ]
    stream = BEGIN + b"".join(lines) + END
    assert read(stream, odd=1 << 30) == read(stream)


def test_a_server_of_odd_events_is_read_whole() -> None:
    """Its events are tried no more, and all count."""
    odd = b"".join(event({"content": "水"}, x=1) for _ in range(40))
    streamed = StreamedReply()
    streamed.feed(BEGIN + odd + event({"content": "."}) + END)
    assert "水" * 40 + "." == streamed.reply().content
