"""A cap entry on its way into a config file."""

from __future__ import annotations

import json
import os
import re
import stat
from collections.abc import Mapping
from pathlib import Path

from wildtrace.endpoints.caps import Cap
from wildtrace.endpoints.config import RunConfig
from wildtrace.errors import ConfigError
from wildtrace.files import write_atomically


def known_cap(config: RunConfig, caps: Mapping[str, int]) -> Cap | None:
    """The whole entry for the config: the measured caps, and the config's own for a script that was not probed."""
    before = config.caps.get(config.contestant.model)
    en = caps.get("en", before.en if before else None)
    cjk = caps.get("cjk", before.cjk if before else None)
    return None if en is None or cjk is None else Cap(en, cjk)


def write_cap(path: Path, model: str, cap: Cap) -> None:
    """Add a cap to a config file, whole or not at all; all other keys and values stay, in their order.

    The file is read again first, since a probe takes its time, and written anew with its own indentation. ConfigError
    where it is no JSON object any more, OutputError where it cannot be written.
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
    data.setdefault("caps", {})[model] = {"en": cap.en, "cjk": cap.cjk}
    indent = re.search(r"\n([ \t]+)", text)
    written = json.dumps(data, ensure_ascii=False, indent=indent[1] if indent else None) + "\n"
    # A config may be private to its owner: the new file must not be readable to others for a moment either.
    before = os.umask(0o777 & ~mode)
    try:
        # Half a character, which only an escape can have brought, is escaped again.
        write_atomically(target, [written.encode(errors="backslashreplace")])
    finally:
        os.umask(before)
