"""Fill a prompt file in one pass: what stands in an inserted text stays text (docs/protocol.md, rule 9).

Prompt files have LF line ends and no trailing newline. A placeholder is `{name}` for a name that is given; every other
brace is text.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Final

QUESTION_LIMIT: Final = 600
"""So many code points of a question a judge is shown (protocol, section 4)."""
CRITERION_LIMIT: Final = 260
"""The same of a criterion."""
RESPONSE_LIMIT: Final = 5000
"""The same of an answer."""
_PLACEHOLDER = re.compile(r"\{(\w+)\}")


@cache
def template(name: str) -> str:
    """The text of the prompt file `name` (without `.txt`)."""
    return resources.files("wildtrace.prompts").joinpath(f"{name}.txt").read_bytes().decode()


def digest(name: str) -> str:
    """SHA-256 of a prompt file, as it stands in a run's signature."""
    return hashlib.sha256(template(name).encode()).hexdigest()


def fill(text: str, values: Mapping[str, str]) -> str:
    """Replace `{name}` for each name of `values` in one pass over `text`."""
    return _PLACEHOLDER.sub(lambda match: values.get(match[1], match[0]), text)


def around(text: str, placeholder: str, values: Mapping[str, str]) -> tuple[str, str]:
    """What stands before and after the first `{placeholder}`, each filled: the document itself need not be copied."""
    before, _, after = text.partition(f"{{{placeholder}}}")
    return fill(before, values), fill(after, values)
