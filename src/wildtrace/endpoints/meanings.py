"""What an endpoint's error, or the end of its reply, means: the one ordered table (docs/protocol.md, rules 11 to 14).

An error's codes decide, the innermost first, under whatever status it came; then the status that stands in its body;
then the HTTP status. Wording decides only where no code of the table is given, and only for what llama.cpp, vLLM and
most gateways say in prose alone: a context overflow, a setting that the model does not take, a quota that is too small.
Codes are compared whole: `safety_identifier_missing` is a wrong setting, though the word safety is a part of it.
"""

from __future__ import annotations

import re
from collections.abc import Collection
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
from wildtrace.endpoints.openai_errors import ErrorBody, one_line, read_error_body

REFUSAL, OVERFLOW, QUOTA, SETTING, BUSY = "refusal", "overflow", "quota", "setting", "busy"
LENGTH, BROKEN = "length", "broken"


def _folded(code: str) -> str:
    """A code without case and separators: DataInspectionFailed and data_inspection_failed are one."""
    return "".join(char for char in code.lower() if char.isalnum())


_CODES: Final = {
    REFUSAL: """
        content_filter content_filtered content_policy content_policy_violation content_policy_violation_error
        cyber_policy_violation invalid_prompt moderation_blocked responsible_ai_policy_violation
        flagged flagged_input guardrail_intervened blocklist prohibited_content recitation safety spii
        data_inspection_failed sensitive_content_detected sensitive_content_detected.severe_violation
        sensitive_content_detected.violence input_text_sensitive_content_detected
        output_text_sensitive_content_detected input_text_risk_detection output_text_risk_detection
        censorship_blocked 1301 base_resp_1026 base_resp_1027
        content_blocked content_moderation moderation moderation_error prompt_blocked sensitive sensitive_content
        """,
    OVERFLOW: """
        context_length_exceeded context_length_exceeded_error context_window_exceeded context_window_exceeded_error
        model_context_window_exceeded context_length_error context_limit_exceeded context_overflow
        context_window_overflow exceed_context_size exceed_context_size_error exceeds_context_size
        max_context_length_exceeded string_above_max_length prompt_too_long input_too_long tokens_too_long
        characters_too_long too_many_tokens token_limit_exceeded tokens_limit_reached input_tokens_exceeded
        request_too_large 1261 base_resp_1039
        """,
    QUOTA: """
        insufficient_quota insufficient_quota_error insufficient_user_quota insufficient_balance
        insufficient_balance_error insufficient_account_balance insufficient_credits insufficient_credit
        insufficient_funds quota_exceeded quota_exceeded_error quota_not_enough exceeded_current_quota
        exceeded_current_quota_error billing_error billing_not_active billing_hard_limit_reached
        billing_limit_reached payment_required out_of_credits arrearage overdue account_overdue
        account_overdue_error 1113 base_resp_1008
        """,
    # What every request would meet, whatever is asked.
    SETTING: """
        invalid_api_key missing_api_key authentication_error permission_error invalid_authentication_error
        invalid_model invalid_model_name model_name_is_case_sensitive model_not_available model_not_exist
        model_not_found model_not_supported unknown_model unsupported_model safety_identifier_missing
        """,
    BUSY: """
        rate_limit rate_limited rate_limit_error rate_limit_exceeded rate_limit_exceeded_error rate_limit_reached
        rate_limit_reached_error too_many_requests resource_exhausted throttling throttling_exception
        throttling.rate_quota throttling.allocation_quota engine_overloaded engine_overloaded_error overloaded
        overloaded_error 1302 1303 1305 base_resp_1002 base_resp_1041
        """,
}
_MEANING_OF: Final = {_folded(code): meaning for meaning, codes in _CODES.items() for code in codes.split()}

# How a reply ended, by the words of vLLM, SGLang, OpenRouter, DeepSeek, Zhipu, Gemini, Anthropic, Bedrock, Mistral and
# Cohere. Any other word (stop, end_turn, tool_calls) ends an answer.
_FINISHES: Final = {
    LENGTH: "length max_tokens max_output_tokens model_length model_context_window_exceeded",
    REFUSAL: """
        content_filter content_filtered content_policy_violation blocklist error_toxic guardrail_intervened moderation
        prohibited_content recitation refusal safety sensitive spii
        """,
    BROKEN: """
        abort aborted cancel canceled cancelled error errored failed failure insufficient_system_resource
        internal_error internal_server_error interrupted network_error overloaded server_error terminated
        time_out timed_out timeout
        """,
}
_FINISH_OF: Final = {_folded(word): end for end, words in _FINISHES.items() for word in words.split()}

_CONTEXT_WORDS: Final = (
    r"(?i)context[ _-]?(length|window|size)|maximum (context|prompt|input)|longer than the context"
    r"|(prompt|input|messages?)[^.]{0,40} too (long|large)|too many (input |prompt )?tokens|token limit exceeded"
    r"|reduce the length of (the|your) (messages?|prompts?|inputs?)\b"
    r"|exceed(s|ed)? (the )?(max|model|available|limit)(?![^.]{0,40}(output|completion))"
    r"[^.]{0,40}(token|length|context)"
    r"|exceed(s|ed)? (the )?context"
    r"|range of input length|tokens[^.]{0,30} must be <|超长|(输入|上下文|提示词)[^。]{0,20}(超过|超出|过长)"
)
# A limit by time is a quota, though it counts tokens too.
_RATE_WORDS: Final = r"(?i)rate.?limit|\bper[ -](second|sec|minute|min|hour|day)\b|tokens?/min|\b[TR]P[SMHD]\b"
_LIMIT_AND_REQUEST: Final = r"(?i)limit:? ?([\d,]{1,15})\b[^:]{0,40}requested:? ?([\d,]{1,15})\b"
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
# vLLM says that the output's budget alone is larger than the window as it says an overflow.
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

_SETTING_ADVICE: Final = {
    "temperature": 'set "send_temperature": false',
    "max_tokens": 'set "max_tokens" to what the model allows, or "max_tokens_field": "max_completion_tokens"',
    "max_completion_tokens": 'set "max_tokens" to what the model allows, or "max_tokens_field": "max_tokens"',
    "stream": 'set "stream": false',
}
_ACCESS_ADVICE: Final = {
    401: "check the key and the variable that api_key_env names",
    403: "this key may not use this model or address",
    404: "check base_url (it usually ends in /v1) and model",
    405: "check base_url (it usually ends in /v1)",
}
_TRANSIENT_REASONS: Final = {200: "broken_reply", 408: "timeout", 429: "rate_limited"}


def classify(  # noqa: PLR0911 - one return a row is the table
    http_status: int, body: ErrorBody | None, wait_s: float | None = None, treat_as_refusal: Collection[str] = ()
) -> CallError:
    """The failure that an HTTP status and an error body mean; `wait_s` is what the headers ask to wait.

    The rows stand in the order in which they count.
    """
    body = body or ErrorBody()
    status = body.status or http_status
    said = one_line(body.message or " ".join(body.codes)) or (body.page and f"a web page ({body.page})")
    shown = f"HTTP {http_status}: {said}" if said else f"HTTP {http_status}"
    meaning = _meaning_of_codes(body, status)
    if not {*body.codes, *body.messages}.isdisjoint(treat_as_refusal):
        return RefusedError(shown, reason="refused_by_endpoint")
    if meaning == REFUSAL:
        return RefusedError(shown)
    if meaning == QUOTA or status == 402:
        return QuotaError(_advised(shown, "the account has no quota left: fund it, then run the same command again"))
    if meaning == SETTING and status not in _ACCESS_ADVICE:
        return EndpointError(_advised(shown, "check model, base_url and the key in the config"))
    if never_fits := _never_fits_quota(body, status, meaning):
        return QuotaError(_advised(shown, never_fits))
    if meaning == OVERFLOW or (meaning != BUSY and _says_overflow(body, status)):
        return ContextOverflow(_advised(shown, "lower this model's cap (wildtrace probe measures it)"))
    if meaning == BUSY:
        return TransientError(shown, reason="rate_limited", retry_after=wait_s or body.wait_s)
    return _by_status(status, shown, body, wait_s)


def _by_status(status: int, shown: str, body: ErrorBody, wait_s: float | None) -> CallError:
    """What an error means whose codes and words are none of the table's."""
    if status in _ACCESS_ADVICE:
        return EndpointError(_advised(shown, _ACCESS_ADVICE[status]))
    if 300 <= status < 400:
        return EndpointError(_advised(shown, "base_url points to another place: set it to the final address"))
    if status in (200, 408, 409, 425, 429) or status >= 500:
        reason = _TRANSIENT_REASONS.get(status, "server_error")
        return TransientError(shown, reason=reason, retry_after=wait_s or body.wait_s)
    setting = _rejected_setting(body) if status in (400, 422) else None
    if setting == "stream_options":
        return OptionRejected(shown)
    if setting is not None:
        return EndpointError(_advised(shown, _SETTING_ADVICE[setting]))
    return RejectedError(_advised(shown, "check base_url") if body.page else shown)


def _meaning_of_codes(body: ErrorBody, status: int) -> str | None:
    """What the codes mean, the innermost first; a code that names its case counts before one that says "busy"."""
    meanings = [meaning for code in body.codes if (meaning := _MEANING_OF.get(_folded(code)))]
    for meaning in meanings:
        if meaning == BUSY or (meaning == OVERFLOW and _concerns_setting_alone(body)):
            continue
        if meaning == REFUSAL and status == 401:
            continue  # the key was refused, by whatever filter
        if meaning == SETTING and (status == 429 or status >= 500):
            continue  # a gateway that has no server for the model at the moment
        return meaning
    return BUSY if BUSY in meanings else None


def _never_fits_quota(body: ErrorBody, status: int, meaning: str | None) -> str | None:
    """What to do about a request that is larger than all that the account may send at a time; None where it is not."""
    if not (meaning == BUSY or status in (413, 429)) or re.search(_RATE_WORDS, body.message) is None:
        return None
    if (numbers := re.search(_LIMIT_AND_REQUEST, body.message)) is not None:
        limit, requested = (int(number.replace(",", "") or 0) for number in numbers.groups())
        if requested <= limit:
            return None
    elif re.search("(?i)request too large", body.message) is None:
        return None
    return "this request can never fit the account's quota: raise the quota, or use another endpoint"


def _says_overflow(body: ErrorBody, status: int) -> bool:
    """Whether the status or the words say that the prompt is too long."""
    if status in _ACCESS_ADVICE or re.search(_RATE_WORDS, body.message):
        return False
    return status == 413 or (re.search(_CONTEXT_WORDS, body.message) is not None and not _concerns_setting_alone(body))


def _concerns_setting_alone(body: ErrorBody) -> bool:
    """Whether an error is about a setting whatever the prompt: every later request would meet it."""
    named = re.search(_PARAMETER, body.parameter) or any(re.match(_BEGINS_WITH_PARAMETER, m) for m in body.messages)
    if not named:
        return False
    numbers = re.search(_BUDGET_AND_WINDOW, body.message)
    budget_exceeds_window = numbers is not None and int(numbers[1]) >= int(numbers[2])
    return budget_exceeds_window or re.search(_PROMPT, body.message) is None


def _rejected_setting(body: ErrorBody) -> str | None:
    """The setting of the request that an error rejects, or None."""
    if "stream_options" in body.parameter:
        return "stream_options"
    by_parameter = re.search(_PARAMETER, body.parameter)
    told = f"{body.message} {' '.join(body.codes)}"
    if by_parameter is None and body.parameter != "stream" and re.search(_UNSUPPORTED, told) is None:
        return None
    named = by_parameter or re.search(_PARAMETER, body.message)
    if named is not None:
        return "stream_options" if "stream_options" in body.message else named[1]
    return "stream" if body.parameter == "stream" or re.search(_STREAM, body.message) else None


def _advised(shown: str, advice: str) -> str:
    """A server's words and what to do, in one sentence: without the full stop that ends the former."""
    ended = shown.endswith((".", "。")) and not shown.endswith("..")
    return f"{shown[:-1] if ended else shown}; {advice}"


def rejects_schema(failure: CallError) -> bool:
    """Whether what went wrong with a request may be its reply schema, which not every server knows.

    A request that was not understood is a reason to ask without; any other failure only where it names the schema.
    """
    if isinstance(failure, RefusedError | QuotaError | ContextOverflow):
        return False
    return isinstance(failure, RejectedError) or re.search(_SCHEMA, str(failure)) is not None


def broken(message: str) -> TransientError:
    """The failure of a reply that came and is none."""
    return TransientError(message, reason="broken_reply")


def error_in(payload: Any, treat_as_refusal: Collection[str] = ()) -> CallError | None:
    """The error that a 200, or an event of its stream, carries at the top or in a choice; None where it has none."""
    payload = unwrapped(payload)
    if not isinstance(payload, dict):
        return None
    bare = "choices" not in payload and bool(payload.get("error_code") or payload.get("detail"))
    base = payload.get("base_resp")
    numbered = isinstance(base, dict) and base.get("status_code") not in (None, 0, "0")
    if _says_error(payload) or numbered or payload.get("object") == "error" or bare:
        own = {key: value for key, value in payload.items() if key != "choices"}
        body = read_error_body(own)
        return broken("the reply holds an error") if body is None else _in_200(body, treat_as_refusal)
    choices = payload.get("choices")
    for choice in choices if isinstance(choices, list) else []:
        tables = (choice, choice.get("message"), choice.get("delta")) if isinstance(choice, dict) else ()
        for table in tables:
            if isinstance(table, dict) and _says_error(table):
                return _generation_failed(table["error"], treat_as_refusal)
    return None


def _generation_failed(error: Any, treat_as_refusal: Collection[str]) -> CallError:
    """The failure that an error in a choice is.

    Unlike a request that is rejected at once, one whose generation failed may succeed when it is asked again.
    """
    body = read_error_body({"error": error})
    failure = broken("the reply holds an error") if body is None else _in_200(body, treat_as_refusal)
    return broken(str(failure)) if isinstance(failure, RejectedError | OptionRejected) else failure


def _in_200(body: ErrorBody, treat_as_refusal: Collection[str]) -> CallError:
    return classify(body.status or 200, body, treat_as_refusal=treat_as_refusal)


def _says_error(table: dict[str, Any]) -> bool:
    """Whether a table has an `error` that is more than an empty form."""
    error = table.get("error")
    return any(error.values()) if isinstance(error, dict) else bool(error)


def unwrapped(payload: Any) -> Any:
    """The object of a body; Gemini's compatible endpoint sends its errors in a list of one."""
    return payload[0] if isinstance(payload, list) and len(payload) == 1 else payload


def without_choices(payload: Any, treat_as_refusal: Collection[str] = ()) -> CallError:
    """The failure that the body of a 200 is where no choices stand in it (rule 11): by its code, if it has one."""
    payload = unwrapped(payload)
    has_error = isinstance(payload, dict) and payload.get("code") and isinstance(payload.get("message"), str)
    body = read_error_body(payload) if has_error else None
    return broken("the reply has no choices") if body is None else _in_200(body, treat_as_refusal)


def finish_meaning(reason: str | None) -> str | None:
    """LENGTH, REFUSAL or BROKEN by a finish reason's word; None for any other. Gemini writes `content_filter: SPII`."""
    return None if reason is None else _FINISH_OF.get(_folded(reason.partition(":")[0]))
