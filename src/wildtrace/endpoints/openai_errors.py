"""What an HTTP status and an error body of an OpenAI-compatible endpoint mean (decisions.md, rules 11 to 14 and 16).

Codes decide. Words decide only where servers send no code: for a context overflow and for an unsupported parameter,
since llama.cpp, vLLM and most gateways say these in prose alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any, Final

from wildtrace.endpoints.failures import (
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
# What an error says stands at the beginning or the end of a message; between them may be the prompt, sent back.
_TELLING_END = 4000
_BETWEEN = " .。: "  # no expression below reaches from one end to the other over these


def _letters(code: str) -> str:
    """A code without case and separators: DataInspectionFailed and data_inspection_failed are one."""
    return "".join(char for char in code.lower() if char.isalnum())


# A refusal is the final result of its task, so these are compared whole: `safety_identifier_missing` is a wrong setting
# that every task would meet, though its name has the word safety in it.
_MODERATION: Final = frozenset(
    map(
        _letters,
        (
            # OpenAI, Azure and gateways that repeat them
            "content_filter",
            "content_filtered",
            "content_policy",
            "content_policy_violation",
            "content_policy_violation_error",
            "cyber_policy_violation",
            "invalid_prompt",
            "moderation_blocked",
            "responsible_ai_policy_violation",
            # OpenRouter (its metadata), Bedrock, Gemini
            "flagged",
            "flagged_input",
            "guardrail_intervened",
            "blocklist",
            "prohibited_content",
            "recitation",
            "safety",
            "spii",
            # Alibaba, Volcengine, StepFun, Zhipu (1301), MiniMax (1026: the prompt, 1027: the answer)
            "data_inspection_failed",
            "sensitive_content_detected",
            "sensitive_content_detected.severe_violation",
            "sensitive_content_detected.violence",
            "input_text_sensitive_content_detected",
            "output_text_sensitive_content_detected",
            "input_text_risk_detection",
            "output_text_risk_detection",
            "censorship_blocked",
            "1301",
            "base_resp_1026",
            "base_resp_1027",
            # as gateways say it
            "content_blocked",
            "content_moderation",
            "moderation",
            "moderation_error",
            "prompt_blocked",
            "sensitive",
            "sensitive_content",
        ),
    )
)
# What every request would meet, said under status 400 instead of 401, 403 or 404.
_WRONG_SETTING: Final = frozenset(
    map(
        _letters,
        (
            "invalid_api_key",
            "missing_api_key",
            "invalid_model",
            "invalid_model_name",
            "model_name_is_case_sensitive",
            "model_not_available",
            "model_not_exist",
            "model_not_found",
            "model_not_supported",
            "unknown_model",
            "unsupported_model",
            "safety_identifier_missing",
        ),
    )
)

# Compiled when an error is read: most runs read none.
_QUOTA: Final = (
    r"(?i)insufficient_?(user_?)?quota|insufficient_?balance|billing_|quota_exceeded|exceeded_current_quota|arrearage"
    r"|overdue|\b1113\b|\bbase_resp_1008\b"  # Zhipu, MiniMax
)
_CONTEXT_CODE: Final = (
    r"(?i)context_(length|window)|exceed_context|string_above_max_length|(prompt|tokens|characters)_too_long"
    r"|\b1261\b|\bbase_resp_1039\b"  # Zhipu, MiniMax
)
_CONTEXT_WORDS: Final = (
    r"(?i)context[ _-]?(length|window|size)|maximum (context|prompt|input)|(prompt|input)[^.]{0,40} too (long|large)"
    r"|too many (input |prompt )?tokens"
    r"|exceed(s|ed)? (the )?(max|model|available|limit)(?![^.]{0,40}(output|completion))"
    r"[^.]{0,40}(token|length|context)"
    r"|exceed(s|ed)? (the )?context"
    r"|range of input length|tokens[^.]{0,30} must be <|超长|(输入|上下文|提示词)[^。]{0,20}(超过|超出|过长)"
)
_PARAMETER: Final = r"\b(temperature|max_completion_tokens|max_tokens|stream_options)\b"
_BEGINS_WITH_PARAMETER: Final = (
    rf"(?i)(?:\W|_|invalid|unsupported|unknown|value|parameter|field|for|of|the)*{_PARAMETER}"
)
# A setting that is too large beside this prompt is not too large beside every prompt. Pydantic's "Input" is the value.
_PROMPT: Final = r"(?i)\b(input|prompt)s?\b(?! (should|validation))|\bmessages\b|\bcontext length is\b|输入|提示词"
# "stream" is an ordinary word too ("unexpected end of stream"): it must stand as a name, or be what is not supported.
_STREAM: Final = (
    r"(?i)['\"`]stream['\"`]|\bparam(eter)?:? stream\b|\bstream(ing)?( mode)?( is)? not (be )?(support|allow|availab)"
    r"|not support stream"
)
_BUDGET_AND_WINDOW: Final = r"too large: (\d{1,12})\b[^:]{0,80}context length is (\d{1,12})"
_UNSUPPORTED: Final = (
    r"(?i)unsupported|not (be )?support|does ?n[o']t support|unrecogni[sz]ed|unknown|unexpected"
    r"|extra[^.]{0,30}not permitted"
    r"|not (allowed|permitted|available)|deprecated|too (large|high|small|low)|at (most|least)|(less|greater) than"
    r"|only the default|(must|should|(may|can|must) only) be|only (allowed|support|accept)|cannot"
    r"|invalid (field|parameter|argument|value|.?temperature|.?max_|.?stream)|range of"
    r"|(maximum|minimum) allowed|exceeds"
    r"|不支持|不允许|超过|超出|无效|非法|未知|必须|不能|只能"
)
_SCHEMA: Final = r"(?i)response[_ ]?format|json[_ ]?schema|json[_ ]?mode|structured[_ ]output|guided_|grammar"
# The statuses under which an endpoint may refuse one prompt.
REFUSAL_STATUSES: Final = (400, 403, 422, 451)
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

    codes: tuple[str, ...] = ()
    message: str = ""
    parameter: str = ""
    status: int | None = None

    @property
    def code_words(self) -> str:
        """The codes in one line."""
        return " ".join(self.codes)

    def has_code_of(self, codes: frozenset[str]) -> bool:
        """Whether one of the codes, whole, is one of these."""
        return any(_letters(code) in codes for code in self.codes)


def _strings(table: Any, *keys: str) -> list[str]:
    if not isinstance(table, dict):
        return []
    values = [table.get(key) for key in keys]
    return [str(value) for value in values if isinstance(value, str | int) and not isinstance(value, bool)]


def _unwrapped(payload: Any) -> Any:
    """The object of a body; Gemini's compatible endpoint sends its errors in a list of one."""
    return payload[0] if isinstance(payload, list) and len(payload) == 1 else payload


def read_error_body(payload: Any) -> ErrorBody | None:
    """The error of the decoded body of a reply that is no 200, in any of the shapes met; None where it says nothing."""
    payload = _unwrapped(payload)
    if isinstance(payload, str):
        return ErrorBody(message=payload) if payload.strip() else None
    if not isinstance(payload, dict):
        return None
    if (refused := _base_response(payload)) is not None:
        return refused
    error = payload.get("error")
    if isinstance(error, dict):
        return _told(error)
    return _told(payload) if error is None else _told({**payload, "message": error})


def read_error_text(raw: bytes) -> ErrorBody | None:
    """The same of a body that is no JSON: what it says in plain text; a page of HTML says nothing."""
    text = raw[: 16 * MESSAGE_LIMIT].decode("utf-8", "ignore").strip()[: 4 * MESSAGE_LIMIT]
    return None if not text or text.startswith("<") else ErrorBody(message=text)


def _told(error: dict[str, Any]) -> ErrorBody | None:
    """What the object that holds code and message tells, be it the whole body; None where it tells nothing."""
    several = error.get("errors")
    first = next((each for each in several if each), None) if isinstance(several, list) else several
    if first and not (error.get("message") or error.get("detail")):
        error = {**error, **first} if isinstance(first, dict) else {**error, "message": first}
    inner = error.get("innererror") or error.get("metadata")
    codes = _strings(error, *_CODE_KEYS) + _strings(inner, "code", "type")
    if isinstance(inner, dict) and "flagged_input" in inner:
        codes.append("flagged_input")
    nested = error.get("message") or error.get("detail") or ""
    places = _located(nested)
    message = " ".join(_strings(error, *_MESSAGE_KEYS)) or _said(nested if not places else "; ".join(places.values()))
    if not message and not codes:
        return None
    code = error.get("code")
    status = code if isinstance(code, int) and not isinstance(code, bool) and 400 <= code < 600 else None
    return ErrorBody(tuple(codes), message, " ".join([*_strings(error, "param"), *places]), status)


def _located(told: Any) -> dict[str, str]:
    """The fields of the request's body that FastAPI's `detail` names as wrong, and what it says of each.

    What it says beside that is what was sent, which may be a whole document.
    """
    details = told.get("detail") if isinstance(told, dict) else told
    found: dict[str, str] = {}
    for each in details if isinstance(details, list) else []:
        place = each.get("loc") if isinstance(each, dict) else None
        if isinstance(place, list) and len(place) > 1 and place[0] == "body" and isinstance(place[1], str):
            found.setdefault(place[1], " ".join([f"{place[1]}:", *_strings(each, "msg")]))
    return found


_CODE_KEYS = ("code", "error_code", "type", "error_type", "status")
_MESSAGE_KEYS = ("message", "detail", "msg", "error_msg")


def _bare(payload: dict[str, Any]) -> bool:
    """Whether the body of a 200, without choices, is an error that no `error` wraps."""
    return "choices" not in payload and bool(payload.get("error_code") or payload.get("detail"))


def _base_response(payload: dict[str, Any]) -> ErrorBody | None:
    """MiniMax's own way to say in a 200 what went wrong; 0 is success."""
    table = payload.get("base_resp")
    codes = _strings(table, "status_code")
    if not codes or codes == ["0"]:
        return None
    return ErrorBody((f"base_resp_{codes[0]}",), " ".join(_strings(table, "status_msg")))


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
    """The error that a 200, or an event of its stream, carries at the top or in a choice; None where it has none."""
    payload = _unwrapped(payload)
    if not isinstance(payload, dict):
        return None
    told = _says_error(payload) or payload.get("base_resp") or payload.get("object") == "error" or _bare(payload)
    body = read_error_body(payload) if told else None
    if body is not None:
        return classify(body.status or 200, body)
    return _broken() if _says_error(payload) else _error_in_choice(payload)


def _broken(said: str = "the reply holds an error") -> TransientError:
    return TransientError(said, reason="broken_reply")


def _says_error(table: dict[str, Any]) -> bool:
    """Whether a table has an `error` that is more than an empty form."""
    error = table.get("error")
    return any(error.values()) if isinstance(error, dict) else bool(error)


def _error_in_choice(payload: dict[str, Any]) -> CallError | None:
    """The error that stands in a choice, its message or its delta: what came of the reply is no answer.

    Unlike a request that is rejected at once, one whose generation failed may succeed when it is asked again.
    """
    choices = payload.get("choices")
    for choice in choices if isinstance(choices, list) else []:
        tables = (choice, choice.get("message"), choice.get("delta")) if isinstance(choice, dict) else ()
        for table in tables:
            if not isinstance(table, dict) or not _says_error(table):
                continue
            body = read_error_body({"error": table["error"]})
            failure = _broken() if body is None else classify(body.status or 200, body)
            rejected = isinstance(failure, RejectedError | OptionRejected)
            return _broken(str(failure)) if rejected else failure
    return None


def without_choices(payload: Any) -> CallError:
    """The failure that the body of a 200 is where no choices stand in it (rule 11): by its code, if it has one."""
    payload = _unwrapped(payload)
    told = isinstance(payload, dict) and payload.get("code") and isinstance(payload.get("message"), str)
    body = read_error_body(payload) if told else None
    if body is None:
        return TransientError("the reply has no choices", reason="broken_reply")
    return classify(body.status or 200, body)


def classify(  # noqa: PLR0911 - one return for each class of failure is the table of rules 11 to 14
    status: int, body: ErrorBody | None, retry_after: float | None = None
) -> CallError:
    """The failure that an HTTP status and an error body mean."""
    body = _ends_of(body or ErrorBody())
    said = one_line(body.message or body.code_words)
    shown = f"HTTP {status}: {said}" if said else f"HTTP {status}"
    if status == 402 or re.search(_QUOTA, body.code_words):
        return QuotaError(_advised(shown, "the account has no quota left: fund it, then run the same command again"))
    if status in (200, *REFUSAL_STATUSES) and body.has_code_of(_MODERATION):
        return RefusedError(shown)
    if _overflows(status, body):
        return ContextOverflow(_advised(shown, "lower this model's cap (wildtrace probe measures it)"))
    if status in (401, 403, 404) or 300 <= status < 400:
        return EndpointError(_advised(shown, _ACCESS_ADVICE.get(status, _REDIRECT_ADVICE)))
    if status in (400, 422):
        return _bad_request(shown, body)
    if status in (200, 408, 409, 425, 429) or status >= 500:
        reason = {200: "broken_reply", 408: "timeout", 429: "rate_limited"}.get(status, "server_error")
        return TransientError(shown, reason=reason, retry_after=retry_after)
    return RejectedError(shown)


def _advised(shown: str, advice: str) -> str:
    """A server's words and what to do, in one sentence: without the full stop that ends the former."""
    ended = shown.endswith((".", "。")) and not shown.endswith("..")
    return f"{shown[:-1] if ended else shown}; {advice}"


def _ends_of(body: ErrorBody) -> ErrorBody:
    """The body with the beginning and the end of each of its texts, where it has more."""
    codes = tuple(map(_ends, body.codes))
    return replace(body, codes=codes, message=_ends(body.message.strip()), parameter=_ends(body.parameter))


def _ends(text: str) -> str:
    return text if len(text) <= 2 * _TELLING_END else text[:_TELLING_END] + _BETWEEN + text[-_TELLING_END:]


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
    return isinstance(failure, RejectedError) or re.search(_SCHEMA, str(failure)) is not None


def _overflows(status: int, body: ErrorBody) -> bool:
    if status == 413:
        return True
    if status not in (200, 400, 422) or _concerns_setting_alone(body):
        return False
    return bool(re.search(_CONTEXT_CODE, body.code_words) or re.search(_CONTEXT_WORDS, body.message))


def _concerns_setting_alone(body: ErrorBody) -> bool:
    """Whether an error is about a setting whatever the prompt: every later request would meet it."""
    named = re.search(_PARAMETER, body.parameter) or re.match(_BEGINS_WITH_PARAMETER, body.message)
    return named is not None and (re.search(_PROMPT, body.message) is None or _exceeds_window(body.message))


def _exceeds_window(message: str) -> bool:
    """Whether the output's budget alone is larger than the window (vLLM says it as it says an overflow)."""
    numbers = re.search(_BUDGET_AND_WINDOW, message)
    return numbers is not None and int(numbers[1]) >= int(numbers[2])


def _bad_request(shown: str, body: ErrorBody) -> CallError:
    if body.has_code_of(_WRONG_SETTING):
        return EndpointError(_advised(shown, "check model, base_url and the key in the config"))
    named = _parameter(body)
    unsupported = (
        _parameter(ErrorBody(parameter=body.parameter))
        or re.search(_UNSUPPORTED, body.code_words)
        or re.search(_UNSUPPORTED, body.message)
    )
    if named is None or not unsupported:
        return RejectedError(shown)
    if named == "stream_options" or "stream_options" in body.message:
        return OptionRejected(shown)
    return EndpointError(_advised(shown, ADVICE[named]))


def _parameter(body: ErrorBody) -> str | None:
    """The setting that an error names, or None."""
    named = re.search(_PARAMETER, body.parameter) or re.search(_PARAMETER, body.message)
    if named is not None:
        return named[1]
    return "stream" if body.parameter == "stream" or re.search(_STREAM, body.message) else None
