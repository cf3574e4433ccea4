"""Reads the error bodies of OpenAI-compatible endpoints, in the shapes that servers and gateways send.

An error may be wrapped in others: in `error`, in `errors`, in FastAPI's `detail`, or as a JSON text in a gateway's
`metadata.raw`. All levels are read, and the innermost one counts first. What an error means is meanings.py's business.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import orjson

from wildtrace.endpoints.retry import seconds_in

MESSAGE_LIMIT: Final = 300
# What a server says stands at the beginning or the end of a message; between them may be the prompt, sent back.
_END_LENGTH: Final = 4000
_BETWEEN_ENDS: Final = " .。: "  # no expression of meanings.py reaches from one end to the other over these
_DEPTH: Final = 8  # a gateway behind a gateway wraps an error four times
_CODE_KEYS: Final = ("code", "error_code", "type", "error_type", "status")
_MESSAGE_KEYS: Final = ("message", "detail", "msg", "error_msg", "status_msg", "error", "raw")
_WRAPPERS: Final = ("base_resp", "errors", "error", "detail", "message", "innererror", "metadata", "raw")
_HTML_HEAD: Final = re.compile(r"(?is)<(script|style)\b.*?(</\1>|$)|<!--.*?(-->|$)|<[^>]*(>|$)")


@dataclass(frozen=True, slots=True)
class ErrorBody:
    """The parts of an error body that decide, each from the innermost level outwards.

    `status` is an HTTP status that stands in the body, `wait_s` the time that the body asks to wait, `page` the first
    words of a web page that came in the place of an error.
    """

    codes: tuple[str, ...] = ()
    messages: tuple[str, ...] = ()
    parameter: str = ""
    status: int | None = None
    wait_s: float | None = None
    page: str = ""

    @property
    def message(self) -> str:
        """All that the body says, from the outermost level inwards."""
        return ": ".join(reversed(self.messages))


def read_error_body(payload: Any) -> ErrorBody | None:
    """The error in a decoded body; None where the body has neither a code nor a message."""
    levels = list(_levels(payload))[::-1]
    codes = [code for level in levels for code in _codes(level)]
    messages = [text for level in levels if (text := " ".join(_texts(level, _MESSAGE_KEYS)))]
    if not codes and not messages:
        return None
    statuses = (int(code) for code in codes if len(code) == 3 and code.isdecimal())
    waits = [seconds for level in levels if (seconds := _wait_in(level))]
    return ErrorBody(
        codes=tuple(codes),
        messages=tuple(dict.fromkeys(messages)),
        parameter=" ".join(_ends(text) for level in levels for text in _texts(level, ("param",))),
        status=next((status for status in statuses if 400 <= status < 600), None),
        wait_s=next(iter(waits), None) or seconds_in(" ".join(messages)),
    )


def read_error_text(raw: bytes) -> ErrorBody | None:
    """The error in a body that is no JSON: its words, or the first words of a web page."""
    text = raw[: 16 * MESSAGE_LIMIT].decode("utf-8", "ignore").strip()[: 4 * MESSAGE_LIMIT]
    if text.startswith("<"):
        return ErrorBody(page=page_words(text))
    return ErrorBody(messages=(text,), wait_s=seconds_in(text)) if text else None


def page_words(html: str) -> str:
    """The first words that a web page shows."""
    words = one_line(_HTML_HEAD.sub(" ", html[: 16 * MESSAGE_LIMIT]))
    return words if len(words) <= 100 else words[:99] + "…"


def one_line(text: str) -> str:
    """A server's words, cut to one printable line."""
    line = " ".join("".join(char if char.isprintable() else " " for char in text[: 4 * MESSAGE_LIMIT]).split())
    return line if len(line) <= MESSAGE_LIMIT else line[: MESSAGE_LIMIT - 1] + "…"


def _levels(value: Any, depth: int = 0) -> Iterator[dict[str, Any]]:
    """The objects that an error is wrapped in, outermost first; a text that is no JSON is an object of a message."""
    if isinstance(value, str):
        value = _json_in(value) or {"message": value}
    if isinstance(value, list):
        value = _fields_named(value) or next((each for each in value if each), None)
        value = {"message": value} if isinstance(value, str) else value
    if not isinstance(value, dict) or depth > _DEPTH:
        return
    yield value
    for key in _WRAPPERS:
        inner = value.get(key)
        if isinstance(inner, dict | list) or (isinstance(inner, str) and _json_in(inner) is not None):
            yield from _levels(inner, depth + 1)


def _json_in(text: str) -> Any:
    """The object or list that a text holds as JSON; None where it holds none."""
    if text.lstrip()[:1] not in ("{", "["):
        return None
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return None


def _fields_named(details: list[Any]) -> dict[str, str] | None:
    """The fields of the request's body that FastAPI's `detail` names as wrong, and what it says of each.

    What it says beside that is what was sent, which may be a whole document.
    """
    named: dict[str, str] = {}
    for each in details:
        place = each.get("loc") if isinstance(each, dict) else None
        if isinstance(place, list) and len(place) > 1 and place[0] == "body" and isinstance(place[1], str):
            named.setdefault(place[1], " ".join([f"{place[1]}:", *_texts(each, ("msg",))]))
    return {"param": " ".join(named), "message": "; ".join(named.values())} if named else None


def _codes(level: dict[str, Any]) -> list[str]:
    """The codes of one level, its own code first."""
    codes = _texts(level, _CODE_KEYS)
    if (number := level.get("status_code")) and isinstance(number, int):
        # MiniMax numbers its errors in a `base_resp`; 0 is success.
        codes.append(str(number) if 400 <= number < 600 else f"base_resp_{number}")
    if "flagged_input" in level:  # OpenRouter's moderation
        codes.append("flagged_input")
    return codes


def _texts(level: dict[str, Any], keys: tuple[str, ...]) -> list[str]:
    """The texts and numbers that stand under these keys, long ones without their middle; JSON is a level of its own."""
    values = [level.get(key) for key in keys]
    numbers = [str(value) if isinstance(value, int) and not isinstance(value, bool) else value for value in values]
    return [_ends(value.strip()) for value in numbers if isinstance(value, str) and _json_in(value) is None and value]


def _ends(text: str) -> str:
    """The beginning and the end of a long text."""
    return text if len(text) <= 2 * _END_LENGTH else text[:_END_LENGTH] + _BETWEEN_ENDS + text[-_END_LENGTH:]


def _wait_in(level: dict[str, Any]) -> float | None:
    """Seconds to wait by a field of one level: `retry_after`, or the RetryInfo of Google's errors."""
    for key in ("retry_after", "retry_after_seconds"):
        if isinstance(number := level.get(key), int | float) and 0 < number < 1e9:
            return float(number)
    details = level.get("details")
    for each in details if isinstance(details, list) else []:
        if isinstance(each, dict) and isinstance(delay := each.get("retryDelay"), str):
            return seconds_in(f"retry in {delay}")
    return None
