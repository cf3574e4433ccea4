"""Where in `config.json` a value stands, for messages, and the keys that must not stand there.

A key is at home in an environment variable. The values of all variables that a config names are known before it is
read, so that any of them, pasted for any name or address, is refused and never echoed.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final
from urllib.parse import urlsplit

from wildtrace.endpoints.pasted_keys import holds_any, looks_like_key
from wildtrace.errors import ConfigError

DEFAULT_KEY_ENVS: Final = ("API_KEY", "OPENAI_API_KEY")
LONGEST_SHOWN_KEY: Final = 24
KNOWN_ROLES: Final = ("reader", "proposer", "verifier", "critic")


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a file, and the values of the variables that hold the file's keys."""

    file: str
    path: str = ""
    held: tuple[str, ...] = ()

    def at(self, key: str) -> Place:
        """The place of a field."""
        return replace(self, path=f"{self.path}.{key}" if self.path else key)

    def entry(self, number: int) -> Place:
        """The place of an object's field whose name is not shown, counted from 1."""
        return replace(self, path=f"{self.path} entry {number}")

    def of(self, name: str) -> Place:
        """The place of an object's field by its name, which is known to be no key."""
        return replace(self, path=f"{self.path} of {name!r}")

    def role(self, number: int, name: str) -> Place:
        """The place of a role: a known one by its name, another, which may be a key, by its number from 1."""
        return replace(self, path=f"{self.path}.{name}") if name in KNOWN_ROLES else self.entry(number)

    def item(self, index: int) -> Place:
        """The place of a list's item, counted from 0."""
        return replace(self, path=f"{self.path}[{index}]")

    def wrong(self, wanted: str) -> ConfigError:
        """What to raise where the value is not what is `wanted`."""
        return ConfigError(f"{self.file}: {self.path or 'the file'} must be {wanted}")

    def refuse_key(self, text: str) -> None:
        """ConfigError where a name holds a key of this config, or looks like one."""
        if looks_like_key(text) or holds_any(text, self.held):
            raise self.key()

    def refuse_key_in_address(self, url: str) -> None:
        """ConfigError where a URL holds a key of this config; user and password are there to authenticate."""
        parts = urlsplit(url)
        host = parts.netloc.rpartition("@")[2]
        lowered = [key.lower() for key in self.held]
        if holds_any(parts._replace(netloc="").geturl(), self.held) or holds_any(host.lower(), lowered):
            raise self.key()

    def key(self) -> ConfigError:
        """What to raise where a key stands."""
        return ConfigError(
            f"{self.file}: {self.path} holds a key, or what looks like one; a key stands in an environment variable, "
            "whose name api_key_env gives"
        )

    def shown(self, name: str) -> str:
        """A field's name as a message may show it: a long one, and any key of this config, may be a secret."""
        secret = len(name) > LONGEST_SHOWN_KEY or name.strip() in self.held
        if secret or looks_like_key(name) or holds_any(name, self.held):
            return f"of {len(name)} characters"
        return repr(f"{self.path}.{name}".lstrip("."))


def held_keys(data: Any) -> tuple[str, ...]:
    """The values of every variable that a decoded config names as one of a key, wherever, and of the usual ones."""
    values = (os.environ.get(name, "").strip() for name in (*DEFAULT_KEY_ENVS, *_named(data)))
    return tuple(dict.fromkeys(value for value in values if value))


def _named(data: Any) -> Iterator[str]:
    open_ = [data]
    while open_:
        value = open_.pop()
        if isinstance(value, dict):
            name = value.get("api_key_env")
            if isinstance(name, str) and name and "\0" not in name and "=" not in name:
                yield name
            open_ += value.values()
        elif isinstance(value, list):
            open_ += value
