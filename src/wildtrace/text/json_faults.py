"""What stands in a text that is whole JSON but for one value that no strict reader takes."""

from __future__ import annotations

import json
import math
import re
from typing import Final

HALF: Final = r"half a character (\ud800 to \udfff without its other half)"
TOO_LARGE: Final = "a number that is too large"
TOO_DEEP: Final = "objects or lists that are nested too deeply"
_HALF: Final = re.compile(r"\\u[dD][89a-fA-F]")


def json_fault(text: str | bytes) -> str | None:
    """The first value that JSON does not know, as a message names it; None where the text is no JSON at all.

    Python's own reader takes such values and writes them: NaN and the infinities, numbers beyond the range of 64 bits,
    an escaped half of a surrogate pair. Nesting beyond some hundreds of levels is refused by all.
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
        text = text if isinstance(text, str) else text.decode()
        json.loads(text, parse_constant=constant, parse_float=number, parse_int=number)
    except RecursionError:
        return TOO_DEEP if text.rstrip().endswith(("]", "}")) else None
    except ValueError:
        return None
    return faults[0] if faults else HALF if _HALF.search(text) else TOO_DEEP
