"""What statuses and error bodies mean, in the shapes that servers send."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
from wildtrace.endpoints.meanings import classify, error_in, without_choices
from wildtrace.endpoints.openai_errors import MESSAGE_LIMIT, ErrorBody, one_line, read_error_body, read_error_text


def meant(status: int, body: Any) -> type[CallError]:
    """The class of failure."""
    return type(classify(status, read_error_body(body)))


def error(message: str = "no", **more: Any) -> dict[str, Any]:
    """OpenAI's shape."""
    return {"error": {"message": message, **more}}


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        # The same status, another meaning by its code.
        (400, error(), RejectedError),
        (400, error(code="content_policy_violation"), RefusedError),
        (400, error("The prompt mentions content_filter", code="invalid_request_error"), RejectedError),
        (400, error(code="context_length_exceeded"), ContextOverflow),
        (400, error("max_tokens is too large: 9", param="max_tokens"), EndpointError),
        (400, error("unknown field stream_options"), OptionRejected),
        (400, error("unexpected end of stream"), RejectedError),
        (400, error("`stream` is not supported for this model"), EndpointError),
        (400, error("insufficient balance", code="insufficient_balance"), QuotaError),
        (403, error(), EndpointError),
        (403, error(type="exceeded_current_quota_error"), QuotaError),
        (403, error(code="AccountOverdueError"), QuotaError),
        (403, {"error": {"code": 403, "message": "flagged", "metadata": {"flagged_input": "…"}}}, RefusedError),
        (
            422,
            {"detail": [{"loc": ["body", "stream_options"], "msg": "Extra inputs are not permitted"}]},
            OptionRejected,
        ),
        (
            422,
            {
                "object": "error",
                "message": {"detail": [{"loc": ["body", "stream_options"], "msg": "Extra inputs are not permitted"}]},
            },
            OptionRejected,
        ),
        (429, error(), TransientError),
        (429, error(code="insufficient_quota"), QuotaError),
        (429, error("You exceeded your current quota", status="RESOURCE_EXHAUSTED"), TransientError),
        (500, error(code="content_filter"), RefusedError),
        (503, None, TransientError),
        (418, None, RejectedError),
        (302, None, EndpointError),
        (401, {"error": "bad key"}, EndpointError),
        (404, {"error": "model 'x' not found"}, EndpointError),
        (402, None, QuotaError),
        (413, None, ContextOverflow),
        # Numbers and Chinese.
        (400, error("系统检测到输入或生成内容可能包含不安全或敏感内容", code="1301"), RefusedError),
        (429, error("您的账户已欠费，请充值后重试", code="1113"), QuotaError),
        (429, error("您的账户已达到速率限制", code="1302"), TransientError),
        (400, error("Prompt 超长", code="1261"), ContextOverflow),
        (400, error("Prompt 超长"), ContextOverflow),
        (400, error("Prompt tokens too long", code="tokens_too_long"), ContextOverflow),
        (422, {"error": "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4097"}, ContextOverflow),
        (400, {"base_resp": {"status_code": 1008, "status_msg": "insufficient balance"}}, QuotaError),
        # The output's budget is not the prompt's length.
        (400, error("max_tokens exceeds the maximum number of output tokens allowed"), EndpointError),
        (400, error("max_tokens: 32768 > 8192, which is the maximum allowed number of output tokens"), EndpointError),
        (400, error("Your request exceeded model token limit: 262144"), ContextOverflow),
        (400, [error("The input token count exceeds the maximum number of tokens allowed", code=400)], ContextOverflow),
        (400, error("invalid temperature: only 1 is allowed for this model"), EndpointError),
        (400, error("bad image", param="prompt"), RejectedError),
    ],
)
def test_failures_are_told_apart(status: int, body: Any, kind: type[CallError]) -> None:
    """By code where there is one, by words only for length and parameters."""
    assert kind is meant(status, body)


@pytest.mark.parametrize("field", ["code", "type"])
@pytest.mark.parametrize(
    "code",
    [
        "content_filter",
        "content_policy_violation",
        "invalid_prompt",
        "moderation_blocked",
        "guardrail_intervened",
        "flagged_input",
        "censorship_blocked",
        "DataInspectionFailed",
        "data_inspection_failed",
        "SensitiveContentDetected.Violence",
        "ResponsibleAIPolicyViolation",
        "PROHIBITED_CONTENT",
        1301,
    ],
)
def test_a_moderation_code_is_a_refusal(code: str | int, field: str) -> None:
    """In any of the forms that servers write it, under the statuses that refuse one prompt."""
    assert {RefusedError} == {
        meant(status, {"error": {"message": "no", field: code}}) for status in (400, 403, 422, 451)
    }


WRONG_SETTINGS: list[tuple[int, dict[str, Any], type[CallError]]] = [
    (403, {"type": "safety_identifier_missing"}, EndpointError),
    (403, {"code": "content_filter_policy_not_found"}, EndpointError),
    (403, {"code": "moderation_not_enabled"}, EndpointError),
    (403, {"code": "sensitive_data_region_not_allowed"}, EndpointError),
    (401, {"code": "content_filter"}, EndpointError),
    (400, {"code": "model_name_is_case_sensitive"}, EndpointError),
    (400, {"type": "safety_identifier_missing"}, EndpointError),
    (400, {"code": "model_not_found"}, EndpointError),
    (400, {"code": "invalid_safety_setting"}, RejectedError),
    (400, {"code": "case_sensitive_header"}, RejectedError),
    (400, {"code": "unflagged_option"}, RejectedError),
    (400, {"code": "13010"}, RejectedError),
    (400, {"message": "the header is case sensitive", "code": "bad_header"}, RejectedError),
    (400, {"code": "content", "type": "filter"}, RejectedError),
]


@pytest.mark.parametrize(("status", "told", "kind"), WRONG_SETTINGS)
def test_a_wrong_setting_is_no_refusal(status: int, told: dict[str, Any], kind: type[CallError]) -> None:
    """Though a moderation code's word is a part of its code: codes are compared whole, and each by itself."""
    assert kind is meant(status, error(**{"message": "no", **told}))


UNWRAPPED: list[tuple[int, dict[str, Any], type[CallError]]] = [
    (403, {"code": "content_policy_violation", "message": "prompt flagged"}, RefusedError),
    (400, {"code": "DataInspectionFailed", "message": "Input data may contain inappropriate content."}, RefusedError),
    (400, {"code": "1301", "message": "系统检测到输入可能包含敏感内容"}, RefusedError),
    (400, {"code": "context_length_exceeded", "message": "no"}, ContextOverflow),
    (400, {"message": "Input is too long for requested model."}, ContextOverflow),
    (400, {"message": "输入超过最大长度"}, ContextOverflow),
    (400, {"message": "temperature is not supported by this model"}, EndpointError),
    (400, {"message": "该模型不支持 temperature 参数"}, EndpointError),
    (400, {"message": "max_tokens 参数超出范围"}, EndpointError),
    (400, {"message": "extraneous key [stream_options] is not permitted"}, OptionRejected),
    (429, {"code": "insufficient_quota", "message": "no"}, QuotaError),
    (429, {"code": "1113", "message": "您的账户已欠费"}, QuotaError),
    (429, {"message": "slow down"}, TransientError),
    (401, {"message": "Unauthorized"}, EndpointError),
    (500, {"message": "Internal server error"}, TransientError),
    (400, {"message": "bad request"}, RejectedError),
]


@pytest.mark.parametrize(("status", "body", "kind"), UNWRAPPED)
def test_an_error_that_nothing_wraps_is_classed_as_if_wrapped(
    status: int, body: dict[str, Any], kind: type[CallError]
) -> None:
    """As the whole body, in `error`, in a list of `errors`; its words are shown."""
    for shape in (body, {"error": body}, {"success": False, "errors": [body]}, {"errors": [body, {"message": "x"}]}):
        assert kind is meant(status, shape)
        assert body["message"].removesuffix(".") in str(classify(status, read_error_body(shape)))


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ({"code": "context_length_exceeded", "error": "no"}, ContextOverflow),
        ({"code": "content_filter", "error": "no", "message": None}, RefusedError),
        ({"error_code": 336, "error_msg": "the prompt is too long"}, ContextOverflow),
        ({"errors": ["maximum context length is 4096 tokens"]}, ContextOverflow),
        ({"errors": {"message": "temperature is not supported"}}, EndpointError),
        ("maximum context length is 4096 tokens", ContextOverflow),
        ({"errors": []}, RejectedError),
        ({"errors": [None, 5]}, RejectedError),
    ],
)
def test_codes_and_words_are_found_beside_each_other(body: Any, kind: type[CallError]) -> None:
    """Codes beside `error`, Baidu's names, lists of texts."""
    assert kind is meant(400, body)


@pytest.mark.parametrize(
    ("status", "text", "kind"),
    [
        (400, "maximum context length is 4096 tokens, got 9000", ContextOverflow),
        (400, "temperature is not supported by this model", EndpointError),
        (422, "unknown field stream_options", OptionRejected),
        (400, "提示词长度超出模型上下文", ContextOverflow),
        (503, "upstream connect error", TransientError),
        (400, "<html>maximum context length</html>", RejectedError),
        (400, " \n", RejectedError),
    ],
)
def test_an_error_in_plain_text_is_read(status: int, text: str, kind: type[CallError]) -> None:
    """Its words as if they were a message; a page of HTML has none."""
    failure = classify(status, read_error_text(text.encode()))
    assert kind is type(failure)
    assert (text in str(failure)) == (text.strip() != "" and "<" not in text)


def test_a_text_is_read_only_to_its_first_lines() -> None:
    """What comes later may be the prompt that was sent."""
    assert RejectedError is type(classify(400, read_error_text(b"no. " * 2000 + b"maximum context length is 5")))


GROQ = (
    "`{0}` must be less than or equal to `8192`, the maximum value for `{0}` is less than the `context_window` "
    "for this model"
)


VLLM = (
    "'max_tokens' or 'max_completion_tokens' is too large: {0}. This model's maximum context length is {1} tokens and "
    "your request has {2} input tokens ({0} > {1} - {2})."
)


@pytest.mark.parametrize("name", ["max_tokens", "max_completion_tokens"])
@pytest.mark.parametrize("told", [True, False])
def test_a_rejected_budget_is_no_overflow(name: str, told: bool) -> None:
    """Every later request would meet it, though the words speak of the window; what to change is said."""
    failure = classify(400, read_error_body(error(GROQ.format(name), param=name if told else None)))
    assert EndpointError is type(failure)
    assert '"max_tokens"' in str(failure)


@pytest.mark.parametrize(
    ("message", "param", "kind"),
    [
        # Too much beside this prompt is not too much beside a shorter one.
        ("input length and `max_tokens` exceed context limit: 190000 + 32768 > 200000", None, ContextOverflow),
        ("`max_tokens` and the prompt exceed the context window", "max_tokens", ContextOverflow),
        (
            VLLM.format(8192, 32768, 30000),
            None,
            ContextOverflow,
        ),
        (
            VLLM.format(32768, 4096, 20),
            "max_tokens",
            EndpointError,
        ),
        ("`temperature` may only be set to 1 when thinking is enabled", None, EndpointError),
        ("The 'temperature' parameter is only allowed to be 1", None, EndpointError),
        ("`temperature` and `top_p` cannot both be specified for this model.", None, EndpointError),
        ("Invalid 'temperature': decimal below minimum value.", "temperature", EndpointError),
        ("Invalid field: stream_options", None, OptionRejected),
        ("The 'stream_options' parameter is only allowed when 'stream' is enabled.", None, OptionRejected),
    ],
)
def test_wordings_of_rejected_settings(message: str, param: str | None, kind: type[CallError]) -> None:
    """As servers say it in prose."""
    failure = classify(400, read_error_body(error(message, param=param)))
    assert kind is type(failure)
    assert ("send_temperature" in str(failure)) == ("temperature" in message)


def test_fastapi_names_the_setting_in_a_place() -> None:
    """The place decides; what was sent, which may be a document, is not repeated."""
    wrong: dict[str, Any] = {
        "loc": ["body", "temperature"],
        "msg": "ensure this value is greater than 0.2",
        "input": "of the whale",
    }
    failure = classify(422, read_error_body({"detail": [wrong]}))
    assert EndpointError is type(failure)
    assert 'HTTP 422: temperature: ensure this value is greater than 0.2; set "send_temperature": false' == str(failure)
    wrong = {"loc": ["body", "messages", 0, "content"], "msg": "bad text", "input": "a context window"}
    assert RejectedError is type(classify(422, read_error_body({"detail": [wrong]})))
    odd: dict[str, Any] = {"detail": [{"loc": ["query", "x"], "msg": "m"}, {"loc": "body"}, None, {"loc": ["body", 0]}]}
    assert RejectedError is type(classify(422, read_error_body(odd)))


def test_a_200_without_choices_is_classed_by_its_code() -> None:
    """With code and message it is an error; with anything less, a reply that is broken."""
    assert ContextOverflow is type(without_choices({"code": "context_length_exceeded", "message": "no"}))
    assert RefusedError is type(without_choices({"code": "content_filter", "message": "no"}))
    bodies: list[Any] = [{}, {"message": "ok"}, {"code": 0, "message": "ok"}, {"code": "x"}, [], "text", None]
    for body in bodies:
        assert "the reply has no choices" == str(without_choices(body))


def test_a_200_with_choices_is_no_error_by_its_message() -> None:
    """Whatever stands beside the choices."""
    assert error_in({"choices": [{}], "code": "content_filter", "message": "no", "detail": "x"}) is None
    assert error_in({"code": "content_filter", "message": "no"}) is None


@given(
    st.integers(300, 599),
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: (
            st.lists(inner)
            | st.dictionaries(
                st.sampled_from(
                    ["error", "errors", "message", "code", "detail", "loc", "type", "object", "param", "metadata"]
                ),
                inner,
            )
        ),
        max_leaves=8,
    ),
)
def test_any_body_is_some_failure(status: int, body: Any) -> None:
    """Whatever decodes: a failure of the tree with one printable line, never a crash."""
    failure = classify(status, read_error_body(body))
    assert str(failure).startswith(f"HTTP {status}")
    assert str(failure).isprintable()
    failure_in_200 = error_in(body)
    assert failure_in_200 is None or isinstance(failure_in_200, CallError)


@pytest.mark.parametrize("body", [{}, {"error": None}, {"error": ""}, {"choices": []}, [], [{}], "error", None, 5])
def test_a_200_without_an_error_carries_none(body: Any) -> None:
    """An empty error field is none."""
    assert error_in(body) is None


@pytest.mark.parametrize(
    ("code", "kind"),
    [(1008, QuotaError), (1026, RefusedError), (1027, RefusedError), (1039, ContextOverflow), (1002, TransientError)],
)
def test_minimax_says_it_in_a_200_of_its_own_shape(code: int, kind: type[CallError]) -> None:
    """Its number decides, its words are shown; 0 is success."""
    failure = error_in({"choices": None, "base_resp": {"status_code": code, "status_msg": "its words"}})
    assert kind is type(failure)
    assert "its words" in str(failure)
    assert error_in({"choices": [], "base_resp": {"status_code": 0, "status_msg": ""}}) is None


def test_a_200s_error_is_classed_by_its_own_code() -> None:
    """Gateways put the upstream's status into the body."""
    assert TransientError is type(error_in({"error": {"code": 502, "message": "x"}}))
    assert TransientError is type(error_in(error("x")))
    assert EndpointError is type(error_in({"error": {"code": 401, "message": "x"}}))
    assert ContextOverflow is type(error_in([error(code="context_length_exceeded")]))


@given(st.text())
def test_a_servers_words_are_cut_to_one_line(text: str) -> None:
    """Printable, and no longer than the limit."""
    line = one_line(text * 50)
    assert len(line) <= MESSAGE_LIMIT
    assert line.isprintable()


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("There is no model 'm'.", "HTTP 404: There is no model 'm'; check base_url"),
        ("没有这个模型。", "HTTP 404: 没有这个模型; check base_url"),
        ("no such model", "HTTP 404: no such model; check base_url"),
        ("wait...", "HTTP 404: wait...; check base_url"),
        ("", "HTTP 404; check base_url"),
    ],
)
def test_a_servers_full_stop_does_not_stand_before_the_advice(said: str, shown: str) -> None:
    """The two are one sentence; without advice the server's words stay as they are."""
    assert str(classify(404, ErrorBody(messages=(said,)))).startswith(shown)
    assert f"HTTP 503: {said}".removesuffix(": ") == str(classify(503, ErrorBody(messages=(said,))))


def test_the_wish_to_wait_is_carried() -> None:
    """From the header to the failure."""
    assert 7.0 == classify(429, None, 7.0).retry_after


@pytest.mark.parametrize(
    ("status", "reason"), [(408, "timeout"), (429, "rate_limited"), (500, "server_error"), (409, "server_error")]
)
def test_transient_reasons_are_words(status: int, reason: str) -> None:
    """As files and progress lines carry them."""
    assert reason == classify(status, None).reason


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "filler", ["the prompt said a thing and more ", " ", "_", "input 输入 tokens must ", "too large: 1 "]
)
@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("This model's maximum context length is 8 tokens. ", ContextOverflow),
        ("max_tokens is too large for this model. ", EndpointError),
        ("no such thing. ", RejectedError),
    ],
)
def test_a_message_that_holds_the_whole_prompt_is_read_at_both_ends(
    filler: str, said: str, kind: type[CallError]
) -> None:
    """What the server says stands before or after what it was sent, be that 16 MB; it is read in no time."""
    echo = filler * (16_000_000 // len(filler))
    assert kind is meant(400, error(f"{said}{echo}"))
    if kind is ContextOverflow:
        assert kind is meant(400, error(f"{echo}. {said}", code=echo))


def test_what_was_sent_is_not_taken_for_what_the_server_says() -> None:
    """A document may tell of context lengths, in English and in Chinese."""
    document = "She read on. " * 1000 + "The prompt is too long; 上下文过长。" + "She read on. " * 1000
    assert RejectedError is meant(400, error(f"Invalid request: {document}"))


RATE_LIMIT = "Request too large for model `m` on tokens per minute (TPM): Limit 12000, Requested 14137, please reduce"


def upstream(body: Any, **metadata: Any) -> dict[str, Any]:
    """A gateway's error around that of the server behind it."""
    raw = body if isinstance(body, str) else json.dumps(body)
    return {"error": {"message": "Provider returned error", "code": 400, "metadata": {"raw": raw, **metadata}}}


@pytest.mark.parametrize("status", [400, 429, 502])
@pytest.mark.parametrize(
    ("inner", "kind"),
    [
        (error("the prompt is too long: 9 > 8", code=400), ContextOverflow),
        (error("no", code="context_length_exceeded"), ContextOverflow),
        ([error("no", code="content_filter")], RefusedError),
        ({"code": 503, "message": "no server"}, TransientError),
        (error("no", code="insufficient_quota"), QuotaError),
        ({"error": {"error": {"code": "content_filter", "message": "no"}}}, RefusedError),
        ({"detail": [{"loc": ["body", "stream_options"], "msg": "Extra inputs are not permitted"}]}, OptionRejected),
    ],
)
def test_the_inner_error_counts_before_the_outer_one(status: int, inner: Any, kind: type[CallError]) -> None:
    """As a text of JSON in a gateway's metadata; the words of both are shown, also where the inner ones are no JSON."""
    failure = classify(status, read_error_body(upstream(inner)))
    if kind is OptionRejected and status != 400:
        kind = type(failure)
    assert kind is type(failure)
    assert str(failure).startswith(f"HTTP {status}: Provider returned error: ")
    plain = classify(status, read_error_body(upstream("the prompt is too long: 9 tokens > 8 maximum")))
    assert ContextOverflow is type(plain)


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (413, error(RATE_LIMIT, code="rate_limit_exceeded", type="tokens"), QuotaError),
        (429, error(RATE_LIMIT, code="rate_limit_exceeded"), QuotaError),
        (429, error("on tokens per min (TPM): Limit 30000, Used 20000, Requested 14000"), TransientError),
        (429, error("too many input tokens per minute"), TransientError),
        (500, error("no", type="exceed_context_size_error"), ContextOverflow),
        (500, error("the request exceeds the available context size", type="server_error"), ContextOverflow),
        (
            400,
            error("prompt is too long: 213000 tokens > 200000 maximum", type="invalid_request_error"),
            ContextOverflow,
        ),
        (400, error("Please reduce the length of the messages", param="messages"), ContextOverflow),
        (400, error("Token limit exceeded"), ContextOverflow),
        (400, error("no", code="my_insufficient_quota_check_failed"), RejectedError),
        (400, error("no", code="context_length_header_missing"), RejectedError),
        (429, error("no", code="context_length_exceeded"), ContextOverflow),
        (503, error("no such channel", code="model_not_found"), TransientError),
        (400, error("slow down", code="rate_limit_exceeded"), TransientError),
    ],
)
def test_codes_count_whole_and_a_quota_is_no_overflow(status: int, body: Any, kind: type[CallError]) -> None:
    """Under whatever status; what can never fit a quota says so, and never advises to lower the cap."""
    failure = classify(status, read_error_body(body))
    assert kind is type(failure)
    if kind is QuotaError:
        assert "can never fit the account's quota" in str(failure)
        assert "cap" not in str(failure).split(";")[-1]
