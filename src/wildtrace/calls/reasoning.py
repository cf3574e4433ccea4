"""Reasoning apart from the answer, for contestants, judges and roles alike (docs/protocol.md, rules 15 and 20).

Linear in the length of a reply: each character is looked at once by each mark.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Markup:
    """What opens and what closes a block of reasoning inside a reply's content."""

    opens: str
    closes: str


# Templates put the opening mark into the prompt, so that a reply may hold the closing one alone. The last two are the
# channels of the harmony format, with and without its message mark: longer marks stand before their beginnings.
MARKUP: Final = (
    Markup("<think>", "</think>"),
    Markup("<seed:think>", "</seed:think>"),
    Markup("<|channel|>analysis<|message|>", "<|channel|>final<|message|>"),
    Markup("<|channel|>analysis", "<|channel|>final"),
)
_OPENING: Final = re.compile("|".join(re.escape(each.opens) for each in MARKUP))
_SPACE: Final = re.compile(r"\s*")


@dataclass(frozen=True, slots=True)
class Thought:
    """An answer apart from its reasoning; `unclosed` says that the reasoning never ended."""

    answer: str
    reasoning: str | None
    unclosed: bool = False


def split_reasoning(content: str) -> Thought:
    """Move reasoning out of an answer's content (rule 15).

    Blocks that open the content are reasoning; so is everything after them up to the last closing mark that no opening
    mark precedes. A block that is never closed leaves no answer. Marks further on are text: an answer may quote them.
    """
    moved: list[str] = []
    place = _after_space(content, 0)
    while (markup := next((each for each in MARKUP if content.startswith(each.opens, place)), None)) is not None:
        closing = content.find(markup.closes, place)
        moved.append(content[place + len(markup.opens) : closing if closing >= 0 else None].strip())
        if closing < 0:
            return Thought("", "\n\n".join(moved), unclosed=True)
        place = _after_space(content, closing + len(markup.closes))
    opening = _OPENING.search(content, place)
    closing, after = _last_closing(content, place, opening.start() if opening else len(content))
    if closing >= 0:
        moved.append(content[place:closing].strip())
        place = _after_space(content, after)
    return Thought(content[place:], "\n\n".join(moved)) if moved else Thought(content, None)


def remove_reasoning(content: str) -> Thought:
    """The same for a reply in which no quoted mark has a meaning, a judge's or a role's (rule 20).

    Every closed block is reasoning wherever it stands, and so is what stands before a closing mark that is left. A
    block that is never closed leaves no answer.
    """
    parts: list[str] = []
    moved: list[str] = []
    place = 0
    while (opening := _OPENING.search(content, place)) is not None:
        closes = next(each.closes for each in MARKUP if each.opens == opening[0])
        closing = content.find(closes, opening.end())
        if closing < 0:
            return Thought("", "\n\n".join(moved), unclosed=True)
        parts.append(content[place : opening.start()])
        moved.append(content[opening.end() : closing].strip())
        place = closing + len(closes)
    text = "".join((*parts, content[place:]))
    closing, after = _last_closing(text, 0, len(text))
    if closing >= 0:
        moved.append(text[:closing].strip())
        text = text[after:]
    return Thought(text, "\n\n".join(moved) or None)


def _last_closing(text: str, start: int, end: int) -> tuple[int, int]:
    """Where the last closing mark begins and ends; -1 where there is none."""
    return max((at, at + len(each.closes)) for each in MARKUP for at in [text.rfind(each.closes, start, end)])


def _after_space(text: str, place: int) -> int:
    match = _SPACE.match(text, place)
    return match.end() if match else place
