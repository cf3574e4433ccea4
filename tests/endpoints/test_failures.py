"""The failure tree."""

from __future__ import annotations

from wildtrace.endpoints.failures import (
    CallError,
    ContextOverflow,
    EndpointError,
    OptionRejected,
    QuotaError,
    RefusedError,
    RejectedError,
    TransientError,
    WaitError,
)


def test_each_failure_has_its_own_reason() -> None:
    """The words that files carry; a call's own word wins."""
    kinds = [TransientError, ContextOverflow, RefusedError, RejectedError, OptionRejected, EndpointError, QuotaError]
    reasons = ["transient", "context_overflow", "refusal", "rejected", "option_rejected", "endpoint", "quota"]
    assert reasons == [kind("m").reason for kind in kinds]
    assert "rate_limited" == WaitError("m").reason == TransientError("m", reason="rate_limited").reason
    assert "transient" == TransientError("m").reason


def test_only_quota_is_an_endpoint_error_besides_itself() -> None:
    """What stops an endpoint is not caught as what does not."""
    assert issubclass(QuotaError, EndpointError)
    assert issubclass(WaitError, QuotaError)
    for kind in (TransientError, ContextOverflow, RefusedError, RejectedError, OptionRejected):
        assert issubclass(kind, CallError)
        assert not issubclass(kind, EndpointError)
