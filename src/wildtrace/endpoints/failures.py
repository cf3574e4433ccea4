"""What can go wrong with a call, named by what the caller does next.

CallError
├── TransientError      ask again, up to five times; then pending (rule 11)
├── ContextOverflow     pending; not asked again until the cap or the route changes (rule 13)
├── RefusedError        the task's final result (rule 14)
├── RejectedError       pending; this request was not understood, another may be
├── OptionRejected      send again without `stream_options` (rule 16)
└── EndpointError       every later request would meet it: stop asking this endpoint (rule 12)
    └── QuotaError      the same, until the account is funded
        └── WaitError   the same, until the time has passed that the endpoint asks to wait

(The rules are those of docs/protocol.md.) `reason` is the word that files and progress lines carry. Messages come from
a server: they are cut to one line, and the key that was sent is taken out before they get here.
"""

from __future__ import annotations

from wildtrace.types import OVERFLOW


class CallError(Exception):
    """A call that gave no reply.

    `attempts` are the requests it took; `unbilled` says that no model can have answered the last of them.
    """

    reason = "error"

    def __init__(self, message: str, *, reason: str | None = None, retry_after: float | None = None) -> None:
        super().__init__(message)
        if reason is not None:
            self.reason = reason
        self.retry_after = retry_after
        self.attempts = 1
        self.unbilled = False


class TransientError(CallError):
    """Worth asking again: connection, time-out, 408, 409, 429, 5xx, a broken or cut reply."""

    reason = "transient"


class ContextOverflow(CallError):  # noqa: N818 - the field's word for it
    """The endpoint says that the prompt is longer than its window."""

    reason = OVERFLOW


class RefusedError(CallError):
    """The endpoint refuses this prompt by a moderation code."""

    reason = "refusal"


class RejectedError(CallError):
    """The endpoint does not accept this one request."""

    reason = "rejected"


class OptionRejected(CallError):  # noqa: N818 - a turn of the conversation, never shown
    """The endpoint does not know `stream_options`."""

    reason = "option_rejected"


class EndpointError(CallError):
    """Every later request to this endpoint would meet this; the message says what to change."""

    reason = "endpoint"


class QuotaError(EndpointError):
    """The account has no quota left."""

    reason = "quota"


class WaitError(QuotaError):
    """The endpoint asks to wait longer than a reply may take."""

    reason = "rate_limited"
