"""A cap entry on its way into a config file."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Mapping
from pathlib import Path

from wildtrace.errors import ConfigError
from wildtrace.models.config import Cap, RunConfig
from wildtrace.store.files import write_atomically


def known_cap(config: RunConfig, caps: Mapping[str, int]) -> Cap | None:
    """The whole entry for the config: the caps found, and the config's own for a script that was not probed."""
    before = config.caps.get(config.contestant.model)
    en = caps.get("en", before.en if before else None)
    cjk = caps.get("cjk", before.cjk if before else None)
    return None if en is None or cjk is None else Cap(en, cjk)


def write_cap(path: Path, model: str, cap: Cap) -> None:
    """Put a cap into a config file, whole or not at all; every other key and the order of keys stay.

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
    if not isinstance(data, dict) or not isinstance(data.setdefault("caps", {}), dict):
        raise ConfigError(f"{path} is no config any more; add the cap by hand")
    data["caps"][model] = {"en": cap.en, "cjk": cap.cjk}
    _replace(target, (json.dumps(data, ensure_ascii=False, indent=_indent(text)) + "\n").encode(), mode)


def _replace(path: Path, content: bytes, mode: int) -> None:
    # A config may be private to its owner: the new file must not be readable to others for a moment either.
    before = os.umask(0o777 & ~mode)
    try:
        write_atomically(path, [content])
    finally:
        os.umask(before)


def _indent(text: str) -> str | None:
    """What a JSON text is indented with, by its second line; None where it stands on one line."""
    lines = text.strip().split("\n")
    return lines[1][: len(lines[1]) - len(lines[1].lstrip())] if len(lines) > 1 else None
