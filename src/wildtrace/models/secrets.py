"""Keeps what was sent to authenticate out of everything that is kept or shown.

A server may echo a key: in an error message, cut by whoever cut the message, or in a reply. What is blotted out: the
key, the password and the query values of `base_url`, and their encoded form in a header.
"""

from __future__ import annotations

import base64
from dataclasses import dataclass, replace
from typing import Any, Final
from urllib.parse import parse_qsl, unquote, urlsplit

from wildtrace.models.base import Reply

BLOT: Final = "[key]"
# A key of a paid endpoint is longer; "none", "EMPTY" and the like are words that an answer may hold.
_LONG: Final = 16
_TELLING: Final = 8


@dataclass(frozen=True, slots=True)
class Secrets:
    """What must not be repeated, longest first."""

    values: tuple[str, ...] = ()

    @classmethod
    def of(cls, key: str | None, base_url: str) -> Secrets:
        """The secrets of an endpoint: its key and what stands in its URL."""
        parts = urlsplit(base_url)
        found = [key, parts.password, unquote(parts.password or "")]
        if parts.username is not None:
            found.append(basic(parts.username, parts.password))
        found += [value for _, value in parse_qsl(parts.query) if len(value) >= _LONG]
        return cls(tuple(sorted({value for value in found if value}, key=len, reverse=True)))

    def blot(self, text: str) -> str:
        """`text` without the secrets; of a long one not even a beginning of eight characters stays."""
        for secret in self.values:
            text = _without_beginnings(text, secret) if len(secret) >= _LONG else text.replace(secret, BLOT)
            # A message that was cut may end in the first part of a secret.
            for length in range(min(len(secret), _TELLING) - 1, 3, -1):
                text = text.replace(f"{secret[:length]}…", f"{BLOT}…")
        return text

    def blot_reply(self, reply: Reply) -> Reply:
        """A reply without the long secrets; it is the same object where it holds none."""
        long = Secrets(tuple(value for value in self.values if len(value) >= _LONG))
        texts = {name: getattr(reply, name) for name in ("content", "reasoning", "served_model", "finish_reason")}
        changed: dict[str, Any] = {
            name: clean for name, text in texts.items() if text and (clean := long.blot(text)) != text
        }
        return replace(reply, **changed) if changed else reply


def basic(user: str, password: str | None) -> str:
    """User and password as a Basic authorization header carries them."""
    return base64.b64encode(f"{unquote(user)}:{unquote(password or '')}".encode()).decode()


def _without_beginnings(text: str, secret: str) -> str:
    """`text` with every stretch blotted out that agrees with the beginning of `secret` for eight characters or more."""
    first, *others = text.split(secret[:_TELLING])
    rest = secret[_TELLING:]
    return first + "".join(BLOT + other[_agreeing(other, rest) :] for other in others)


def _agreeing(left: str, right: str) -> int:
    """How many characters two texts begin with alike."""
    pairs = enumerate(zip(left, right, strict=False))
    return next((place for place, (one, other) in pairs if one != other), min(len(left), len(right)))
