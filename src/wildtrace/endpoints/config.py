"""`config.json`: the contestant's endpoint, its caps, the panel of judges and the roles.

Every endpoint has the same keys; a role's may say `json_schema` too. An unknown key is an error that names it and the
nearest known one; no value is ever echoed, since a value may be a key that was pasted in the wrong place.
"""

from __future__ import annotations

import difflib
import json
import os
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from wildtrace.endpoints.config_place import DEFAULT_KEY_ENVS, Place, held_keys
from wildtrace.endpoints.pasted_keys import address_holds_key
from wildtrace.errors import ConfigError
from wildtrace.text.surrogates import replace_lone_surrogates

TEMPERATURE = 0.1
MAX_TOKENS = 8192
REASONING_MAX_TOKENS = 32768
JUDGE_MAX_TOKENS = 16384
LARGEST_COUNT = (1 << 31) - 1  # what every server's JSON reader takes
LARGEST_CONCURRENCY = 4096  # more connections than a process may open


_VARIABLE = re.compile(r"[A-Z_][A-Z0-9_]{0,40}")


@dataclass(frozen=True, slots=True)
class Prices:
    """Price of a million tokens, in whatever currency the user thinks in."""

    tokens_in: float
    tokens_out: float


@dataclass(frozen=True, slots=True)
class Cap:
    """The longest document a route is sent, in code points, by script."""

    en: int
    cjk: int


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One model behind one URL, and how it is asked; `json_schema` is for roles, whose replies have a shape."""

    name: str
    base_url: str
    model: str
    api_key_env: str | None = None
    send_temperature: bool = True
    reasoning: bool = False
    max_tokens: int = MAX_TOKENS
    max_tokens_field: str = "max_tokens"
    concurrency: int = 8
    timeout_s: float = 3600.0
    backoff_s: float = 1.0
    stream: bool = True
    strip_reasoning: bool = True
    prices: Prices | None = None
    json_schema: bool = True

    @property
    def temperature(self) -> float | None:
        """0.1, or None where the key is left out of the request."""
        return TEMPERATURE if self.send_temperature else None

    @property
    def public_url(self) -> str:
        """`base_url` without credentials or query, as it may stand in a file."""
        return without_credentials(self.base_url)

    def api_key(self) -> str | None:
        """The key from the environment, or None; ConfigError where a named variable is not set."""
        names = DEFAULT_KEY_ENVS if self.api_key_env in (None, DEFAULT_KEY_ENVS[0]) else (self.api_key_env or "",)
        for name in names:
            value = os.environ.get(name, "").strip()
            if value:
                return _sendable(value, name)
        if names is not DEFAULT_KEY_ENVS:
            # What looks like no variable's name may be the key itself.
            shown = f" {names[0]}" if _VARIABLE.fullmatch(names[0]) else ""
            raise ConfigError(f"the environment variable{shown} that api_key_env of {self.name} names is not set")
        return None


@dataclass(frozen=True, slots=True)
class RunConfig:
    """A whole `config.json`; `file` is what it is called."""

    contestant: Endpoint
    caps: Mapping[str, Cap] = field(default_factory=dict)
    cap_as: str | None = None
    allow_self_judging: bool = False
    judges: tuple[Endpoint, ...] = ()
    roles: Mapping[str, tuple[Endpoint, ...]] = field(default_factory=dict)
    file: str = "config.json"


def without_credentials(url: str) -> str:
    """A URL without user, password, query and fragment."""
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit((parts.scheme, host, parts.path.rstrip("/"), "", ""))


def is_http_address(text: str) -> bool:
    """Whether a request can be sent there: http or https, a host that has a name, a port that exists."""
    try:
        parts = urlsplit(text)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port is None or parts.port > 0)
        return usable and text.isprintable() and " " not in text and bool((parts.hostname or "").encode("idna"))
    except ValueError:
        return False


def _sendable(value: str, name: str) -> str:
    if not value.isascii() or not value.isprintable():
        raise ConfigError(f"the key in {name} holds characters that no header can carry; paste it again")
    return value


def _text(value: Any, place: Place) -> str:
    if not isinstance(value, str) or not value.strip() or replace_lone_surrogates(value)[1]:
        raise place.wrong("a non-empty string")
    return value


def _name(value: Any, place: Place) -> str:
    text = _text(value, place)
    place.refuse_key(text)
    return text


def _flag(value: Any, place: Place) -> bool:
    if not isinstance(value, bool):
        raise place.wrong("true or false")
    return value


def _count(value: Any, place: Place, largest: int = LARGEST_COUNT) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise place.wrong("a whole number of at least 1")
    if value > largest:
        raise place.wrong(f"a whole number of at most {largest}")
    return value


def _concurrency(value: Any, place: Place) -> int:
    return _count(value, place, LARGEST_CONCURRENCY)


def _amount(value: Any, place: Place, wanted: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= sys.float_info.max:
        raise place.wrong(wanted)
    return float(value)


def _seconds(value: Any, place: Place) -> float:
    return _amount(value, place, "a number of seconds, not negative")


def _price(value: Any, place: Place) -> float:
    return _amount(value, place, "a price of a million tokens, not negative")


def _url(value: Any, place: Place) -> str:
    text = _text(value, place).strip()
    if not is_http_address(text):
        raise place.wrong("an http:// or https:// address such as https://host/v1")
    if address_holds_key(text):
        raise place.key()
    place.refuse_key_in_address(text)
    return text.rstrip("/")


def _tokens_field(value: Any, place: Place) -> str:
    if value not in ("max_tokens", "max_completion_tokens"):
        raise place.wrong('"max_tokens" or "max_completion_tokens"')
    return str(value)


def _object(value: Any, place: Place, known: tuple[str, ...] | None = None) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise place.wrong("a JSON object")
    if known is not None:
        _refuse_unknown(value, known, place)
    return value


def _refuse_unknown(value: Mapping[str, Any], known: tuple[str, ...], place: Place) -> None:
    for key in value:
        if key not in known:
            near = difflib.get_close_matches(key, known, n=1, cutoff=0.4)
            hint = f"; did you mean {near[0]!r}?" if near else f"; known keys: {', '.join(known)}"
            hint = (
                "; it stands in an endpoint of roles alone" if key in ROLE_KEYS and key not in ENDPOINT_KEYS else hint
            )
            raise ConfigError(f"{place.file}: unknown key {place.shown(key)}{hint}")


def _prices(value: Any, place: Place) -> Prices:
    table = _object(value, place, ("in", "out"))
    if set(table) != {"in", "out"}:
        raise place.wrong('{"in": price, "out": price}, each for a million tokens')
    return Prices(_price(table["in"], place.at("in")), _price(table["out"], place.at("out")))


_CAP = '{"en": characters, "cjk": characters}'


def _caps(value: Any, place: Place, own: str) -> dict[str, Cap]:
    """The caps by model; of the names only the contestant's `own` was checked, and may be shown."""
    caps = {}
    for number, (model, entry) in enumerate(_object(value, place).items(), 1):
        here = place.of(model) if model == own else place.entry(number)
        if not isinstance(entry, dict):
            raise here.wrong(_CAP)
        table = _object(entry, here, ("en", "cjk"))
        if set(table) != {"en", "cjk"}:
            raise here.wrong(_CAP)
        caps[_name(model, here)] = Cap(_count(table["en"], here.at("en")), _count(table["cjk"], here.at("cjk")))
    return caps


def _cap_as(value: Any, place: Place) -> str:
    from wildtrace.endpoints.caps import CAPS  # noqa: PLC0415 - routes.py reads this module's types

    if not isinstance(value, str) or value not in CAPS:
        raise place.wrong(f"a model of the protocol's table: {', '.join(sorted(CAPS))}")
    return value


_ENDPOINT_FIELDS: dict[str, Callable[[Any, Place], Any]] = {
    "base_url": _url,
    "model": _name,
    "api_key_env": _text,
    "send_temperature": _flag,
    "reasoning": _flag,
    "max_tokens": _count,
    "max_tokens_field": _tokens_field,
    "concurrency": _concurrency,
    "timeout_s": _seconds,
    "backoff_s": _seconds,
    "stream": _flag,
    "strip_reasoning": _flag,
    "prices": _prices,
}
ENDPOINT_KEYS = tuple(_ENDPOINT_FIELDS)
ROLE_KEYS = (*ENDPOINT_KEYS, "json_schema")
CONFIG_KEYS = (*ENDPOINT_KEYS, "caps", "cap_as", "allow_self_judging", "judges", "roles")


def _endpoint(table: Mapping[str, Any], place: Place, name: str, *, judge: bool) -> Endpoint:
    values = {key: read(table[key], place.at(key)) for key, read in _ENDPOINT_FIELDS.items() if key in table}
    for key in ("base_url", "model"):
        if key not in values:
            raise ConfigError(f"{place.file}: {place.at(key).path} is missing")
    if "json_schema" in table:
        values["json_schema"] = _flag(table["json_schema"], place.at("json_schema"))
    budget = REASONING_MAX_TOKENS if values.get("reasoning") else MAX_TOKENS
    values.setdefault("max_tokens", JUDGE_MAX_TOKENS if judge else budget)
    return Endpoint(name=name, **values)


def _judges(value: Any, place: Place) -> tuple[Endpoint, ...]:
    if not isinstance(value, list):
        raise place.wrong("a list of endpoints, each with a name")
    judges: list[Endpoint] = []
    for index, entry in enumerate(value):
        here = place.item(index)
        table = _object(entry, here, ("name", *ENDPOINT_KEYS))
        name = _name(table.get("name"), here.at("name"))
        earlier = [judge.name for judge in judges]
        if name in earlier:
            first = f"{place.path}[{earlier.index(name)}]"
            raise ConfigError(f"{place.file}: {first} and {here.path} have one name; give each its own")
        judges.append(_endpoint(table, here, name, judge=True))
    return tuple(judges)


def _roles(value: Any, place: Place) -> dict[str, tuple[Endpoint, ...]]:
    return {
        role: _role(entries, place.role(number, role), _name(role, place.entry(number)))
        for number, (role, entries) in enumerate(_object(value, place).items(), 1)
    }


def _role(entries: Any, place: Place, role: str) -> tuple[Endpoint, ...]:
    if not isinstance(entries, list) or not entries:
        raise place.wrong("a list of endpoints")
    places = [place.item(index) for index in range(len(entries))]
    tables = [_object(entry, here, ROLE_KEYS) for entry, here in zip(entries, places, strict=True)]
    return tuple(_endpoint(table, here, role, judge=True) for table, here in zip(tables, places, strict=True))


def parse_config(data: Any, file: str) -> RunConfig:
    """Check a decoded `config.json`; ConfigError names the key that is wrong and what it must be."""
    place = Place(file, held=held_keys(data))
    table = _object(data, place, CONFIG_KEYS)
    contestant = _endpoint(table, place, "contestant", judge=False)
    return RunConfig(
        contestant=contestant,
        caps=_caps(table.get("caps", {}), place.at("caps"), contestant.model),
        cap_as=_cap_as(table["cap_as"], place.at("cap_as")) if "cap_as" in table else None,
        allow_self_judging=_flag(table.get("allow_self_judging", False), place.at("allow_self_judging")),
        judges=_judges(table.get("judges", []), place.at("judges")),
        roles=_roles(table.get("roles", {}), place.at("roles")),
        file=file,
    )


def _twins(pairs: list[tuple[str, Any]], twins: list[str]) -> dict[str, Any]:
    """An object; of two values under one key JSON keeps the last in silence, which hides a mistake."""
    table = dict(pairs)
    if len(table) < len(pairs):
        seen: set[str] = set()
        twins += [key for key, _ in pairs if key in seen or seen.add(key)]  # type: ignore[func-returns-value]
    return table


def _json_fault(error: ValueError | RecursionError) -> str:
    """What the reader met and where. Its words name what it wants there, never what stands there."""
    if isinstance(error, RecursionError):
        return " (nested too deeply)"
    return f" (line {error.lineno}: {error.msg})" if isinstance(error, json.JSONDecodeError) else ""


def load_config(path: Path) -> RunConfig:
    """Read `config.json`; ConfigError where it cannot be read, is no JSON, or has a wrong or unknown key."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise ConfigError(f"{path} cannot be read ({error.strerror}); name an existing config.json") from None
    twins: list[str] = []
    try:
        data = json.loads(raw.decode("utf-8-sig"), object_pairs_hook=lambda pairs: _twins(pairs, twins))
    except UnicodeDecodeError:
        raise ConfigError(f"{path} is not UTF-8 text; write it as UTF-8 JSON") from None
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{path} is no valid JSON{_json_fault(error)}; mend it") from None
    if twins:
        shown = Place(str(path), held=held_keys(data)).shown(twins[0])
        raise ConfigError(f"{path}: the key {shown} stands twice in one object; keep one")
    return parse_config(data, str(path))
