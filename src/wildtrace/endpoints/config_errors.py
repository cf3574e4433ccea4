"""What is wrong with a `config.json`, in one sentence that names the key and never repeats a value.

A value, or an unknown key, may be a secret that was pasted in the wrong place.
"""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final
from urllib.parse import unquote, unquote_plus, urlsplit

import msgspec

from wildtrace.endpoints.redact import is_distinctive
from wildtrace.errors import ConfigError

# A key's name, as a config has them. Anything else may be a secret, which has digits, capitals or more letters.
_PLAIN_NAME: Final = re.compile(r"[a-z][a-z_]{0,23}")
# Below this likeness a suggestion is absurd: "key" is like "max_tokens_field" by 0.3, a misspelt key is above 0.75.
_LIKENESS: Final = 0.7

_PATH: Final = re.compile(r"(?s)(.*)- at `\$\.?([\w.\[\]]*)`")
_FIELD: Final = re.compile(r"(?s)Object (?:contains unknown|missing required) field `(.*)`")
_OBJECT: Final = {"caps": '{"en": characters, "cjk": characters}'}
_INDEX: Final = re.compile(r"(?:\[[\d.]*\])+$")


def explain(error: str, structs: Mapping[str, type[msgspec.Struct]]) -> str:
    """Msgspec's message in the declaration's words; `structs` are the file's objects by the key they stand under."""
    match = _PATH.fullmatch(error)
    words, path = (match[1].strip(), match[2]) if match else (error, "")
    field = _FIELD.fullmatch(words)
    if field is None:
        return f"{path or 'the file'} must be {_must(path, structs)}"
    if words.startswith("Object missing"):
        return f"{f'{path}.{field[1]}'.lstrip('.')} is missing"
    struct = structs[_last_key(path)]
    known = [known.encode_name for known in msgspec.structs.fields(struct)]
    near = difflib.get_close_matches(field[1], known, n=1, cutoff=_LIKENESS)
    hint = f"did you mean {near[0]!r}?" if near else f"known keys: {', '.join(known)}"
    return f"unknown key {shown(field[1], path)}; {hint}"


def shown(name: str, path: str = "") -> str:
    """A key's name as a message may show it, with the path to its object."""
    return repr(f"{path}.{name}".lstrip(".")) if _PLAIN_NAME.fullmatch(name) else f"of {len(name)} characters"


def refuse_pasted_keys(data: Any, file: str, variables: Sequence[str]) -> None:
    """ConfigError where a text of a decoded config holds the value of a variable that holds a key.

    Those variables are the `variables` and every one that the config names. User and password of an address are there
    to authenticate. A text that is no Unicode is refused too, since no file could hold it.
    """
    texts = list(_texts(data))
    named = [text for path, text in texts if path.endswith("api_key_env") and "\0" not in text and "=" not in text]
    values = {os.environ.get(name, "").strip() for name in (*variables, *named) if name}
    secrets = {value.casefold() for value in values if is_distinctive(value)}
    for path, text in texts:
        if not text.isascii() and any("\ud800" <= char <= "\udfff" for char in text):
            raise ConfigError(f"{file}: {path or 'a key'} must be text; it holds half a character")
        without_user = _without_user(text) if path.endswith("base_url") else text
        forms = {form.casefold() for form in (without_user, unquote(without_user), unquote_plus(without_user))}
        if any(secret in form for secret in secrets for form in forms):
            raise ConfigError(
                f"{file}: {path or 'a key'} holds a key; a key stands in an environment variable, "
                "whose name api_key_env gives"
            )


def _texts(data: Any) -> Iterator[tuple[str, str]]:
    """Every key and text of a decoded config, each with the path to where it stands."""
    waiting = [("", data)]
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, str):
            yield path, value
        elif isinstance(value, list):
            waiting += [(f"{path}[{index}]", entry) for index, entry in enumerate(value)]
        elif isinstance(value, dict):
            for name, entry in value.items():
                yield path, name
                waiting.append((f"{path}.{name if _PLAIN_NAME.fullmatch(name) else '...'}".lstrip("."), entry))


def _without_user(url: str) -> str:
    try:
        parts = urlsplit(url)
    except ValueError:
        return url
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()


def _last_key(path: str) -> str:
    return _INDEX.sub("", path).rpartition(".")[2]


def _must(path: str, structs: Mapping[str, type[msgspec.Struct]]) -> str:
    """What the declaration says a key must be; an entry of a list is an object where it is not said otherwise."""
    key = _last_key(path)
    if not key or (path.endswith("]") and key in structs):
        return _OBJECT.get(key, "a JSON object")
    return next(
        str(meta.extra["must"])
        for struct in structs.values()
        for field in msgspec.structs.fields(struct)
        if field.encode_name == key
        for meta in getattr(field.type, "__metadata__", ())
        if meta.extra
    )
