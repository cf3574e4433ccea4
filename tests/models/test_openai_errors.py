"""What statuses and error bodies mean, in the shapes that servers send."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
from wildtrace.models.openai_errors import MESSAGE_LIMIT, classify, error_in, one_line, read_error_body


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
        (500, error(code="content_filter"), TransientError),
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


@given(
    st.integers(300, 599),
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: (
            st.lists(inner)
            | st.dictionaries(
                st.sampled_from(
                    ["error", "message", "code", "detail", "type", "object", "param", "metadata", "innererror"]
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


def test_the_wish_to_wait_is_carried() -> None:
    """From the header to the failure."""
    assert 7.0 == classify(429, None, 7.0).retry_after


@pytest.mark.parametrize(
    ("status", "reason"), [(408, "timeout"), (429, "rate_limited"), (500, "server_error"), (409, "server_error")]
)
def test_transient_reasons_are_words(status: int, reason: str) -> None:
    """As files and progress lines carry them."""
    assert reason == classify(status, None).reason
