"""The OpenAI chat-completions wire format: request bodies, whole replies, streamed replies.

A body is written in pieces, so that a document that was escaped once is spliced between them and never copied. What an
error means is openai_errors.py's business; how bytes travel is transport.py's.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import orjson

from wildtrace.endpoints.base import Reply, ReplySchema
from wildtrace.endpoints.config import Endpoint
from wildtrace.endpoints.failures import RefusedError, TransientError
from wildtrace.endpoints.openai_errors import REFUSAL_STATUSES, error_in, one_line, without_choices
from wildtrace.endpoints.plain_event import plain_delta
from wildtrace.text.surrogates import replace_lone_surrogates

_DATA = b"data:"
_DONE = b"[DONE]"
_BOM = b"\xef\xbb\xbf"
_SPREAD_LIMIT = 64  # lines of one event
_ODD_LIMIT = 16  # events that are not plain: of a server that sends so many, none is tried any more
_TEXT_TYPES = ("text", "output_text")
# How engines and gateways (vLLM, SGLang, DeepSeek, Zhipu, OpenRouter) say that generation did not end of itself: what
# came is a part of an answer at best.
_BROKEN_OFF = frozenset(
    {
        "abort",
        "aborted",
        "cancel",
        "canceled",
        "cancelled",
        "error",
        "errored",
        "failed",
        "failure",
        "insufficient_system_resource",
        "internal_error",
        "internal_server_error",
        "interrupted",
        "network_error",
        "overloaded",
        "server_error",
        "terminated",
        "time_out",
        "timed_out",
        "timeout",
    }
)
# How Anthropic, Gemini and Mistral say `length`.
_CUT = frozenset({"length", "max_tokens", "max_output_tokens", "model_length", "model_context_window_exceeded"})
# How Zhipu, Gemini, Anthropic, Bedrock and Cohere say that a filter kept the answer back.
_KEPT_BACK = frozenset(
    {
        "blocklist",
        "content_filtered",
        "content_policy_violation",
        "error_toxic",
        "guardrail_intervened",
        "moderation",
        "prohibited_content",
        "recitation",
        "refusal",
        "safety",
        "sensitive",
        "spii",
    }
)
_FILTERED = "content_filter"
_COUNT_LIMIT = 1 << 53  # what every JSON writer can hold


@dataclass(frozen=True, slots=True)
class Frame:
    """The constant parts of an endpoint's request bodies."""

    head: bytes
    tail: bytes

    @classmethod
    def of(cls, endpoint: Endpoint, *, stream_options: bool) -> Frame:
        """One user turn, no system prompt, no few-shot turns (protocol, sections 1 and 2)."""
        settings: dict[str, Any] = {endpoint.max_tokens_field: endpoint.max_tokens}
        if endpoint.temperature is not None:
            settings["temperature"] = endpoint.temperature
        if endpoint.stream:
            settings["stream"] = True
            if stream_options:
                settings["stream_options"] = {"include_usage": True}
        head = b'{"model":' + orjson.dumps(endpoint.model) + b',"messages":[{"role":"user","content":"'
        return cls(head, b'"}],' + orjson.dumps(settings)[1:])

    def tail_for(self, schema: ReplySchema | None) -> bytes:
        """The end of a body that asks for a reply by this schema."""
        if schema is None:
            return self.tail
        wanted = {"name": schema.name, "strict": True, "schema": schema.schema}
        return (
            self.tail[:-1]
            + b',"response_format":'
            + orjson.dumps({"type": "json_schema", "json_schema": wanted})
            + b"}"
        )


def read_json(raw: bytes | memoryview) -> Any:
    """Decode JSON; what orjson refuses and servers send is let through: lone surrogates (rule 17), a byte order mark.

    ValueError where it is no JSON.
    """
    try:
        return orjson.loads(raw)
    except orjson.JSONDecodeError:
        pass
    try:
        return json.loads(bytes(raw).decode("utf-8-sig", "replace"))
    except RecursionError:
        raise ValueError("nested too deeply") from None


def text_of(value: Any) -> str:
    """The text of a content field: a string, null, or a list of parts, of which those of text count."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        parts = [
            part.get("text") for part in value if isinstance(part, dict) and part.get("type", "text") in _TEXT_TYPES
        ]
        return "".join(part for part in parts if isinstance(part, str))
    raise TransientError("the reply's content is no text", reason="broken_reply")


def reasoning_of(message: dict[str, Any]) -> str:
    """The reasoning that a message or a delta carries apart from its text, in any of the shapes met."""
    said = message.get("reasoning_content") or message.get("reasoning")
    if isinstance(said, str):
        return said
    content = message.get("content")
    parts = [part for part in content if isinstance(part, dict)] if isinstance(content, list) else []
    others = [part for part in parts if part.get("type", "text") not in _TEXT_TYPES]
    return "".join(text for part in others if isinstance(text := part.get("thinking") or part.get("text"), str))


def _string(value: Any) -> str | None:
    return replace_lone_surrogates(value)[0] if isinstance(value, str) and value else None


def usage_of(value: Any) -> dict[str, int] | None:
    """The integer counts of a usage object, or None."""
    if not isinstance(value, dict):
        return None
    counts = {
        key: number
        for key, number in value.items()
        if key.endswith("_tokens") and key.isidentifier() and _is_count(number)
    }
    details = value.get("completion_tokens_details")
    if isinstance(details, dict) and _is_count(details.get("reasoning_tokens")):
        counts["reasoning_tokens"] = details["reasoning_tokens"]
    return counts or None


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < _COUNT_LIMIT


def _choice(payload: Any) -> dict[str, Any] | None:
    """The first choice: the one of index 0, where a server sends several though one was asked for."""
    choices = payload.get("choices") if isinstance(payload, dict) else None
    tables = [choice for choice in choices if isinstance(choice, dict)] if isinstance(choices, list) else []
    return next((choice for choice in tables if choice.get("index") in (0, None)), None)


def _said_finish(choice: dict[str, Any]) -> str | None:
    """The finish reason as the endpoint writes it; SGLang sends an object whose type it is."""
    reason = choice.get("finish_reason")
    return _string(reason.get("type") if isinstance(reason, dict) else reason)


def _finish_word(reason: str) -> str:
    """A finish reason in the form of the lists above; Gemini writes `content_filter: PROHIBITED_CONTENT`."""
    return reason.partition(":")[0].strip().lower().replace("-", "_").replace(" ", "_")


def _finish_reason(choice: dict[str, Any]) -> str | None:
    """How the reply ended; `length` for every word for it. TransientError where the endpoint says that it broke off."""
    reason = _said_finish(choice)
    if reason is None or reason == "stop":
        return reason
    word = _finish_word(reason)
    if word in _BROKEN_OFF:
        raise TransientError(f"the endpoint broke the reply off ({one_line(reason)})", reason="broken_reply")
    if word in _CUT:
        return "length"
    return _FILTERED if word == _FILTERED else reason


def filtered_completion(status: int, payload: Any) -> RefusedError | None:
    """The refusal that the body of an error is, where it is a completion that a filter kept back."""
    choice = _choice(payload) if status in REFUSAL_STATUSES else None
    reason = None if choice is None else _said_finish(choice)
    if reason is None or _finish_word(reason) not in {_FILTERED, *_KEPT_BACK}:
        return None
    return RefusedError(f"HTTP {status}: the completion was filtered ({one_line(reason)})")


def _refuses(message: dict[str, Any]) -> bool:
    """Whether a message or a delta holds the endpoint's mark of a refusal: a field, or a part of the content."""
    content = message.get("content")
    parts = content if isinstance(content, list) else []
    return _string(message.get("refusal")) is not None or any(
        isinstance(part, dict) and part.get("type") == "refusal" for part in parts
    )


def _kept_back(finish_reason: str | None, content: str) -> bool:
    """Whether a filter, by the endpoint's own word, left nothing of the answer, or cut it off."""
    if finish_reason is None:
        return False
    return finish_reason == _FILTERED or (_finish_word(finish_reason) in _KEPT_BACK and not content.strip())


def _may_be_silent(finish_reason: str | None) -> bool:
    """Whether a reply may hold no message at all: a spent budget or a filter may leave nothing to say but that."""
    return finish_reason == "length" or _kept_back(finish_reason, "")


def read_reply(raw: bytes) -> Reply:
    """Read a whole reply. TransientError where it is broken, an error, or has no choices (rule 11)."""
    try:
        payload = read_json(raw)
    except ValueError:
        raise TransientError("the reply is no JSON", reason="broken_reply") from None
    if (error := error_in(payload)) is not None:
        raise error
    choice = _choice(payload)
    if choice is None:
        raise without_choices(payload)
    message, finish_reason = choice.get("message"), _finish_reason(choice)
    if message is None and not choice.get("text") and _may_be_silent(finish_reason):
        message = {}
    if not isinstance(message, dict):
        raise TransientError("the reply has no choices", reason="broken_reply")
    content = text_of(message.get("content"))
    return Reply(
        content=content,
        reasoning=reasoning_of(message) or None,
        finish_reason=finish_reason,
        refused=_refuses(message) or _kept_back(finish_reason, content),
        usage=usage_of(payload.get("usage")),
        served_model=_string(payload.get("model")),
        fingerprint=_string(payload.get("system_fingerprint")),
    )


def _joined(texts: Sequence[str]) -> str:
    """The text of several messages: the last where each holds what came before it, else all, one after the other."""
    said = [text for text in texts if text]
    grows = bool(said) and all(after.startswith(before) for before, after in pairwise(said))
    return said[-1] if grows else "".join(said)


@dataclass(slots=True)
class StreamedReply:
    """Collects a streamed reply, line by line.

    Events are taken as soon as a line of data is whole JSON; one that is spread over several lines ends at a blank one.
    What comes in deltas is the reply; a whole message counts where no delta holds text (some servers send both).
    """

    _content: list[str] = field(default_factory=list)
    _reasoning: list[str] = field(default_factory=list)
    _messages: list[tuple[str, str]] = field(default_factory=list)
    _rest: list[bytes] = field(default_factory=list)
    _spread: list[bytes] = field(default_factory=list)
    _began: bool = False
    _returned: bool = False
    _chosen: bool = False
    _elsewhere: bool = False
    _finish_reason: str | None = None
    _refused: bool = False
    _usage: dict[str, int] | None = None
    _served_model: str | None = None
    _fingerprint: str | None = None
    _done: bool = False
    _odd: int = 0

    def feed(self, data: bytes) -> None:
        """Take the next bytes, cut anywhere."""
        if not data:
            return
        if self._returned and data.startswith(b"\n"):
            data = data[1:]
        self._returned = data.endswith(b"\r")
        if b"\r" in data:
            data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        first, *more = data.split(b"\n")
        self._rest.append(first)
        if not more:
            return
        lines = [b"".join(self._rest), *more]
        self._rest = [lines.pop()]
        for line in lines:
            if not self._plain(line):
                self._line(line)

    @property
    def done(self) -> bool:
        """Whether the server said that nothing more comes."""
        return self._done

    @property
    def finished(self) -> bool:
        """Whether the reply is whole: it said how it ended, or that nothing more comes."""
        return self._done or self._finish_reason is not None

    @property
    def told(self) -> int:
        """How many pieces of an answer, of its reasoning and of its usage have come."""
        return len(self._content) + len(self._reasoning) + len(self._messages) + (self._usage is not None)

    def reply(self) -> Reply:
        """The reply, at the stream's end. TransientError where it ended with neither a finish reason nor [DONE]."""
        rest, self._rest = b"".join(self._rest), []
        self._line(rest)
        self._line(b"")
        if not self._done and self._finish_reason is None:
            raise TransientError("the stream ended with neither a finish reason nor [DONE]", reason="cut_stream")
        if not self._chosen and (self._elsewhere or not _may_be_silent(self._finish_reason)):
            raise TransientError("the reply has no choices", reason="broken_reply")
        content, reasoning = "".join(self._content), "".join(self._reasoning)
        if self._messages:
            contents, reasonings = zip(*self._messages, strict=True)
            content, reasoning = content or _joined(contents), reasoning or _joined(reasonings)
        return Reply(
            content=content,
            reasoning=reasoning or None,
            finish_reason=self._finish_reason,
            refused=self._refused or _kept_back(self._finish_reason, content),
            usage=self._usage,
            served_model=self._served_model,
            fingerprint=self._fingerprint,
        )

    def _plain(self, line: bytes) -> bool:
        """Take a line where it is an event that only adds to a reply of which all else is known; whether it was."""
        if self._served_model is None or not self._chosen or self._done or self._spread or self._odd > _ODD_LIMIT:
            return False
        if not line.startswith(_DATA):
            return not line
        if (delta := plain_delta(line[5:])) is None:
            self._odd += 1
            return False
        if delta.content:
            self._content.append(delta.content)
        if reasoning := delta.reasoning_content or delta.reasoning:
            self._reasoning.append(reasoning)
        return True

    def _line(self, line: bytes) -> None:
        if not self._began:
            line, self._began = line.removeprefix(_BOM), True
        if line.startswith(_DATA):
            data = line[5:].strip()
            if data == _DONE:
                self._done = True
            elif not self._done and data:
                self._data(data)
        elif self._spread and not line:
            raise TransientError("the stream holds an event that is no JSON", reason="broken_reply")

    def _data(self, data: bytes) -> None:
        """Take one line of data; it is kept where it is only a piece of its event."""
        self._spread.append(data)
        if len(self._spread) > _SPREAD_LIMIT:
            raise TransientError("the stream holds an event that is no JSON", reason="broken_reply")
        if len(self._spread) > 1 and not data.endswith((b"}", b"]")):
            return
        try:
            payload = read_json(b"\n".join(self._spread))
        except ValueError:
            return
        self._spread.clear()
        self._event(payload)

    def _event(self, payload: Any) -> None:
        if (error := error_in(payload)) is not None:
            raise error
        if not isinstance(payload, dict):
            raise TransientError("the stream holds an event that is no object", reason="broken_reply")
        if (choice := _choice(payload)) is not None:
            self._finish_reason = _finish_reason(choice) or self._finish_reason
            if isinstance(delta := choice.get("delta"), dict):
                self._chosen = True
                self._delta(delta)
            elif choice.get("text"):
                self._elsewhere = True
            if "message" in choice and isinstance(message := choice["message"], dict):
                self._chosen = True
                self._messages.append((text_of(message.get("content")), reasoning_of(message)))
                self._refused = self._refused or _refuses(message)
        if self._served_model is None:
            self._served_model = _string(payload.get("model"))
            self._fingerprint = _string(payload.get("system_fingerprint"))
        if payload.get("usage"):
            self._usage = usage_of(payload["usage"])

    def _delta(self, delta: dict[str, Any]) -> None:
        if content := delta.get("content"):
            self._content.append(text_of(content))
            if isinstance(content, list):
                self._refused = self._refused or _refuses(delta)
        if reasoning := reasoning_of(delta):
            self._reasoning.append(reasoning)
        if delta.get("refusal"):
            self._refused = True
