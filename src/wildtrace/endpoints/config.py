"""`config.json`: the contestant's endpoint, its caps, the panel of judges and the roles.

The structs declare every key: type and bounds, which msgspec checks, its meaning and what a message says it must be.
The table of docs/formats.md and the published JSON Schema are made from them.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Final
from urllib.parse import urlsplit, urlunsplit

import msgspec
from msgspec import Meta, Struct

from wildtrace.endpoints.caps import CAPS, DEFAULT_CAP, Cap, Route
from wildtrace.endpoints.config_errors import explain, refuse_pasted_keys, shown
from wildtrace.errors import ConfigError
from wildtrace.vocabulary import ROLES

TEMPERATURE = 0.1
MAX_TOKENS = 8192
REASONING_MAX_TOKENS = 32768
JUDGE_MAX_TOKENS = 16384
DEFAULT_KEY_ENVS: Final = ("API_KEY", "OPENAI_API_KEY")

PRICED_TOKENS: Final = 1_000_000  # prices are of a million tokens
_LARGEST_COUNT = (1 << 31) - 1  # what every server's JSON reader takes
_LARGEST_CONCURRENCY = 4096  # more connections than a process may open
_LARGEST_AMOUNT = 1e9  # of a price or of seconds; sums of larger ones leave what JSON can say
_VARIABLE = re.compile(r"[A-Z_][A-Z0-9_]{0,40}")


def _key(meaning: str, must: str, default: str | None = None, **constraints: Any) -> Meta:
    """A key's meaning, what it must be, the default in words where it is no constant, and the bounds of its value."""
    return Meta(description=meaning, extra={"must": must, "default": default}, **constraints)


def _flag(meaning: str) -> Meta:
    return _key(meaning, "true or false")


_TEXT = "a non-empty string"
_FILLED = r"\S"
_PRICE = _key(
    "of a million tokens",
    "a price of a million tokens, from 0 to 1,000,000,000",
    ge=0,
    le=_LARGEST_AMOUNT,
)
_COUNT = {"ge": 1, "le": _LARGEST_COUNT}
_SECONDS = {"must": "a number of seconds, from 0 to 1,000,000,000", "ge": 0, "le": _LARGEST_AMOUNT}


class Prices(Struct, frozen=True, forbid_unknown_fields=True, rename={"tokens_in": "in", "tokens_out": "out"}):
    """Price of a million tokens, in whatever currency the user thinks in."""

    tokens_in: Annotated[float, _PRICE]
    tokens_out: Annotated[float, _PRICE]


class Endpoint(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One model behind one URL, and how it is asked; contestants, judges and roles have the same keys."""

    base_url: Annotated[
        str,
        _key(
            "an OpenAI-compatible endpoint; `/chat/completions` is appended",
            "an http:// or https:// address such as https://host/v1",
            pattern=r"^\s*https?://",
        ),
    ]
    model: Annotated[str, _key("the model's name, as the endpoint knows it", _TEXT, pattern=_FILLED)]
    name: Annotated[
        str, _key("what files and tables call it; judges differ in it", _TEXT, "the model", pattern=_FILLED)
    ] = ""
    api_key_env: Annotated[
        Annotated[str, Meta(pattern=_FILLED)] | None,
        _key(
            "the *name* of the variable that holds the key; a key never stands in a file",
            "the name of an environment variable",
            "`API_KEY`, then `OPENAI_API_KEY`",
        ),
    ] = None
    send_temperature: Annotated[bool, _flag("0.1, or no `temperature` at all")] = True
    reasoning: Annotated[bool, _flag("a reasoning model: budget 32768 instead of 8192")] = False
    max_tokens: Annotated[
        int,
        _key(
            "the output budget",
            f"a whole number from 1 to {_LARGEST_COUNT:,}",
            f"{MAX_TOKENS}, {REASONING_MAX_TOKENS} or (judges, roles) {JUDGE_MAX_TOKENS}",
            **_COUNT,
        ),
    ] = MAX_TOKENS
    max_tokens_field: Annotated[
        str,
        _key(
            "or `max_completion_tokens`",
            '"max_tokens" or "max_completion_tokens"',
            pattern="^max_(completion_)?tokens$",
        ),
    ] = "max_tokens"
    concurrency: Annotated[
        int,
        _key(
            "calls in flight",
            f"a whole number from 1 to {_LARGEST_CONCURRENCY:,}",
            ge=1,
            le=_LARGEST_CONCURRENCY,
        ),
    ] = 8
    timeout_s: Annotated[
        float,
        _key("one call, start to end; an endpoint that asks to wait longer is asked no more in this run", **_SECONDS),
    ] = 3600.0
    backoff_s: Annotated[float, _key("the first wait between retries; it doubles, with jitter", **_SECONDS)] = 1.0
    stream: Annotated[bool, _flag("so that long generations do not die of an idle gateway")] = True
    strip_reasoning: Annotated[bool, _flag("see rule 15 of the [protocol](protocol.md)")] = True
    json_schema: Annotated[
        bool, _flag("ask for replies of a role by a JSON schema, where the server takes one; see [roles](roles.md)")
    ] = True
    treat_as_refusal: Annotated[
        tuple[Annotated[str, Meta(pattern=_FILLED)], ...],
        _key(
            "codes or exact messages of errors that are final for one call: a refusal, never asked again",
            "a list of error codes or exact messages",
        ),
    ] = ()
    prices: Annotated[
        Prices | None,
        _key(
            'of a million tokens, `{"in": …, "out": …}`, for `estimate`, `probe` and `induce`',
            '{"in": price, "out": price}, each for a million tokens',
        ),
    ] = None

    def __post_init__(self) -> None:
        if not self.name:
            msgspec.structs.force_setattr(self, "name", self.model)

    @property
    def temperature(self) -> float | None:
        """0.1, or None where the key is left out of the request."""
        return TEMPERATURE if self.send_temperature else None

    @property
    def public_url(self) -> str:
        """`base_url` without credentials or query, as it may stand in a file."""
        parts = urlsplit(self.base_url)
        host = parts.netloc.rpartition("@")[2]
        return urlunsplit((parts.scheme, host, parts.path.rstrip("/"), "", ""))

    def cost(self, tokens_in: int, tokens_out: int) -> float | None:
        """What tokens cost here, None without prices."""
        if self.prices is None:
            return None
        return (tokens_in * self.prices.tokens_in + tokens_out * self.prices.tokens_out) / PRICED_TOKENS

    def api_key(self) -> str | None:
        """The key from the environment, or None; ConfigError where a named variable is not set."""
        names = DEFAULT_KEY_ENVS if self.api_key_env in (None, DEFAULT_KEY_ENVS[0]) else (self.api_key_env or "",)
        for name in names:
            key = os.environ.get(name, "").strip()
            if key and not (key.isascii() and key.isprintable()):
                raise ConfigError(f"the key in {name} holds characters that no header can carry; paste it again")
            if key:
                return key
        if names is not DEFAULT_KEY_ENVS:
            # What looks like no variable's name may be the key itself.
            variable = f" {names[0]}" if _VARIABLE.fullmatch(names[0]) else ""
            raise ConfigError(f"the environment variable{variable} that api_key_env of {self.name} names is not set")
        return None


Roles = msgspec.defstruct(
    "Roles",
    [
        (
            role,
            Annotated[
                tuple[Endpoint, ...], _key(ROLES.meaning(role), "a list of at least one endpoint"), Meta(min_length=1)
            ],
            (),
        )
        for role in ROLES
    ],
    frozen=True,
    forbid_unknown_fields=True,
)


class ConfigFile(Endpoint, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of the file: the contestant's stand at the top."""

    caps: Annotated[
        dict[str, Cap],
        _key(
            'the longest documents a model is sent: `{model: {"en": characters, "cjk": characters}}`',
            'an object {model: {"en": characters, "cjk": characters}}',
        ),
    ] = {}
    cap_as: Annotated[
        str | None,
        _key(
            "use the protocol table's cap of this model, by its exact name there",
            f"a model of the protocol's table: {', '.join(sorted(CAPS))}",
            extra_json_schema={"enum": [*sorted(CAPS), None]},
        ),
    ] = None
    allow_self_judging: Annotated[bool, _flag("see rule 25 of the [protocol](protocol.md)")] = False
    judges: Annotated[tuple[Endpoint, ...], _key("the panel: a list of endpoints", "a list of endpoints")] = ()
    roles: Annotated[
        Roles,  # type: ignore[valid-type] # its fields are the vocabulary's roles
        _key(
            "endpoints of the construction: `{role: [endpoint, …]}`, see [roles](roles.md)",
            f"an object {{role: [endpoint, ...]}} with the roles {', '.join(ROLES)}",
        ),
    ] = Roles()


ENDPOINT_KEYS: Final = Endpoint.__struct_fields__
CONFIG_KEYS: Final = ConfigFile.__struct_fields__


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


def route_of(config: RunConfig) -> Route:
    """The config's cap for `model`, else the table's by the exact name of `model` or `cap_as`, else the default."""
    model = config.contestant.model
    if model in config.caps:
        return Route(config.caps[model], "config")
    for name in (model, config.cap_as):
        if name in CAPS:
            return Route(CAPS[name], "table")
    return Route(DEFAULT_CAP, "default")


def is_http_address(text: str) -> bool:
    """Whether a request can be sent there: http or https, a host that has a name, a port that exists."""
    try:
        parts = urlsplit(text)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port is None or parts.port > 0)
        return usable and text.isprintable() and " " not in text and bool((parts.hostname or "").encode("idna"))
    except ValueError:
        return False


def load_config(path: Path) -> RunConfig:
    """Read `config.json`; ConfigError where it cannot be read, is no JSON, or has a wrong or unknown key."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise ConfigError(f"{path} cannot be read ({error.strerror}); name an existing config.json") from None
    except UnicodeDecodeError:
        raise ConfigError(f"{path} is not UTF-8 text; write it as UTF-8 JSON") from None
    repeated: list[str] = []

    def table(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        names = [name for name, _ in pairs]
        repeated.extend(name for name in names if names.count(name) > 1)
        return dict(pairs)

    try:
        data = json.loads(text, object_pairs_hook=table)
    except json.JSONDecodeError as error:
        # The reader's words name what it wants there, never what stands there.
        raise ConfigError(f"{path} is no valid JSON (line {error.lineno}: {error.msg}); mend it") from None
    except RecursionError:
        raise ConfigError(f"{path} is no valid JSON (nested too deeply); mend it") from None
    except ValueError:
        raise ConfigError(f"{path} is no valid JSON (a number of too many digits); mend it") from None
    if repeated:
        refuse_pasted_keys(data, str(path), DEFAULT_KEY_ENVS)
        raise ConfigError(f"{path}: the key {shown(repeated[0])} stands twice in one object; keep one")
    return parse_config(data, str(path))


def parse_config(data: Any, file: str) -> RunConfig:
    """Check a decoded `config.json`; ConfigError names the key that is wrong and what it must be."""
    refuse_pasted_keys(data, file, DEFAULT_KEY_ENVS)
    try:
        read = msgspec.convert(data, ConfigFile)
    except msgspec.ValidationError as error:
        raise ConfigError(f"{file}: {explain(str(error), _STRUCTS)}") from None
    if read.cap_as is not None and read.cap_as not in CAPS:
        raise ConfigError(f"{file}: {explain('- at `$.cap_as`', _STRUCTS)}")
    budget = REASONING_MAX_TOKENS if read.reasoning else MAX_TOKENS
    judges = tuple(
        _endpoint(judge, table, JUDGE_MAX_TOKENS, f"{file}: judges[{index}].")
        for index, (judge, table) in enumerate(zip(read.judges, data.get("judges", ()), strict=True))
    )
    roles = {
        role: tuple(
            _endpoint(endpoint, table, JUDGE_MAX_TOKENS, f"{file}: roles.{role}[{index}].")
            for index, (endpoint, table) in enumerate(zip(getattr(read.roles, role), tables, strict=True))
        )
        for role, tables in data.get("roles", {}).items()
    }
    _refuse_one_name(judges, file)
    return RunConfig(
        contestant=_endpoint(read, data, budget, f"{file}: "),
        caps=read.caps,
        cap_as=read.cap_as,
        allow_self_judging=read.allow_self_judging,
        judges=judges,
        roles=roles,
        file=file,
    )


def _endpoint(read: Endpoint, table: Mapping[str, Any], budget: int, path: str) -> Endpoint:
    """An endpoint as it was read, with the budget that its use has by default."""
    fields = {name: getattr(read, name) for name in ENDPOINT_KEYS}
    fields["base_url"] = read.base_url.strip().rstrip("/")
    if not is_http_address(fields["base_url"]):
        raise ConfigError(f"{path}base_url must be an http:// or https:// address such as https://host/v1")
    return Endpoint(**{**fields, "max_tokens": table.get("max_tokens", budget)})


def _refuse_one_name(judges: tuple[Endpoint, ...], file: str) -> None:
    names = [judge.name for judge in judges]
    for index, name in enumerate(names):
        if (first := names.index(name)) != index:
            raise ConfigError(f"{file}: judges[{first}] and judges[{index}] have one name; give each its own")


_STRUCTS: Final[Mapping[str, type[Struct]]] = {
    "": ConfigFile,
    "caps": Cap,
    "prices": Prices,
    "roles": Roles,
    "judges": Endpoint,
    **dict.fromkeys(ROLES, Endpoint),
}
"""What each object of the file is, by the key under which it stands."""


def json_schema() -> dict[str, Any]:
    """The JSON Schema of `config.json`."""
    schema = msgspec.json.schema(ConfigFile)
    for definition in schema["$defs"].values():
        definition.get("properties", {}).get("name", {}).pop("default", None)  # it is the model
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "wildtrace config.json", **schema}
