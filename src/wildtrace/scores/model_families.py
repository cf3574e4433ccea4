"""Which family of models a system or a judge belongs to, by its name, for the family bias of judges.

The maker's name is looked for anywhere in the name, since routes put prefixes before it (`mr.claude-sonnet-4-6`). A
name without a known maker is a family of its own first word. The report's `--family NAME=FAMILY` overrules this.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

_MAKERS = {
    "claude": ("claude", "opus", "sonnet", "haiku"),
    "gpt": ("gpt", "chatgpt", "davinci"),
    "gemini": ("gemini", "gemma"),
    "qwen": ("qwen", "qwq"),
    "deepseek": ("deepseek",),
    "glm": ("glm", "chatglm"),
    "kimi": ("kimi", "moonshot"),
    "doubao": ("doubao", "seed"),
    "minimax": ("minimax",),
    "llama": ("llama",),
    "mistral": ("mistral", "mixtral", "magistral", "ministral"),
    "grok": ("grok",),
}
_WORD_OF = {word: family for family, words in _MAKERS.items() for word in words}
_WORDS = re.compile(r"[a-z]+")


def families_of(names: Iterable[str], overrides: Mapping[str, str]) -> dict[str, str]:
    """The family of each name: the given one, else the known maker in it, else its first word, else the name."""
    return {name: overrides.get(name) or _family(name) for name in names}


def _family(name: str) -> str:
    words = _WORDS.findall(name.lower())
    known = (_WORD_OF[word] for word in words if word in _WORD_OF)
    return next(known, words[0] if words else name)
