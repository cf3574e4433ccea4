"""The caps table of the protocol, and whether a document may be sent (docs/protocol.md, rules 6 to 8)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import msgspec

from wildtrace.types import DocumentFacts

_CHARACTERS = msgspec.Meta(
    ge=1, le=(1 << 31) - 1, description="characters", extra={"must": "a whole number of characters, at least 1"}
)


class Cap(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The longest document a route is sent, in code points, by script."""

    en: Annotated[int, _CHARACTERS]
    cjk: Annotated[int, _CHARACTERS]


DEFAULT_CAP = Cap(en=2_850_000, cjk=850_000)

_FULL = (
    "gpt-4.1",
    "gpt-5.4",
    "gpt-5.5",
    "qwen3.5-plus",
    "qwen3.6-plus",
    "qwen3.7-max",
    "qwen3.7-plus",
    "gemini-2.5-pro",
    "gemini-3.1",
    "deepseek-v4",
    "glm-5.2",
    "claude-opus-4.6",
    "claude-opus-4.8",
)
CAPS: dict[str, Cap] = {
    **dict.fromkeys(_FULL, DEFAULT_CAP),
    "deepseek-v3.2": Cap(1_200_000, 400_000),
    "gpt-5.1": Cap(1_050_000, 320_000),
    "kimi-k2.6": Cap(1_000_000, 320_000),
    "doubao-seed-2.1": Cap(1_000_000, 320_000),
    "qwen3-max": Cap(690_000, 210_000),
    "minimax-m2.7": Cap(570_000, 220_000),
}

CapSource = Literal["config", "table", "default"]


@dataclass(frozen=True, slots=True)
class Route:
    """A contestant's caps and where they come from."""

    cap: Cap
    source: CapSource

    def limit(self, facts: DocumentFacts) -> int:
        """The cap, in code points, that holds for this document."""
        return self.cap.cjk if facts.cjk else self.cap.en

    def admits(self, facts: DocumentFacts) -> bool:
        """Whether the document may be sent: its length is at most the cap."""
        return facts.chars <= self.limit(facts)

    def moved_by_reading(self, facts: DocumentFacts) -> bool:
        """Whether dropping a mark or line ends while reading moved the cap decision."""
        return self.admits(facts) != (facts.raw_chars <= self.limit(facts))
