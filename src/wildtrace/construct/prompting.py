"""The prompts of the roles: one text file each in `prompts/`, filled in one pass; what is inserted stays text."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib import resources
from typing import Final

from wildtrace.prompts.render import fill
from wildtrace.text.script import is_cjk
from wildtrace.text.tokens import CJK_CHARS_PER_TOKEN, EN_CHARS_PER_TOKEN

PROMPTS: Final = ("read", "reconcile", "propose", "passages", "revise", "verify", "critic")


@cache
def template(name: str) -> str:
    """The text of a prompt file."""
    return resources.files("wildtrace.construct").joinpath("prompts", f"{name}.txt").read_text("utf-8").strip()


def prompt(name: str, **values: str) -> str:
    """A prompt with its values."""
    return fill(template(name), values)


def prompts_digest() -> str:
    """SHA-256 of all prompt files."""
    return hashlib.sha256("\0".join(map(template, PROMPTS)).encode()).hexdigest()


def chars_for(tokens: int, text: str) -> int:
    """About how many code points of a text like this one have so many tokens."""
    return int(tokens * (CJK_CHARS_PER_TOKEN if is_cjk(text) else EN_CHARS_PER_TOKEN))


def cut(text: str, most: int) -> str:
    """A line of at most `most` code points, with an ellipsis where it was longer."""
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"
