"""What the construction roles are asked: the prompts of extractor, linker and verifier (docs/roles.md)."""

from __future__ import annotations

from collections.abc import Sequence

from wildtrace.prompts.render import fill, template
from wildtrace.text.passages import clue_window
from wildtrace.types import Edge, Matter, Record, Source, Span, Window


def extractor_prompt(source: Source, window: Window, text: str, matter: Sequence[Matter] = ()) -> str:
    """The extractor's prompt for one window of a source's canonical text, without its front and back matter."""
    values = {"source": source.id, "offset": str(window.start), "window": prose(window, text, matter)}
    return fill(template("extractor"), values)


def prose(window: Window, text: str, matter: Sequence[Matter]) -> str:
    """A window's text without the front and back matter that it touches."""
    parts: list[str] = []
    place = window.start
    for part in sorted(touching(window.start, window.end, matter), key=lambda part: part.start):
        parts.append(text[place : part.start])
        place = max(place, part.end)
    parts.append(text[place : window.end])
    return "\n\n".join(part for part in parts if part)


def touching(start: int, end: int, matter: Sequence[Matter]) -> list[Matter]:
    """The matter that shares text with a range."""
    return [part for part in matter if part.start < end and start < part.end]


def linker_prompt(source: Source, records: Sequence[Record], pairs: Sequence[tuple[str, str]]) -> str:
    """The linker's prompt for a block of candidate pairs, given by record ids."""
    lines = "\n".join(f"{r.id} {r.span.start} {one_line(r.span.quote)}" for r in records)
    values = {"source": source.id, "records": lines, "pairs": "\n".join(f"{one} {other}" for one, other in pairs)}
    return fill(template("linker"), values)


def verifier_prompt(source: Source, text: str, proposed: Edge, head: Record, tail: Record) -> str:
    """The verifier's prompt for one edge, each end in the window of its clue."""
    values = {
        "source": source.id,
        "type": proposed.type,
        "from": one_line(head.span.quote),
        "to": one_line(tail.span.quote),
        "context_from": context_of(text, head.span),
        "context_to": context_of(text, tail.span),
    }
    return fill(template("verifier"), values)


def one_line(quote: str) -> str:
    """A quote with its white space as single spaces."""
    return " ".join(quote.split())


def context_of(text: str, span: Span) -> str:
    """The clue window of a span, no more than 3,000 code points on either side."""
    start, end = clue_window(text, span.start, span.end)
    return text[max(start, span.start - 3000) : min(end, span.end + 3000)]
