"""Keeps what was sent to authenticate out of everything that is kept or shown.

A server may echo a key in an error message or in a reply. Taken out are the key, user, password and query values of
`base_url`, and user and password of the proxy: as they are, percent-encoded, and in base64.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Final
from urllib.parse import quote, unquote, unquote_plus, urlsplit

from wildtrace.endpoints.base import Reply

REDACTED: Final = "[key]"
# A shorter value of a query, such as a version, is no secret.
_SHORTEST: Final = 4
# How long a secret is that no name and no answer holds by chance; a shorter one only where it mixes letters and digits.
# "none", "EMPTY" and "lm-studio" are keys of local servers and words of answers; so is an API version's date.
_DISTINCTIVE: Final = 16
_DISTINCTIVE_MIXED: Final = 8
_CUT: Final = "…"
_REPLY_TEXTS: Final = ("content", "reasoning", "served_model", "finish_reason", "fingerprint")


@dataclass(frozen=True, slots=True)
class Secrets:
    """What must not be repeated, as it is and not as a URL writes it."""

    values: tuple[str, ...] = ()
    _all: _Forms = field(init=False, repr=False, compare=False)
    _distinctive: _Forms = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_all", _Forms.of(self.values))
        object.__setattr__(self, "_distinctive", _Forms.of(filter(is_distinctive, self.values)))

    @classmethod
    def of(cls, key: str | None, base_url: str, proxy: str | None = None) -> Secrets:
        """The secrets of an endpoint: its key and what stands in its URL and in that of the proxy."""
        values = {key or "", *_in_url(base_url), *_in_url(proxy or "")}
        return cls(tuple(sorted(value for value in values if len(value) >= _SHORTEST)))

    def redact(self, text: str) -> str:
        """An error message without the secrets, nor the first part of one where our own ellipsis cuts the message."""
        text = self._all.redact(text)
        words, cut, after = text.rpartition(_CUT)
        return self._all.without_cut_end(words) + cut + after if cut else text

    def redact_reply(self, reply: Reply) -> Reply:
        """A reply without the secrets, marked `key_removed`; it is the same object where it holds none.

        An answer is what is measured: only a secret that no answer holds by chance is taken out of it.
        """
        changed: dict[str, Any] = {}
        for name in _REPLY_TEXTS:
            text = getattr(reply, name)
            if text and (clean := self._distinctive.redact(text)) != text:
                changed[name] = clean
        usage = reply.usage or {}
        clean_usage = {name: count for name, count in usage.items() if self._distinctive.redact(name) == name}
        if len(clean_usage) < len(usage):
            changed["usage"] = clean_usage or None
        return replace(reply, **changed, key_removed=True) if changed else reply


@dataclass(frozen=True, slots=True)
class _Forms:
    """How secrets may be written: `literal` ones, longest first, and a pattern of the percent-encoded ones."""

    literal: tuple[str, ...]
    encoded: re.Pattern[str] | None

    @classmethod
    def of(cls, values: Iterable[str]) -> _Forms:
        values = sorted(values, key=len, reverse=True)
        in_base64 = [form for value in values if is_distinctive(value) for form in _in_base64(value)]
        literal = tuple(sorted({*values, *in_base64}, key=len, reverse=True))
        return cls(literal, re.compile("|".join(map(_percent_encoded, values))) if values else None)

    def redact(self, text: str) -> str:
        for form in self.literal:
            text = text.replace(form, REDACTED)
        # The pattern is slow to look for, and few texts can match it.
        if self.encoded is not None and ("%" in text or "+" in text):
            text = self.encoded.sub(REDACTED, text)
        return text

    def without_cut_end(self, text: str) -> str:
        """`text` without the longest beginning of a secret, of four characters or more, that it ends with."""
        forms = {*self.literal, *(quote(form, safe="") for form in self.literal)}
        beginnings = (form[:length] for form in forms for length in range(_SHORTEST, len(form)))
        longest = max((beginning for beginning in beginnings if text.endswith(beginning)), key=len, default="")
        return text.removesuffix(longest) + REDACTED if longest else text


def is_distinctive(secret: str) -> bool:
    """Whether a text that holds this holds the secret, and no word that is like it."""
    mixed = any(map(str.isalpha, secret)) and any(map(str.isdigit, secret))
    return len(secret) >= _DISTINCTIVE or (len(secret) >= _DISTINCTIVE_MIXED and mixed)


def basic(user: str, password: str | None) -> str:
    """User and password as a Basic authorization header carries them."""
    return base64.b64encode(f"{unquote(user)}:{unquote(password or '')}".encode()).decode()


def _in_url(url: str) -> Iterator[str]:
    """What a URL carries to authenticate; nothing where it is none."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return
    if parts.username is not None:
        yield from (unquote(parts.username), basic(parts.username, parts.password))
    yield unquote(parts.password or "")
    for pair in re.split("[&;]", parts.query):
        value = pair.partition("=")[2] if "=" in pair else pair
        yield from (unquote(value), unquote_plus(value))


def _in_base64(value: str) -> Iterator[str]:
    """What base64 makes of every text that holds a secret: by its offset in groups of three bytes, in both alphabets.

    The characters at the ends that the neighbouring bytes change as well are left off.
    """
    data = value.encode()
    for offset, changed in ((0, 0), (1, 2), (2, 3)):
        whole = base64.b64encode(b"\0" * offset + data).decode().rstrip("=")
        certain = whole[changed : len(whole) - (0 if (offset + len(data)) % 3 == 0 else 1)]
        yield from (certain, certain.replace("+", "-").replace("/", "_"))


def _percent_encoded(value: str) -> str:
    """A pattern of a secret each of whose characters stands there as it is or percent-encoded, in either case."""
    return "".join(f"(?:{re.escape(char)}|{_encoded(char)})" for char in value)


def _encoded(char: str) -> str:
    written = "".join(f"%{byte:02X}" for byte in char.encode("utf-8", "surrogatepass"))
    return rf"(?i:{written})|\+" if char == " " else f"(?i:{written})"
