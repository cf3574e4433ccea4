"""The streamed event that nearly all are: one piece of text or of reasoning, and nothing else that counts.

Decoding such an event by its type costs a fifth of building its objects and asking each what it is. Whatever differs in
any way (an unknown field, a finish reason, an error, text that is no UTF-8) is left to openai.py, which knows them all.
"""

from __future__ import annotations

from typing import Final, Literal

import msgspec

_Word = str | None
_Number = int | float | None


class Delta(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """What an event adds to a reply."""

    content: _Word = None
    reasoning_content: _Word = None
    reasoning: _Word = None
    role: _Word = None
    refusal: None = None
    tool_calls: None = None
    function_call: None = None


class _Choice(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    delta: Delta
    index: Literal[0] | None = None
    finish_reason: Literal[""] | None = None
    logprobs: None = None
    stop_reason: None = None
    matched_stop: None = None
    native_finish_reason: None = None


class _Event(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    choices: tuple[_Choice]
    id: _Word = None
    object: Literal["chat.completion.chunk"] | None = None
    created: _Number = None
    model: _Word = None
    system_fingerprint: _Word = None
    service_tier: _Word = None
    provider: _Word = None
    obfuscation: _Word = None
    usage: None = None
    error: None = None


_decode: Final = msgspec.json.Decoder(_Event).decode


def plain_delta(data: bytes) -> Delta | None:
    """What an event of this JSON adds to a reply, where that is all it does; None where it may do more."""
    try:
        return _decode(data).choices[0].delta
    except (msgspec.DecodeError, ValueError):
        return None
