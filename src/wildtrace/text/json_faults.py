"""What stands in a text that is whole JSON but for one value that no strict reader takes."""

from __future__ import annotations

import json
import math
from typing import Final

HALF: Final = r"half a character (\ud800 to \udfff without its other half)"
TOO_LARGE: Final = "a number that is too large"


def json_fault(text: str | bytes) -> str | None:
    """The first value that JSON does not know, as a message names it; None where the text is no JSON at all.

    Python's own reader takes such values and writes them: NaN and the infinities, numbers beyond 64 bits of precision
    and range, an escaped half of a surrogate pair.
    """
    faults: list[str] = []

    def constant(name: str) -> None:
        faults.append(f"{name}, which is no JSON")

    def number(digits: str) -> float:
        value = float(digits)
        if math.isinf(value):
            faults.append(TOO_LARGE)
        return value

    try:
        json.loads(text if isinstance(text, str) else text.decode(), parse_constant=constant, parse_float=number)
    except (ValueError, RecursionError):
        return None
    return faults[0] if faults else HALF
