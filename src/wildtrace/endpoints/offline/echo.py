"""`echo-codes`: the contestant that rehearses the window probe. It repeats every code that reached it."""

from __future__ import annotations

from wildtrace.endpoints.offline.parsing import parse_asked
from wildtrace.probe.codes import CODE


def echo_codes(prompt: str) -> str:
    """Every code of the prompt's document (of a prompt cut at the front: of all of it), in order, once."""
    asked = parse_asked(prompt)
    codes = dict.fromkeys(CODE.findall(asked.document if asked else prompt))
    return " ".join(codes) or "No code."
