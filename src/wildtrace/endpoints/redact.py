"""Keeps what was sent to authenticate out of everything that is kept or shown.

A server may echo a key: in an error message, cut by whoever cut the message, or in a reply. What is blotted out: the
key; user, password and query values of `base_url`; user and password of the proxy; the encoded forms of all: as a URL
writes them, in base64, in other letters' case.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Final
from urllib.parse import quote, unquote, unquote_plus, urlsplit

from wildtrace.endpoints.base import Reply
from wildtrace.endpoints.pasted_keys import TELLING, is_telling

BLOT: Final = "[key]"
_SHORTEST: Final = 4
# What stands where a message was cut, or a key masked from there on.
_END: Final = re.compile(r"(…|\.\.\.|; |\*+)")
# What a key may be cut by without being seen, and the space that a line break has become.
_UNSEEN: Final = (
    r" \r\n\t\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    r"\u2060-\u2069\u3164\ufe00-\ufe0f\ufeff"
)
_BETWEEN: Final = re.compile(f"[{_UNSEEN}]")
_URL_SAFE: Final = str.maketrans("+/", "-_")
_SHOWN: Final = ("content", "reasoning", "served_model", "finish_reason", "fingerprint")


@dataclass(frozen=True, slots=True)
class Secrets:
    """What must not be repeated, longest first, as it is and not as a URL writes it."""

    values: tuple[str, ...] = ()
    _all: re.Pattern[str] | None = field(init=False, repr=False, compare=False)
    _certain: re.Pattern[str] | None = field(init=False, repr=False, compare=False)
    _encoded: tuple[str, ...] = field(init=False, repr=False, compare=False)
    _beginnings: frozenset[str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        certain = [value for value in self.values if is_telling(value)]
        forms = {form for value in certain for form in _in_base64(value)}
        encoded = tuple(sorted(forms, key=len, reverse=True))
        anyhow = [_in_any_case(_written_apart(value)) if value in certain else _written(value) for value in self.values]
        object.__setattr__(self, "_all", _any_of([*map(_apart, encoded), *anyhow]))
        object.__setattr__(self, "_certain", _any_of(map(_written, certain)))
        object.__setattr__(self, "_encoded", encoded)
        beginnings = {*self.values, *(quote(value, safe="") for value in self.values), *encoded}
        object.__setattr__(self, "_beginnings", frozenset(beginnings))

    @classmethod
    def of(cls, key: str | None, base_url: str, proxy: str | None = None) -> Secrets:
        """The secrets of an endpoint: its key and what stands in its URL and in that of the proxy."""
        found = [key or "", *_in_url(base_url), *_in_url(proxy or "")]
        return cls(tuple(sorted({value for value in found if len(value) >= _SHORTEST}, key=len, reverse=True)))

    def blot(self, text: str) -> str:
        """An error message without the secrets, nor the first part of one where the message was cut.

        A secret that could be no word is found in pieces too, where nothing that is seen stands between them.
        """
        if self._all is None:
            return text
        # Words and what ends them by turns; of our own ellipsis it is certain that something was cut there.
        parts = [*_END.split(self._all.sub(BLOT, text)), ""]
        pairs = zip(parts[::2], parts[1::2], strict=True)
        return "".join(self._without_end(words, _SHORTEST if end == "…" else TELLING) + end for words, end in pairs)

    def blot_reply(self, reply: Reply) -> Reply:
        """A reply without the secrets, marked `key_removed`; it is the same object where it holds none.

        An answer is what is measured: only a whole secret is taken out of it, and only one that no answer holds by
        chance.
        """
        if self._certain is None:
            return reply
        changed: dict[str, Any] = {}
        for name in _SHOWN:
            text = getattr(reply, name)
            if text and (clean := self._clean(text, self._certain)) != text:
                changed[name] = clean
        usage = reply.usage or {}
        if told := [name for name in usage if self._clean(name, self._certain) != name]:
            changed["usage"] = {name: count for name, count in usage.items() if name not in told} or None
        return replace(reply, **changed, key_removed=True) if changed else reply

    def _clean(self, text: str, certain: re.Pattern[str]) -> str:
        """`text` without the secrets that no text holds by chance."""
        text = certain.sub(BLOT, text)
        for form in self._encoded:
            text = text.replace(form, BLOT)
        return text

    def _without_end(self, text: str, least: int) -> str:
        """`text` without a first part of a secret, of at least `least` characters, that it ends with."""
        bare = _BETWEEN.sub("", text)
        longest = max((_shared(bare, _BETWEEN.sub("", beginning), least) for beginning in self._beginnings), default=0)
        return text[: _place_before(text, longest)] + BLOT if longest else text


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
        told = pair.partition("=")[2] if "=" in pair else pair
        yield from (unquote(told), unquote_plus(told))


def _any_of(patterns: Iterable[str]) -> re.Pattern[str] | None:
    joined = "|".join(patterns)
    return re.compile(joined) if joined else None


def _written_apart(value: str) -> str:
    """A pattern of a secret between whose characters there may be what is not seen."""
    return f"[{_UNSEEN}]*".join(map(_written, value))


def _apart(form: str) -> str:
    return f"[{_UNSEEN}]*".join(map(re.escape, form))


def _in_any_case(pattern: str) -> str:
    return f"(?i:{pattern})"


def _in_base64(value: str) -> Iterator[str]:
    """What base64 makes of every text that holds a secret: by its place in groups of three bytes, in both alphabets."""
    data = value.encode()
    for before, unsure in ((0, 0), (1, 2), (2, 3)):
        whole = base64.b64encode(b"\0" * before + data).decode().rstrip("=")
        sure = whole[unsure : len(whole) - (0 if (before + len(data)) % 3 == 0 else 1)]
        yield from (sure, sure.translate(_URL_SAFE))


def _place_before(text: str, count: int) -> int:
    """Where the last `count` characters that are seen begin."""
    seen = [place for place, char in enumerate(text) if not _BETWEEN.match(char)]
    return seen[-count]


def _written(value: str) -> str:
    """A pattern of all ways to write a secret: each of its characters as it is or percent-encoded."""
    return "".join(char if char.isascii() and char.isalnum() else _either(char) for char in value)


def _either(char: str) -> str:
    plain = r"[ +]" if char == " " else re.escape(char)
    return f"(?:{plain}|(?i:{quote(char, safe='') if char not in '-._~' else f'%{ord(char):02X}'}))"


def _shared(text: str, secret: str, least: int) -> int:
    """How much of the beginning of `secret` `text` ends with; 0 where it is less than `least`."""
    lengths = range(min(len(text), len(secret) - 1), least - 1, -1)
    return next((length for length in lengths if text.endswith(secret[:length])), 0)
