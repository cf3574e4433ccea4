"""What an HTTP status and an error body of an OpenAI-compatible endpoint mean (decisions.md, rules 11 to 14 and 16).

Codes decide. Words decide only where servers send no code: for a context overflow and for an unsupported parameter,
since llama.cpp, vLLM and most gateways say these in prose alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from wildtrace.models.failures import (
    CallError,
    ContextOverflow,
    EndpointError,
    OptionRejected,
    QuotaError,
    RefusedError,
    RejectedError,
    TransientError,
)

MESSAGE_LIMIT = 300

_MODERATION = re.compile(
    r"content_?filter|content_policy|moderation|data_?inspection|safety|sensitive|responsibleai|flagged"
    r"|\b1301\b|\bbase_resp_102[67]\b",  # Zhipu, MiniMax
    re.IGNORECASE,
)
_QUOTA = re.compile(
    r"insufficient_?(user_?)?quota|insufficient_?balance|billing_|quota_exceeded|exceeded_current_quota|arrearage"
    r"|overdue|\b1113\b|\bbase_resp_1008\b",  # Zhipu, MiniMax
    re.IGNORECASE,
)
_CONTEXT_CODE = re.compile(
    r"context_(length|window)|exceed_context|string_above_max_length|(prompt|tokens|characters)_too_long"
    r"|\b1261\b|\bbase_resp_1039\b",  # Zhipu, MiniMax
    re.IGNORECASE,
)
_CONTEXT_WORDS = re.compile(
    r"context[ _-]?(length|window|size)|maximum (context|prompt|input)|(prompt|input)[^.]{0,40} too (long|large)"
    r"|too many (input |prompt )?tokens"
    r"|exceed(s|ed)? (the )?(max|model|available|limit)(?![^.]{0,40}(output|completion))"
    r"[^.]{0,40}(token|length|context)"
    r"|range of input length|超长|tokens[^.]{0,30} must be <",
    re.IGNORECASE,
)
_PARAMETER = re.compile(r"\b(temperature|max_completion_tokens|max_tokens|stream_options)\b")
# "stream" is an ordinary word too ("unexpected end of stream"): it must stand as a name, or be what is not supported.
_STREAM = re.compile(
    r"['\"`]stream['\"`]|\bparam(eter)?:? stream\b|\bstream(ing)?( mode)?( is)? not (be )?(support|allow|availab)"
    r"|not support stream",
    re.IGNORECASE,
)
_UNSUPPORTED = re.compile(
    r"unsupported|not (be )?support|does ?n[o']t support|unrecogni[sz]ed|unknown|unexpected"
    r"|extra[^.]{0,30}not permitted"
    r"|not (allowed|permitted|available)|deprecated|too (large|high)|at most|less than|only the default|must be"
    r"|invalid .?(temperature|max_)|range of|maximum allowed|exceeds",
    re.IGNORECASE,
)
_SCHEMA = re.compile(
    r"response[_ ]?format|json[_ ]?schema|json[_ ]?mode|structured[_ ]output|guided_|grammar", re.IGNORECASE
)
ADVICE = {
    "temperature": 'set "send_temperature": false',
    "max_tokens": 'set "max_tokens" to what the model allows, or "max_tokens_field": "max_completion_tokens"',
    "max_completion_tokens": 'set "max_tokens" to what the model allows, or "max_tokens_field": "max_tokens"',
    "stream": 'set "stream": false',
    "stream_options": 'set "stream": false',
}


@dataclass(frozen=True, slots=True)
class ErrorBody:
    """The parts of an error body that decide."""

    codes: str = ""
    message: str = ""
    parameter: str = ""
    status: int | None = None


def _strings(table: Any, *keys: str) -> list[str]:
    if not isinstance(table, dict):
        return []
    values = [table.get(key) for key in keys]
    return [str(value) for value in values if isinstance(value, str | int) and not isinstance(value, bool)]


def _unwrapped(payload: Any) -> Any:
    """The object of a body; Gemini's compatible endpoint sends its errors in a list of one."""
    return payload[0] if isinstance(payload, list) and len(payload) == 1 else payload


def read_error_body(payload: Any) -> ErrorBody | None:
    """The error of a decoded body, in any of the shapes met; None where it is none."""
    payload = _unwrapped(payload)
    if not isinstance(payload, dict):
        return None
    if (refused := _base_response(payload)) is not None:
        return refused
    bare = payload.get("object") == "error" or _bare(payload)
    error = payload.get("error", payload if bare else None)
    if error is None:
        return None
    if not isinstance(error, dict):
        return ErrorBody(message=_said(error))
    inner = error.get("innererror") or error.get("metadata")
    codes = _strings(error, "code", "type", "status") + _strings(inner, "code", "type")
    if isinstance(inner, dict) and "flagged_input" in inner:
        codes.append("flagged_input")
    message = " ".join(_strings(error, "message", "detail", "msg")) or _said(
        error.get("message") or error.get("detail") or ""
    )
    code = error.get("code")
    status = code if isinstance(code, int) and not isinstance(code, bool) and 400 <= code < 600 else None
    return ErrorBody(" ".join(codes), message, " ".join(_strings(error, "param")), status)


def _bare(payload: dict[str, Any]) -> bool:
    """Whether a body without choices is an error that no `error` wraps."""
    return "choices" not in payload and bool(payload.get("error_code") or payload.get("detail"))


def _base_response(payload: dict[str, Any]) -> ErrorBody | None:
    """MiniMax's own way to say in a 200 what went wrong; 0 is success."""
    table = payload.get("base_resp")
    codes = _strings(table, "status_code")
    if not codes or codes == ["0"]:
        return None
    return ErrorBody(f"base_resp_{codes[0]}", " ".join(_strings(table, "status_msg")))


def _said(value: Any) -> str:
    """A message that is no text, as text; nothing where it is nested beyond reading."""
    try:
        return str(value)
    except RecursionError:
        return ""


def one_line(text: str) -> str:
    """A server's words, cut to one printable line."""
    line = " ".join("".join(char if char.isprintable() else " " for char in text[: 4 * MESSAGE_LIMIT]).split())
    return line if len(line) <= MESSAGE_LIMIT else line[: MESSAGE_LIMIT - 1] + "…"


def error_in(payload: Any) -> CallError | None:
    """The error that a 200 carries in its body, or None where it carries none."""
    payload = _unwrapped(payload)
    told = isinstance(payload, dict) and (
        payload.get("error") or payload.get("base_resp") or payload.get("object") == "error" or _bare(payload)
    )
    body = read_error_body(payload) if told else None
    return None if body is None else classify(body.status or 200, body)


def classify(  # noqa: PLR0911 - one return for each class of failure is the table of rules 11 to 14
    status: int, body: ErrorBody | None, retry_after: float | None = None
) -> CallError:
    """The failure that an HTTP status and an error body mean."""
    body = body or ErrorBody()
    said = one_line(body.message or body.codes)
    shown = f"HTTP {status}: {said}" if said else f"HTTP {status}"
    if status == 402 or _QUOTA.search(body.codes):
        return QuotaError(f"{shown}; the account has no quota left: fund it, then run the same command again")
    if status in (400, 403, 422, 200, 451) and _MODERATION.search(body.codes):
        return RefusedError(shown)
    if _overflows(status, body):
        return ContextOverflow(f"{shown}; lower this model's cap (wildtrace probe measures it)")
    if status in (401, 403, 404) or 300 <= status < 400:
        return EndpointError(f"{shown}; {_ACCESS_ADVICE.get(status, _REDIRECT_ADVICE)}")
    if status in (400, 422):
        return _bad_request(shown, body)
    if status in (200, 408, 409, 425, 429) or status >= 500:
        reason = {200: "broken_reply", 408: "timeout", 429: "rate_limited"}.get(status, "server_error")
        return TransientError(shown, reason=reason, retry_after=retry_after)
    return RejectedError(shown)


_REDIRECT_ADVICE = "base_url points to another place: set it to the final address"
_ACCESS_ADVICE = {
    401: "check the key and the variable that api_key_env names",
    403: "this key may not use this model or address",
    404: "check base_url (it usually ends in /v1) and model",
}


def rejects_schema(failure: CallError) -> bool:
    """Whether what went wrong with a request may be its reply schema, which not every server knows.

    A request that was not understood is a reason to ask without; any other failure only where it names the schema.
    """
    if isinstance(failure, RefusedError | QuotaError | ContextOverflow):
        return False
    return isinstance(failure, RejectedError) or _SCHEMA.search(str(failure)) is not None


def _overflows(status: int, body: ErrorBody) -> bool:
    if status == 413:
        return True
    named = _CONTEXT_CODE.search(body.codes) or _CONTEXT_WORDS.search(body.message)
    return status in (200, 400, 422) and named is not None


def _bad_request(shown: str, body: ErrorBody) -> CallError:
    named = _parameter(body)
    unsupported = body.parameter or _UNSUPPORTED.search(body.codes) or _UNSUPPORTED.search(body.message)
    if named is None or not unsupported:
        return RejectedError(shown)
    if "stream_options" in (body.parameter, named) or "stream_options" in body.message:
        return OptionRejected(shown)
    return EndpointError(f"{shown}; {ADVICE[named]}")


def _parameter(body: ErrorBody) -> str | None:
    """The setting that an error names, or None."""
    named = _PARAMETER.search(body.parameter) or _PARAMETER.search(body.message)
    if named is not None:
        return named[1]
    return "stream" if body.parameter == "stream" or _STREAM.search(body.message) else None
