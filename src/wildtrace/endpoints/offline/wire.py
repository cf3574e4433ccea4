"""The OpenAI chat wire format, as the offline endpoint speaks it: requests in, replies, events and errors out."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any

import msgspec
import orjson

from wildtrace.endpoints.offline import FINGERPRINT

PIECE = 64  # code points a streamed event
DONE = b"data: [DONE]\n\n"


@dataclass(frozen=True)
class TextPart:
    """One part of a message whose content is a list; only text is read."""

    text: str
    type: str = "text"


@dataclass(frozen=True)
class Message:
    """One message of a chat."""

    role: str
    content: str | list[TextPart]

    @property
    def text(self) -> str:
        """The content as one text."""
        return self.content if isinstance(self.content, str) else "".join(part.text for part in self.content)


@dataclass(frozen=True)
class StreamOptions:
    """What a streamed reply brings besides its text."""

    include_usage: bool = False


Limit = Annotated[int, msgspec.Meta(ge=1)] | None


@dataclass(frozen=True)
class ChatRequest:
    """What the endpoint reads of a chat completion request; decoding settings are accepted and change nothing."""

    model: str
    messages: Annotated[list[Message], msgspec.Meta(min_length=1)]
    stream: bool = False
    stream_options: StreamOptions | None = None
    max_tokens: Limit = None
    max_completion_tokens: Limit = None

    @property
    def prompt(self) -> str:
        """The contents of all messages; for the protocol's one user turn, the prompt."""
        return "\n\n".join(message.text for message in self.messages)

    @property
    def limit(self) -> int | None:
        """The completion budget in tokens, by whichever name it was given."""
        return self.max_tokens if self.max_tokens is not None else self.max_completion_tokens


_DECODER = msgspec.json.Decoder(ChatRequest)


class ApiError(Exception):
    """An answer in OpenAI's error shape."""

    def __init__(self, status: int, code: str, message: str, kind: str = "invalid_request_error") -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.kind = kind

    @property
    def body(self) -> bytes:
        """The error as it goes over the wire."""
        return orjson.dumps({"error": {"message": self.message, "type": self.kind, "param": None, "code": self.code}})


def parse_chat(body: bytes) -> ChatRequest:
    """Read a request's body. Raises ApiError 400, saying what is wrong where."""
    try:
        return _DECODER.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ApiError(400, "invalid_body", f"The body is no chat completion request: {error}") from error


@dataclass(frozen=True, slots=True)
class Completion:
    """What a model replied; tokens are estimates at the protocol's rates."""

    number: int
    model: str
    content: str
    finish_reason: str
    prompt_tokens: int
    completion_tokens: int

    @property
    def usage(self) -> dict[str, int]:
        """Tokens in, out and together."""
        return {
            "prompt_tokens": self.prompt_tokens,
            "completion_tokens": self.completion_tokens,
            "total_tokens": self.prompt_tokens + self.completion_tokens,
        }

    def whole(self) -> bytes:
        """The body of a reply that is not streamed."""
        choice = {
            "index": 0,
            "message": {"role": "assistant", "content": self.content},
            "finish_reason": self.finish_reason,
        }
        return orjson.dumps({**self._head("chat.completion"), "choices": [choice], "usage": self.usage})

    def events(self, *, include_usage: bool) -> Iterator[bytes]:
        """The server-sent events of a streamed reply, up to the last before `DONE`."""
        yield self._event({"role": "assistant", "content": ""})
        for start in range(0, len(self.content), PIECE):
            yield self._event({"content": self.content[start : start + PIECE]})
        yield self._event({}, self.finish_reason)
        if include_usage:
            yield _sent({**self._head("chat.completion.chunk"), "choices": [], "usage": self.usage})

    def _event(self, delta: dict[str, str], finish_reason: str | None = None) -> bytes:
        choice = {"index": 0, "delta": delta, "finish_reason": finish_reason}
        return _sent({**self._head("chat.completion.chunk"), "choices": [choice]})

    def _head(self, kind: str) -> dict[str, Any]:
        return {
            "id": f"chatcmpl-offline-{self.number}",
            "object": kind,
            "created": int(time.time()),
            "model": self.model,
            "system_fingerprint": FINGERPRINT,
        }


def _sent(event: dict[str, Any]) -> bytes:
    return b"data: " + orjson.dumps(event) + b"\n\n"
