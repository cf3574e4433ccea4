"""Tells a key that was pasted where a name or an address belongs, before it is written into results or sent about.

A key is known by its value, where the environment holds it, or by its looks: the prefix of a well-known service, or a
long run of letters and digits without the words, sizes and dates that names of models are made of.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final
from urllib.parse import unquote, unquote_plus, urlsplit

_PREFIXED: Final = re.compile(
    r"(?:sk|pk|rk)[-_](?:(?:proj|ant|or|svcacct|admin|live|test)[-_][\w.-]{12,}|[\w.-]*[A-Za-z0-9]{16}[\w.-]*)"
    r"|(?:sk|pk|rk)[-_](?=[\w.-]{16})[\w.-]*(?=[A-Za-z]*[0-9])(?=[0-9]*[A-Za-z])[A-Za-z0-9]{10,}[\w.-]*"
    r"|(?:gsk_|xai-|hf_|r8_|pplx-|fw_|csk-|key-|ghp_|gho_|glpat-)[A-Za-z0-9]{20,}"
    r"|(?:nvapi-|AIza|github_pat_|tgp_v1_|ya29\.)[\w-]{20,}"
    r"|AKIA[A-Z0-9]{16}|dapi[0-9a-f]{32}"
    r"|eyJ[\w-]{8,}\.[\w-]{8,}\.?[\w-]*"
    r"|Bearer\s+\S{8,}"
)
_HEXADECIMAL: Final = re.compile(r"[0-9a-f]{32,}|[0-9A-F]{32,}")
_UUID: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_RUN: Final = re.compile(r"[A-Za-z0-9]{24,}")
_SEPARATORS: Final = re.compile(r"[/:@=;,&\s]+")
_PIECES: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
# Words, sizes and dates of a name are this long on the average; of a random run, pieces are about 2 characters long.
_LONG_RUN: Final = 32
_SHORT_PIECES: Final = 3.2
_SHORTER_PIECES: Final = 2.6
# How long a secret is that no name and no answer holds by chance; a shorter one only where it mixes letters and digits.
# "none", "EMPTY" and "lm-studio" are keys of local servers, names and words of answers; so is an API version's date.
_LONG: Final = 16
TELLING: Final = 8


def looks_like_key(text: str) -> bool:
    """Whether a name looks like a key. A digest behind a slash or a colon, as in a path or a version, does not.

    A UUID alone does: it is what some services give for a key (Volcengine, SambaNova).
    """
    text = text.strip()
    parts = _SEPARATORS.split(text)
    if _UUID.fullmatch(text) or _PREFIXED.fullmatch(text) or any(map(_PREFIXED.fullmatch, parts)):
        return True
    if len(parts) == 1 and any(map(_HEXADECIMAL.fullmatch, re.split(r"[-_.]", text))):
        return True
    return any(_is_random(run) for part in parts for run in _RUN.findall(part))


def address_holds_key(url: str) -> bool:
    """Whether a part of the path looks like a key, or of the host or the query one has a key's prefix.

    A query may carry what a gateway asks for, and reaches no file; the path is stored as what it claims to be. Hosts
    carry ids of accounts.
    """
    path, others = _of_address(url)
    return any(looks_like_key(f"/{part}") for part in path) or any(map(_PREFIXED.fullmatch, (*path, *others)))


def holds_any(text: str, keys: Iterable[str]) -> bool:
    """Whether a name or an address holds one of these keys, written in any way; short words are no keys."""
    forms = {text, unquote(text), unquote_plus(text)}
    return any(key in form for key in keys if is_telling(key) for form in forms)


def is_telling(secret: str) -> bool:
    """Whether a text that holds this holds the secret, and no word that is like it."""
    mixed = any(map(str.isalpha, secret)) and any(map(str.isdigit, secret))
    return len(secret) >= _LONG or (len(secret) >= TELLING and mixed)


def _of_address(url: str) -> tuple[list[str], list[str]]:
    parts = urlsplit(url)
    path = [unquote(part) for part in parts.path.split("/") if part]
    host = parts.netloc.rpartition("@")[2].partition(":")[0]
    return path, [*map(unquote_plus, _values(parts.query)), host, *host.split(".")]


def _values(query: str) -> Iterator[str]:
    for pair in re.split("[&;]", query):
        yield pair.partition("=")[2] if "=" in pair else pair


def _is_random(run: str) -> bool:
    if _HEXADECIMAL.fullmatch(run):
        return False
    length = len(run) / len(_PIECES.findall(run))
    return length <= (_SHORT_PIECES if len(run) >= _LONG_RUN else _SHORTER_PIECES)
