"""A cap entry on its way into a config file."""

from __future__ import annotations

import json
import os
import re
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from wildtrace.endpoints.caps import Cap
from wildtrace.endpoints.config import RunConfig
from wildtrace.errors import ConfigError
from wildtrace.files import write_atomically


def known_cap(config: RunConfig, caps: Mapping[str, int]) -> Cap | None:
    """The whole entry for the config: the caps found, and the config's own for a script that was not probed."""
    before = config.caps.get(config.contestant.model)
    en = caps.get("en", before.en if before else None)
    cjk = caps.get("cjk", before.cjk if before else None)
    return None if en is None or cjk is None else Cap(en, cjk)


def write_cap(path: Path, model: str, cap: Cap) -> None:
    """Put a cap into a config file, whole or not at all; everything else in it stays as it is written.

    The file is read again first, since a probe takes its time. ConfigError where it is no JSON object any more,
    OutputError where it cannot be written.
    """
    target = path.resolve()
    try:
        text = target.read_bytes().decode("utf-8-sig")
        mode = stat.S_IMODE(target.stat().st_mode)
        data = json.loads(text)
    except (OSError, ValueError) as error:
        raise ConfigError(f"{path} cannot be read any more ({type(error).__name__}); add the cap by hand") from None
    if not isinstance(data, dict) or not isinstance(data.get("caps", {}), dict):
        raise ConfigError(f"{path} is no config any more; add the cap by hand")
    entry = json.dumps({"en": cap.en, "cjk": cap.cjk})
    place = _member(text, text.index("{"), "caps")
    caps = "{}" if place.fresh else text[place.start : place.end]
    caps = _put(caps, _member(caps, 0, model), model, entry)
    changed = _put(text, place, "caps", caps)
    _replace(target, (changed if changed.endswith("\n") else changed + "\n").encode(), mode)


@dataclass(frozen=True, slots=True)
class _Member:
    """Where the value of an object's member stands in a text; a fresh one goes to `start`, after `lead`."""

    start: int
    end: int
    lead: str = ""
    fresh: bool = False


_GAP = re.compile(r"[\s,:]*")


def _member(text: str, opening: int, name: str) -> _Member:
    """The member `name` of the object that opens there in a valid JSON text; of two of that name the last counts."""
    read, found, end, lead = json.JSONDecoder().raw_decode, None, opening + 1, ""
    while text[key := _gap(text, end)] != "}":
        lead = "," + (text[end:key].replace(",", "") or " ")
        known, end = read(text, key)
        start = _gap(text, end)
        _, end = read(text, start)
        if known == name:
            found = _Member(start, end)
    return found or _Member(end, end, lead, fresh=True)


def _gap(text: str, at: int) -> int:
    """Where what follows the white space, commas and colons there begins."""
    gap = _GAP.match(text, at)
    return at if gap is None else gap.end()


def _put(text: str, place: _Member, name: str, value: str) -> str:
    """The text with a member's value in its place."""
    said = f"{place.lead}{json.dumps(name, ensure_ascii=False)}: {value}" if place.fresh else value
    return text[: place.start] + said + text[place.end :]


def _replace(path: Path, content: bytes, mode: int) -> None:
    # A config may be private to its owner: the new file must not be readable to others for a moment either.
    before = os.umask(0o777 & ~mode)
    try:
        write_atomically(path, [content])
    finally:
        os.umask(before)
