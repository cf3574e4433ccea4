"""`echo-codes`: the contestant that rehearses the window probe. It repeats every code that reached it.

`CODE` is the one place that says what a code looks like; whoever plants codes takes it from here.
"""

from __future__ import annotations

import re

from wildtrace.models.offline.parsing import parse_asked

CODE = re.compile(r"(?<![A-Za-z0-9])[A-Z]{2}[0-9]{4}[A-Z]{2}(?![A-Za-z0-9])")


def echo_codes(prompt: str) -> str:
    """Every code of the prompt's document (of a prompt cut at the front: of all of it), in order, once."""
    asked = parse_asked(prompt)
    codes = dict.fromkeys(CODE.findall(asked.document if asked else prompt))
    return " ".join(codes) or "No code."
