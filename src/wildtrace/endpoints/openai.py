"""The OpenAI chat-completions wire format: request bodies, and replies, whole and streamed, which one reader reads.

A body is written in pieces, so that a document that was escaped once is spliced between them and never copied. What an
error or a finish reason means stands in meanings.py; how bytes travel is transport.py's business.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Final

import orjson

from wildtrace.endpoints.base import Reply, ReplySchema
from wildtrace.endpoints.config import Endpoint
from wildtrace.endpoints.failures import RefusedError, TransientError
from wildtrace.endpoints.meanings import (
    BROKEN,
    LENGTH,
    REFUSAL,
    broken,
    error_in,
    finish_meaning,
    unwrapped,
    without_choices,
)
from wildtrace.endpoints.openai_errors import one_line, page_words
from wildtrace.text.surrogates import replace_lone_surrogates

_BOM: Final = b"\xef\xbb\xbf"
_DATA_LINES_LIMIT: Final = 64  # of one event: a server that sends more sends no JSON
_TEXT_TYPES: Final = ("text", "output_text")
_COUNT_LIMIT: Final = 1 << 53  # what every JSON writer can hold
_FILTERED: Final = "content_filter"
# The statuses under which a filtered completion comes as the body of an error.
_REFUSAL_STATUSES: Final = (400, 403, 422, 451)


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
        wanted = {"type": "json_schema", "json_schema": {"name": schema.name, "strict": True, "schema": schema.schema}}
        return self.tail[:-1] + b',"response_format":' + orjson.dumps(wanted) + b"}"


def read_json(raw: bytes) -> Any:
    """Decode JSON, also what orjson refuses and servers send: a byte order mark, lone surrogates, very long numbers.

    Bytes that are no UTF-8 become lone surrogates, which are replaced and flagged like the others (rule 17).
    """
    try:
        return orjson.loads(raw)
    except orjson.JSONDecodeError:
        pass
    try:
        return json.loads(raw.removeprefix(_BOM).decode("utf-8", "surrogateescape"), parse_int=_int)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def _int(digits: str) -> int | float:
    return int(digits) if len(digits) <= 20 else float(digits[:20])


def text_of(value: Any) -> str:
    """The text of a content field: a string, null, or a list of parts, of which those of text count."""
    if value is None or isinstance(value, str):
        return value or ""
    if not isinstance(value, list):
        raise broken("the reply's content is no text")
    parts = [part for part in value if isinstance(part, dict) and part.get("type", "text") in _TEXT_TYPES]
    return "".join(text for part in parts if isinstance(text := part.get("text"), str))


def reasoning_of(message: dict[str, Any]) -> str:
    """The reasoning that a message or a delta carries apart from its text, in any of the shapes met."""
    reasoning = message.get("reasoning_content") or message.get("reasoning")
    if isinstance(reasoning, str):
        return reasoning
    content = message.get("content")
    parts = [part for part in content if isinstance(part, dict)] if isinstance(content, list) else []
    others = [part for part in parts if part.get("type", "text") not in _TEXT_TYPES]
    return "".join(text for part in others if isinstance(text := part.get("thinking") or part.get("text"), str))


def usage_of(value: Any) -> dict[str, int] | None:
    """The integer counts of a usage object, or None."""
    if not isinstance(value, dict):
        return None
    counts = {key: n for key, n in value.items() if key.endswith("_tokens") and key.isidentifier() and _is_count(n)}
    details = value.get("completion_tokens_details")
    if isinstance(details, dict) and _is_count(details.get("reasoning_tokens")):
        counts["reasoning_tokens"] = details["reasoning_tokens"]
    return counts or None


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < _COUNT_LIMIT


def _string(value: Any) -> str | None:
    return replace_lone_surrogates(value)[0] if isinstance(value, str) and value else None


def _choice(payload: Any) -> dict[str, Any] | None:
    """The first choice: the one of index 0, where a server sends several though one was asked for."""
    choices = payload.get("choices") if isinstance(payload, dict) else None
    tables = [choice for choice in choices if isinstance(choice, dict)] if isinstance(choices, list) else []
    return next((choice for choice in tables if choice.get("index") in (0, None)), None)


def _finish_reason(choice: dict[str, Any]) -> str | None:
    """The finish reason as the endpoint writes it; SGLang sends an object whose type it is."""
    reason = choice.get("finish_reason")
    return _string(reason.get("type") if isinstance(reason, dict) else reason)


def _refuses(message: dict[str, Any]) -> bool:
    """Whether a message or a delta holds the endpoint's mark of a refusal: a field, or a part of the content."""
    content = message.get("content")
    parts = content if isinstance(content, list) else []
    return _string(message.get("refusal")) is not None or any(
        isinstance(part, dict) and part.get("type") == "refusal" for part in parts
    )


def _blocks_prompt(payload: dict[str, Any]) -> bool:
    """Whether Gemini says that it blocked the prompt, beside choices that are empty."""
    feedback = payload.get("promptFeedback") or payload.get("prompt_feedback")
    reason = feedback.get("blockReason") or feedback.get("block_reason") if isinstance(feedback, dict) else None
    return isinstance(reason, str) and reason not in ("", "BLOCK_REASON_UNSPECIFIED", "BLOCKED_REASON_UNSPECIFIED")


def filtered_completion(status: int, payload: Any) -> RefusedError | None:
    """The refusal that the body of an error is, where it is a completion that a filter kept back."""
    choice = _choice(payload) if status in _REFUSAL_STATUSES else None
    reason = None if choice is None else _finish_reason(choice)
    if reason is None or finish_meaning(reason) != REFUSAL:
        return None
    return RefusedError(f"HTTP {status}: the completion was filtered ({one_line(reason)})")


def read_reply(raw: bytes, treat_as_refusal: Collection[str] = ()) -> Reply:
    """Read a reply that has come as a whole: a body of JSON, or all events of a stream."""
    reader = ReplyReader(treat_as_refusal)
    reader.feed(raw)
    return reader.reply()


def _joined(texts: Sequence[str]) -> str:
    """The text of several messages: the last where each holds what came before it, else all, one after the other."""
    texts = [text for text in texts if text]
    grows = bool(texts) and all(after.startswith(before) for before, after in pairwise(texts))
    return texts[-1] if grows else "".join(texts)


@dataclass(slots=True)
class ReplyReader:
    """Collects a reply line by line: the events of a stream, or a body of JSON, which counts as one last event.

    An event is taken as soon as its lines of data are whole JSON. What comes in deltas is the reply; a whole message
    counts where no delta holds text (some servers send both). A `length` that was said stays said: what an endpoint
    says after it, be it an error, does not undo that the budget was spent.

    `feed` and `reply` raise RefusedError, TransientError and other CallErrors where the endpoint says what they mean.
    """

    treat_as_refusal: Collection[str] = ()
    done: bool = False
    """Whether the server said that nothing more comes."""
    pieces: int = 0
    """How many pieces of an answer, of its reasoning and of its usage have come."""
    _content: list[str] = field(default_factory=list)
    _reasoning: list[str] = field(default_factory=list)
    _messages: list[tuple[str, str]] = field(default_factory=list)
    _line_parts: list[bytes] = field(default_factory=list)
    _data_lines: list[bytes] = field(default_factory=list)
    _bare_lines: list[bytes] = field(default_factory=list)
    _after_return: bool = False
    _in_error_event: bool = False
    _last: Any = None
    _events: int = 0
    _has_message: bool = False
    _has_other_shape: bool = False
    _called_tool: bool = False
    _finish_reason: str | None = None
    _refused: bool = False
    _usage: dict[str, int] | None = None
    _served_model: str | None = None
    _fingerprint: str | None = None

    @property
    def finished(self) -> bool:
        """Whether the reply is whole: it said how it ended, or that nothing more comes."""
        return self.done or self._finish_reason is not None

    def feed(self, data: bytes) -> None:
        """Take the next bytes, cut anywhere."""
        if not data:
            return
        if self._after_return and data.startswith(b"\n"):
            data = data[1:]
        self._after_return = data.endswith(b"\r")
        if b"\r" in data:
            data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        first, *more = data.split(b"\n")
        self._line_parts.append(first)
        if more:
            lines = [b"".join(self._line_parts), *more]
            self._line_parts = [lines.pop()]
            for line in lines:
                self._line(line)

    def _line(self, line: bytes) -> None:
        """Take one line: of data, of another field, of a body of JSON, or the blank one that ends an event."""
        if not self._events:
            line = line.removeprefix(_BOM)
        if line.startswith(b"data:"):
            data = line[5:].strip()
            if data == b"[DONE]":
                self.done = True
            elif data and not self.done:
                self._data(data)
        elif not line.strip():
            if self._data_lines:
                raise broken("the stream holds an event that is no JSON")
            self._in_error_event = False
        elif line.startswith((b"event:", b"id:", b"retry:", b":")):
            self._in_error_event = line[:6] == b"event:" and line[6:].strip() == b"error"
        elif not self._events:
            self._bare_lines.append(line)

    def _data(self, data: bytes) -> None:
        """Take one line of data; it is kept where it is only a piece of its event."""
        self._data_lines.append(data)
        if len(self._data_lines) > _DATA_LINES_LIMIT:
            raise broken("the stream holds an event that is no JSON")
        if len(self._data_lines) > 1 and not data.endswith((b"}", b"]")):
            return
        try:
            payload = read_json(b"\n".join(self._data_lines))
        except ValueError:
            return
        self._data_lines.clear()
        if self._in_error_event and isinstance(payload, dict) and not {"choices", "error"} & payload.keys():
            payload = {"error": payload}
        self._event(payload)

    def _event(self, payload: Any) -> None:
        """Take what one event, or a whole body, says."""
        self._events += 1
        choice = _choice(payload)
        reason = None if choice is None else _finish_reason(choice)
        error = error_in(payload, self.treat_as_refusal)
        if error is not None:
            if LENGTH not in map(finish_meaning, (self._finish_reason, reason)) or isinstance(error, RefusedError):
                raise error
        elif finish_meaning(reason) == BROKEN and finish_meaning(self._finish_reason) != LENGTH:
            raise broken(f"the endpoint broke the reply off ({one_line(reason or '')})")
        self._last = payload = unwrapped(payload)
        if not isinstance(payload, dict):
            raise broken("the reply is no JSON object")
        if choice is not None:
            self._take_choice(choice, reason)
        if _blocks_prompt(payload):
            self._refused, self._finish_reason = True, _FILTERED
        if self._served_model is None:
            self._served_model = _string(payload.get("model"))
            self._fingerprint = _string(payload.get("system_fingerprint"))
        if payload.get("usage"):
            self._usage = usage_of(payload["usage"])
            self.pieces += 1

    def _take_choice(self, choice: dict[str, Any], reason: str | None) -> None:
        meaning = finish_meaning(reason)
        if meaning == REFUSAL and _string(reason) and finish_meaning(self._finish_reason) == LENGTH:
            self._refused = True
        elif reason is not None and finish_meaning(self._finish_reason) != LENGTH:
            self._finish_reason = LENGTH if meaning == LENGTH else reason
        delta, message = choice.get("delta"), choice.get("message")
        for table in (delta, message):
            if isinstance(table, dict):
                self._has_message = True
                self._refused = self._refused or _refuses(table)
                self._called_tool = self._called_tool or bool(table.get("tool_calls") or table.get("function_call"))
        if isinstance(delta, dict):
            content, reasoning = text_of(delta.get("content")), reasoning_of(delta)
            self.pieces += bool(content) + bool(reasoning)
            self._content.append(content)
            self._reasoning.append(reasoning)
        if isinstance(message, dict):
            self._messages.append((text_of(message.get("content")), reasoning_of(message)))
            self.pieces += 1
        elif message or choice.get("text"):
            self._has_other_shape = True

    def reply(self) -> Reply:
        """The reply, when all has come. TransientError where it is broken or has no choices (rule 11)."""
        last, self._line_parts = b"".join(self._line_parts), []
        self._line(last)
        self._line(b"")
        if not self._events and self._bare_lines:
            self._whole_body(b"\n".join(self._bare_lines))
        if not self.finished:
            raise TransientError("the stream ended with neither a finish reason nor [DONE]", reason="cut_stream")
        content, reasoning = "".join(self._content), "".join(self._reasoning)
        if self._messages:
            contents, reasonings = zip(*self._messages, strict=True)
            content, reasoning = content or _joined(contents), reasoning or _joined(reasonings)
        meaning = finish_meaning(self._finish_reason)
        kept_back = meaning == REFUSAL and (not content.strip() or self._says_filtered())
        silent = not self._has_other_shape and (meaning == LENGTH or kept_back)
        if not self._has_message and not silent:
            raise without_choices(self._last, self.treat_as_refusal)
        if self._called_tool and not content.strip() and self._finish_reason in (None, "stop"):
            self._finish_reason = "tool_calls"
        return Reply(
            content=content,
            reasoning=reasoning or None,
            finish_reason=_FILTERED if self._says_filtered() else self._finish_reason,
            refused=self._refused or kept_back,
            usage=self._usage,
            served_model=self._served_model,
            fingerprint=self._fingerprint,
        )

    def _whole_body(self, raw: bytes) -> None:
        """Take a body that is no stream of events."""
        if raw.startswith(b"<"):
            words = page_words(raw[:8192].decode("utf-8", "ignore"))
            raise broken(f"the reply is a web page ({words}): check base_url")
        try:
            payload = read_json(raw)
        except ValueError:
            raise broken("the reply is no JSON") from None
        self._event(payload)
        self.done = True

    def _says_filtered(self) -> bool:
        """Whether the finish reason is `content_filter`, in any case and with whatever detail."""
        word = (self._finish_reason or "").partition(":")[0].strip().lower()
        return word.replace("-", "_").replace(" ", "_") == _FILTERED
